//! What is proved about a puzzle, and the check of an answer that is a number (the longest, or the fewest), with or without
//! a proof.

use compact_str::CompactString;
use serde_json::Value;

use super::finding::{Finding, Reason, Remark, Share, quoted};
use super::submission::is_words;
use super::submitted_answer::Answer;
use crate::input::Place;
use crate::solver::outcome::{Bounds, Outcome, Verdict};

/// What the solver found, without its proof.
#[derive(Debug, Clone)]
pub struct Known {
    /// The answer in a few words, as the log says it.
    pub headline: CompactString,
    /// The answer for machines.
    pub answer: Value,
    /// What is proved about it if it is a number.
    pub bounds: Bounds,
    /// Whether the answer is proved. If a limit ended the search, there is no right answer to compare with.
    pub is_proved: bool,
    /// Whether an answer counts only with what proves it.
    pub needs_witness: bool,
}

impl From<&Outcome> for Known {
    fn from(outcome: &Outcome) -> Self {
        Self {
            headline: outcome.headline.clone(),
            answer: outcome.answer.clone(),
            bounds: outcome.bounds,
            is_proved: matches!(outcome.verdict, Verdict::Answered),
            needs_witness: false,
        }
    }
}

/// Which number is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Best {
    /// The largest.
    Most,
    /// The smallest.
    Fewest,
}

/// What an answer claims.
#[derive(Debug)]
pub enum Claim {
    /// There is no solution.
    NoSolution {
        /// Where it says so.
        place: Place,
    },
    /// A number.
    Number(Number),
}

/// A number, and what should prove it.
#[derive(Debug)]
pub struct Number {
    /// Where it stands.
    pub place: Place,
    /// The number.
    pub value: u64,
    /// What should prove it, replayed: the number that it does prove, or what is wrong with it.
    pub proof: Option<Result<(Place, u64), Box<Finding>>>,
}

impl Claim {
    /// Compares the claim with what is known. An unproved answer is not graded, unless the claim proves that it is wrong.
    #[must_use]
    pub fn check(self, known: &Known, best: Best) -> Finding {
        let Self::Number(Number { place, value, proof }) = self else { return self.without_solution(known) };
        if let Some(Ok((place, proved))) = &proof
            && let Some(finding) = known.refuted(*place, *proved, best)
        {
            return finding;
        }
        if !known.is_proved {
            return Finding::not_graded();
        }
        if has_no_solution(known) {
            let found = Remark::Found { found: value.into() };
            return Finding::wrong(Reason::ClaimsSolution, place, found).expecting(&*known.headline);
        }
        let (least, most) = (known.bounds.at_least.unwrap_or(0), known.bounds.at_most.unwrap_or(u64::MAX));
        // What we found, which a better one may replace if it is not proved to be the best.
        let found = if best == Best::Most { least } else { most };
        let finding = match proof {
            Some(Ok((_, proved))) if proved == value => {
                let is_as_good = if best == Best::Most { value >= found } else { value <= found };
                if is_as_good {
                    return Finding::accepted();
                }
                Finding::not_best(Share::of_best(value, found), place, Remark::NotBest { claimed: value })
            }
            _ if !(least..=most).contains(&value) => {
                Finding::wrong(Reason::Value, place, Remark::Found { found: value.into() })
            }
            Some(Ok((place, proved))) => {
                Finding::wrong(Reason::IllegalMove, place, Remark::ProvesOther { claimed: value, proved })
            }
            Some(Err(finding)) => *finding,
            None if least == most => return Finding::accepted(),
            // It may be the best.
            None => return Finding::not_graded(),
        };
        finding.expecting(&*known.headline)
    }

    /// Compares the claim that there is no solution.
    fn without_solution(self, known: &Known) -> Finding {
        let Self::NoSolution { place } = self else { return Finding::accepted() };
        if !known.is_proved {
            return Finding::not_graded();
        }
        if has_no_solution(known) {
            return Finding::accepted();
        }
        Finding::wrong(Reason::ClaimsNoSolution, place, Remark::NoSolution).expecting(&*known.headline)
    }
}

impl Known {
    /// Compares an answer of one line with the words of our own, in any case.
    #[must_use]
    pub fn check_words(&self, answer: &Answer) -> Finding {
        if !self.is_proved {
            return Finding::not_graded();
        }
        let line = answer.first();
        if answer.line_count() == 1 && is_words(line, &self.headline) {
            return Finding::accepted();
        }
        let found = Remark::Found { found: quoted(line.text) };
        Finding::wrong(Reason::Value, line.place(), found).expecting(&*self.headline)
    }

    /// Returns an internal error if an answer proves, at `place`, a number that contradicts what we hold for proved.
    #[must_use]
    pub fn refuted(&self, place: Place, proved: u64, best: Best) -> Option<Finding> {
        let is_better = match best {
            Best::Most => self.bounds.at_most.is_some_and(|most| proved > most),
            Best::Fewest => self.bounds.at_least.is_some_and(|least| proved < least) || has_no_solution(self),
        };
        let held = || self.headline.to_string();
        is_better.then(|| Finding::internal(place, Remark::Better { proved, held: held() }))
    }
}

/// Returns whether it is proved that there is no solution.
fn has_no_solution(known: &Known) -> bool {
    known.is_proved && matches!(known.answer, Value::String(_))
}
