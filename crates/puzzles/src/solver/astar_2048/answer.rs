//! What a search says about a board, and how that is written.
//!
//! A path is held as its moves. Its boards are made again one by one while they are written: 32,782 of them
//! are megabytes of text.

use std::io;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::board::sliding::{Direction, SlidingBoard};
use crate::board::swipe::{RANK_MAX, Values, refill, swiped};
use crate::solver::wire::{board_of_ranks, decode, encode};
use crate::solver::{Bounds, Outcome, Render, Stop, Text, WireError};
use crate::words::{Language, messages};

/// Squares of all boards of a path that is replayed when it arrives: some seconds. They are gigabytes of text.
const REPLAYED_SQUARES_MAX: u64 = 1 << 32;

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

/// Moves for machines: a string with a letter each.
pub(super) fn letters(moves: &[Direction]) -> Value {
    moves.iter().map(|direction| direction.letter()).collect::<String>().into()
}

/// A title and the boards of a path.
pub(super) struct Solution {
    start: SlidingBoard,
    moves: Vec<Direction>,
    /// Fewer do not win.
    at_least: u64,
}

#[derive(Serialize, Deserialize)]
struct Form<'a> {
    ranks: &'a [u8],
    /// A letter each.
    moves: &'a str,
    at_least: u64,
}

impl Solution {
    /// The path that these bytes are. It is replayed: its boards must be there when they are written.
    pub(super) fn of_wire(wire: &[u8]) -> Result<Self, WireError> {
        let Form { ranks, moves, at_least } = decode(wire)?;
        let start = board_of_ranks(ranks, RANK_MAX)?;
        let squares = (ranks.len() as u64).saturating_mul(moves.len() as u64);
        let is_bounded = at_least <= moves.len() as u64 && squares <= REPLAYED_SQUARES_MAX;
        WireError::unless(is_bounded, "a path that is too long, or shorter than one can be")?;
        let mut board = start.clone();
        let mut moves_made = Vec::with_capacity(moves.len());
        for letter in moves.chars() {
            let direction = Direction::from_letter(letter);
            let made = direction.and_then(|direction| Some((direction, swiped(&board, direction)?)));
            let Some((direction, (next, _))) = made.filter(|(_, (_, rank))| *rank <= RANK_MAX) else {
                return Err(WireError::Wrong("a move that is none"));
            };
            moves_made.push(direction);
            board = next;
        }
        Ok(Self { start, moves: moves_made, at_least })
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

    fn to_wire(&self) -> Vec<u8> {
        let moves: String = self.moves.iter().map(|direction| direction.letter()).collect();
        encode(&Form { ranks: self.start.ranks(), moves: &moves, at_least: self.at_least })
    }
}

/// Writes the size, and the values row by row, as they are read.
pub(super) fn write_board(board: &SlidingBoard, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "{}", Values(board))
}
