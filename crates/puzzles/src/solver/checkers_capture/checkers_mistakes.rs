//! The mistakes in a board, and the warnings about a file of boards.

use crate::words::{Argument, messages};

messages! {
    "checkers"
    /// A mistake in a board. The strings name the rules.
    pub enum Mistake {
        /// Something stands after `0 0` on its line.
        MarkerLine = "marker-line" { found: Argument },
        /// Letters O in the place of zeros, as part of another message.
        LettersO = "letters-o" { found: String },
        /// The board has too many squares.
        Area = "area" { rows: u64, columns: u64, squares: u64, most: u64 },
        /// A square holds something other than 0, 1 or 2.
        SquareValue = "square-value" { found: Argument, kind: &'static str, row: u64, number: u64 },
        /// The digits of several squares have no blanks between them.
        SquaresJoined = "squares-joined" { found: Argument },
        /// The board also lists the squares that no piece can stand on.
        AllSquares = "all-squares" { numbers: u128, header: String, expected: u128 },
        /// The player who captures has too many pieces.
        OwnPieces = "own-pieces" { pieces: u64, most: u64, rows: u64, columns: u64 },
        /// The opponent has too many pieces.
        OpponentPieces = "opponent-pieces" { pieces: u64, most: u64, rows: u64, columns: u64 },
    }
}

messages! {
    "checkers"
    /// A warning about a file of boards.
    pub enum BoardWarning {
        /// The file ends without `0 0`.
        MarkerMissing = "marker-missing",
        /// A comment stands after `0 0`.
        MarkerComment = "marker-comment",
        /// With `on_invalid = "stop"`, reading stopped at an invalid board.
        Stopped = "stopped",
        /// Text after `0 0` is ignored.
        Ignored = "ignored" { lines: u64, line: u64 },
    }
}
