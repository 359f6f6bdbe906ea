//! What is wrong with a board, and what is odd about a file of boards.

use crate::words::{Argument, Phrase, messages};

messages! {
    "checkers"
    /// What is wrong with a board. The names are the rules.
    pub enum Mistake {
        /// Something else stands where a header should.
        Header = "header" { found: Argument, expected: Phrase },
        /// A number alone on its line, and a header behind it.
        HeaderAlone = "header-alone" { found: u64, header: String },
        /// Something stands behind `0 0` on its line.
        MarkerLine = "marker-line" { found: Argument },
        /// Too few or too many rows.
        Rows = "rows" { found: Argument, range: Phrase },
        /// Too few or too many columns.
        Columns = "columns" { found: Argument, range: Phrase },
        /// Too many squares.
        Area = "area" { rows: u64, columns: u64, squares: u64, most: u64 },
        /// A square that holds something else.
        SquareValue = "square-value" { found: Argument, square: u128, squares: u128, rows: u64, columns: u64 },
        /// Digits of several squares without blanks between.
        SquaresJoined = "squares-joined" { found: Argument },
        /// The board ends before all its squares are there.
        SquaresMissing = "squares-missing" { numbers: u128, header: String, found: Phrase, expected: u128 },
        /// There are more numbers than squares.
        SquaresSurplus = "squares-surplus" { numbers: u128, header: String, expected: u128 },
        /// The squares that are not played on are there, too.
        AllSquares = "all-squares" { numbers: u128, header: String, expected: u128 },
        /// Too many pieces of the player who captures.
        OwnPieces = "own-pieces" { pieces: u64, most: u64, rows: u64, columns: u64 },
        /// Too many pieces of the other one.
        OpponentPieces = "opponent-pieces" { pieces: u64, most: u64, rows: u64, columns: u64 },
    }
}

messages! {
    "checkers"
    /// What messages about boards are made of.
    pub enum Part {
        /// Instead of anything else at the beginning of a board.
        WantedHeader = "wanted-header" { range: Phrase },
        /// Instead of anything else behind the number of rows.
        WantedColumns = "wanted-columns" { range: Phrase },
        /// How many rows or columns there may be.
        Range = "range" { least: u64, most: u64 },
        /// The same without a limit.
        OpenRange = "open-range" { least: u64 },
        /// The header of the next board.
        NextHeader = "next-header" { header: String, line: u64 },
        /// The end marker.
        NextMarker = "next-marker" { line: u64 },
    }
}

messages! {
    "checkers"
    /// What is odd about a file of boards.
    pub enum Oddity {
        /// The file ends without `0 0`.
        MarkerMissing = "marker-missing",
        /// A comment stands behind `0 0`.
        MarkerComment = "marker-comment",
        /// `on_invalid = "stop"`.
        Stopped = "stopped",
        /// Text behind `0 0`.
        Ignored = "ignored" { lines: u64, line: u64 },
        /// Lines of one width, for which another header would fit.
        OtherHeader = "other-header" { lines: u64, width: u128, header: String, fitting: String, line: u64 },
        /// Lines of two widths in turn, likewise.
        OtherHeaderInTurn = "other-header-in-turn" {
            lines: u64, width: u128, narrow: u128, header: String, fitting: String, line: u64
        },
    }
}
