//! What is proved about a puzzle, as far as answers are compared with it.

use compact_str::CompactString;
use serde_json::Value;

use crate::solver::outcome::{Bounds, Outcome, Verdict};

/// What the solver found, without its proof.
#[derive(Debug, Clone)]
pub struct Known {
    /// The answer in a few words, as the log says it.
    pub headline: CompactString,
    /// The answer for machines.
    pub answer: Value,
    /// What is proved about it where it is a number.
    pub bounds: Bounds,
    /// Why there is no right answer to compare with, where there is none.
    pub unproved: Option<Unproved>,
    /// Whether an answer counts only with what proves it.
    pub needs_witness: bool,
}

/// Why a puzzle has no answer that is known to be right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unproved {
    /// A limit ended the search.
    Undecided,
}

impl From<&Outcome> for Known {
    fn from(outcome: &Outcome) -> Self {
        Self {
            headline: outcome.headline.clone(),
            answer: outcome.answer.clone(),
            bounds: outcome.bounds,
            unproved: match outcome.verdict {
                Verdict::Answered => None,
                // A reference has no invalid puzzle.
                Verdict::Undecided { .. } | Verdict::Invalid(_) => Some(Unproved::Undecided),
            },
            needs_witness: false,
        }
    }
}
