//! The text of a puzzle that was already read, line by line.

use std::borrow::Cow;
use std::mem;

use super::place::Place;
use super::token::{Lexeme, classify, digits_value, is_blank, is_comment, trim_blanks_start};

/// The text of the input from a place on, as far as the window holds it.
#[derive(Debug, Clone, Copy)]
pub struct Marked<'t> {
    /// The bytes.
    pub text: &'t [u8],
    /// Where the first byte stands.
    pub first: Place,
    /// How many of the bytes were consumed. The rest follows the puzzle.
    pub read: usize,
    /// The file ends with these bytes.
    pub is_whole: bool,
}

/// A line of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'t> {
    /// The number of the line in the file, from 1.
    pub number: u64,
    /// The column of the first byte of `text`, from 1.
    pub column: u64,
    /// The bytes of the line, without the line feed.
    pub text: &'t [u8],
}

impl<'t> Marked<'t> {
    /// Returns the lines that were consumed, without blank lines and comments.
    pub fn lines(&self) -> Vec<Line<'t>> {
        lines_in(&self.text[..self.read], self.first).filter(|line| !line.is_blank_or_comment()).collect()
    }

    /// Returns the lines, consumed or not, without blank lines and comments.
    pub fn lines_to_end(&self) -> Vec<Line<'t>> {
        Marked { read: self.text.len(), ..*self }.lines()
    }

    /// Returns the line with this number, even if it was not consumed. It may be blank or a comment.
    pub fn line(&self, number: u64) -> Option<Line<'t>> {
        let at = usize::try_from(number.checked_sub(self.first.line)?).ok()?;
        self.all_lines().nth(at)
    }

    /// Returns all lines, consumed or not, with blank lines and comments, without a byte order mark.
    pub fn all_lines(&self) -> impl Iterator<Item = Line<'t>> + use<'t> {
        let bare =
            self.text.strip_prefix(b"\xef\xbb\xbf").filter(|_| self.first == Place { line: 1, column: 1 });
        lines_in(bare.unwrap_or(self.text), self.first)
    }
}

/// Returns the lines of a text whose first byte stands at `first`, including blank lines and comments.
pub(super) fn lines_in(text: &[u8], first: Place) -> impl Iterator<Item = Line<'_>> {
    let mut column = first.column;
    (first.line..).zip(text.split(|&byte| byte == b'\n')).map(move |(number, text)| {
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        Line { number, column: mem::replace(&mut column, 1), text }
    })
}

impl<'t> Line<'t> {
    pub(super) fn is_blank_or_comment(&self) -> bool {
        let text = trim_blanks_start(self.text);
        text.is_empty() || is_comment(text)
    }

    /// Returns the tokens, each with its place.
    pub fn tokens(&self) -> impl Iterator<Item = (Place, &'t [u8])> + use<'t> {
        let (line, mut column) = (self.number, self.column);
        self.text.split(|&byte| is_blank(byte)).filter_map(move |text| {
            let place = Place { line, column };
            column += text.len() as u64 + 1;
            (!text.is_empty()).then_some((place, text))
        })
    }

    /// Returns the tokens as a reader sees them.
    pub fn lexemes(&self) -> impl Iterator<Item = Lexeme> + use<'t> {
        self.tokens().map(|(place, text)| Lexeme { token: classify(text), place })
    }

    /// Returns the tokens as text.
    pub fn words(&self) -> Vec<Cow<'t, str>> {
        self.tokens().map(|(_, token)| String::from_utf8_lossy(token)).collect()
    }

    /// Returns the token that begins at a place.
    pub fn token_at(&self, place: Place) -> Option<(Place, &'t [u8])> {
        self.tokens().find(|(at, _)| *at == place)
    }

    /// Returns the first token that ends behind a place of the line: the one at the place, or the next one.
    pub fn token_around(&self, place: Place) -> Option<(Place, &'t [u8])> {
        self.tokens().find(|(at, token)| at.column + token.len() as u64 > place.column)
    }

    /// Returns whether another line has the same tokens.
    pub fn is_like(&self, other: &Line<'_>) -> bool {
        self.tokens().map(|(_, token)| token).eq(other.tokens().map(|(_, token)| token))
    }

    /// Returns the number of tokens.
    pub fn count(&self) -> u64 {
        self.tokens().count() as u64
    }

    /// Returns whether all tokens consist of digits.
    pub fn numbers_only(&self) -> bool {
        self.tokens().all(|(_, token)| token.iter().all(u8::is_ascii_digit))
    }

    /// Returns the numbers of the line if it consists of exactly `N` of them.
    pub fn numbers<const N: usize>(&self) -> Option<[u64; N]> {
        let mut numbers = [0; N];
        let mut tokens = self.tokens();
        for number in &mut numbers {
            *number = digits_value(0, tokens.next()?.1)?;
        }
        tokens.next().is_none().then_some(numbers)
    }

    /// Returns where the last token ends.
    #[must_use]
    pub fn end(&self) -> Place {
        Place { line: self.number, column: self.column + self.text.trim_ascii_end().len() as u64 }
    }

    /// Returns whether the line begins with a blank, ends with a tab, or has two blanks side by side.
    pub fn has_gap(&self) -> bool {
        let text = self.text.strip_suffix(b"\r").unwrap_or(self.text);
        let is_gap = |pair: &[u8]| pair.iter().all(|byte| is_blank(*byte));
        text.first().is_some_and(|byte| is_blank(*byte))
            || text.ends_with(b"\t")
            || text.windows(2).any(is_gap)
    }

    /// Returns where the first token begins.
    pub fn place(&self) -> Place {
        self.tokens().next().map_or(Place { line: self.number, column: self.column }, |(place, _)| place)
    }
}
