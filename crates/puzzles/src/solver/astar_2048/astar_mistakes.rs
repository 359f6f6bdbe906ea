//! What can be wrong with a board.

use crate::words::{Argument, Phrase, messages};

messages! {
    "astar"
    /// What is wrong with a board.
    pub enum Mistake {
        /// No size.
        BoardSize = "board-size" { found: Argument },
        /// No value of a tile.
        SquareValue = "square-value" { found: Argument, expected: Phrase },
        /// Too few values.
        SquareCount = "square-count" { found: Argument, row: u128, column: u128, size: u64 },
        /// Too many values.
        Surplus = "surplus" { found: Argument, size: u64 },
        /// The number of boards, which no file has.
        BoardCount = "board-count" { count: Argument },
        /// The first line has not just the size.
        SizeLine = "size-line" { line: u64, numbers: u64 },
    }
}

messages! {
    "astar"
    /// What a message speaks of.
    pub enum Word {
        /// What begins where something is missing.
        NextBoard = "next-board",
        /// Any value.
        Power = "power",
        /// A value that is not as large.
        PowerUpTo = "power-up-to" { most: u64 },
        /// A value near the one that was found.
        Powers = "powers" { below: u64, above: u64 },
    }
}
