//! The JSON form in which an outcome is sent from another machine. `serde_json` bounds its depth, and the content is
//! checked like any input.
//!
//! Only outcomes of solving a puzzle are sent. What a reader reports about an invalid puzzle, with proposals and lines
//! of the file, stays on the machine that has the file.

use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::{Error, Result};

use super::{Excerpt, Outcome, Problem, Solver, Text, Verdict};
use crate::input::{LINE_MAX, printable};
use crate::words::{Argument, Phrase};

#[derive(Serialize, Deserialize)]
enum SentText {
    Headline,
    Lines(String),
    Streamed(String),
}

impl Outcome {
    /// Serialises the outcome for another machine.
    pub fn to_json(&self) -> String {
        let text = match &self.text {
            Text::Headline => SentText::Headline,
            Text::Lines(lines) => SentText::Lines(lines.clone()),
            Text::Streamed(render) => SentText::Streamed(render.to_json()),
        };
        // Numbers and texts can always be serialised.
        serde_json::to_string(&(self, text)).unwrap_or_default()
    }

    /// Parses the outcome of one of the solver's puzzles.
    ///
    /// # Errors
    /// Fails if the JSON is malformed.
    pub fn from_json(json: &str, solver: &dyn Solver) -> Result<Self> {
        let (mut outcome, text): (Self, SentText) = serde_json::from_str(json)?;
        outcome.text = match text {
            SentText::Headline => Text::Headline,
            SentText::Lines(lines) => {
                lines.split('\n').try_for_each(check_line)?;
                Text::Lines(lines)
            }
            SentText::Streamed(json) => solver.text_from_json(&json)?,
        };
        check_line(&outcome.headline)?;
        let least = outcome.bounds.at_least.unwrap_or(0);
        let is_possible = outcome.bounds.at_most.is_none_or(|most| least <= most);
        malformed_unless(is_possible, "bounds between which nothing lies")?;
        match &outcome.verdict {
            Verdict::Answered => {}
            Verdict::Undecided { proved, .. } => check_phrase(proved)?,
            Verdict::Invalid(problem) => check_problem(problem)?,
        }
        Ok(outcome)
    }
}

/// Fails with `what` as the message unless the condition `holds`.
pub(crate) fn malformed_unless(holds: bool, what: &'static str) -> Result<()> {
    if holds { Ok(()) } else { Err(Error::custom(what)) }
}

/// Fails if a text could forge a line of a log or a result.
fn check_line(text: &str) -> Result<()> {
    malformed_unless(printable(text.as_bytes(), usize::MAX) == text, "a text that is not printable")
}

fn check_phrase(phrase: &Phrase) -> Result<()> {
    phrase.arguments.iter().try_for_each(|(_, argument)| match argument {
        Argument::Number(_) => Ok(()),
        Argument::Text(text) => check_line(text),
        Argument::Phrase(phrase) => check_phrase(phrase),
    })
}

fn check_problem(Problem { place, what, excerpt, .. }: &Problem) -> Result<()> {
    check_phrase(what)?;
    let numbers = 1..=LINE_MAX;
    let is_place = numbers.contains(&place.line) && numbers.contains(&place.column);
    malformed_unless(is_place, "a place that no file has")?;
    let Some(Excerpt { text, marked }) = excerpt.as_deref() else { return Ok(()) };
    malformed_unless(text.get(marked.clone()).is_some(), "a mark outside of its text")?;
    check_line(text)
}
