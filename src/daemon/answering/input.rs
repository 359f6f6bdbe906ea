//! Reading a claimed file: bounded, cancellable, counted, digested.

use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::Ordering;

use sha2::{Digest, Sha256};

use crate::daemon::answering::progress::Counts;
use crate::daemon::fs::disk::{Disk, OpenFile};
use crate::input::Scanner;
use crate::solver::{Cancel, SOLVERS, Solver, Work, default_options};

/// Puzzles tried per solver to find out who can read a file that no route takes.
const PROBE_PUZZLES: usize = 3;
/// Bytes read for that, by each solver.
const PROBE_BYTES_MAX: u64 = 4 << 20;

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

/// The solvers that can read the beginning of a file.
pub fn readable_by(path: &Path, disk: &dyn Disk) -> Vec<&'static str> {
    let reads = |solver: &&dyn Solver| -> io::Result<bool> {
        let mut scanner = Scanner::new(disk.open(path)?.take(PROBE_BYTES_MAX), "")?;
        let mut reader = solver.open(&default_options(*solver));
        let mut valid = 0;
        for _ in 0..PROBE_PUZZLES {
            match reader.read(&mut scanner)? {
                Some(entry) if matches!(entry.work, Work::Solve(_)) => valid += 1,
                Some(_) => return Ok(false),
                None => break,
            }
        }
        Ok(valid > 0)
    };
    SOLVERS.iter().filter(|solver| reads(solver).unwrap_or(false)).map(|solver| solver.id()).collect()
}
