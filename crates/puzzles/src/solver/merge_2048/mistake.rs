//! What can be wrong with a file of cases.

use crate::words::{Argument, Phrase, messages};

messages! {
    "merge"
    /// What can be wrong with a file of cases.
    pub enum Mistake {
        /// T is not a number.
        CaseCount = "case-count" { found: Argument },
        /// Something stands after T on its line.
        BehindCount = "behind-count" { found: Argument },
        /// The file begins with a case.
        CountMissing = "count-missing" { cases: u64, line: u64, header: String },
        /// T stands after the first case.
        CountLate = "count-late" { lines: String, count: usize, cases: u64, line: u64 },
        /// Numbers stand alone on their lines, as T does, where cases begin.
        CountAgain = "count-again" { lines: String, count: usize, cases: u64, line: u64, first: u64 },
        /// Numbers stand alone on their lines among the cases, and T is right.
        CountTwice = "count-twice" { lines: String, count: usize },
        /// There are fewer cases than T says.
        MissingCase = "missing-case" { total: u64, line: u64, cases: u64 },
        /// There are more cases than T says.
        SurplusCase = "surplus-case" { total: u64, line: u64, cases: u64 },
        /// Something other than a case follows the last case.
        TextAfterCases = "text-after-cases" { found: Argument, total: u64, line: u64 },
        /// A square does not hold a valid number.
        SquareValue = "square-value" { found: Argument, row: u64, column: u64, value: Phrase },
    }
}

messages! {
    "merge-expected"
    /// What was expected, or found instead.
    pub enum Part {
        /// N.
        Size = "size",
        /// M.
        Slides = "slides",
        /// Any number.
        Value = "value",
        /// Any number that fits.
        SmallerValue = "smaller-value" { most: u64 },
    }
}
