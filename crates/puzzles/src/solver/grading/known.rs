//! Holds what is proved about a puzzle, and checks answers that are numbers, with or without a proof. The best number
//! is the largest or the smallest one.

use compact_str::CompactString;
use serde_json::Value;

use super::finding::{Finding, Reason, Remark, Share, quoted};
use super::submission::is_words;
use super::submitted_answer::Answer;
use crate::input::Place;
use crate::solver::outcome::{Bounds, Outcome, Verdict};

/// The solver's result, without its proof.
#[derive(Debug, Clone)]
pub struct Known {
    /// The answer in a few words, as in the log.
    pub headline: CompactString,
    /// The answer for programs.
    pub answer: Value,
    /// The proved bounds of a numeric answer.
    pub bounds: Bounds,
    /// Whether the answer is proved. If a limit ended the search, there is no right answer to compare with.
    pub is_proved: bool,
    /// Whether an answer counts only with its proof.
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
    Most,
    Fewest,
}

/// A submitted number, with its proof.
#[derive(Debug)]
pub struct Number {
    pub place: Place,
    pub value: u64,
    /// The result of replaying the proof: the number that it proves, or what is wrong with it.
    pub proof: Option<Result<(Place, u64), Box<Finding>>>,
}

impl Known {
    /// Checks the claim at `place` that there is no solution.
    pub fn check_no_solution(&self, place: Place) -> Finding {
        if self.has_no_solution() {
            return Finding::accepted();
        }
        Finding::wrong(Reason::ClaimsNoSolution, place, Remark::NoSolution).expecting(&*self.headline)
    }

    /// Checks a number and its proof.
    pub fn check_number(&self, Number { place, value, proof }: Number, best: Best) -> Finding {
        if let Some(Ok((place, proved))) = &proof
            && let Some(finding) = self.refuted(*place, *proved, best)
        {
            return finding;
        }
        if self.has_no_solution() {
            let found = Remark::Found { found: value.into() };
            return Finding::wrong(Reason::ClaimsSolution, place, found).expecting(&*self.headline);
        }
        let (least, most) = (self.bounds.at_least.unwrap_or(0), self.bounds.at_most.unwrap_or(u64::MAX));
        // The solver's best number. Unless it is proved to be the best, a submission can prove a better one.
        let ours = if best == Best::Most { least } else { most };
        let finding = match proof {
            Some(Ok((_, proved))) if proved == value => {
                let is_as_good = if best == Best::Most { value >= ours } else { value <= ours };
                if is_as_good {
                    return Finding::accepted();
                }
                Finding::not_best(Share::of_best(value, ours), place, Remark::NotBest { claimed: value })
            }
            _ if !(least..=most).contains(&value) => {
                Finding::wrong(Reason::Value, place, Remark::Found { found: value.into() })
            }
            Some(Ok((place, proved))) => {
                Finding::wrong(Reason::IllegalMove, place, Remark::ProvesOther { claimed: value, proved })
            }
            Some(Err(finding)) => *finding,
            None if least == most => return Finding::accepted(),
            // The number may be the best.
            None => return Finding::not_graded(),
        };
        finding.expecting(&*self.headline)
    }

    /// Compares an answer of one line with the words of our answer, ignoring case.
    pub fn check_words(&self, answer: &Answer) -> Finding {
        let line = answer.first();
        if answer.line_count() == 1 && is_words(line, &self.headline) {
            return Finding::accepted();
        }
        let found = Remark::Found { found: quoted(line.text) };
        Finding::wrong(Reason::Value, line.place(), found).expecting(&*self.headline)
    }

    /// Returns an internal error if an answer proves, at `place`, a number that contradicts what we believed to be
    /// proved.
    pub fn refuted(&self, place: Place, proved: u64, best: Best) -> Option<Finding> {
        let is_better = match best {
            Best::Most => self.bounds.at_most.is_some_and(|most| proved > most),
            Best::Fewest => {
                self.bounds.at_least.is_some_and(|least| proved < least) || self.has_no_solution()
            }
        };
        is_better
            .then(|| Finding::internal(place, Remark::Better { proved, held: self.headline.to_string() }))
    }

    /// Returns whether it is proved that there is no solution.
    fn has_no_solution(&self) -> bool {
        self.is_proved && matches!(self.answer, Value::String(_))
    }
}
