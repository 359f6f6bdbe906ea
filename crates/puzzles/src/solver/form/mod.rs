//! One reader for the puzzles of all solvers.
//!
//! A solver declares the lines of its puzzle: the numbers of its first lines with their ranges, the rows after them,
//! and what a row can hold ([`Form`]). [`FormReader`] reads a puzzle row by row if it is written as declared, and token
//! by token if its rows are wrapped. If something does not fit, the reader examines the lines ahead to find where the
//! puzzle ends and the next one begins. One bad puzzle never spoils the ones after it.

mod ahead;
mod form_reader;
mod pieces;

use std::io;
use std::ops::{Deref, RangeInclusive};

pub use ahead::{Ahead, AheadLine};
pub use form_reader::FormReader;
pub use pieces::Piece;

use super::{Part, Problem, Work};
use crate::input::{Lexeme, Line, NoToken, Place, Scanner, Token};
use crate::words::{Argument, Phrase, messages};

/// The most numbers in the first lines of a puzzle.
const FIELDS_MAX: usize = 3;

/// A number of the first lines of a puzzle.
#[derive(Debug, Clone)]
pub struct Field {
    /// What the number means.
    pub name: Phrase,
    /// The smallest and the largest allowed value.
    pub range: [u64; 2],
    /// Whether the number can be left out.
    pub is_optional: bool,
}

impl Field {
    /// Creates a field that is required.
    pub fn new(name: impl Into<Phrase>, least: u64, most: u64) -> Self {
        Self { name: name.into(), range: [least, most], is_optional: false }
    }

    /// Returns whether a number is in range.
    #[must_use]
    pub fn allows(&self, value: u64) -> bool {
        (self.range[0]..=self.range[1]).contains(&value)
    }

    /// Returns the range in words.
    fn range(&self) -> Phrase {
        let [least, most] = self.range;
        if most == u64::MAX { Expected::From { least } } else { Expected::Range { least, most } }.into()
    }

    /// Returns the problem of a number that is out of range.
    fn mistake(&self, found: Argument) -> FormMistake {
        FormMistake::HeaderValue { found, field: self.name.clone(), range: self.range() }
    }

    /// Returns the problem of a token that stands where this number should.
    fn misplaced(&self, token: &Token) -> FormMistake {
        let (found, field) = (token.quoted(), self.name.clone());
        let [least, most] = self.range;
        match token {
            Token::TooLarge(_) => {
                FormMistake::HeaderValue { found, field, range: Expected::Range { least, most }.into() }
            }
            _ => FormMistake::HeaderWord { found, field },
        }
    }
}

/// Returns how many numbers a first line can have.
#[must_use]
pub fn counts(fields: &[Field]) -> RangeInclusive<u64> {
    fields.iter().filter(|field| !field.is_optional).count() as u64..=fields.len() as u64
}

/// Returns whether the numbers of first lines are in the ranges of their fields.
#[must_use]
pub fn are_allowed<'f>(fields: impl IntoIterator<Item = &'f Field>, numbers: &[u64]) -> bool {
    fields.into_iter().zip(numbers).all(|(field, &number)| field.allows(number))
}

/// Returns the numbers of a first line in words.
#[must_use]
pub fn described(fields: &[Field]) -> Phrase {
    let name = |at: usize| fields[at].name.clone();
    match fields {
        [_, second, ..] if second.is_optional => Expected::OneOrTwo { first: name(0), second: name(1) },
        [_, _, ..] => Expected::Two { first: name(0), second: name(1) },
        _ => Expected::One { first: name(0) },
    }
    .into()
}

/// The numbers of the first lines of a puzzle, as written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Header {
    numbers: [u64; FIELDS_MAX],
    count: usize,
}

impl Header {
    fn push(&mut self, number: u64) {
        self.numbers[self.count] = number;
        self.count += 1;
    }
}

impl Deref for Header {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        &self.numbers[..self.count]
    }
}

/// A square of a puzzle by its part, row and column, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct At {
    /// The part.
    pub part: usize,
    /// The row of that part.
    pub row: u64,
    /// The number in that row.
    pub column: u64,
}

/// The lines of a puzzle, as its solver declares them.
pub trait Form: Send + Sync + 'static {
    /// The board that the reader fills while it reads numbers.
    type Board;

    /// Whether rows can be wrapped.
    const WRAPS: bool = true;
    /// Whether a puzzle with wrapped rows can end within a line, on which the next one begins.
    const ENDS_WITHIN_LINES: bool = false;

    /// Whether a board has as many columns as rows, and its first number is that size.
    const IS_SQUARE: bool = false;
    /// The smallest and the largest number that a row can hold.
    const VALUES: [u64; 2] = [0, u64::MAX];

    /// Returns the fields of the first lines.
    fn fields(&self) -> &[Vec<Field>];

    /// Returns the parts of a puzzle with these first numbers. A part without rows counts as absent. By default, a header
    /// begins with the rows and columns of a board, or with its size.
    fn parts(&self, header: &[u64]) -> [Part; 2] {
        let columns = header[usize::from(!Self::IS_SQUARE)];
        [Part { rows: header[0], widths: Some([columns; 2]) }, Part::NONE]
    }

    /// Checks the header beyond the ranges of its fields.
    ///
    /// # Errors
    /// Fails if the numbers do not go together, and returns why.
    fn check(&self, _header: &[u64]) -> Result<(), Phrase> {
        Ok(())
    }

    /// Returns an empty board.
    fn board(&self, header: &[u64]) -> Self::Board;

    /// Adds the next number of a part to the board. Returns false if the number is not allowed there.
    fn take(&self, board: &mut Self::Board, part: usize, value: u64) -> bool;

    /// Returns the puzzle of a complete board.
    ///
    /// # Errors
    /// Fails if a number turns out to be wrong. Returns its index after the header, from 0, and what is wrong with it.
    fn finish(&self, board: Self::Board, header: &[u64]) -> Result<Work, (u64, Phrase)>;

    /// Returns what is wrong with a token that is not a valid number for its square.
    fn wrong_value(&self, _header: &[u64], _at: At, found: &Lexeme) -> Phrase {
        let [least, most] = Self::VALUES;
        if most == u64::MAX {
            return Problem::no_number(found).what;
        }
        FormMistake::Value { found: found.token.quoted(), least, most }.into()
    }

    /// Returns whether a number can stand in a column of a part. If this allows too much, the reader can take a header
    /// for a row.
    fn is_value(&self, _header: &[u64], _part: usize, _column: usize, value: u64) -> bool {
        (Self::VALUES[0]..=Self::VALUES[1]).contains(&value)
    }

    /// Returns whether numbers in the form of a header are a header, whatever follows them.
    fn is_surely_header(&self, _header: &[u64]) -> bool {
        false
    }

    /// Returns headers that would fit the first part instead of `header`, if that part has `rows` rows whose widths
    /// alternate between `widths`; the likeliest comes first. By default, a header begins with rows and columns.
    fn headers(&self, header: &[u64], rows: u64, [width, _]: [u64; 2]) -> Vec<Vec<u64>> {
        // If rows have the width in the header, rows are more likely missing or surplus.
        if header.get(1) == Some(&width) && header[0] > 0 {
            return Vec::new();
        }
        vec![[&[rows, width], header.get(2..).unwrap_or_default()].concat()]
    }

    /// Returns whether the board would also be valid with this other header.
    fn fits(&self, _board: &Self::Board, _header: &[u64]) -> bool {
        true
    }

    /// Returns the name of the player whose square this row of a part gives; `None` if it is a row of a board.
    fn player(&self, _part: usize, _row: u64) -> Option<String> {
        None
    }

    /// Returns whether a line that is no header is a row, whatever stands before and after it.
    fn is_surely_row(&self, _line: &AheadLine<'_>) -> bool {
        false
    }

    /// Returns whether a puzzle begins at a line that does not look like the beginning of one. `is_wrong` says that the
    /// puzzle before it is known to be wrong.
    fn resumes(&self, _ahead: &mut Ahead<'_>, _at: usize, _is_wrong: bool) -> bool {
        false
    }

    /// Returns whether a wrong puzzle ends with this line.
    fn ends_puzzle(&self, _line: &AheadLine<'_>) -> bool {
        false
    }

    /// Returns what is wrong with a puzzle whose rows have these counts of numbers, if the counts show more than that
    /// one of them does not fit.
    fn explain(&self, _header: &[u64], _counts: &[u64]) -> Option<Phrase> {
        None
    }

    /// Returns whether a line ends the file. `is_whole` says that it follows a whole puzzle.
    fn is_end(&self, _ahead: &mut Ahead<'_>, _at: usize, _is_whole: bool) -> bool {
        false
    }

    /// Returns whether a line can be the line of words: a row of a part without widths, such as the moves of a game.
    fn is_words(&self, _line: &AheadLine<'_>) -> bool {
        false
    }

    /// Returns whether a line after the words belongs to them.
    fn continues_words(&self, _ahead: &mut Ahead<'_>, _at: usize) -> bool {
        false
    }

    /// Returns the message that the words of this text stand in a line before the rows. The rows end with line `behind`.
    fn words_early(&self, _words: &Line<'_>, _behind: u64) -> Phrase {
        NoToken::EndOfLine.into()
    }

    /// Returns the message that the line of words is missing: the next puzzle begins there, or the file ends if `None`.
    fn words_missing(&self, _next: Option<Place>) -> Phrase {
        NoToken::EndOfFile.into()
    }

    /// Reads the line of words after the rows, if the form has one.
    ///
    /// # Errors
    /// Fails if reading fails. The inner result fails if the line is wrong.
    fn read_words(
        &self,
        _board: &mut Self::Board,
        _input: &mut Scanner<'_>,
    ) -> io::Result<Result<(), Problem>> {
        Ok(Ok(()))
    }
}

messages! {
    "form"
    /// Numbers of headers.
    pub enum Side {
        /// The number of rows.
        Rows = "rows",
        /// The number of columns.
        Columns = "columns",
    }
}

messages! {
    "form"
    /// How a puzzle differs from its form.
    pub enum FormMistake {
        /// A number of a first line is out of range.
        HeaderValue = "header-value" { found: Argument, field: Phrase, range: Phrase },
        /// Two numbers of a first line are out of range.
        HeaderValues = "header-values" { first: Phrase, second: Phrase },
        /// A number of a row is out of range, or something else stands in its place.
        Value = "value" { found: Argument, least: u64, most: u64 },
        /// Something else stands in the place of a number of a first line.
        HeaderWord = "header-word" { found: Argument, field: Phrase },
        /// Lines belong to no puzzle.
        StrayLines = "stray-line" { line: u64, last: u64, lines: u64 },
        /// Answers follow the puzzles.
        Answers = "answers-behind" { from: u64, to: u64 },
        /// A first line has too many numbers, or too few.
        HeaderLength = "header-length" { line: u64, numbers: u64, expected: Phrase },
        /// A first line with one number is missing.
        FieldMissing = "header-missing" { field: Phrase, line: u64 },
        /// A first line is written twice.
        HeaderDoubled = "header-doubled" { before: u64, line: u64 },
        /// A first line stands after the rows.
        HeaderBehind = "header-behind" { line: u64, numbers: u64, expected: Phrase, from: u64 },
        /// The rows of the second part stand before those of the first one.
        PlayersEarly = "players-early" { from: u64, to: u64 },
        /// A row has too many numbers, or too few.
        RowLength = "row-length-expected" { row: u64, line: u64, numbers: u64, expected: u64 },
        /// There are too few rows, or too many.
        RowCount = "row-count" { header: String, rows: u64, expected: u64 },
        /// The puzzle ends before all its numbers are there.
        NumbersMissing = "numbers-missing" { numbers: u128, header: String, expected: u128 },
        /// There are more numbers than squares.
        NumbersSurplus = "numbers-surplus" { numbers: u128, header: String, expected: u128 },
    }
}

impl FormMistake {
    /// Returns the problem of lines that belong to no puzzle, from one to another.
    #[must_use]
    pub fn stray_lines(from: u64, to: u64) -> Self {
        Self::StrayLines { line: from, last: to, lines: to - from + 1 }
    }

    /// Returns the problem of a line that belongs to no puzzle.
    #[must_use]
    pub fn stray_line(line: u64) -> Self {
        Self::stray_lines(line, line)
    }
}

messages! {
    "form"
    /// Parts of messages about forms.
    enum Expected {
        /// A range.
        Range = "range" { least: u64, most: u64 },
        /// A range without an end.
        From = "from" { least: u64 },
        /// The numbers of a first line.
        One = "one" { first: Phrase },
        /// The two numbers of a first line.
        Two = "two" { first: Phrase, second: Phrase },
        /// The two numbers of a first line. The second one is optional.
        OneOrTwo = "one-or-two" { first: Phrase, second: Phrase },
    }
}

messages! {
    "form"
    /// A warning about a puzzle that can be answered.
    enum FormWarning {
        /// The puzzle ends within a line.
        WithinLine = "within-line",
        /// The first row begins on the second header line.
        SharedLine = "shared-line" { field: Phrase, number: u64, line: u64 },
        /// The first row begins on the first line, and whole rows stand below it.
        LongHeader = "long-header" { line: u64, numbers: u64, rows: u64 },
        /// A line is no row, though most lines are.
        OddLine = "odd-line" { line: u64, numbers: u64, expected: u64 },
        /// The lines have one width, and another header would fit them.
        OtherHeader = "other-header" { lines: u64, width: u64, header: String, fitting: String, line: u64 },
        /// The lines have two alternating widths, and another header would fit them.
        OtherHeaderInTurn = "other-header-in-turn" {
            lines: u64, width: u64, narrow: u64, header: String, fitting: String, line: u64
        },
    }
}

/// Returns whether a line was meant as the end of a file: zeros, possibly with other characters between or around them or
/// with words after them, or an end marker of other formats.
#[must_use]
pub fn is_like_end_marker(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let is_mark = |byte: &u8| b" \t,;:.-()[]{}|/<>\"'".contains(byte);
    // A spreadsheet writes decimals.
    let text = if text == b"0.0 0.0" || text == b"0,0 0,0" { b"0 0" } else { text };
    let zeros: Vec<u8> = text.iter().copied().filter(|byte| !is_mark(byte)).collect();
    let is_other = |mark: &&[u8]| text.eq_ignore_ascii_case(mark);
    let has_words = text.strip_prefix(b"0 0").is_some_and(|rest| !rest.iter().any(u8::is_ascii_digit));
    has_words
        || (1..=3).contains(&zeros.len()) && zeros.iter().all(|byte| matches!(byte, b'0' | b'O' | b'o'))
        || [&b"-1"[..], b"-1 -1", b"eof", b"end", b"fim"].iter().any(is_other)
}

#[cfg(test)]
mod tests;
