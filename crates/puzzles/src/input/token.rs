//! Tokens and lines of an input, and how bytes become them.

use super::place::{Place, printable};
use crate::words::{Argument, Phrase, messages};

/// How much of an input a message quotes.
pub const QUOTE_BYTES_MAX: usize = 40;

/// Tokens of a line that a [`LineShape`] counts.
const TOKENS_COUNTED: usize = 4;

/// What stands at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// An unsigned decimal number that fits 64 bits.
    Number(u64),
    /// Digits only, but more than 64 bits; its beginning.
    TooLarge(String),
    /// Anything else that is not blank; its beginning, escaped.
    Word(String),
    /// The end of the input.
    End,
}

impl Token {
    /// Its value, where it is a number of 64 bits.
    #[must_use]
    pub fn number(&self) -> Option<u64> {
        if let Self::Number(value) = self { Some(*value) } else { None }
    }

    /// It consists of digits, as many as there may be.
    #[must_use]
    pub fn is_digits(&self) -> bool {
        matches!(self, Self::Number(_) | Self::TooLarge(_))
    }

    /// The token as a message quotes it: `7`, `'abc'`, `the end of the file`.
    #[must_use]
    pub fn quoted(&self) -> Argument {
        match self {
            Self::Number(value) => value.to_string().into(),
            Self::TooLarge(text) => text.clone().into(),
            Self::Word(text) => format!("'{text}'").into(),
            Self::End => Phrase::from(Found::EndOfFile).into(),
        }
    }
}

messages! {
    "found"
    /// What a message may have found that is no token.
    pub enum Found {
        /// The file ends.
        EndOfFile = "end-of-file",
        /// The line ends.
        EndOfLine = "end-of-line",
    }
}

/// A token and where it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lexeme {
    /// What was read.
    pub token: Token,
    /// Where it begins.
    pub place: Place,
}

/// Where the next token stands, seen from the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// On the line of the token read before.
    SameLine,
    /// The first of its line.
    NewLine,
    /// There is none.
    End,
}

/// The first look at a line, without consuming it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineShape {
    /// Line number from 1; 0 where the input ends before.
    pub line: u64,
    /// Tokens on the line, counted up to 4.
    pub tokens: u8,
    /// The values of the first three tokens, as far as they are numbers.
    pub numbers: [u64; 3],
    /// All tokens counted are numbers of 64 bits, and the whole line was seen.
    pub clean: bool,
}

impl LineShape {
    pub(super) const NONE: Self = Self { line: 0, tokens: 0, numbers: [0; 3], clean: false };

    /// The numbers of the line when it consists of exactly `N` (at most 3) numbers.
    #[must_use]
    pub fn exactly<const N: usize>(&self) -> Option<[u64; N]> {
        const { assert!(N <= 3) };
        if !self.clean || usize::from(self.tokens) != N {
            return None;
        }
        let mut numbers = [0; N];
        numbers.copy_from_slice(&self.numbers[..N]);
        Some(numbers)
    }

    /// Whether the line has as many tokens as a row of `width` (at least 1), as far as they are counted.
    #[must_use]
    pub fn is_row(&self, width: u64) -> bool {
        u64::from(self.tokens) == width.min(TOKENS_COUNTED as u64)
    }

    /// Whether there is such a line at all.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.line != 0
    }
}

/// A whole line, for formats in which lines matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawLine {
    /// Line number, from 1.
    pub line: u64,
    /// The line without its end; at most as long as was asked for.
    pub bytes: Vec<u8>,
    /// The line was longer and its rest was dropped.
    pub truncated: bool,
}

impl RawLine {
    /// Its tokens, each with its place.
    pub fn tokens(&self) -> impl Iterator<Item = Lexeme> {
        let mut column = 1;
        self.bytes.split(|&byte| is_blank(byte)).filter_map(move |text| {
            let place = Place { line: self.line, column };
            column += text.len() as u64 + 1;
            (!text.is_empty()).then(|| Lexeme { token: classify(text), place })
        })
    }
}

/// Whether a byte parts tokens of a line.
#[must_use]
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

pub(super) fn is_space(byte: u8) -> bool {
    byte == b'\n' || is_blank(byte)
}

/// The text from its first byte that is no blank. (`trim_ascii_start` would stop at a vertical tab.)
pub(super) fn trim_blanks_start(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|&&byte| is_blank(byte)).count();
    &text[blanks..]
}

/// Whether a text begins a comment.
#[must_use]
pub fn is_comment(text: &[u8]) -> bool {
    text.starts_with(b"#") || text.starts_with(b"//")
}

/// Continues `value` with decimal digits; `None` when 64 bits are too few or a byte is no digit.
#[must_use]
pub fn digits_value(value: u64, digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(value, |value, &byte| {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value.checked_mul(10)?.checked_add(u64::from(digit))
    })
}

pub(super) fn classify(text: &[u8]) -> Token {
    match digits_value(0, text) {
        Some(value) => Token::Number(value),
        None if text.iter().all(u8::is_ascii_digit) => Token::TooLarge(printable(text, QUOTE_BYTES_MAX)),
        None => Token::Word(printable(text, QUOTE_BYTES_MAX)),
    }
}

pub(super) fn shape_of(text: &[u8], line: u64, whole: bool) -> LineShape {
    let mut shape = LineShape { line, clean: whole, ..LineShape::NONE };
    let tokens = text.split(|&byte| is_space(byte)).filter(|token| !token.is_empty());
    for (index, token) in tokens.take(TOKENS_COUNTED).enumerate() {
        shape.tokens += 1;
        match classify(token) {
            Token::Number(value) if index < 3 => shape.numbers[index] = value,
            Token::Number(_) => {}
            _ => shape.clean = false,
        }
    }
    shape
}
