//! The puzzles of a file, those that are wrong looked at once more by their lines, so that a person is told what to mend.
//!
//! A reader stops where a token does not fit, which may be far behind the mistake. What it read is still at hand: here
//! its characters and its lines are looked at, and what would make the puzzle valid is tried on a copy before it is
//! proposed. What was read before may have depended on the mistake: where puzzles before it are wrong too, the copy is of
//! them all.

// A character that numbers do not have.
mod characters;
// The lines of the file at which a message points.
mod excerpt;
// Whether a change makes a puzzle valid.
mod proposal_trial;
// Rows too short, too long, too many, too few.
mod row_counts;

use std::cell::Cell;
use std::io;

use proposal_trial::{Before, TRIED_BYTES_MAX, Trial};
use tabuleiro_puzzles::input::{Place, Scanner, Spot};
use tabuleiro_puzzles::solver::{Entry, Options, PICTURE, Problem, PuzzleReader, Solver, Work};
use tabuleiro_puzzles::words::{Phrase, messages};

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
        let seen = row_counts::end_marker(&lines, &trial, self.solver)
            .or_else(|| characters::look(&problem, &lines, &trial))
            .or_else(|| row_counts::look(&problem, &lines, &trial));
        self.bytes_left = trial.bytes_left.get();
        let mut problem = match seen {
            Some(seen) => Problem { recognised: problem.recognised, ..seen },
            None => problem,
        };
        problem.excerpt = problem.excerpt.or_else(|| excerpt::of(problem.place, &marked).map(Box::new));
        if self.seen_left > 0 {
            self.seen_left -= 1;
            problem.seen =
                Some(Box::new(excerpt::seen(problem.place.line, &lines, self.reader.layout(&lines))));
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

messages! {
    "mistake"
    /// What the look at the lines of a puzzle shows.
    enum Mistake {
        /// A character that numbers do not have.
        Character = "character" { character: Phrase, token: String, expected: Phrase },
        /// A row has another count of numbers than all others.
        RowLength = "row-length" { row: u64, line: u64, numbers: u64, others: u64 },
        /// A row has another count of numbers than it should, and the others differ.
        RowLengthExpected = "row-length-expected" { row: u64, line: u64, numbers: u64, expected: u64 },
        /// A player has another count of numbers than row and column.
        PlayerLength = "player-length" { player: String, line: u64, numbers: u64, expected: u64 },
        /// There are fewer or more players than a line says.
        PlayerCount = "player-count" { players: u64, line: u64, expected: u64 },
        /// There are too few or too many lines, and rows of the board look like players.
        LineCount = "line-count" { lines: u64, header: String, expected: u64, rows: u64, players: u64 },
        /// There are too few or too many rows.
        RowCount = "row-count" { header: String, rows: u64, expected: u64 },
        /// There is a row too many, and two neighbours are equal.
        RowDoubled = "row-doubled" { header: String, rows: u64, expected: u64, line: u64, before: u64 },
        /// Zeros end the file, and its format has no end marker.
        EndMarker = "end-marker" { found: String, line: u64, solver: &'static str },
        /// The rows fit another header.
        Header = "header-mismatch" { header: String, rows: u64, numbers: u64 },
    }
}
