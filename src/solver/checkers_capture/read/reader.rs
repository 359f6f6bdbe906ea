//! Reads the boards of a file: a header `N M`, its squares over any number of lines, and `0 0` at the end.
//!
//! A valid board is read by tokens. The first token of a line is looked at together with its line: a line of
//! two integers of which one is at least 3 cannot be squares, so it is the next board's header; a line `0 0`
//! behind which nothing comes is the end marker. Thus a board that is too short never swallows what follows.
//!
//! Most boards of most files are as plain as can be: [`plain`] tries each first.

use std::io;

use super::fault::{Behind, Fault};
use super::header::{is_header, read_header};
use super::plain;
use super::squares::Squares;
use crate::board::checkers::CheckersBoard;
use crate::input::{Line, Next, Scanner};
use crate::solver::checkers_capture::half_grids::HalfGrids;
use crate::solver::checkers_capture::options::{ALGORITHM, Algorithm, LIMITS, Limits, ON_INVALID, OnInvalid};
use crate::solver::checkers_capture::puzzle::{Board, CheckersPuzzle, undecided};
use crate::solver::{Entry, Layout, MEMORY_LIMIT, Options, Part, Problem, PuzzleReader, Stop, WITNESS, Work};
use crate::words::messages;

/// Reads the boards of one file.
pub struct Reader {
    algorithm: Algorithm,
    witness: bool,
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

    fn anew(&self) -> Box<dyn PuzzleReader> {
        Box::new(Self { state: State::Reading, boards: 0, ..*self })
    }

    fn layout(&self, lines: &[Line<'_>]) -> Option<Layout> {
        let [rows, columns] = lines.first()?.numbers()?;
        let widths = Some([columns.div_ceil(2), columns / 2]);
        Some(Layout { header_lines: 1, parts: vec![Part { rows, widths }] })
    }

    fn headers(&self, _: &Line<'_>, rows: u64, width: u64) -> Vec<String> {
        vec![
            format!("{rows} {}", width.saturating_mul(2)),
            format!("{rows} {}", (width.saturating_mul(2)).saturating_sub(1)),
        ]
    }
}

messages! {
    "checkers"
    /// What is odd about a file of boards.
    enum Oddity {
        /// The file ends without `0 0`.
        MarkerMissing = "marker-missing",
        /// `on_invalid = "stop"`.
        Stopped = "stopped",
        /// Text behind `0 0`.
        Ignored = "ignored" { lines: u64, line: u64 },
    }
}

impl Reader {
    /// A reader under the solver's options.
    pub fn new(options: &Options) -> Self {
        Self {
            algorithm: options.get(ALGORITHM),
            witness: options.get(WITNESS),
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
        let Some(size) = read_header(input, self.published_limits)? else { return Ok(None) };
        // Under the published limits the product is 200 at most.
        let pieces_max = if self.published_limits { size.rows * size.columns / 4 } else { u64::MAX };
        let mut squares = Squares::new(size, self.squares_max, pieces_max);
        // The line that is being read; looking for an end marker may have left it behind.
        let mut line = input.place().line;
        while !squares.complete() {
            match input.advance()? {
                Next::SameLine => squares.read_on(input)?,
                Next::NewLine => {
                    line = input.place().line;
                    squares.read_line_start(input)?;
                }
                Next::End => {
                    let found = "the end of the file".to_owned();
                    return Err(squares.missing(input.place(), found).into());
                }
            }
        }
        let line_left = input.place().line != line;
        let surplus = if line_left { None } else { input.next_on_line()? };
        if let Some(lexeme) = surplus {
            return Err(squares.surplus(&lexeme).into());
        }
        if let Some(problem) = squares.too_many_pieces() {
            let behind = if line_left { Behind::Line } else { Behind::RestOfLine };
            return Err(Fault::Invalid(problem, behind));
        }
        Ok(Some(self.work(squares)))
    }

    fn work(&self, squares: Squares) -> Work {
        // A board that is kept has a number of squares that fits its memory, and so do its sides.
        let sides = usize::try_from(squares.size.rows).ok().zip(usize::try_from(squares.size.columns).ok());
        let (Some(kept), Some((rows, columns))) = (squares.kept, sides) else {
            return Work::Settled(undecided(Stop::MemoryLimit, 0, squares.pieces[1]));
        };
        self.solve(Board::from(CheckersBoard::new(rows, columns, kept)))
    }

    fn solve(&self, board: Board) -> Work {
        Work::Solve(Box::new(CheckersPuzzle { board, algorithm: self.algorithm, witness: self.witness }))
    }

    /// Makes the fault the board's outcome and moves on to the next board.
    fn recover(&mut self, fault: Fault, input: &mut Scanner<'_>) -> io::Result<Problem> {
        let (problem, behind) = match fault {
            Fault::Io(error) => return Err(error),
            Fault::Invalid(problem, behind) => (problem, behind),
        };
        match behind {
            _ if self.stop_on_invalid => {
                input.warn(problem.place, Oddity::Stopped);
                self.state = State::Ended;
            }
            Behind::Marker => self.end_at_marker(input)?,
            Behind::Line => self.find_header(input)?,
            Behind::RestOfLine => {
                input.skip_line()?;
                self.find_header(input)?;
            }
        }
        Ok(problem)
    }

    /// Drops all lines up to the next header or the end; call it at the beginning of a line.
    fn find_header(&mut self, input: &mut Scanner<'_>) -> io::Result<()> {
        while input.advance()? != Next::End {
            let [shape] = input.preview::<1>()?;
            match shape.exactly::<2>() {
                Some([rows, columns]) if is_header(rows, columns) => return Ok(()),
                Some([0, 0]) => {
                    input.next_token()?;
                    input.next_token()?;
                    if input.advance()? == Next::End {
                        return self.end_at_marker(input);
                    }
                }
                _ => input.skip_line()?,
            }
        }
        Ok(())
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
