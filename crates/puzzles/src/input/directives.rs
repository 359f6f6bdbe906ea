//! Directives: comment lines `#: key = value` before the first number of a file.
//!
//! They are read here and judged where the options of a job are put together. A value is bare, up to the end
//! of its line, or quoted with `"` or `'`; there are no escapes.

use std::io;
use std::sync::Arc;

use super::token::{Found, QUOTE_BYTES_MAX, trim_blanks_start};
use super::{Place, RawLine, Scanner, printable};
use crate::words::{Argument, Phrase, messages};

/// Directives in one file.
pub const DIRECTIVES_MAX: usize = 64;
/// Bytes in a line with a directive.
pub const DIRECTIVE_BYTES_MAX: usize = 4096;

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

/// A comment that is written much like a directive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearMiss {
    /// What it would set.
    pub directive: Directive,
    /// It has a colon or a semicolon before its key, though not as directives have it.
    pub has_mark: bool,
}

/// A faulty directive.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{place}: {what}")]
pub struct DirectiveError {
    /// The file as errors call it.
    pub file: Arc<str>,
    /// Where.
    pub place: Place,
    /// What is wrong.
    pub what: Phrase,
}

messages! {
    "directive"
    /// What is wrong with how a directive is written.
    enum Mistake {
        /// Its line is too long.
        TooLong = "too-long" { bytes_max: usize },
        /// There are too many.
        TooMany = "too-many" { most: usize },
        /// It holds control characters or no UTF-8.
        NoText = "no-text",
        /// An earlier one has the same key.
        Twice = "twice" { key: String, line: u64 },
        /// It begins with no key.
        NoKey = "no-key" { found: Argument },
        /// No `=` follows the key.
        NoEquals = "no-equals" { found: Argument, key: String },
        /// Nothing follows the `=`.
        NoValue = "no-value" { key: String },
        /// A quoted value does not end where the line does.
        Quotes = "quotes" { found: String },
    }
}

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
    read_directives_and_near_misses(scanner).map(|(directives, _)| directives)
}

/// Does the same, and returns as well the first comments that are written much like a directive.
///
/// # Errors
/// Those of [`read_directives`].
pub fn read_directives_and_near_misses(
    scanner: &mut Scanner<'_>,
) -> Result<(Vec<Directive>, Vec<NearMiss>), ReadDirectivesError> {
    let (mut directives, mut near_misses) = (Vec::new(), Vec::new());
    while let Some(line) = scanner.next_leading_comment(DIRECTIVE_BYTES_MAX)? {
        match parse_line(&line, &directives) {
            Ok(Some(directive)) => directives.push(directive),
            Ok(None) if near_misses.len() < DIRECTIVES_MAX => near_misses.extend(near_miss(&line)),
            Ok(None) => {}
            Err((at, what)) => {
                let place = Place { line: line.line, column: at as u64 + 1 };
                return Err(DirectiveError { file: scanner.name().clone(), place, what: what.into() }.into());
            }
        }
    }
    Ok((directives, near_misses))
}

/// The directive for which an ordinary comment may be meant: `# : key = value`, `# key = value`.
fn near_miss(raw: &RawLine) -> Option<NearMiss> {
    let text = std::str::from_utf8(&raw.bytes).ok().filter(|_| !raw.truncated)?.trim_end();
    let comment = text.trim_start();
    let comment = comment.strip_prefix('#').or_else(|| comment.strip_prefix("//"))?.trim_start();
    let mark = comment.strip_prefix([':', ';']);
    let (key_at, key, value_at, value) = split(text, text.len() - mark.unwrap_or(comment).len()).ok()?;
    let place = |at: usize| Place { line: raw.line, column: at as u64 + 1 };
    let (key_place, value_place) = (place(key_at), place(value_at));
    let directive = Directive { key: key.to_owned(), key_place, value: value.to_owned(), value_place };
    Some(NearMiss { directive, has_mark: mark.is_some() })
}

/// What is wrong with a line, and at which byte.
type Fault = (usize, Mistake);

/// The directive of a comment line; `None` when it is an ordinary comment.
fn parse_line(raw: &RawLine, earlier: &[Directive]) -> Result<Option<Directive>, Fault> {
    let indent = raw.bytes.len() - trim_blanks_start(&raw.bytes).len();
    if !raw.bytes[indent..].starts_with(b"#:") {
        return Ok(None);
    }
    if raw.truncated {
        return Err((indent, Mistake::TooLong { bytes_max: DIRECTIVE_BYTES_MAX }));
    }
    if earlier.len() == DIRECTIVES_MAX {
        return Err((indent, Mistake::TooMany { most: DIRECTIVES_MAX }));
    }
    let no_text = |at| (at, Mistake::NoText);
    let text = std::str::from_utf8(&raw.bytes).map_err(|error| no_text(error.valid_up_to()))?.trim_end();
    if let Some(at) = text.find(|c: char| c.is_control() && c != '\t') {
        return Err(no_text(at));
    }
    let (key_at, key, value_at, value) = split(text, indent + 2)?;
    if let Some(Directive { key_place, .. }) = earlier.iter().find(|earlier| earlier.key == key) {
        return Err((key_at, Mistake::Twice { key: shown(key), line: key_place.line }));
    }
    let place = |at: usize| Place { line: raw.line, column: at as u64 + 1 };
    let (key_place, value_place) = (place(key_at), place(value_at));
    Ok(Some(Directive { key: key.to_owned(), key_place, value: value.to_owned(), value_place }))
}

/// Key and unquoted value of a line from `start` on, each with its offset in the line.
fn split(line: &str, start: usize) -> Result<(usize, &str, usize, &str), Fault> {
    let key_at = skip_blanks(line, start);
    let rest = &line[key_at..];
    let key = &rest[..rest.find(|c| !is_key(c)).unwrap_or(rest.len())];
    if key.is_empty() {
        return Err((key_at, Mistake::NoKey { found: quoted(rest) }));
    }
    let equals_at = skip_blanks(line, key_at + key.len());
    if !line[equals_at..].starts_with('=') {
        return Err((equals_at, Mistake::NoEquals { found: quoted(&line[equals_at..]), key: shown(key) }));
    }
    let value_at = skip_blanks(line, equals_at + 1);
    let value = &line[value_at..];
    match value.chars().next() {
        None => Err((value_at, Mistake::NoValue { key: shown(key) })),
        Some(quote @ ('"' | '\'')) => match value[1..].strip_suffix(quote) {
            Some(inner) if !inner.contains(quote) => Ok((key_at, key, value_at, inner)),
            _ => Err((value_at, Mistake::Quotes { found: shown(value) })),
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

fn shown(text: &str) -> String {
    printable(text.as_bytes(), QUOTE_BYTES_MAX)
}

fn quoted(text: &str) -> Argument {
    if text.is_empty() { Phrase::from(Found::EndOfLine).into() } else { format!("'{}'", shown(text)).into() }
}
