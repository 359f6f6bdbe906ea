//! Which solvers read all of a file: for which of them it was written.

use std::io::{self, Read};

use crate::input::{Next, Scanner};
use crate::solver::{Solver, Work, default_options};

/// Bytes that each solver reads to tell whether a file is for it.
pub const BYTES_MAX: u64 = 4 << 20;
/// Puzzles that each solver reads for that.
const PUZZLES_MAX: u64 = 5000;

/// A solver that reads all of a file, as far as it was looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recognised {
    /// The solver.
    pub solver: &'static dyn Solver,
    /// Puzzles that it read, all of them valid.
    pub puzzles: u64,
}

/// Those of `solvers` that read all of the file that `open` opens: at least one puzzle, and none invalid.
pub fn recognise<R: Read>(
    solvers: impl IntoIterator<Item = &'static dyn Solver>,
    mut open: impl FnMut() -> io::Result<R>,
) -> Vec<Recognised> {
    let recognised = solvers.into_iter().filter_map(|solver| {
        // What cannot be read now is recognised by nobody.
        let read = open().and_then(|file| read_all(solver, file));
        let puzzles = read.ok().flatten().filter(|puzzles| *puzzles > 0)?;
        Some(Recognised { solver, puzzles })
    });
    recognised.collect()
}

/// The puzzles of a file; `None` where one is invalid.
fn read_all(solver: &'static dyn Solver, file: impl Read) -> io::Result<Option<u64>> {
    let mut source = file.take(BYTES_MAX);
    let mut scanner = Scanner::new(&mut source, "")?;
    let mut reader = solver.open(&default_options(solver));
    let mut puzzles = 0;
    while puzzles < PUZZLES_MAX {
        match reader.read(&mut scanner)? {
            Some(entry) if matches!(entry.work, Work::Solve(_)) => puzzles += 1,
            Some(_) => {
                // The last one that was looked at is cut.
                let is_last = scanner.advance()? == Next::End;
                drop(scanner);
                return Ok((is_last && source.limit() == 0).then_some(puzzles));
            }
            None => break,
        }
    }
    let is_ignored = scanner.take_ignored().is_some();
    Ok((!is_ignored).then_some(puzzles))
}
