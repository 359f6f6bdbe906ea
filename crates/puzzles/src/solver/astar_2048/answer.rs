//! The result of a search, and its text.
//!
//! A path is stored as its moves. Its boards are made again one by one while they are written: 32,782 boards are
//! megabytes of text.

use std::io;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::board::sliding::{Direction, SlidingBoard};
use crate::board::swipe::{RANK_MAX, refill, rows, swiped};
use crate::solver::{Bounds, Outcome, Render, Stop, Text, malformed_unless};
use crate::words::{Language, messages};

/// The most squares of all boards of a path that is replayed on arrival: some seconds, and gigabytes as text.
const REPLAYED_SQUARES_MAX: u64 = 1 << 32;

messages! {
    "astar"
    /// What is proved about a board.
    pub enum Proved {
        Moves = "at-least" { least: u64 },
    }
}

/// The result of a search.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// These moves win, and fewer than `at_least` do not.
    Path {
        /// The moves, in order.
        moves: Vec<Direction>,
        at_least: u64,
    },
    Unsolvable,
    /// A limit ended the search before it found a path.
    Undecided {
        stop: Stop,
        /// Fewer moves than this do not win.
        at_least: u64,
    },
}

impl Answer {
    /// Returns the outcome for the puzzle that begins with `start`.
    pub(super) fn into_outcome(self, start: SlidingBoard, witness: bool) -> Outcome {
        match self {
            Self::Path { moves, at_least } => path_outcome(start, moves, at_least, witness),
            Self::Unsolvable => Outcome::words("unsolvable"),
            Self::Undecided { stop, at_least } => {
                let bounds = Bounds { at_least: Some(at_least), at_most: None };
                Outcome::undecided(stop, bounds, Proved::Moves { least: at_least })
            }
        }
    }
}

fn path_outcome(start: SlidingBoard, moves: Vec<Direction>, at_least: u64, witness: bool) -> Outcome {
    let count = moves.len() as u64;
    let minimum = count == at_least;
    let noun = if count == 1 { "move" } else { "moves" };
    let headline =
        if minimum { format!("{count} {noun}") } else { format!("{count} {noun} (at least {at_least})") };
    Outcome {
        answer: json!({ "moves": count, "minimum": minimum }),
        witness: if witness { letters(&moves) } else { Value::Null },
        bounds: Bounds { at_least: Some(at_least), at_most: Some(count) },
        text: Text::Streamed(Box::new(Solution { start, moves, at_least })),
        ..Outcome::words(headline)
    }
}

/// Returns moves for machines: a string with one letter per move.
pub(super) fn letters(moves: &[Direction]) -> Value {
    moves.iter().map(|direction| direction.letter()).collect::<String>().into()
}

/// A title and the boards of a path.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Solution {
    start: SlidingBoard,
    moves: Vec<Direction>,
    at_least: u64,
}

impl Solution {
    /// Parses a path that another machine found, and replays it, since its boards must exist when they are written.
    ///
    /// # Errors
    /// Fails if the text is not a path, or if the path is too long.
    pub(super) fn from_json(json: &str) -> serde_json::Result<Self> {
        let solution: Self = serde_json::from_str(json)?;
        let Self { start, moves, at_least } = &solution;
        let squares = (start.ranks().len() as u64).saturating_mul(moves.len() as u64);
        let is_bounded = *at_least <= moves.len() as u64 && squares <= REPLAYED_SQUARES_MAX;
        malformed_unless(is_bounded, "a path that is too long, or shorter than one can be")?;
        malformed_unless(start.ranks().iter().all(|&rank| rank <= RANK_MAX), "a tile that is too large")?;
        let next = |board: SlidingBoard, &direction: &Direction| Some(swiped(&board, direction)?.0);
        malformed_unless(moves.iter().try_fold(start.clone(), next).is_some(), "a move that is none")?;
        Ok(solution)
    }
}

impl Render for Solution {
    fn render(&self, out: &mut dyn io::Write, _: Language) -> io::Result<()> {
        let (count, at_least) = (self.moves.len() as u64, self.at_least);
        if count == at_least {
            writeln!(out, "Minimum number of moves: {count}")?;
        } else {
            writeln!(out, "Number of moves: {count} (at least {at_least})")?;
        }
        let mut board = self.start.clone();
        write_board(&board, out)?;
        for &direction in &self.moves {
            board.slide(direction);
            refill(&mut board);
            write_board(&board, out)?;
        }
        Ok(())
    }

    fn to_json(&self) -> String {
        // Serialising numbers and texts cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Writes the size, and the values row by row, in the format of the input.
pub(super) fn write_board(board: &SlidingBoard, out: &mut dyn io::Write) -> io::Result<()> {
    write!(out, "{}\n{}", board.size(), rows(board))
}
