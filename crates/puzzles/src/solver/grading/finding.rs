//! The verdict on one answer.

use crate::input::{Line, Place, QUOTE_BYTES_MAX, printable};
use crate::words::{Argument, Phrase, messages};

/// The verdict on one answer, with what is wrong and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The verdict.
    pub mark: Mark,
    /// Where in the submission that shows; `None` if nothing of it is at fault.
    pub place: Option<Place>,
    /// What is wrong with the answer; it tells nothing of the right one.
    pub remark: Option<Phrase>,
    /// The right answer, if it is another one.
    pub expected: Option<String>,
    /// What answers look like, if this is no answer.
    pub form: Option<Box<Phrase>>,
    /// How much of the best answer a legal one reaches.
    pub share: Option<Share>,
}

/// A part of a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    part: u64,
    whole: u64,
}

impl Share {
    /// Returns how much of the best answer `value` is: it may be the largest number or the smallest.
    #[must_use]
    pub fn of_best(value: u64, best: u64) -> Self {
        Self { part: value.min(best), whole: value.max(best) }
    }

    /// This share of `units`, rounded down.
    #[must_use]
    pub fn of(self, units: u128) -> u128 {
        units * u128::from(self.part) / u128::from(self.whole.max(1))
    }
}

/// The verdict on one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It is right, and so is what it claims to prove it.
    Accepted,
    /// It can be read, and is not right.
    Wrong(Reason),
    /// What stands in its place is no answer.
    Presentation,
    /// The submission ends before it.
    Missing,
    /// There is no right answer to compare with.
    NotGraded,
    /// It proves that what we hold for proved is not so.
    Internal,
}

/// Why an answer is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The number or the word is another one.
    Value,
    /// What should prove it breaks the rules, or proves something else.
    IllegalMove,
    /// What it proves holds, and is not the best.
    NotMinimal,
    /// It says that there is no solution, and there is one.
    ClaimsNoSolution,
    /// It gives a solution to a puzzle that has none.
    ClaimsSolution,
    /// A part that every answer must have is missing.
    Incomplete,
    /// It lacks what should prove it, and no answer counts without.
    NoWitness,
}

/// The name of [`Remark::Unreadable`].
const UNREADABLE: &str = "unreadable";

messages! {
    "remark"
    /// What is wrong with an answer, for any kind of puzzle.
    pub enum Remark {
        /// It is this.
        Found = "found" { found: Argument },
        /// This is no answer.
        Unreadable = "unreadable" { found: Argument },
        /// It says that there is no solution.
        NoSolution = "no-solution",
        /// It is too long to be read.
        TooLong = "too-long" { answer: String, line: String },
        /// It takes more memory than grading may use.
        NoMemory = "no-memory" { memory: String },
        /// Something stands behind the answer.
        Behind = "behind" { found: Argument },
        /// The submission ends.
        Ends = "ends",
        /// What proves the answer proves another number.
        ProvesOther = "proves-other" { claimed: u64, proved: u64 },
        /// What proves it holds, but is not the best.
        NotBest = "not-best" { claimed: u64 },
        /// What proves it holds, and is better than what was held for the best.
        Better = "better" { proved: u64, held: String },
    }
}

impl Mark {
    /// Its stable name, for machines.
    #[must_use]
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

    /// Returns the stable name of the reason, of a wrong answer.
    #[must_use]
    pub fn reason(self) -> Option<&'static str> {
        if let Self::Wrong(reason) = self { Some(reason.name()) } else { None }
    }
}

impl Reason {
    /// Its stable name, for machines.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::IllegalMove => "illegal-move",
            Self::NotMinimal => "not-minimal",
            Self::ClaimsNoSolution => "claims-no-solution",
            Self::ClaimsSolution => "claims-solution",
            Self::Incomplete => "incomplete",
            Self::NoWitness => "no-witness",
        }
    }
}

impl Finding {
    /// Accepts the answer.
    #[must_use]
    pub fn accepted() -> Self {
        Self { mark: Mark::Accepted, place: None, remark: None, expected: None, form: None, share: None }
    }

    /// Reports that there is no right answer to compare with.
    #[must_use]
    pub fn not_graded() -> Self {
        Self { mark: Mark::NotGraded, ..Self::accepted() }
    }

    /// Rejects the answer: `remark` says what is wrong at `place`.
    #[must_use]
    pub fn wrong(reason: Reason, place: Place, remark: impl Into<Phrase>) -> Self {
        Self { mark: Mark::Wrong(reason), ..Self::presentation(place, remark) }
    }

    /// Rejects the answer at `place` as legal but not the best: it has this share of it.
    #[must_use]
    pub fn not_best(share: Share, place: Place, remark: impl Into<Phrase>) -> Self {
        Self { share: Some(share), ..Self::wrong(Reason::NotMinimal, place, remark) }
    }

    /// Reports that the submission ends before the answer.
    #[must_use]
    pub fn missing() -> Self {
        Self { mark: Mark::Missing, remark: Some(Remark::Ends.into()), ..Self::accepted() }
    }

    /// Reports that what stands at `place` is no answer.
    #[must_use]
    pub fn presentation(place: Place, remark: impl Into<Phrase>) -> Self {
        let remark = Some(remark.into());
        Self { mark: Mark::Presentation, place: Some(place), remark, ..Self::accepted() }
    }

    /// Reports that the line is no answer.
    #[must_use]
    pub fn unreadable(line: Line<'_>) -> Self {
        let place = Place { line: line.number, column: line.column };
        Self::presentation(place, Remark::Unreadable { found: quoted(line.text) })
    }

    /// Returns whether it says that a line is no answer.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        self.remark.as_ref().is_some_and(|remark| remark.name == UNREADABLE)
    }

    /// Reports that what stands at `place` refutes what we hold for proved.
    #[must_use]
    pub fn internal(place: Place, remark: impl Into<Phrase>) -> Self {
        Self { mark: Mark::Internal, ..Self::presentation(place, remark) }
    }

    /// Adds the right answer.
    #[must_use]
    pub fn expecting(self, expected: impl Into<String>) -> Self {
        Self { expected: Some(expected.into()), ..self }
    }
}

/// Quotes a piece of a submission for a message.
pub fn quoted(text: &[u8]) -> Argument {
    format!("'{}'", printable(text, QUOTE_BYTES_MAX)).into()
}
