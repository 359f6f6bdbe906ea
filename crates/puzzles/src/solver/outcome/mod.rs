//! Defines the outcome of a puzzle: its answer and its proof, or what is wrong with it.

mod problem;
mod proposal;
mod row_lengths;

use std::borrow::Cow;
use std::fmt;
use std::io;

use compact_str::{CompactString, ToCompactString as _};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Stop;
use crate::words::{Argument, Language, Phrase, messages};

pub use problem::{Excerpt, Problem, ProblemData, Subject};
pub use proposal::{Proposal, named_lines};
pub use row_lengths::RowLengths;

/// The answer to one puzzle, ready to be written.
#[derive(Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// Answered, undecided or invalid.
    pub verdict: Verdict,
    /// The answer in a few words on one line, in English for the log: `7`, `C 3`, `no solution`. Short headlines are
    /// stored without an allocation, because a solver can produce a million of them per second.
    pub headline: CompactString,
    /// The lines for the result file.
    #[serde(skip)]
    pub text: Text,
    /// The answer for programs: a number, a string or a small object.
    pub answer: Value,
    /// The proof for programs, as the solver's page describes it; `Null` if there is none or it was not requested.
    pub witness: Value,
    /// What is proved about the answer if it is a number.
    pub bounds: Bounds,
    /// Whether the answer was compared with the answer under other common rules, and the two differ.
    pub differs_by_rules: bool,
}

/// How certain an outcome is.
#[derive(Debug, Serialize, Deserialize)]
pub enum Verdict {
    /// The answer is exact, or the solver's page says how exact it is.
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
#[derive(Debug, Default)]
pub enum Text {
    /// One line: the headline.
    #[default]
    Headline,
    /// Whole lines, without the last line feed.
    Lines(String),
    /// Lines that are generated while they are written, for results that are too long to be held in memory.
    Streamed(Box<dyn Render>),
}

/// A result that is written in pieces.
pub trait Render: fmt::Debug + Send + Sync {
    /// Writes whole lines, each with its line feed.
    ///
    /// # Errors
    /// Fails if `out` cannot be written.
    fn render(&self, out: &mut dyn io::Write, language: Language) -> io::Result<()>;

    /// Serialises the result for another machine; inverse of [`Solver::text_from_json`](super::Solver::text_from_json).
    fn to_json(&self) -> String;
}

/// Proved bounds of a numeric answer; they are equal if the answer is exact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// The answer is at least this.
    pub at_least: Option<u64>,
    /// The answer is at most this.
    pub at_most: Option<u64>,
}

/// The data from which an outcome, or a submitted answer, is drawn.
#[derive(Debug, Clone)]
pub struct RenderInput {
    /// The language of the text.
    pub language: Language,
    /// The answer in a few words, in that language; printable.
    pub headline: String,
    /// Whether the answer is exact. Otherwise it is the best that was found before a limit ended the search.
    pub is_answered: bool,
    /// The answer for programs.
    pub answer: Value,
    /// The proof of the answer, or what a submission gives as its proof; `Null` if there is none. It may come from a
    /// file, so it can be wrong in any way.
    pub witness: Value,
    /// The proved bounds of a numeric answer.
    pub bounds: Bounds,
}

/// What messages about an outcome need: their language, the name of the file and the word for a puzzle.
#[derive(Debug, Clone, Copy)]
pub struct Teller<'a> {
    /// The language of the text.
    pub language: Language,
    /// The printable name of the file.
    pub file: &'a str,
    /// The word for a puzzle on the solver's page: `board`.
    pub noun: &'a str,
}

impl Teller<'_> {
    /// Returns `invalid board: … at file:line:column`; about lines that belong to no puzzle, `ignored: …`; about the number
    /// of puzzles, `warning: …`.
    pub fn invalid(&self, problem: &Problem) -> String {
        let Self { language, file, noun } = *self;
        let (what, place) = (problem.say(language), problem.place);
        let place = Phrase::from(OutcomeMessage::Place { place: format!("{file}:{place}") }).say(language);
        let label = match problem.subject {
            Subject::Puzzle => format!("invalid {noun}"),
            Subject::Lines => "ignored".to_owned(),
            Subject::Count => "warning".to_owned(),
        };
        let mut lines: Vec<_> = problem.chain().skip(1).map(|other| other.place.line).collect();
        let count = lines.len() as u64;
        lines.sort_unstable();
        lines.dedup();
        let further = || OutcomeMessage::Further { count, lines: named_lines(lines) };
        let further =
            if count > 0 { format!(" {}", Phrase::from(further()).say(language)) } else { String::new() };
        format!("{label}: {what} {place}{further}")
    }
}

/// Returns `undecided (…)`, with what is proved in the parentheses.
pub fn undecided(proved: &Phrase, language: Language) -> String {
    format!("undecided ({})", proved.say(language))
}

messages! {
    "outcome"
    /// What is proved about a number, and two texts of messages about invalid puzzles.
    enum OutcomeMessage {
        AtLeast = "at-least" { least: u64 },
        AtMost = "at-most" { most: u64 },
        Between = "between" { least: u64, most: u64 },
        /// The puzzle has further mistakes.
        Further = "further" { count: u64, lines: Phrase },
        /// Where the puzzle is wrong: `file:line:column`.
        Place = "place" { place: String },
        /// The simplest message of a reader: a number was expected.
        NoNumber = "no-number" { found: Argument },
    }
}

impl From<Bounds> for Phrase {
    fn from(bounds: Bounds) -> Self {
        match (bounds.at_least, bounds.at_most) {
            (least, None) => OutcomeMessage::AtLeast { least: least.unwrap_or(0) },
            (None, Some(most)) => OutcomeMessage::AtMost { most },
            (Some(least), Some(most)) => OutcomeMessage::Between { least, most },
        }
        .into()
    }
}

impl Outcome {
    /// Creates an outcome of one line.
    fn line(verdict: Verdict, headline: CompactString, answer: Value, bounds: Bounds) -> Self {
        Self {
            verdict,
            headline,
            text: Text::Headline,
            answer,
            witness: Value::Null,
            bounds,
            differs_by_rules: false,
        }
    }

    /// Creates an outcome of one line, which is also its answer for programs.
    fn in_words(verdict: Verdict, headline: CompactString, bounds: Bounds) -> Self {
        let answer = Value::from(headline.as_str());
        Self::line(verdict, headline, answer, bounds)
    }

    /// Returns an outcome whose answer is an exact number.
    pub fn number(value: u64) -> Self {
        let bounds = Bounds { at_least: Some(value), at_most: Some(value) };
        Self::line(Verdict::Answered, value.to_compact_string(), value.into(), bounds)
    }

    /// Returns an outcome whose answer is exact and in words.
    pub fn words(words: impl Into<CompactString>) -> Self {
        Self::in_words(Verdict::Answered, words.into(), Bounds::default())
    }

    /// Returns the outcome `undecided (proved)` of a search that a limit ended.
    pub fn undecided(stop: Stop, bounds: Bounds, proved: impl Into<Phrase>) -> Self {
        let proved = proved.into();
        let headline = undecided(&proved, Language::English);
        Self::in_words(Verdict::Undecided { stop, proved: Box::new(proved) }, headline.into(), bounds)
    }

    /// Returns the outcome `invalid board: … at file:line:column`. `noun` is the solver's word for a puzzle.
    pub fn invalid(noun: &str, problem: Problem, file: &str) -> Self {
        let headline = Teller { language: Language::English, file, noun }.invalid(&problem);
        Self::in_words(Verdict::Invalid(Box::new(problem)), headline.into(), Bounds::default())
    }

    /// Returns the headline in the language of the result.
    pub fn headline_for(&self, teller: &Teller<'_>) -> Cow<'_, str> {
        match &self.verdict {
            Verdict::Invalid(problem) => teller.invalid(problem).into(),
            Verdict::Undecided { proved, .. } => undecided(proved, teller.language).into(),
            Verdict::Answered => self.headline.as_str().into(),
        }
    }

    /// Returns the data from which the outcome is drawn.
    pub fn render_input(&self, teller: &Teller<'_>) -> RenderInput {
        RenderInput {
            language: teller.language,
            headline: self.headline_for(teller).into_owned(),
            is_answered: matches!(self.verdict, Verdict::Answered),
            answer: self.answer.clone(),
            witness: self.witness.clone(),
            bounds: self.bounds,
        }
    }

    /// Writes the lines of the result.
    ///
    /// # Errors
    /// Fails if `out` cannot be written.
    pub fn write_text(&self, out: &mut dyn io::Write, teller: &Teller<'_>) -> io::Result<()> {
        match &self.text {
            Text::Headline => write_line(&self.headline_for(teller), out),
            Text::Lines(lines) => write_line(lines, out),
            Text::Streamed(render) => render.render(out, teller.language),
        }
    }

    /// Returns the lines of the result, in English, as one string.
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

/// Writes a line and a line feed. `writeln!` would be slower.
fn write_line(line: &str, out: &mut dyn io::Write) -> io::Result<()> {
    out.write_all(line.as_bytes())?;
    out.write_all(b"\n")
}
