//! Reads the boards of a file: a header `N M`, its squares over any number of lines, and `0 0` at the end.
//!
//! A valid board is read by tokens. The first token of a line is looked at together with its line: a line of
//! two integers of which one is at least 3 cannot be squares, so it is the next board's header. Thus a board that is too
//! short never swallows what follows. A line of squares behind the last one shows that the board is too long.
//!
//! Most boards of most files are as plain as can be: [`plain`] tries each first.

use std::sync::Arc;

use std::io;

use super::ahead::Ahead;
use super::fault::Fault;
use super::header::{Size, read_header};
use super::mistake::Oddity;
use super::plain;
use super::squares::Squares;
use super::tally::{FULL_ROWS, Tally, widths};
use crate::board::checkers::CheckersBoard;
use crate::input::{Line, Next, Scanner};
use crate::solver::checkers_capture::half_grids::HalfGrids;
use crate::solver::checkers_capture::options::{ALGORITHM, Algorithm, LIMITS, Limits, ON_INVALID, OnInvalid};
use crate::solver::checkers_capture::puzzle::{Board, CheckersPuzzle, Proof, undecided};
use crate::solver::{Entry, Layout, MEMORY_LIMIT, Options, Part, Problem, PuzzleReader, Stop, Work};

/// Reads the boards of one file.
pub struct Reader {
    algorithm: Algorithm,
    proof: Proof,
    published_limits: bool,
    stop_on_invalid: bool,
    squares_max: u64,
    state: State,
    boards: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// At the beginning of a board, or at the end.
    Reading,
    /// Behind the end marker.
    Marked,
    /// At the end of a file without an end marker, or stopped by an invalid board.
    Ended,
}

impl PuzzleReader for Reader {
    fn read(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        if self.state == State::Reading && input.advance()? == Next::NewLine {
            let place = input.place();
            if let Some(board) = self.read_plain(input)? {
                self.boards += 1;
                return Ok(Some(Entry { place, work: self.solve(Board::Small(board)) }));
            }
        }
        self.read_carefully(input)
    }

    fn allows_empty(&self) -> bool {
        self.state == State::Marked
    }

    fn may_end(&self) -> bool {
        false
    }

    fn anew(&self) -> Box<dyn PuzzleReader> {
        Box::new(Self { state: State::Reading, boards: 0, ..*self })
    }

    fn layout(&self, lines: &[Line<'_>]) -> Option<Layout> {
        let (header, rest) = lines.split_first()?;
        let [rows, columns] = header.numbers()?;
        let size = Size { rows, columns };
        let counts: Vec<_> = rest.iter().map(|line| u128::from(line.count())).collect();
        let (numbers, area) = (counts.iter().sum::<u128>(), u128::from(rows) * u128::from(columns));
        // Lines need not be rows: it is not they that are wrong where all numbers are there.
        let is_complete = numbers == CheckersBoard::playable(rows, columns) || numbers == area;
        let is_all =
            counts.len() >= FULL_ROWS as usize && counts.iter().all(|&count| count == u128::from(columns));
        if !size.is_allowed(self.published_limits) || is_complete || is_all {
            return None;
        }
        Some(Layout { header_lines: 1, parts: vec![Part { rows, widths: Some(widths(columns)) }] })
    }

    fn headers(&self, header: &Line<'_>, rows: u64, width: u64) -> Vec<String> {
        // Rows as wide as they should be are rather too few or too many, and one line shows nothing.
        if rows < 2 || header.numbers().is_none_or(|[_, columns]| columns.div_ceil(2) == width) {
            return Vec::new();
        }
        let columns = width.saturating_mul(2);
        vec![format!("{rows} {columns}"), format!("{rows} {}", columns.saturating_sub(1))]
    }
}

impl Reader {
    /// A reader under the solver's options.
    pub fn new(options: &Options) -> Self {
        Self {
            algorithm: options.get(ALGORITHM),
            proof: Proof::of(options),
            published_limits: options.get(LIMITS) == Limits::Published,
            stop_on_invalid: options.get(ON_INVALID) == OnInvalid::Stop,
            squares_max: options.get(MEMORY_LIMIT),
            state: State::Reading,
            boards: 0,
        }
    }

    /// Reads the next board, whatever it looks like.
    fn read_carefully(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        if self.state != State::Reading {
            return Ok(None);
        }
        if input.advance()? == Next::End {
            if self.boards > 0 {
                input.warn(input.place(), Oddity::MarkerMissing);
            }
            self.state = State::Ended;
            return Ok(None);
        }
        let place = input.place();
        let work = match self.read_board(input) {
            Ok(Some(work)) => work,
            Ok(None) => {
                self.end_at_marker(input)?;
                return Ok(None);
            }
            Err(fault) => Work::Invalid(Box::new(self.recover(fault, input)?)),
        };
        self.boards += 1;
        Ok(Some(Entry { place, work }))
    }

    /// Reads a board that is valid and written as plainly as most are; nothing is read of any other.
    fn read_plain(&self, input: &mut Scanner<'_>) -> io::Result<Option<HalfGrids>> {
        let Some(plain) = input.lines_at_hand(plain::BYTES_AT_HAND)?.and_then(plain::read) else {
            return Ok(None);
        };
        let board = plain.board;
        let pieces_max = (board.rows() * board.columns() / 4) as u32;
        if self.published_limits && board.pieces().iter().any(|&pieces| pieces > pieces_max) {
            return Ok(None);
        }
        input.take_lines(plain.bytes, board.rows() as u64 + 1);
        Ok(Some(board))
    }

    /// Reads one board; `None` for the end marker.
    fn read_board(&self, input: &mut Scanner<'_>) -> Result<Option<Work>, Fault> {
        let Some(header) = read_header(input, self.published_limits)? else { return Ok(None) };
        let place = header.place;
        let mut squares = Squares::new(header, self.published_limits, self.squares_max, input.place());
        if let Err(fault) = squares.read_all(input) {
            return Err(squares.judge(fault, input)?.into());
        }
        if let Some(problem) = squares.too_many_pieces() {
            return Err(problem.into());
        }
        if let Some(oddity) = squares.other_header() {
            input.warn_in_result(place, oddity);
        }
        Ok(Some(self.work(squares)))
    }

    fn work(&self, squares: Squares) -> Work {
        // A board that is kept has a number of squares that fits its memory, and so do its sides.
        let size = squares.size();
        let sides = usize::try_from(size.rows).ok().zip(usize::try_from(size.columns).ok());
        let (Some(kept), Some((rows, columns))) = (squares.kept, sides) else {
            return Work::Settled(Box::new(undecided(Stop::MemoryLimit, 0, squares.pieces[1])));
        };
        self.solve(Board::from(CheckersBoard::new(rows, columns, kept)))
    }

    fn solve(&self, board: Board) -> Work {
        Work::Solve(Arc::new(CheckersPuzzle { board, algorithm: self.algorithm, proof: self.proof }))
    }

    /// Makes the fault the board's outcome and moves on to the next board.
    fn recover(&mut self, fault: Fault, input: &mut Scanner<'_>) -> io::Result<Problem> {
        // The end marker is left to be read: what is behind the board stays what it was.
        let (problem, ahead) = match fault {
            Fault::Io(error) => return Err(error),
            Fault::Invalid(problem) | Fault::Value(problem) => (problem, Tally::default().drop_rest(input)?),
            Fault::Whole(problem) => (problem, Ahead::of(&input.line_ahead()?)),
            Fault::Surplus(place) => unreachable!("the surplus at {place} was judged"),
        };
        if self.stop_on_invalid && ahead != Ahead::Marker && input.advance()? != Next::End {
            input.warn_in_result(problem.place, Oddity::Stopped);
            self.state = State::Ended;
        }
        Ok(problem)
    }

    /// The end marker is read: whatever follows is ignored.
    fn end_at_marker(&mut self, input: &mut Scanner<'_>) -> io::Result<()> {
        self.state = State::Marked;
        let line = input.place().line;
        input.ignore_rest(|lines, _| Oddity::Ignored { lines, line })
    }
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
