//! What can be wrong with a file of cases.

use crate::input::{Lexeme, Token};
use crate::solver::Problem;
use crate::words::{Argument, Phrase, messages};

messages! {
    "merge"
    /// What can be wrong with a file of cases.
    pub enum Mistake {
        /// T is no number.
        CaseCount = "case-count" { found: Argument },
        /// Something stands behind T.
        BehindCount = "behind-count" { found: Argument },
        /// The file begins with a case.
        CountMissing = "count-missing" { cases: u64, line: u64, header: String },
        /// There are fewer cases than T.
        MissingCase = "missing-case" { total: u64, line: u64, cases: u64 },
        /// There are more cases than T.
        SurplusCase = "surplus-case" { total: u64, line: u64, cases: u64 },
        /// Something else stands behind the last case.
        TextAfterCases = "text-after-cases" { found: Argument, total: u64, line: u64 },
        /// The first line of a case is not N M.
        HeaderLength = "header-length" { header: String, size: u64 },
        /// N is none.
        BoardSize = "board-size" { found: Argument, range: Phrase },
        /// M is none.
        MostSlides = "most-slides" { found: Argument, range: Phrase },
        /// A square has no number.
        SquareValue = "square-value" { found: Argument, row: u64, column: u64, value: Phrase },
        /// There are too few numbers, or too many.
        SquareCount = "square-count" { found: Argument, expected: Phrase },
    }
}

messages! {
    "merge-expected"
    /// What was expected, or found instead.
    pub enum Part {
        /// A number from 1 on.
        FromOne = "from-one",
        /// A number of a range.
        Range = "range" { most: u64 },
        /// Any number.
        Value = "value",
        /// Any number that fits.
        SmallerValue = "smaller-value" { most: u64 },
        /// The value of a square.
        Square = "square" { row: u64, column: u64 },
        /// The rows of a case.
        Rows = "rows" { size: u64 },
        /// The first line of the next case.
        NextCase = "next-case",
        /// The last value was read.
        End = "end" { size: u64 },
    }
}

messages! {
    "merge"
    /// What is odd about a file of cases.
    pub enum Oddity {
        /// A case does not end with its line.
        MidLine = "mid-line",
    }
}

/// Numbers from 1 to a limit.
pub(super) fn range(most: u64) -> Phrase {
    if most == u64::MAX { Part::FromOne } else { Part::Range { most } }.into()
}

/// A square whose value is none.
pub(super) fn bad_square(lexeme: &Lexeme, (row, column): (u64, u64)) -> Problem {
    let value = match lexeme.token {
        Token::TooLarge(_) => Part::SmallerValue { most: u64::MAX },
        _ => Part::Value,
    };
    let found = lexeme.token.quoted();
    Problem::new(lexeme.place, Mistake::SquareValue { found, row, column, value: value.into() })
}
