//! What can be wrong with a game.

use crate::board::sliding::Direction;
use crate::words::{Argument, Phrase, messages};

messages! {
    "game"
    /// What can be wrong with a game.
    pub enum Mistake {
        /// The first line is none.
        Header = "header" { found: Argument, expected: Phrase },
        /// The first line is a row.
        HeaderMissing = "header-missing" { size: u64, line: u64 },
        /// The size is none.
        BoardSize = "board-size" { found: Argument, expected: Phrase },
        /// The seed is none.
        Seed = "seed" { found: Argument, most: u64 },
        /// A row has another count of values.
        RowLength = "row-length" { row: u64, numbers: u64, size: u64 },
        /// There are too few rows before the moves, or too many.
        RowCount = "row-count" { rows: u64, size: u64 },
        /// A value is none.
        SquareValue = "square-value" { found: Argument, row: u64 },
        /// A line is too long.
        LineLength = "line-length" { mebibytes: u64 },
        /// The file ends too soon.
        EndOfFile = "end-of-file" { expected: Phrase },
        /// The next game begins in the place of the moves.
        MovesMissing = "moves-missing" { line: u64 },
        /// Something among the moves is none.
        Moves = "moves" { found: Argument, expected: Phrase },
        /// A game has two lines of moves.
        SecondMoves = "second-moves" { before: u64, line: u64 },
        /// Behind AUTO stands no number.
        AutoMoves = "auto-moves" { found: Argument },
        /// A move comes after the end.
        MoveAfterEnd = "move-after-end" { letter: String, number: u64 },
        /// A move changes nothing.
        MoveWithoutEffect = "move-without-effect" { letter: String, number: u64 },
    }
}

messages! {
    "game-expected"
    /// What was expected.
    pub enum Part {
        /// The first number of a game.
        Size = "size",
        /// A size that is large enough.
        LargerSize = "larger-size",
        /// A size that fits.
        SmallerSize = "smaller-size",
        /// The end of the first line.
        HeaderEnd = "header-end",
        /// A row.
        Row = "row" { row: u64, size: u64 },
        /// The last line of a game.
        MovesLine = "moves-line",
        /// What moves are written with.
        Letters = "letters",
        /// A move to the right.
        Right = "right",
        /// A move to the left.
        Left = "left",
        /// A move up.
        Up = "up",
        /// A move down.
        Down = "down",
        /// The end of a line of no moves.
        DashEnd = "dash-end",
        /// AUTO and a number.
        Auto = "auto",
        /// The end of the line behind AUTO k.
        AutoEnd = "auto-end",
    }
}

/// Returns a move as it is to be written.
pub fn letter_of(direction: Direction) -> Part {
    match direction {
        Direction::Right => Part::Right,
        Direction::Left => Part::Left,
        Direction::Up => Part::Up,
        Direction::Down => Part::Down,
    }
}
