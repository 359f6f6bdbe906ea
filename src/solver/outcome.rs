//! What became of a puzzle: its answer, its proof, or what is wrong with it.

use std::fmt;
use std::io;

use compact_str::{CompactString, ToCompactString as _, format_compact};
use serde::Serialize;
use serde_json::Value;

use super::Stop;
use crate::input::{Lexeme, Place};

/// The answer to one puzzle, ready to be written.
#[derive(Debug)]
pub struct Outcome {
    /// Answered, undecided or invalid.
    pub verdict: Verdict,
    /// The answer in a few words on one line, for the log: `7`, `C 3`, `no solution`. A short one is no allocation:
    /// a million numbers a second come this way.
    pub headline: CompactString,
    /// What the result file gets.
    pub text: Text,
    /// The answer for machines: a number, a string or a small object.
    pub answer: Value,
    /// The proof for machines, as the solver's page describes it; `Null` where there is none or it was not
    /// asked for.
    pub witness: Value,
    /// What is proved about the answer where it is a number.
    pub bounds: Bounds,
}

/// How sure an outcome is.
#[derive(Debug)]
pub enum Verdict {
    /// The answer is exact (or is what the solver's page promises).
    Answered,
    /// A limit ended the search; the outcome says what is proved.
    Undecided(Stop),
    /// The input does not describe a puzzle.
    Invalid(Box<Problem>),
}

/// The text of a result.
pub enum Text {
    /// One line: the headline.
    Headline,
    /// Whole lines, without the last line feed.
    Lines(String),
    /// Made when it is written, for results too long to be held.
    Streamed(Box<dyn Render>),
}

/// A result that is written piece by piece.
pub trait Render: Send + Sync {
    /// Writes whole lines, the last one with its line feed.
    ///
    /// # Errors
    /// Those of `out`.
    fn render(&self, out: &mut dyn io::Write) -> io::Result<()>;
}

/// Proved bounds of a numeric answer; equal when it is exact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The answer is at least this.
    pub at_least: Option<u64>,
    /// The answer is at most this.
    pub at_most: Option<u64>,
}

/// Why a puzzle is invalid. The names of the fields are those of a JSON result; they stay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Where.
    #[serde(flatten)]
    pub place: Place,
    /// The rule that is broken, as a stable name: `square-value`, `board-size`.
    pub rule: &'static str,
    /// What was found, ready for print: `7`, `'abc'`, `the end of the file`, `12 own pieces`.
    pub found: String,
    /// What was expected: `0, 1 or 2`.
    pub expected: String,
    /// The beginning of the puzzle was readable, so the file does hold puzzles of this kind.
    #[serde(skip)]
    pub recognised: bool,
}

impl Problem {
    /// A problem with one token.
    #[must_use]
    pub fn token(lexeme: &Lexeme, rule: &'static str, expected: impl Into<String>, recognised: bool) -> Self {
        Self {
            place: lexeme.place,
            rule,
            found: lexeme.token.quoted(),
            expected: expected.into(),
            recognised,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found {}, expected {}", self.found, self.expected)
    }
}

impl Outcome {
    /// An exact numeric answer of one line.
    #[must_use]
    pub fn number(value: u64) -> Self {
        Self {
            verdict: Verdict::Answered,
            headline: value.to_compact_string(),
            text: Text::Headline,
            answer: Value::from(value),
            witness: Value::Null,
            bounds: Bounds { at_least: Some(value), at_most: Some(value) },
        }
    }

    /// An exact answer in words.
    #[must_use]
    pub fn words(words: impl Into<CompactString>) -> Self {
        let headline = words.into();
        Self {
            verdict: Verdict::Answered,
            answer: Value::from(headline.as_str()),
            headline,
            text: Text::Headline,
            witness: Value::Null,
            bounds: Bounds::default(),
        }
    }

    /// `undecided (proved)`: a limit ended the search.
    #[must_use]
    pub fn undecided(stop: Stop, bounds: Bounds, proved: impl fmt::Display) -> Self {
        let headline = format_compact!("undecided ({proved})");
        Self {
            verdict: Verdict::Undecided(stop),
            answer: Value::from(headline.as_str()),
            headline,
            text: Text::Headline,
            witness: Value::Null,
            bounds,
        }
    }

    /// `invalid board: … at file:line:column`, with the page's word for a puzzle as `noun`.
    #[must_use]
    pub fn invalid(noun: &str, problem: Problem, file: &str) -> Self {
        let headline = format_compact!("invalid {noun}: {problem} at {file}:{}", problem.place);
        Self {
            verdict: Verdict::Invalid(Box::new(problem)),
            answer: Value::from(headline.as_str()),
            headline,
            text: Text::Headline,
            witness: Value::Null,
            bounds: Bounds::default(),
        }
    }

    /// Writes the result's lines.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_text(&self, out: &mut dyn io::Write) -> io::Result<()> {
        match &self.text {
            Text::Headline => write_line(&self.headline, out),
            Text::Lines(lines) => write_line(lines, out),
            Text::Streamed(render) => render.render(out),
        }
    }

    /// The result's lines as one string.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut bytes = Vec::new();
        // Writing to memory cannot fail.
        let _ = self.write_text(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// A line with its end, without the formatting machinery.
fn write_line(line: &str, out: &mut dyn io::Write) -> io::Result<()> {
    out.write_all(line.as_bytes())?;
    out.write_all(b"\n")
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Headline => f.write_str("Headline"),
            Self::Lines(lines) => f.debug_tuple("Lines").field(lines).finish(),
            Self::Streamed(_) => f.write_str("Streamed"),
        }
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.at_least, self.at_most) {
            (least, None) => write!(f, "at least {}", least.unwrap_or(0)),
            (None, Some(most)) => write!(f, "at most {most}"),
            (Some(least), Some(most)) => write!(f, "at least {least}, at most {most}"),
        }
    }
}
