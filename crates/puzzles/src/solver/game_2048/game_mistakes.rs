//! What can be wrong with a game.

use crate::board::sliding::Direction;
use crate::words::{Argument, Phrase, messages};

messages! {
    "game"
    /// What can be wrong with a game.
    pub enum Mistake {
        /// A square does not hold a valid value.
        SquareValue = "square-value" { found: Argument, row: u64 },
        /// A line is too long.
        LineLength = "line-length" { mebibytes: u64 },
        /// The file ends too soon.
        EndOfFile = "end-of-file" { expected: Phrase },
        /// The next game begins in the place of the moves.
        MovesMissing = "moves-missing" { line: u64 },
        /// The moves stand before the rows.
        MovesEarly = "moves-early" { moves: String, line: u64, behind: u64 },
        /// Digits and letters stand among the moves.
        MixedMoves = "mixed-moves" { digit: String, letter: Phrase },
        /// A number before each letter says how often the move is made.
        CountedMoves = "counted-moves" { found: String },
        /// Something among the moves is not a move.
        Moves = "moves" { found: Argument, expected: Phrase },
        /// A game has several lines of moves.
        SecondMoves = "second-moves" { before: u64, line: u64, count: u64 },
        /// The lines of a transcript, with a new piece after each move, stand in the place of the moves.
        TranscriptMoves = "transcript-moves" { from: u64, to: u64 },
        /// The number of moves stands on a line before them.
        MovesCount = "moves-count" { line: u64 },
        /// The seed stands on a line after the rows.
        SeedLate = "seed-late" { seed: u64, line: u64 },
        /// Something other than a number follows AUTO.
        AutoMoves = "auto-moves" { found: Argument },
        /// A move follows the end of the game.
        MoveAfterEnd = "move-after-end" { letter: String, number: u64 },
        /// A move changes nothing.
        MoveWithoutEffect = "move-without-effect" { letter: String, number: u64 },
    }
}

messages! {
    "game-expected"
    /// What was expected.
    pub enum Part {
        /// The size.
        Size = "size",
        /// The seed.
        Seed = "seed",
        /// The last line of a game.
        MovesLine = "moves-line",
        /// The letters of moves.
        Letters = "letters",
        /// Only the moves behind a label such as `Moves:`.
        MovesAlone = "moves-alone",
        /// The letters of moves, which are Portuguese.
        Initials = "initials",
        /// A move to the right.
        Right = "right",
        /// A move to the left.
        Left = "left",
        /// A move up.
        Up = "up",
        /// A move down.
        Down = "down",
        /// The end of the line after `-`, which stands for no moves.
        DashEnd = "dash-end",
        /// AUTO and a number.
        Auto = "auto",
        /// AUTO with the letter O.
        AutoLetter = "auto-letter",
        /// The end of the line after AUTO k.
        AutoEnd = "auto-end",
    }
}

/// Returns how to write a move.
pub fn letter_of(direction: Direction) -> Part {
    match direction {
        Direction::Right => Part::Right,
        Direction::Left => Part::Left,
        Direction::Up => Part::Up,
        Direction::Down => Part::Down,
    }
}
