//! A reference: the puzzles of a file, and what is proved about each.

use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;

use crate::input::{Place, Scanner, read_directives};
use crate::job::{self, JobError, Pool, Progress, Reading, Rejection, Sink, Summary};
use crate::solver::{Cancel, Known, Options, Outcome, Solver, Work, format_size};

/// Bytes of a reference at most: it is held in memory.
pub const REFERENCE_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// A reference with its answers.
pub struct AnswerKey {
    /// What its puzzles are.
    pub solver: &'static dyn Solver,
    /// Under which options they were solved, those of grading among them.
    pub options: Options,
    /// What is proved about each puzzle.
    pub(super) known: Vec<Known>,
    name: Arc<str>,
    text: Arc<Vec<u8>>,
}

/// Keeps what is proved.
#[derive(Default)]
struct Keeper(Vec<Known>);

impl Sink for Keeper {
    fn outcome(&mut self, _: u64, _: Place, outcome: &Outcome, _: Duration) -> io::Result<()> {
        self.0.push(outcome.into());
        Ok(())
    }
}

/// Reads a reference as a whole.
///
/// # Errors
/// Those of reading; [`io::ErrorKind::FileTooLarge`] when it has more than [`REFERENCE_BYTES_MAX`].
pub fn read_reference(source: impl Read) -> io::Result<Arc<Vec<u8>>> {
    read_at_most(source, REFERENCE_BYTES_MAX)
}

fn read_at_most(source: impl Read, bytes_max: u64) -> io::Result<Arc<Vec<u8>>> {
    let mut text = Vec::new();
    source.take(bytes_max + 1).read_to_end(&mut text)?;
    if text.len() as u64 > bytes_max {
        let message = format!("a reference may have {} at most; make several of it", format_size(bytes_max));
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(text.into())
}

impl AnswerKey {
    /// Solves the puzzles of `text`, which `name` calls in messages. Its directives are part of `options` already.
    ///
    /// # Errors
    /// Those of answering a file.
    pub fn solve(
        (name, text): (Arc<str>, Arc<Vec<u8>>),
        (solver, options): (&'static dyn Solver, Options),
        pool: &Pool,
        cancel: &Cancel,
        progress: &Arc<Progress>,
    ) -> Result<(Self, Summary), JobError> {
        let mut keeper = Keeper::default();
        let mut scanner = open(&text, &name).map_err(JobError::Read)?;
        let summary = job::answer(&mut scanner, solver, &options, pool, cancel, progress, &mut keeper)?;
        Ok((Self { solver, options, known: keeper.0, name, text: Arc::clone(&text) }, summary))
    }

    /// How many puzzles there are.
    #[must_use]
    pub fn puzzles(&self) -> u64 {
        self.known.len() as u64
    }

    /// Begins to read the puzzles once more.
    pub(super) fn open(&self) -> io::Result<(Scanner<'_>, Reading)> {
        Ok((open(&self.text, &self.name)?, Reading::open(self.solver, &self.options)))
    }
}

/// Reads the puzzles of a reference, and solves none. Gives how many there are, the invalid ones included.
///
/// # Errors
/// When they are none of the solver's.
pub fn count_puzzles(
    (name, text): (&Arc<str>, &[u8]),
    (solver, options): (&dyn Solver, &Options),
) -> Result<u64, JobError> {
    let mut scanner = open(text, name).map_err(JobError::Read)?;
    let mut reading = Reading::open(solver, options);
    let (mut puzzles, mut recognised, mut first) = (0, false, None);
    while let Some(entry) = reading.read(&mut scanner).map_err(JobError::Read)? {
        puzzles += 1;
        match entry.work {
            Work::Invalid(problem) => {
                recognised |= problem.recognised;
                first.get_or_insert(*problem);
            }
            Work::Solve(_) | Work::Settled(_) => recognised = true,
        }
    }
    if !recognised && puzzles > 0 {
        return Err(Rejection::no_puzzle(solver.id(), puzzles, first, &scanner).into());
    }
    Ok(puzzles)
}

/// A scanner behind the directives.
fn open<'t>(text: &'t [u8], name: &Arc<str>) -> io::Result<Scanner<'t>> {
    let mut scanner = Scanner::new(text, Arc::clone(name))?;
    // Whoever made the options has refused wrong ones.
    let _ = read_directives(&mut scanner);
    Ok(scanner)
}

#[cfg(test)]
mod tests {
    use super::read_at_most;

    #[test]
    fn a_reference_beyond_the_limit_is_refused_by_name() {
        let text = [b'1'; 2048];
        assert_eq!(read_at_most(&text[..], 2048).unwrap().len(), 2048);
        let error = read_at_most(&text[..], 1024).unwrap_err().to_string();
        assert_eq!(error, "a reference may have 1KiB at most; make several of it");
    }
}
