//! The puzzles of a file, those that are wrong looked at once more by their lines, so that a person is told what to mend.
//!
//! A reader stops where a token does not fit, which may be far behind the mistake. What it read is still at hand: here
//! its characters and its lines are looked at, and what would make the puzzle valid is tried on a copy before it is
//! proposed. What was read before may have depended on the mistake: where puzzles before it are wrong too, the copy is of
//! them all.

// What was read before a wrong puzzle.
mod before;
// A character that numbers do not have.
mod characters;
// Zeros that were meant as an end marker.
mod ending;
// The line of the file at which a message points.
mod excerpt;
// What the look shows.
mod mistake;
// The lines of a puzzle, for its picture.
mod seen;
// Rows too short, too long, too many, too few.
mod rows;
// Whether a change makes a puzzle valid.
mod trial;

use std::cell::Cell;
use std::io;

use before::Before;
use tabuleiro_puzzles::input::{Place, Scanner, Spot};
use tabuleiro_puzzles::solver::{Entry, Options, PICTURE, Problem, PuzzleReader, Solver, Work};
use trial::{TRIED_BYTES_MAX, Trial};

pub use excerpt::excerpt_lines;

/// Wrong puzzles whose lines are kept: a page shows no more.
const SEEN_MAX: u64 = 200;

/// Reads the puzzles of a file, and looks at those that are wrong.
pub struct Reading {
    reader: Box<dyn PuzzleReader>,
    /// The ID of its solver.
    solver: &'static str,
    /// As it was before the first puzzle.
    unread: Box<dyn PuzzleReader>,
    before: Before,
    /// What trials may read yet.
    bytes_left: u64,
    /// Wrong puzzles whose lines are still kept for a page.
    seen_left: u64,
}

impl Reading {
    /// Begins to read a file for a solver under its options.
    #[must_use]
    pub fn open(solver: &dyn Solver, options: &Options) -> Self {
        let reader = solver.open(options);
        let seen_left = if options.get(PICTURE) { SEEN_MAX } else { 0 };
        let unread = reader.anew();
        let (solver, before) = (solver.id(), Before::default());
        Self { unread, reader, solver, before, bytes_left: TRIED_BYTES_MAX, seen_left }
    }

    /// Reads the next puzzle; `None` at the end of the file.
    ///
    /// # Errors
    /// Only those of reading the input.
    #[inline]
    pub fn read(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        let spot = input.spot();
        input.mark_from(spot);
        let Some(Entry { place, work }) = self.reader.read(input)? else { return Ok(None) };
        let work = match work {
            Work::Invalid(problem) => Work::Invalid(Box::new(self.look(*problem, (spot, place), input)?)),
            work => {
                self.before.add(spot, place);
                work
            }
        };
        Ok(Some(Entry { place, work }))
    }

    /// After the end: whether a file without any puzzle is complete all the same.
    #[must_use]
    pub fn allows_empty(&self) -> bool {
        self.reader.allows_empty()
    }

    /// Looks at a puzzle that was read and is wrong.
    #[cold]
    fn look(
        &mut self,
        problem: Problem,
        (spot, place): (Spot, Place),
        input: &mut Scanner<'_>,
    ) -> io::Result<Problem> {
        input.look_ahead()?;
        let begins = self.before.add_wrong(spot, place, input);
        let Some(marked) = input.marked() else { return Ok(problem) };
        let lines = marked.lines();
        let trial = Trial {
            reader: &*self.reader,
            first: if begins.is_before_tokens() { &*self.unread } else { &*self.reader },
            before: &self.before,
            text: input.lines_from(begins),
            bytes_left: Cell::new(self.bytes_left),
        };
        let seen = ending::look(&lines, &trial, self.solver)
            .or_else(|| characters::look(&problem, &lines, &trial))
            .or_else(|| rows::look(&problem, &lines, &trial));
        self.bytes_left = trial.bytes_left.get();
        let mut problem = match seen {
            Some(seen) => Problem { recognised: problem.recognised, ..seen },
            None => problem,
        };
        problem.excerpt = problem.excerpt.or_else(|| excerpt::of(problem.place, &marked).map(Box::new));
        if self.seen_left > 0 {
            self.seen_left -= 1;
            problem.seen = Some(Box::new(seen::of(problem.place.line, &lines, self.reader.layout(&lines))));
        }
        Ok(problem)
    }
}

/// A problem with what was just read, with the line of the file where that is at hand.
pub fn with_excerpt(problem: Problem, input: &mut Scanner<'_>) -> Problem {
    // Without it the message says the place all the same.
    let marked = input.look_ahead().ok().and_then(|()| input.marked());
    let excerpt = marked.and_then(|marked| excerpt::of(problem.place, &marked)).map(Box::new);
    Problem { excerpt, ..problem }
}
