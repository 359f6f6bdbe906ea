//! The outcome of a puzzle: its answer, its proof, or what is wrong with it.

// What is wrong with a puzzle.
mod problem;
// What to write instead.
mod proposal;
// The rows of a board that is read as a stream of numbers.
mod row_lengths;

use std::borrow::Cow;
use std::fmt;
use std::io;

use compact_str::{CompactString, ToCompactString as _};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Stop;
use crate::words::{Language, Phrase, messages};

pub use problem::{Excerpt, Problem, ProblemData, Seen};
pub use proposal::Proposal;
pub use row_lengths::RowLengths;

/// The answer to one puzzle, ready to be written.
#[derive(Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// Answered, undecided or invalid.
    pub verdict: Verdict,
    /// The answer in a few words on one line, in English for the log: `7`, `C 3`, `no solution`. A short one is no
    /// allocation: a million numbers a second come this way.
    pub headline: CompactString,
    /// What the result file gets.
    #[serde(skip)]
    pub text: Text,
    /// The answer for machines: a number, a string or a small object.
    pub answer: Value,
    /// The proof for machines, as the solver's page describes it; `Null` if there is none or it was not
    /// asked for.
    pub witness: Value,
    /// What is proved about the answer if it is a number.
    pub bounds: Bounds,
    /// Other rules in use, with which it was compared, give another answer.
    pub differs_by_rules: bool,
}

/// How sure an outcome is.
#[derive(Debug, Serialize, Deserialize)]
pub enum Verdict {
    /// The answer is exact (or is what the solver's page promises).
    Answered,
    /// A limit ended the search.
    Undecided {
        /// The limit.
        stop: Stop,
        /// What is proved.
        proved: Box<Phrase>,
    },
    /// The input does not describe a puzzle.
    Invalid(Box<Problem>),
}

/// The text of a result.
#[derive(Default)]
pub enum Text {
    /// One line: the headline.
    #[default]
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
    fn render(&self, out: &mut dyn io::Write, language: Language) -> io::Result<()>;

    /// Writes it for another machine, where [`Solver::text_from_json`](super::Solver::text_from_json) reads it.
    fn to_json(&self) -> String;
}

/// Proved bounds of a numeric answer; equal when it is exact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// The answer is at least this.
    pub at_least: Option<u64>,
    /// The answer is at most this.
    pub at_most: Option<u64>,
}

/// The outcome of a puzzle, as far as it is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// The language of the text.
    pub language: Language,
    /// The answer in a few words, in that language.
    pub headline: &'a str,
    /// The answer is exact; otherwise it is what was found until a limit ended the search.
    pub is_answered: bool,
    /// The answer for machines.
    pub answer: &'a Value,
    /// What proves it, or what a submission says does; `Null` if there is nothing. It may come from a file, so nothing of
    /// it is sure.
    pub witness: &'a Value,
    /// What is proved of a number.
    pub bounds: Bounds,
}

/// The file and the kind of puzzle that outcomes name, and their language.
#[derive(Debug, Clone, Copy)]
pub struct Teller<'a> {
    /// The language of the text.
    pub language: Language,
    /// What the file is called; printable.
    pub file: &'a str,
    /// The page's word for a puzzle: `board`.
    pub noun: &'a str,
}

impl Teller<'_> {
    /// `invalid board: … at file:line:column`.
    #[must_use]
    pub fn invalid(&self, problem: &Problem) -> String {
        format!(
            "invalid {}: {} {} {}:{}",
            self.noun,
            problem.say(self.language),
            Phrase::from(Proved::Place).say(self.language),
            self.file,
            problem.place
        )
    }

    /// `undecided (…)`.
    #[must_use]
    pub fn undecided(&self, proved: &Phrase) -> String {
        undecided(proved, self.language)
    }
}

/// `undecided (…)`.
#[must_use]
pub fn undecided(proved: &Phrase, language: Language) -> String {
    format!("undecided ({})", proved.say(language))
}

messages! {
    "outcome"
    /// What is proved about a number, and the word before a place.
    pub enum Proved {
        /// A lower bound.
        AtLeast = "at-least" { least: u64 },
        /// An upper bound.
        AtMost = "at-most" { most: u64 },
        /// Both.
        Between = "between" { least: u64, most: u64 },
        /// Before `file:line:column`.
        Place = "place",
    }
}

impl From<Bounds> for Phrase {
    fn from(bounds: Bounds) -> Self {
        match (bounds.at_least, bounds.at_most) {
            (least, None) => Proved::AtLeast { least: least.unwrap_or(0) },
            (None, Some(most)) => Proved::AtMost { most },
            (Some(least), Some(most)) => Proved::Between { least, most },
        }
        .into()
    }
}

impl Outcome {
    /// Creates an outcome of one line, which is also its answer for machines.
    fn line(verdict: Verdict, headline: CompactString, bounds: Bounds) -> Self {
        Self {
            verdict,
            answer: Value::from(headline.as_str()),
            headline,
            text: Text::Headline,
            witness: Value::Null,
            bounds,
            differs_by_rules: false,
        }
    }

    /// Returns an exact numeric answer of one line.
    #[must_use]
    pub fn number(value: u64) -> Self {
        Self {
            verdict: Verdict::Answered,
            headline: value.to_compact_string(),
            text: Text::Headline,
            answer: Value::from(value),
            witness: Value::Null,
            bounds: Bounds { at_least: Some(value), at_most: Some(value) },
            differs_by_rules: false,
        }
    }

    /// Returns an exact answer in words.
    #[must_use]
    pub fn words(words: impl Into<CompactString>) -> Self {
        Self::line(Verdict::Answered, words.into(), Bounds::default())
    }

    /// `undecided (proved)`: a limit ended the search.
    #[must_use]
    pub fn undecided(stop: Stop, bounds: Bounds, proved: impl Into<Phrase>) -> Self {
        let proved = proved.into();
        let headline = undecided(&proved, Language::English);
        Self::line(Verdict::Undecided { stop, proved: Box::new(proved) }, headline.into(), bounds)
    }

    /// `invalid board: … at file:line:column`, with the page's word for a puzzle as `noun`.
    #[must_use]
    pub fn invalid(noun: &str, problem: Problem, file: &str) -> Self {
        let headline = Teller { language: Language::English, file, noun }.invalid(&problem);
        Self::line(Verdict::Invalid(Box::new(problem)), headline.into(), Bounds::default())
    }

    /// Returns the headline in the language of the result.
    #[must_use]
    pub fn headline_for(&self, teller: &Teller<'_>) -> Cow<'_, str> {
        match &self.verdict {
            Verdict::Invalid(problem) => teller.invalid(problem).into(),
            Verdict::Undecided { proved, .. } => teller.undecided(proved).into(),
            Verdict::Answered => self.headline.as_str().into(),
        }
    }

    /// Writes the result's lines.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_text(&self, out: &mut dyn io::Write, teller: &Teller<'_>) -> io::Result<()> {
        match &self.text {
            Text::Headline => write_line(&self.headline_for(teller), out),
            Text::Lines(lines) => write_line(lines, out),
            Text::Streamed(render) => render.render(out, teller.language),
        }
    }

    /// Returns the lines of a result that is no error, in English, as one string.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut bytes = Vec::new();
        // Writing to memory cannot fail.
        let _ = match &self.text {
            Text::Headline => write_line(&self.headline, &mut bytes),
            _ => self.write_text(&mut bytes, &Teller { language: Language::English, file: "", noun: "" }),
        };
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Writes a line with its end, without the formatting machinery.
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
