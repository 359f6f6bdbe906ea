//! What can be wrong with a game.

use crate::words::{Argument, messages};

messages! {
    "jump"
    /// What is wrong with a game.
    pub enum Mistake {
        /// A square does not hold a number.
        SquareValue = "square-value" { found: Argument, square: String },
        /// The number on a square is too large.
        SquareLarge = "square-large" { found: Argument, square: String, most: u64 },
        /// A token in the place of a player's row or column is not a number.
        PlayerSquare = "player-square" { found: Argument, player: String },
        /// A player below the last row.
        PlayerRow = "player-row" { player: String, row: u64, last: u64 },
        /// A player right of the last column.
        PlayerColumn = "player-column" { player: String, column: u64, last: u64 },
    }
}

messages! {
    "jump"
    /// Words of messages about games.
    pub enum Word {
        /// Rows.
        Rows = "rows",
        /// Columns.
        Columns = "columns",
        /// Players.
        Players = "players",
    }
}
