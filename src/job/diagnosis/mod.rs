//! The puzzles of a file, those that are wrong looked at once more by their lines, so that a person is told what to mend.
//!
//! A reader stops where a token does not fit, which may be far behind the mistake. What it read is still at hand: here
//! its characters and its lines are looked at, and what would make the puzzle valid is tried on a copy before it is
//! proposed.

// A character that numbers do not have.
mod characters;
// The line of the file at which a message points.
mod excerpt;
// What the look shows.
mod mistake;
// Rows too short, too long, too many, too few.
mod rows;
// Whether a change makes a puzzle valid.
mod trial;

use std::io;

use crate::input::Scanner;
use crate::solver::{Entry, Options, Problem, PuzzleReader, Solver, Work};
use trial::Trial;

pub use excerpt::excerpt_lines;

/// Puzzles of a file that are looked at by their lines. What is wrong with further ones is told as the reader found it.
pub const LOOKS_MAX: u32 = 10_000;

/// Reads the puzzles of a file.
pub struct Reading {
    reader: Box<dyn PuzzleReader>,
    looks_left: u32,
    /// The puzzle before was valid, or there is none.
    is_after_valid: bool,
}

impl Reading {
    /// Begins to read a file for a solver under its options.
    #[must_use]
    pub fn open(solver: &dyn Solver, options: &Options) -> Self {
        Self { reader: solver.open(options), looks_left: LOOKS_MAX, is_after_valid: true }
    }

    /// Reads the next puzzle; `None` at the end of the file.
    ///
    /// # Errors
    /// Only those of reading the input.
    #[inline]
    pub fn read(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        input.mark();
        let entry = self.reader.read(input)?;
        match entry {
            Some(Entry { place, work: Work::Invalid(problem) }) => {
                let problem = self.look(*problem, input)?;
                self.is_after_valid = false;
                Ok(Some(Entry { place, work: Work::Invalid(Box::new(problem)) }))
            }
            entry => {
                self.is_after_valid = true;
                Ok(entry)
            }
        }
    }

    /// After the end: whether a file without any puzzle is complete all the same.
    #[must_use]
    pub fn allows_empty(&self) -> bool {
        self.reader.allows_empty()
    }

    /// Looks at a puzzle that was read and is wrong.
    #[cold]
    fn look(&mut self, problem: Problem, input: &mut Scanner<'_>) -> io::Result<Problem> {
        if self.looks_left == 0 {
            return Ok(problem);
        }
        self.looks_left -= 1;
        let Some(marked) = input.marked()? else { return Ok(problem) };
        let lines = marked.lines();
        let begins_line = lines.first().is_some_and(|line| line.column == 1);
        let reader = &*self.reader;
        let trial = Trial { marked: &marked, reader, is_after_valid: self.is_after_valid && begins_line };
        let seen =
            characters::look(&problem, &lines, &trial).or_else(|| rows::look(&problem, &lines, &trial));
        let mut problem = match seen {
            Some(seen) => Problem { recognised: problem.recognised, ..seen },
            None => problem,
        };
        problem.excerpt = problem.excerpt.or_else(|| excerpt::of(problem.place, &marked).map(Box::new));
        Ok(problem)
    }
}

/// A problem with what was just read, with the line of the file where that is at hand.
pub fn with_excerpt(problem: Problem, input: &mut Scanner<'_>) -> Problem {
    let excerpt = match input.marked() {
        Ok(Some(marked)) => excerpt::of(problem.place, &marked).map(Box::new),
        // Without it the message says the place all the same.
        Ok(None) | Err(_) => None,
    };
    Problem { excerpt, ..problem }
}
