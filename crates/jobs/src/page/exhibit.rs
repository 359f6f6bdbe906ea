//! A puzzle on a page, with what became of it.

use std::sync::Arc;

use serde_json::Value;

use tabuleiro_puzzles::input::Place;
use tabuleiro_puzzles::solver::{Bounds, Outcome, Problem, Puzzle, Shown, Teller, Verdict};
use tabuleiro_puzzles::words::Language;

/// A puzzle on a page.
pub struct Exhibit {
    /// Its number in the file, from 1.
    pub number: u64,
    /// Where it begins.
    pub place: Place,
    /// What became of it.
    pub content: Content,
    /// What a submission answers.
    pub attempt: Option<Attempt>,
}

/// What became of a puzzle.
pub enum Content {
    /// It is none, for this reason.
    Invalid {
        /// What is wrong.
        problem: Box<Problem>,
        /// The same as people are told it.
        told: String,
    },
    /// It has an outcome.
    Solved(Box<Solved>),
}

/// An outcome, as far as it is drawn.
pub struct Solved {
    /// The puzzle; `None` where a limit did not allow to read it.
    pub puzzle: Option<Arc<dyn Puzzle>>,
    /// The answer as people are told it.
    pub headline: String,
    /// The answer is exact.
    pub is_answered: bool,
    /// The answer for machines.
    pub answer: Value,
    /// What proves it, where that is known.
    pub witness: Value,
    /// What is proved of a number.
    pub bounds: Bounds,
}

/// What a submission answers to a puzzle.
pub struct Attempt {
    /// It is right.
    pub is_right: bool,
    /// The verdict and what is wrong, as people are told it.
    pub told: String,
    /// What it answers, in a line; printable.
    pub answer: String,
    /// The right answer may be shown.
    pub shows_right: bool,
    /// Its own witness; `Null` where it gives none.
    pub witness: Value,
    /// It gives one that is too long to be drawn.
    pub is_too_long: bool,
}

impl Exhibit {
    /// A puzzle of a job with its outcome.
    #[must_use]
    pub fn of(
        (number, place): (u64, Place),
        puzzle: Option<&Arc<dyn Puzzle>>,
        outcome: &Outcome,
        teller: &Teller<'_>,
    ) -> Self {
        let headline = outcome.headline_for(teller).into_owned();
        let content = match &outcome.verdict {
            Verdict::Invalid(problem) => Content::Invalid { problem: problem.clone(), told: headline },
            verdict => Content::Solved(Box::new(Solved {
                puzzle: puzzle.cloned(),
                headline,
                is_answered: matches!(verdict, Verdict::Answered),
                answer: outcome.answer.clone(),
                witness: outcome.witness.clone(),
                bounds: outcome.bounds,
            })),
        };
        Self { number, place, content, attempt: None }
    }

    /// Bytes that the witness of a submission takes, about.
    #[must_use]
    pub fn claimed_bytes(&self) -> u64 {
        self.attempt.as_ref().map_or(0, |attempt| bytes_of(&attempt.witness))
    }

    /// Gives up the witness of a submission, as too long to be drawn.
    pub fn shorten(&mut self) {
        if let Some(attempt) = &mut self.attempt {
            (attempt.witness, attempt.is_too_long) = (Value::Null, true);
        }
    }

    /// The answer in a few words.
    #[must_use]
    pub fn headline(&self) -> &str {
        match &self.content {
            Content::Invalid { told, .. } => told,
            Content::Solved(solved) => &solved.headline,
        }
    }
}

impl Solved {
    /// What is drawn of it.
    #[must_use]
    pub fn shown(&self, language: Language) -> Shown<'_> {
        let Self { headline, is_answered, answer, witness, bounds, .. } = self;
        Shown { language, headline, is_answered: *is_answered, answer, witness, bounds: *bounds }
    }
}

/// Bytes that a value takes, about.
#[must_use]
pub fn bytes_of(value: &Value) -> u64 {
    let own = size_of::<Value>() as u64;
    match value {
        Value::Array(items) => own + items.iter().map(bytes_of).sum::<u64>(),
        Value::String(text) => own + text.len() as u64,
        _ => own,
    }
}
