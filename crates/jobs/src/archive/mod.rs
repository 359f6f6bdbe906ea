//! Archives: a class in one `.zip`, read with care and written the same way every time.
//!
//! All of an [`Archive`] is checked by its central directory before anything is unpacked: how many members there are, what they
//! unpack to, and that no two of them share a name or data. A member that is wrong by itself is refused alone, and the others are
//! read. [`ArchiveWriter`] writes results: from the same members the same bytes.

use std::io;

use tabuleiro_puzzles::words::{Phrase, messages};

mod archive_reader;
mod archive_writer;
// Names of members, decoded and judged.
mod member_path;
// Names that every system can unpack.
mod portable;

pub use archive_reader::{Archive, MEMBERS_MAX, Member, UNPACKED_BYTES_MAX};
pub use archive_writer::{APART, Apart, ArchiveWriter, NewMember, Packed};
pub use member_path::{is_archive, is_zip};

messages! {
    "archive"
    /// What is wrong with an archive as a whole: none of it is read.
    pub enum Fault {
        /// It does not end as an archive does.
        NoArchive = "no-archive",
        /// Its central directory does not fit into it, or says something else than it holds.
        Directory = "directory",
        /// It has more members than that.
        TooMany = "too-many" { members_max: u64 },
        /// Two members have one name.
        Doubled = "doubled" { name: String },
        /// Two members share data.
        Overlap = "overlap",
    }
}

messages! {
    "archive"
    /// What is wrong with a member: it alone is not read.
    pub enum Refusal {
        /// It is an archive.
        Nested = "nested",
        /// It is a symbolic link.
        Link = "link",
        /// It is a device, a pipe or the like.
        Special = "special",
        /// It needs a password.
        Encrypted = "encrypted",
        /// It is packed in another way than the two that everybody reads.
        Method = "method" { method: u64 },
        /// Its path leaves its folder, or may do so somewhere.
        Outside = "outside",
        /// Its name is no UTF-8, and says that it is.
        Encoding = "encoding",
        /// Its path, or a name in it, has more bytes than that.
        LongName = "long-name" { bytes_max: u64 },
        /// It lies in more folders than that.
        Deep = "deep" { depth_max: u64 },
        /// The members unpack to more than that together, and it is one of the largest.
        TooLarge = "too-large" { size_max: String },
        /// What it unpacks to is not what the archive says.
        Damaged = "damaged",
    }
}

/// Why an archive, or one of its members, cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// Reading the file failed.
    #[error("cannot read: {0}")]
    Read(#[source] io::Error),
    /// It is wrong.
    #[error("{0}")]
    Refused(Phrase),
}

impl From<Fault> for ArchiveError {
    fn from(fault: Fault) -> Self {
        Self::Refused(fault.into())
    }
}

impl From<Refusal> for ArchiveError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<rawzip::Error> for ArchiveError {
    fn from(error: rawzip::Error) -> Self {
        match error.into_kind() {
            // Where the file ends too early the directory is wrong about it.
            rawzip::ErrorKind::IO(error) if error.kind() != io::ErrorKind::UnexpectedEof => Self::Read(error),
            rawzip::ErrorKind::MissingEndOfCentralDirectory => Fault::NoArchive.into(),
            _ => Fault::Directory.into(),
        }
    }
}

#[cfg(test)]
mod tests;
