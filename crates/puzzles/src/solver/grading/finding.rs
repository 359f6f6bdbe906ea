//! The verdict on one answer, with the reason for it.

use crate::input::{Line, Place, QUOTE_BYTES_MAX, printable};
use crate::solver::options::{Choice, choice};
use crate::words::{Argument, Phrase, messages};

/// The verdict on one answer, with what is wrong and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The verdict.
    pub mark: Mark,
    /// The place of the mistake in the submission; `None` if nothing in it is at fault.
    pub place: Option<Place>,
    /// What is wrong with the answer, without revealing the right one.
    pub remark: Option<Phrase>,
    /// The right answer, if it differs.
    pub expected: Option<String>,
    /// What answers look like, if this text is not an answer.
    pub form: Option<Box<Phrase>>,
    /// The share of the best answer that a legal answer reaches.
    pub share: Option<Share>,
}

/// A fraction of a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    part: u64,
    whole: u64,
}

impl Share {
    /// Returns the share of the best answer that `value` reaches, whether the largest or the smallest number is the
    /// best.
    pub fn of_best(value: u64, best: u64) -> Self {
        Self { part: value.min(best), whole: value.max(best) }
    }

    /// Returns this share of `units`, rounded down.
    pub fn of(self, units: u128) -> u128 {
        units * u128::from(self.part) / u128::from(self.whole.max(1))
    }
}

/// The verdict on one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// The answer is right, and so is the proof it gives.
    Accepted,
    /// The answer is readable but not right.
    Wrong(Reason),
    /// The text in its place is not an answer.
    Presentation,
    /// The submission ends before the answer.
    Missing,
    /// There is no right answer to compare with.
    NotGraded,
    /// The answer refutes Tabuleiro's own answer.
    Internal,
}

choice! {
    /// Why an answer is wrong. The words are stable names for programs.
    pub enum Reason {
        /// The number or the word differs.
        Value = "value",
        /// The proof breaks the rules, or proves something else.
        IllegalMove = "illegal-move",
        /// The proof is valid, but what it proves is not the best.
        NotMinimal = "not-minimal",
        /// The answer says that there is no solution, but there is one.
        ClaimsNoSolution = "claims-no-solution",
        /// The answer gives a solution to a puzzle that has none.
        ClaimsSolution = "claims-solution",
        /// The answer lacks a part that every answer must have.
        Incomplete = "incomplete",
        /// The answer lacks its proof, which `witness = "required"` demands.
        NoWitness = "no-witness",
    }
}

messages! {
    "remark"
    /// What is wrong with an answer, for any kind of puzzle.
    pub enum Remark {
        Found = "found" { found: Argument },
        Unreadable = "unreadable" { found: Argument },
        /// The answer says that there is no solution.
        NoSolution = "no-solution",
        TooLong = "too-long" { answer: String, line: String },
        /// The answer takes more memory than grading may use.
        NoMemory = "no-memory" { memory: String },
        /// Text follows the answer.
        Behind = "behind" { found: Argument },
        Ends = "ends",
        /// The proof of the answer proves a different number.
        ProvesOther = "proves-other" { claimed: u64, proved: u64 },
        /// The proof is valid, but what it proves is not the best.
        NotBest = "not-best" { claimed: u64 },
        /// The proof is valid, and what it proves is better than Tabuleiro's own answer.
        Better = "better" { proved: u64, held: String },
    }
}

impl Mark {
    /// Returns the stable name of the verdict, for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Wrong(_) => "wrong-answer",
            Self::Presentation => "presentation-error",
            Self::Missing => "missing",
            Self::NotGraded => "not-graded",
            Self::Internal => "internal-error",
        }
    }

    /// Returns the stable name of the reason; `None` if the answer is not wrong.
    pub fn reason(self) -> Option<&'static str> {
        if let Self::Wrong(reason) = self { Some(reason.word()) } else { None }
    }
}

impl Finding {
    /// Accepts the answer.
    pub fn accepted() -> Self {
        Self { mark: Mark::Accepted, place: None, remark: None, expected: None, form: None, share: None }
    }

    /// Reports that there is no right answer to compare with.
    pub fn not_graded() -> Self {
        Self { mark: Mark::NotGraded, ..Self::accepted() }
    }

    /// Rejects the answer: `remark` says what is wrong at `place`.
    pub fn wrong(reason: Reason, place: Place, remark: impl Into<Phrase>) -> Self {
        Self { mark: Mark::Wrong(reason), ..Self::presentation(place, remark) }
    }

    /// Rejects the answer at `place` as legal but not the best; `share` is its share of the best.
    pub fn not_best(share: Share, place: Place, remark: impl Into<Phrase>) -> Self {
        Self { share: Some(share), ..Self::wrong(Reason::NotMinimal, place, remark) }
    }

    /// Reports that the submission ends before the answer.
    pub fn missing() -> Self {
        Self { mark: Mark::Missing, remark: Some(Remark::Ends.into()), ..Self::accepted() }
    }

    /// Reports that the text at `place` is not an answer.
    pub fn presentation(place: Place, remark: impl Into<Phrase>) -> Self {
        let remark = Some(remark.into());
        Self { mark: Mark::Presentation, place: Some(place), remark, ..Self::accepted() }
    }

    /// Reports that the line is not an answer.
    pub fn unreadable(line: Line<'_>) -> Self {
        Self::presentation(line.place(), Remark::Unreadable { found: quoted(line.text) })
    }

    /// Returns whether the finding reports that a line is not an answer.
    pub fn is_unreadable(&self) -> bool {
        self.remark.as_ref().is_some_and(|remark| remark.name == "unreadable")
    }

    /// Reports that the text at `place` refutes Tabuleiro's own answer.
    pub fn internal(place: Place, remark: impl Into<Phrase>) -> Self {
        Self { mark: Mark::Internal, ..Self::presentation(place, remark) }
    }

    /// Adds the right answer.
    pub fn expecting(self, expected: impl Into<String>) -> Self {
        Self { expected: Some(expected.into()), ..self }
    }
}

/// Quotes a piece of a submission for a message.
pub fn quoted(text: &[u8]) -> Argument {
    format!("'{}'", printable(text, QUOTE_BYTES_MAX)).into()
}
