//! Directives: comment lines `#: key = value` before the first number of a file.
//!
//! This module only parses directives. They are validated when the options of a job are merged. A value is bare, up to
//! the end of its line, or quoted with `"` or `'`. There are no escapes.

use std::io;
use std::sync::Arc;

use super::token::{NoToken, QUOTE_BYTES_MAX, trim_blanks_start};
use super::{Line, Place, RawLine, Scanner, printable};
use crate::words::{Argument, Phrase, messages};

/// Maximum number of directives in one file.
pub const DIRECTIVES_MAX: usize = 64;
/// Maximum bytes of a directive's line.
pub const DIRECTIVE_BYTES_MAX: usize = 4096;

/// One directive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive {
    /// The key: `solver`, or the name of an option.
    pub key: String,
    /// Where the key stands.
    pub key_place: Place,
    /// The value without quotes.
    pub value: String,
    /// Where the value stands; for a quoted value, the place of the quote.
    pub value_place: Place,
}

/// A comment that resembles a directive, or the first line after the leading comments if that line does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearMiss {
    /// The text of the directive, without its mark.
    pub text: String,
    /// The place of that text.
    pub place: Place,
    /// Whether the comment has a colon, semicolon or `!` before the key, as in `# : key` or `#; key`.
    pub has_mark: bool,
    /// Whether the text is the first line after the leading comments, and not a comment.
    pub is_bare: bool,
}

/// A faulty directive.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{place}: {what}")]
pub struct DirectiveError {
    /// The name of the file in errors.
    pub file: Arc<str>,
    /// Where the fault is.
    pub place: Place,
    /// What is wrong.
    pub what: Phrase,
    /// The text after `#:`, if the fault is a missing `=`.
    pub text: Option<String>,
    /// The lines to write instead of its line, if that is clear.
    pub instead: Vec<String>,
    /// The next faulty directive.
    pub also: Option<Box<Self>>,
}

impl DirectiveError {
    /// Creates the error of a directive at `place` of `file`.
    pub fn new(file: &Arc<str>, place: Place, what: impl Into<Phrase>) -> Self {
        Self { file: file.clone(), place, what: what.into(), text: None, instead: Vec::new(), also: None }
    }
}

messages! {
    "directive"
    /// Mistakes in the writing of a directive.
    enum Mistake {
        TooLong = "too-long" { bytes_max: usize },
        TooMany = "too-many" { most: usize },
        NoText = "no-text",
        Twice = "twice" { key: String, line: u64 },
        NoKey = "no-key" { found: Argument },
        NoEquals = "no-equals" { found: Argument, key: String },
        NoValue = "no-value" { key: String },
        Quotes = "quotes" { found: String },
    }
}

/// Why the directives of a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadDirectivesError {
    /// The input cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A directive is faulty.
    #[error(transparent)]
    Faulty(#[from] Box<DirectiveError>),
}

/// Consumes the comment lines before the first number and returns the directives among them, in order.
///
/// # Errors
/// Fails if reading fails, or at the first faulty directive.
pub fn read_directives(scanner: &mut Scanner<'_>) -> Result<Vec<Directive>, ReadDirectivesError> {
    read_directives_and_near_misses(scanner).map(|(directives, _)| directives)
}

/// Works like [`read_directives`], and also returns the near misses: the first comments that resemble a directive, and
/// the line after the comments if it resembles one.
///
/// # Errors
/// Fails like [`read_directives`].
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
                let after_mark = trim_blanks_start(&line.bytes).get(2..).unwrap_or_default();
                let text = matches!(what, Mistake::NoEquals { .. })
                    .then(|| String::from_utf8_lossy(after_mark).trim().to_owned());
                let error = DirectiveError { text, ..DirectiveError::new(scanner.name(), place, what) };
                return Err(Box::new(error).into());
            }
        }
    }
    let Line { number, column, text } = scanner.line_ahead()?;
    let text = &text[..text.len().min(DIRECTIVE_BYTES_MAX)];
    if let Ok(text) = std::str::from_utf8(text)
        && text.starts_with(|first: char| first.is_alphabetic())
        && text.contains('=')
    {
        let place = Place { line: number, column };
        let text = text.trim_end().to_owned();
        near_misses.push(NearMiss { text, place, has_mark: false, is_bare: true });
    }
    Ok((directives, near_misses))
}

/// Returns the directive that an ordinary comment such as `# : key = value` or `# key = value` probably means.
fn near_miss(raw: &RawLine) -> Option<NearMiss> {
    let line = std::str::from_utf8(&raw.bytes).ok().filter(|_| !raw.truncated)?.trim_end();
    let comment = line.trim_start();
    let comment = comment.strip_prefix('#').or_else(|| comment.strip_prefix("//"))?.trim_start();
    let mark = comment.strip_prefix([':', ';', '!']).map(str::trim_start);
    let text = mark.or(Some(comment).filter(|comment| comment.contains('=')))?;
    let place = Place { line: raw.line, column: (line.len() - text.len()) as u64 + 1 };
    Some(NearMiss { text: text.to_owned(), place, has_mark: mark.is_some(), is_bare: false })
}

/// The offset of a mistake in a line, in bytes, and the mistake.
type Fault = (usize, Mistake);

/// Parses the directive of a comment line. Returns `None` if it is an ordinary comment.
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

/// Splits a line from `start` on into the key and the unquoted value, each after its offset in the line.
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
    if text.is_empty() {
        Phrase::from(NoToken::EndOfLine).into()
    } else {
        format!("'{}'", shown(text)).into()
    }
}
