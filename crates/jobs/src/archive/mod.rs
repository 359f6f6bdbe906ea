//! Archives: a class in one `.zip`.
//!
//! [`Archive`] checks the central directory before it unpacks anything: how many members there are, how large they
//! unpack, and that no two of them share a name or data. If a single member is wrong, it refuses that member and reads
//! the others. [`ArchiveWriter`] writes results; the same members give the same bytes.

use std::io;

use tabuleiro_puzzles::words::{Phrase, messages};

mod archive_reader;
mod archive_writer;
mod member_path;
mod portable;

pub use archive_reader::{Archive, MEMBERS_MAX, Member, UNPACKED_BYTES_MAX};
pub use archive_writer::ArchiveWriter;
pub use member_path::{is_archive, is_zip};

messages! {
    "archive"
    /// Why an archive as a whole (the first five), or a single member, is refused.
    pub enum Refusal {
        /// The file does not end as an archive does.
        NoArchive = "no-archive",
        /// The central directory does not fit into the file, or contradicts its content.
        Directory = "directory",
        TooMany = "too-many" { members_max: u64 },
        Doubled = "doubled" { name: String },
        Overlap = "overlap",
        Nested = "nested",
        Link = "link",
        /// The member is a device, a pipe or another special file.
        Special = "special",
        Encrypted = "encrypted",
        /// The member is neither stored nor deflated.
        Method = "method" { method: u64 },
        /// The path leads out of its folder, or may do so on some system.
        Outside = "outside",
        /// The name is marked as UTF-8, but is not valid UTF-8.
        Encoding = "encoding",
        /// The path, or a name in it, has more than `bytes_max` bytes.
        LongName = "long-name" { bytes_max: u64 },
        /// The path has more than `depth_max` names.
        Deep = "deep" { depth_max: u64 },
        /// The members together unpack to more than `size_max`, and this is one of the largest.
        TooLarge = "too-large" { size_max: String },
        /// The unpacked data are not what the archive declares.
        Damaged = "damaged",
    }
}

/// Why an archive, or one of its members, cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// Reading the file failed.
    #[error("cannot read: {0}")]
    Read(#[source] io::Error),
    /// The archive or the member is refused.
    #[error("{0}")]
    Refused(Phrase),
}

impl From<Refusal> for ArchiveError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<rawzip::Error> for ArchiveError {
    fn from(error: rawzip::Error) -> Self {
        match error.into_kind() {
            // If the file ends too early, its directory is wrong.
            rawzip::ErrorKind::IO(error) if error.kind() != io::ErrorKind::UnexpectedEof => Self::Read(error),
            rawzip::ErrorKind::MissingEndOfCentralDirectory => Refusal::NoArchive.into(),
            _ => Refusal::Directory.into(),
        }
    }
}

#[cfg(test)]
mod tests;
