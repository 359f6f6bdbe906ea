//! Tokens and lines of an input, and how they are parsed from bytes.

use super::marked::Line;
use super::place::{Place, printable};
use crate::words::{Argument, Phrase, messages};

/// Maximum bytes of an input that a message quotes.
pub const QUOTE_BYTES_MAX: usize = 40;

/// One token of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// An unsigned decimal number that fits in 64 bits.
    Number(u64),
    /// The beginning of a number that does not fit in 64 bits.
    TooLarge(String),
    /// The beginning of any other token, escaped.
    Word(String),
    /// The end of the input.
    End,
}

impl Token {
    /// Returns the value of a number that fits in 64 bits.
    pub fn number(&self) -> Option<u64> {
        if let Self::Number(value) = self { Some(*value) } else { None }
    }

    /// Returns whether the token consists of digits, even of too many for a number.
    pub fn is_digits(&self) -> bool {
        matches!(self, Self::Number(_) | Self::TooLarge(_))
    }

    /// Returns the token as a message quotes it: `7`, `'abc'`, `the end of the file`.
    pub fn quoted(&self) -> Argument {
        match self {
            Self::Number(value) => value.to_string().into(),
            Self::TooLarge(text) => text.clone().into(),
            Self::Word(text) => format!("'{text}'").into(),
            Self::End => Phrase::from(NoToken::EndOfFile).into(),
        }
    }
}

messages! {
    "found"
    /// What a message names if there is no token to quote.
    pub enum NoToken {
        EndOfFile = "end-of-file",
        EndOfLine = "end-of-line",
    }
}

/// A token and where it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lexeme {
    /// The token.
    pub token: Token,
    /// Where it begins.
    pub place: Place,
}

/// Where the next token stands, relative to the previous one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// On the line of the previous token.
    SameLine,
    /// At the beginning of a line, which may be the first.
    NewLine,
    /// Nowhere: the input has ended.
    End,
}

/// A whole line, for formats in which lines matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawLine {
    /// Line number, from 1.
    pub line: u64,
    /// The line without its end, at most as long as the caller asked for.
    pub bytes: Vec<u8>,
    /// Whether the line was longer; the rest was dropped.
    pub truncated: bool,
}

impl RawLine {
    /// Returns the line as text with its place.
    pub fn as_line(&self) -> Line<'_> {
        Line { number: self.line, column: 1, text: &self.bytes }
    }
}

/// Returns whether a byte separates tokens of a line.
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

pub(super) fn is_space(byte: u8) -> bool {
    byte == b'\n' || is_blank(byte)
}

/// Returns the text from its first non-blank byte on. (`trim_ascii_start` would stop at a vertical tab.)
pub(super) fn trim_blanks_start(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|&&byte| is_blank(byte)).count();
    &text[blanks..]
}

/// Returns whether a text begins a comment.
pub fn is_comment(text: &[u8]) -> bool {
    text.starts_with(b"#") || text.starts_with(b"//")
}

/// Returns whether a line has only dots, which stand for rows. A single dot is the mark of one square.
#[must_use]
pub fn is_omission(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line.trim_ascii());
    text.len() > 1 && text.chars().all(|character| matches!(character, '.' | '…' | ' '))
}

/// Returns whether a line is the number of a page, as in `- 4 -`, or a date and a time, as an editor writes them.
#[must_use]
pub fn is_page_or_time(line: &[u8]) -> bool {
    let is_number = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    // Whether a word consists of so many numbers with a mark between them.
    let has = |mark: u8, counts: &[usize]| {
        line.trim_ascii().split(|byte| b" \t,".contains(byte)).any(|word| {
            let mut numbers = word.split(|&byte| byte == mark);
            counts.contains(&numbers.clone().count()) && numbers.all(is_number)
        })
    };
    if has(b':', &[2, 3]) && (has(b'/', &[3]) || has(b'-', &[3])) {
        return true;
    }
    let inner = line.trim_ascii().strip_prefix(b"-").and_then(|rest| rest.strip_suffix(b"-"));
    inner.map(<[u8]>::trim_ascii).is_some_and(is_number)
}

/// Appends decimal digits to `value`. Returns `None` if the result exceeds 64 bits or a byte is not a digit.
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
        None => {
            // What is not UTF-8 is most likely Latin-1.
            let latin: String = text.iter().map(|&byte| char::from(byte)).collect();
            let text = std::str::from_utf8(text).unwrap_or(&latin);
            Token::Word(printable(text.as_bytes(), QUOTE_BYTES_MAX))
        }
    }
}
