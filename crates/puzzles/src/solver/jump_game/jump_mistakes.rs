//! What can be wrong with a game, and odd about a valid one.

use crate::words::{Argument, messages};

messages! {
    "jump"
    /// What is wrong with a game.
    pub enum Mistake {
        /// No number of rows or columns.
        BoardSize = "board-size" { found: Argument, side: Argument },
        /// No number of players.
        PlayerCount = "player-count" { found: Argument },
        /// No number on a square.
        SquareValue = "square-value" { found: Argument, square: String },
        /// A number on a square that is too large.
        SquareLarge = "square-large" { found: Argument, square: String, most: u64 },
        /// No square of a player.
        PlayerSquare = "player-square" { found: Argument, player: String },
        /// A player below the last row.
        PlayerRow = "player-row" { player: String, row: u64, last: u64 },
        /// A player beside the last column.
        PlayerColumn = "player-column" { player: String, column: u64, last: u64 },
        /// A number behind the last player.
        Surplus = "surplus" { found: Argument },
        /// A line that looks like one more player.
        PlayerSurplus = "player-surplus" { players: u64 },
        /// The number of games, which no file has.
        GameCount = "game-count" { count: Argument },
        /// The first row of another length, of a board too large to be looked at as a whole.
        RowLength = "row-length" { row: u64, line: u64, numbers: u64, expected: u64 },
        /// Players follow too few rows, on such a board.
        RowCount = "row-count" { rows: u64, expected: u64 },
        /// The line of rows and columns is missing.
        SizeLine = "size-line" { line: u64, numbers: u64 },
        /// The line of the number of players is missing, or stands behind the board (0: nowhere).
        PlayersLine = "players-line" { line: u64, numbers: u64, from: u64 },
    }
}

messages! {
    "jump"
    /// What a message speaks of.
    pub enum Word {
        /// Rows.
        Rows = "rows",
        /// Columns.
        Columns = "columns",
        /// What begins where something is missing.
        NextGame = "next-game",
    }
}

messages! {
    "jump"
    /// What is odd about a game that is answered.
    pub enum Doubt {
        /// The board is written in lines that another size would fit.
        Shape = "shape" { lines: u64, numbers: u64, header: String, line: u64, fits: String },
    }
}
