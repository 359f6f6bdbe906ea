//! Archives: a class in one `.zip`, read with care and written the same way every time.
//!
//! All of an [`Archive`] is checked by its central directory before anything is unpacked: how many members there are, what they
//! unpack to, and that no two of them share a name or data. A member that is wrong by itself is refused alone, and the others are
//! read. [`ArchiveWriter`] writes results: from the same members the same bytes.

// What an archive holds, and its members unpacked.
mod open;
// Names of members, decoded and judged.
mod path;
// Names that every system can unpack.
mod portable;
// Why an archive or a member is not read.
mod refusal;
// Archives written.
mod write;

pub use open::{Archive, MEMBERS_MAX, Member, UNPACKED_BYTES_MAX};
pub use path::{is_archive, is_zip};
pub use refusal::{ArchiveError, Fault, Refusal};
pub use write::{APART, Apart, ArchiveWriter, NewMember, Packed};

#[cfg(test)]
mod tests;
