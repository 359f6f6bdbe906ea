//! What can be wrong with a board.

use crate::words::{Argument, Phrase, messages};

messages! {
    "astar"
    /// What is wrong with a board.
    pub enum Mistake {
        /// A square does not hold the value of a tile.
        SquareValue = "square-value" { found: Argument, expected: Phrase },
    }
}

messages! {
    "astar"
    /// Words of messages about boards.
    pub enum Word {
        /// The size.
        Size = "size",
        /// 0 or any power of two.
        Power = "power",
        /// 0 or a power of two up to the largest allowed.
        PowerUpTo = "power-up-to" { most: u64 },
        /// 0 or a power of two, such as the two next to the number that was found.
        Powers = "powers" { below: u64, above: u64 },
    }
}
