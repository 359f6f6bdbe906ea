//! What the look at the lines of a puzzle shows.

use tabuleiro_puzzles::words::{Phrase, messages};

messages! {
    "mistake"
    /// What the look at the lines of a puzzle shows.
    pub enum Mistake {
        /// A character that numbers do not have.
        Character = "character" { character: Phrase, token: String, expected: Phrase },
        /// A row has another count of numbers than all others.
        RowLength = "row-length" { row: u64, line: u64, numbers: u64, others: u64 },
        /// A row has another count of numbers than it should, and the others differ.
        RowLengthExpected = "row-length-expected" { row: u64, line: u64, numbers: u64, expected: u64 },
        /// A player has another count of numbers than row and column.
        PlayerLength = "player-length" { player: String, line: u64, numbers: u64, expected: u64 },
        /// There are fewer or more players than a line says.
        PlayerCount = "player-count" { players: u64, line: u64, expected: u64 },
        /// There are too few or too many lines, and rows of the board look like players.
        LineCount = "line-count" { lines: u64, header: String, expected: u64, rows: u64, players: u64 },
        /// There are too few or too many rows.
        RowCount = "row-count" { header: String, rows: u64, expected: u64 },
        /// There is a row too many, and two neighbours are equal.
        RowDoubled = "row-doubled" { header: String, rows: u64, expected: u64, line: u64, before: u64 },
        /// Zeros end the file, and its format has no end marker.
        EndMarker = "end-marker" { found: String, line: u64, solver: &'static str },
        /// The rows fit another header.
        Header = "header-mismatch" { header: String, rows: u64, numbers: u64 },
    }
}
