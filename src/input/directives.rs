//! Directives: comment lines `#: key = value` before the first number of a file.
//!
//! They are read here and judged where the options of a job are put together. A value is bare, up to the end
//! of its line, or quoted with `"` or `'`; there are no escapes.

use std::fmt;
use std::io;
use std::sync::Arc;

use super::token::trim_blanks_start;
use super::{Place, RawLine, Scanner, printable};

/// Directives in one file.
pub const DIRECTIVES_MAX: usize = 64;
/// Bytes in a line with a directive.
pub const DIRECTIVE_BYTES_MAX: usize = 4096;
/// How much of a faulty directive is quoted.
const QUOTE_BYTES_MAX: usize = 40;

/// One directive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive {
    /// What is set: `solver`, or the name of an option.
    pub key: String,
    /// Where the key stands.
    pub key_place: Place,
    /// The value without quotes.
    pub value: String,
    /// Where the value stands, its quote included.
    pub value_place: Place,
}

/// Why a line is no directive.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DirectiveFault {
    /// There is no key, or it has other characters.
    #[error("found {found}, expected the name of an option: letters, digits, '_' and '-'")]
    Key {
        /// What stands there.
        found: String,
    },
    /// The `=` is missing.
    #[error("found {found}, expected '=' after '{key}': a directive is '#: key = value'")]
    Equals {
        /// The key before.
        key: String,
        /// What stands there.
        found: String,
    },
    /// The value is missing.
    #[error("found no value for '{key}': a directive is '#: key = value'")]
    Value {
        /// The key before.
        key: String,
    },
    /// A quoted value has no end, or something behind it.
    #[error("found {found}, expected a value in quotes with nothing behind it")]
    Quote {
        /// The value as it stands there.
        found: String,
    },
    /// The line is no UTF-8, or has control characters.
    #[error("found bytes that are no text")]
    NoText,
    /// The key was there before.
    #[error("'{key}' is set a second time, first in line {line}")]
    Twice {
        /// The key.
        key: String,
        /// The line of the first.
        line: u64,
    },
    /// The line is longer than [`DIRECTIVE_BYTES_MAX`].
    #[error("the directive is longer than {DIRECTIVE_BYTES_MAX} bytes")]
    TooLong,
    /// There are more than [`DIRECTIVES_MAX`].
    #[error("the file has more than {DIRECTIVES_MAX} directives")]
    TooMany,
}

/// A faulty directive and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectiveError {
    /// The file as errors call it.
    pub file: Arc<str>,
    /// Where.
    pub place: Place,
    /// What is wrong.
    pub fault: DirectiveFault,
}

impl fmt::Display for DirectiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.place, self.fault)
    }
}

impl std::error::Error for DirectiveError {}

/// Why the directives of a file cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum ReadDirectivesError {
    /// The input cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A directive is faulty.
    #[error(transparent)]
    Faulty(#[from] DirectiveError),
}

/// Consumes the comment lines before the first number and returns the directives among them, in order.
///
/// # Errors
/// When reading fails, or at the first faulty directive.
pub fn read_directives(scanner: &mut Scanner<'_>) -> Result<Vec<Directive>, ReadDirectivesError> {
    let mut directives: Vec<Directive> = Vec::new();
    while let Some(line) = scanner.next_leading_comment(DIRECTIVE_BYTES_MAX)? {
        let parsed = parse_line(&line, directives.len()).and_then(|directive| {
            let Some(directive) = directive else { return Ok(None) };
            match directives.iter().find(|earlier| earlier.key == directive.key) {
                Some(first) => {
                    let fault =
                        DirectiveFault::Twice { key: directive.key.clone(), line: first.key_place.line };
                    Err((directive.key_place, fault))
                }
                None => Ok(Some(directive)),
            }
        });
        match parsed {
            Ok(directive) => directives.extend(directive),
            Err((place, fault)) => {
                return Err(DirectiveError { file: scanner.name().clone(), place, fault }.into());
            }
        }
    }
    Ok(directives)
}

/// The directive of a comment line; `None` when it is an ordinary comment.
fn parse_line(raw: &RawLine, count: usize) -> Result<Option<Directive>, (Place, DirectiveFault)> {
    let indent = raw.bytes.len() - trim_blanks_start(&raw.bytes).len();
    if !raw.bytes[indent..].starts_with(b"#:") {
        return Ok(None);
    }
    let place = |offset: usize| Place { line: raw.line, column: offset as u64 + 1 };
    if raw.truncated {
        return Err((place(indent), DirectiveFault::TooLong));
    }
    if count == DIRECTIVES_MAX {
        return Err((place(indent), DirectiveFault::TooMany));
    }
    let text = match std::str::from_utf8(&raw.bytes) {
        Ok(text) => text.trim_end(),
        Err(error) => return Err((place(error.valid_up_to()), DirectiveFault::NoText)),
    };
    if let Some(at) = text.find(|c: char| c.is_control() && c != '\t') {
        return Err((place(at), DirectiveFault::NoText));
    }
    let fault = |(offset, fault)| (place(offset), fault);
    let (key_at, key, value_at, value) = split(text, indent + 2).map_err(fault)?;
    Ok(Some(Directive {
        key: key.to_owned(),
        key_place: place(key_at),
        value: value.to_owned(),
        value_place: place(value_at),
    }))
}

/// Key and unquoted value of a line from `start` on, each with its offset in the line.
fn split(line: &str, start: usize) -> Result<(usize, &str, usize, &str), (usize, DirectiveFault)> {
    let key_at = skip_blanks(line, start);
    let rest = &line[key_at..];
    let key_end = key_at + rest.find(|c| !is_key(c)).unwrap_or(rest.len());
    let key = &line[key_at..key_end];
    if key.is_empty() {
        return Err((key_at, DirectiveFault::Key { found: quoted(rest) }));
    }
    let equals_at = skip_blanks(line, key_end);
    if !line[equals_at..].starts_with('=') {
        let found = quoted(&line[equals_at..]);
        return Err((
            equals_at,
            DirectiveFault::Equals { key: printable(key.as_bytes(), QUOTE_BYTES_MAX), found },
        ));
    }
    let value_at = skip_blanks(line, equals_at + 1);
    let value = &line[value_at..];
    match value.chars().next() {
        None => Err((value_at, DirectiveFault::Value { key: printable(key.as_bytes(), QUOTE_BYTES_MAX) })),
        Some(quote @ ('"' | '\'')) => match value[1..].strip_suffix(quote) {
            Some(inner) if !inner.contains(quote) => Ok((key_at, key, value_at, inner)),
            _ => {
                Err((value_at, DirectiveFault::Quote { found: printable(value.as_bytes(), QUOTE_BYTES_MAX) }))
            }
        },
        Some(_) => Ok((key_at, key, value_at, value)),
    }
}

fn is_key(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

fn skip_blanks(line: &str, start: usize) -> usize {
    let rest = &line[start..];
    start + rest.len() - rest.trim_start().len()
}

fn quoted(text: &str) -> String {
    if text.is_empty() {
        "the end of the line".to_owned()
    } else {
        format!("'{}'", printable(text.as_bytes(), QUOTE_BYTES_MAX))
    }
}
