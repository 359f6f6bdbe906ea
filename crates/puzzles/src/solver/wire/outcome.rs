//! What became of a puzzle.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::WireError;
use super::form::{decode, encode};
use super::phrase::{phrase_of_wire, phrase_to_wire};
use super::problem::{problem_of_wire, problem_to_wire};
use super::text::{check_line, check_lines};
use crate::solver::{Bounds, Outcome, Solver, Stop, Text, Verdict};

#[derive(Serialize, Deserialize)]
struct Form<'a> {
    verdict: VerdictForm,
    headline: &'a str,
    #[serde(borrow)]
    text: TextForm<'a>,
    /// JSON; nothing is `null`.
    answer: String,
    witness: String,
    bounds: Bounds,
    differs_by_rules: bool,
}

#[derive(Serialize, Deserialize)]
enum VerdictForm {
    Answered,
    Undecided { stop: Stop, proved: Vec<u8> },
    Invalid(Vec<u8>),
}

#[derive(Serialize, Deserialize)]
enum TextForm<'a> {
    Headline,
    Lines(&'a str),
    Streamed(Vec<u8>),
}

impl Outcome {
    /// It as bytes.
    #[must_use]
    pub fn to_wire(&self) -> Vec<u8> {
        let verdict = match &self.verdict {
            Verdict::Answered => VerdictForm::Answered,
            Verdict::Undecided { stop, proved } => {
                VerdictForm::Undecided { stop: *stop, proved: phrase_to_wire(proved) }
            }
            Verdict::Invalid(problem) => VerdictForm::Invalid(problem_to_wire(problem)),
        };
        let text = match &self.text {
            Text::Headline => TextForm::Headline,
            Text::Lines(lines) => TextForm::Lines(lines),
            Text::Streamed(render) => TextForm::Streamed(render.to_wire()),
        };
        let (answer, witness) = (json_text(&self.answer), json_text(&self.witness));
        let Self { bounds, differs_by_rules, .. } = *self;
        encode(&Form { verdict, headline: &self.headline, text, answer, witness, bounds, differs_by_rules })
    }

    /// The outcome of one of the solver's puzzles that these bytes are.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn of_wire(wire: &[u8], solver: &dyn Solver) -> Result<Self, WireError> {
        let Form { verdict, headline, text, answer, witness, bounds, differs_by_rules } = decode(wire)?;
        check_line(headline)?;
        let is_possible = bounds.at_most.is_none_or(|most| bounds.at_least.unwrap_or(0) <= most);
        WireError::unless(is_possible, "bounds between which nothing lies")?;
        Ok(Self {
            verdict: match verdict {
                VerdictForm::Answered => Verdict::Answered,
                VerdictForm::Undecided { stop, proved } => {
                    Verdict::Undecided { stop, proved: Box::new(phrase_of_wire(&proved)?) }
                }
                VerdictForm::Invalid(problem) => Verdict::Invalid(Box::new(problem_of_wire(&problem)?)),
            },
            headline: headline.into(),
            text: match text {
                TextForm::Headline => Text::Headline,
                TextForm::Lines(lines) => {
                    check_lines(lines)?;
                    Text::Lines(lines.to_owned())
                }
                TextForm::Streamed(wire) => solver.text_of_wire(&wire)?,
            },
            answer: json(&answer)?,
            witness: json(&witness)?,
            bounds,
            differs_by_rules,
        })
    }
}

fn json_text(value: &Value) -> String {
    if value.is_null() { String::new() } else { value.to_string() }
}

/// A value that is written in the one way in which it is written here, so that not even a fraction changes on its way.
fn json(text: &str) -> Result<Value, WireError> {
    if text.is_empty() {
        return Ok(Value::Null);
    }
    let value = serde_json::from_str(text)?;
    WireError::unless(json_text(&value) == text, "JSON that is written in another way")?;
    Ok(value)
}
