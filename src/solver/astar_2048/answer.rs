//! What a search says about a board, and how that is written.
//!
//! A path is held as its moves. Its boards are made again one by one while they are written: 32,782 of them
//! are megabytes of text.

use std::io;

use serde_json::{Value, json};

use crate::board::sliding::{Direction, SlidingBoard};
use crate::board::swipe::{Values, refill};
use crate::solver::{Bounds, Outcome, Render, Stop, Text, Verdict};
use crate::words::{Language, messages};

messages! {
    "astar"
    /// What is proved of a board.
    pub enum Proved {
        /// Fewer moves do not win.
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
        /// The proved bound.
        at_least: u64,
    },
    /// No moves win.
    Unsolvable,
    /// A limit ended the search before it found a path.
    Undecided {
        /// The limit.
        stop: Stop,
        /// Fewer moves than this do not win.
        at_least: u64,
    },
}

impl Answer {
    /// The outcome for the puzzle that begins with `start`.
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
    let (title, headline) = if minimum {
        (format!("Minimum number of moves: {count}"), format!("{count} {noun}"))
    } else {
        let known = format!("(at least {at_least})");
        (format!("Number of moves: {count} {known}"), format!("{count} {noun} {known}"))
    };
    Outcome {
        verdict: Verdict::Answered,
        headline: headline.into(),
        answer: json!({ "moves": count, "minimum": minimum }),
        witness: if witness { letters(&moves) } else { Value::Null },
        bounds: Bounds { at_least: Some(at_least), at_most: Some(count) },
        text: Text::Streamed(Box::new(Solution { title, start, moves })),
    }
}

/// Moves for machines: a string with a letter each.
pub(super) fn letters(moves: &[Direction]) -> Value {
    moves.iter().map(|direction| direction.letter()).collect::<String>().into()
}

/// A title and the boards of a path.
struct Solution {
    title: String,
    start: SlidingBoard,
    moves: Vec<Direction>,
}

impl Render for Solution {
    fn render(&self, out: &mut dyn io::Write, _: Language) -> io::Result<()> {
        writeln!(out, "{}", self.title)?;
        let mut board = self.start.clone();
        write_board(&board, out)?;
        for &direction in &self.moves {
            board.slide(direction);
            refill(&mut board);
            write_board(&board, out)?;
        }
        Ok(())
    }
}

/// Writes the size, and the values row by row, as they are read.
pub(super) fn write_board(board: &SlidingBoard, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "{}", Values(board))
}
