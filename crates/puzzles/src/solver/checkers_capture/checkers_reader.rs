//! Reads the boards of a file, up to its end marker `0 0`.
//!
//! Most boards are written plainly, so [`plain_boards`] tries each board first.

use std::io;

use super::board_form::BoardForm;
use super::checkers_mistakes::{BoardWarning, Mistake};
use super::checkers_options::{ON_INVALID, OnInvalid};
use super::checkers_puzzle::Board;
use super::plain_boards;
use crate::input::{Line, Next, Place, QUOTE_BYTES_MAX, Scanner, Token, is_comment, printable};
use crate::solver::form::{Ahead, Field, FormMistake, FormReader, described, is_like_end_marker};
use crate::solver::{Entry, Layout, Options, Piece, Problem, Proposal, PuzzleReader, ReadPuzzles, Work};
use crate::words::Phrase;

/// Reads the boards of one file.
pub struct Reader {
    boards: FormReader<BoardForm>,
    stop_on_invalid: bool,
    state: State,
    has_boards: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// At the beginning of a board, or at the end of the file.
    Reading,
    /// After the end marker.
    Marked,
    /// At the end of a file without an end marker, or stopped by an invalid board.
    Ended,
}

impl PuzzleReader for Reader {
    fn read(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        if self.state == State::Reading
            && (input.begins_line_with_digit() || input.advance()? == Next::NewLine)
        {
            let place = input.place();
            if let Some(work) = self.read_plain(input)? {
                self.has_boards = true;
                return Ok(Some(Entry { place, work }));
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

    fn fresh_reader(&self) -> Box<dyn PuzzleReader> {
        Box::new(Self { boards: self.boards.clone(), state: State::Reading, has_boards: false, ..*self })
    }

    fn pieces(&self, lines: &[Line<'_>]) -> Option<Vec<Piece>> {
        if self.stop_on_invalid { None } else { self.boards.divided(lines, false) }
    }

    fn has_read(&mut self, _: &[Line<'_>], _: &Line<'_>, puzzles: ReadPuzzles) -> Option<Entry> {
        self.has_boards |= puzzles.count > 0;
        None
    }

    fn layout(&self, lines: &[Line<'_>]) -> Option<Layout> {
        self.boards.layout(lines)
    }

    fn fields(&self) -> &[Vec<Field>] {
        self.boards.fields()
    }

    fn headers(&self, header: &Line<'_>, rows: u64, widths: [u64; 2]) -> Vec<String> {
        self.boards.headers(header, rows, widths)
    }
}

impl Reader {
    /// Creates a reader under the solver's options.
    pub fn new(options: &Options) -> Self {
        Self {
            boards: FormReader::new(BoardForm::new(options)),
            stop_on_invalid: options.get(ON_INVALID) == OnInvalid::Stop,
            state: State::Reading,
            has_boards: false,
        }
    }

    /// Reads a board that is valid and written as plainly as most are. Consumes nothing of any other board.
    fn read_plain(&self, input: &mut Scanner<'_>) -> io::Result<Option<Work>> {
        let Some(plain) = input.lines_at_hand(plain_boards::BYTES_AT_HAND)?.and_then(plain_boards::read)
        else {
            return Ok(None);
        };
        let (board, form) = (plain.board, self.boards.form());
        if !form.allows(board.rows(), board.columns(), board.pieces()) {
            return Ok(None);
        }
        input.take_lines(plain.bytes, board.rows() as u64 + 1);
        Ok(Some(form.solve(Board::Small(board))))
    }

    /// Reads the next board, however it is written.
    fn read_carefully(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        if self.state != State::Reading {
            return Ok(None);
        }
        if input.advance()? == Next::End {
            if self.has_boards {
                input.warn(input.place(), BoardWarning::MarkerMissing);
            }
            self.state = State::Ended;
            return Ok(None);
        }
        let place = input.place();
        let entry = match self.read_marker(input)? {
            Some(problem) => Entry { place, work: Work::Invalid(Box::new(problem)) },
            None if self.state == State::Marked => return Ok(None),
            None => self.boards.read_puzzle(input)?,
        };
        self.has_boards = true;
        if let Work::Invalid(problem) = &entry.work
            && self.stop_on_invalid
            && !self.boards.ends_ahead(input)?
            && input.advance()? != Next::End
        {
            input.warn_in_result(problem.place, BoardWarning::Stopped);
            self.state = State::Ended;
        }
        Ok(Some(entry))
    }

    /// Reads the end marker, if it is next, and records that the rest is ignored. A line that begins like it and goes
    /// on is a mistake. Zeros on two lines end the file only if nothing follows them.
    fn read_marker(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Problem>> {
        let spot = input.spot();
        let line = input.place().line;
        let mut next_is_zero = || Ok::<_, io::Error>(input.next_token()?.token == Token::Number(0));
        let are_zeros = next_is_zero()? && next_is_zero()?;
        let number = input.place().line;
        if !are_zeros || number > line && input.advance()? != Next::End {
            input.go_back(spot);
            return self.read_odd_marker(input);
        }
        if let Some(lexeme) = input.next_on_line()? {
            let mut numbers = 0;
            if lexeme.token.is_digits() && input.go_back(spot) {
                // A line as long as the next one is rather the first row of a board without a header.
                let mut ahead = Ahead::new(input.lines_ahead()?);
                let [first, second] = [0, 1].map(|at| ahead.line(at).map(|line| line.count));
                if first == second {
                    return Ok(None);
                }
                numbers = first.unwrap_or(0);
            }
            let is_comment = matches!(&lexeme.token, Token::Word(text) if is_comment(text.as_bytes()));
            input.skip_line()?;
            if !is_comment {
                let is_followed = input.advance()? != Next::End;
                self.boards.skip_to_header(input)?;
                let problem = if is_followed && lexeme.token.is_digits() {
                    let expected = described(&self.boards.fields()[0]);
                    let what = FormMistake::HeaderLength { line: number, numbers, expected };
                    Problem::new(Place { column: 1, ..lexeme.place }, what).recognised_if(true)
                } else {
                    let what = Mistake::MarkerLine { found: lexeme.token.quoted() };
                    Problem::new(lexeme.place, what).recognised_if(false)
                };
                return Ok(Some(problem));
            }
            input.warn(lexeme.place, BoardWarning::MarkerComment);
        }
        self.state = State::Marked;
        input.ignore_rest(number, |lines| BoardWarning::Ignored { lines, line: number })?;
        Ok(None)
    }

    /// Reads a line that was meant as the end marker.
    fn read_odd_marker(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Problem>> {
        let line = input.line_ahead()?;
        let (text, place) = (line.text.trim_ascii(), line.place());
        if !is_like_end_marker(text) {
            return Ok(None);
        }
        let (bytes, found) = (text.len() as u64, format!("'{}'", printable(text, QUOTE_BYTES_MAX)));
        let has_letters = text.iter().any(|byte| byte.eq_ignore_ascii_case(&b'O'));
        input.skip_line()?;
        // The two zeros can stand on two lines.
        while input.advance()? != Next::End && is_like_end_marker(input.line_ahead()?.text) {
            input.skip_line()?;
        }
        if input.advance()? == Next::End {
            self.state = State::Marked;
        }
        let found = if has_letters { Phrase::from(Mistake::LettersO { found }).into() } else { found.into() };
        let problem = Problem::new(place, Mistake::MarkerLine { found }).recognised_if(false);
        let marker = Proposal::Replace { place, bytes, with: "0 0".to_owned() };
        Ok(Some(problem.proposing(Some(marker).filter(|_| self.state == State::Marked))))
    }
}

#[cfg(test)]
#[path = "checkers_reader_tests.rs"]
mod tests;
