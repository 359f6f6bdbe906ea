//! Reading a claimed file: bounded, cancellable, counted, digested.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::atomic::Ordering;

use sha2::{Digest, Sha256};

use crate::daemon::answering::progress::Counts;
use crate::daemon::fs::disk::OpenFile;
use tabuleiro_puzzles::solver::Cancel;

/// A claimed file being read.
pub struct Source<'a> {
    /// The open file.
    pub file: &'a mut dyn OpenFile,
    /// Bytes that may still be read.
    pub left: u64,
    /// Ends the reading.
    pub cancel: &'a Cancel,
    /// What digests the bytes, for those who ask for that.
    pub digest: Option<Sha256>,
    /// Who is told how far it came.
    pub counts: &'a Counts,
}

/// Members of an archive are read where they lie, each twice: to be sure that it is whole, and to be answered. How large the archive
/// is was looked at before, so that what is left counts for files alone that are read from end to end.
impl Seek for Source<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = self.file.seek(to)?;
        self.left = u64::MAX;
        self.counts.bytes_read.store(at, Ordering::Relaxed);
        Ok(at)
    }
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("cancelled"));
        }
        let most = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let count = self.file.read(&mut buffer[..most])?;
        self.left -= count as u64;
        self.counts.bytes_read.fetch_add(count as u64, Ordering::Relaxed);
        if let Some(digest) = &mut self.digest {
            digest.update(&buffer[..count]);
        }
        Ok(count)
    }
}
