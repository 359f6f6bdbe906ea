//! What is printed of a game: score, moves, board and, when asked for, the whole game move by move.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::rules::game::{Game, Piece};
use crate::solver::{Render, undecided};
use crate::words::{Language, Phrase};

/// Bytes of one step in the outcome for machines: a JSON string of a few letters and its place in a list.
pub const WITNESS_STEP_BYTES: u64 = 64;

/// A piece that the game inserted, and what it came after.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// `+` for a piece of a new game, else the letter of the move before it.
    pub mark: char,
    /// The piece.
    pub piece: Piece,
}

/// A game as its result shows it.
#[derive(Debug)]
pub struct Report {
    /// The game at its end.
    pub game: Game,
    /// The whole game, where it is to be printed.
    pub transcript: Vec<Step>,
    /// Moves that changed nothing and were passed over.
    pub skipped: u64,
    /// What is known when a limit ended the game.
    pub stopped: Option<Phrase>,
}

impl Report {
    /// The answer for the log.
    pub fn headline(&self) -> String {
        format!("score {} moves {} max {}", self.game.score(), self.game.moves(), self.max())
    }

    /// The answer for machines.
    pub fn answer(&self) -> Value {
        json!({
            "score": number(self.game.score()),
            "moves": self.game.moves(),
            "max": number(self.max()),
            "over": self.game.is_over(),
            "seed": self.game.seed(),
        })
    }

    fn max(&self) -> u128 {
        value_of(self.game.board().ranks().iter().copied().max().unwrap_or(0))
    }
}

/// The lines of a transcript on a board of that many squares on a side: `+ r c v` and `D r c v`.
pub fn lines(steps: &[Step], size: usize) -> impl Iterator<Item = String> {
    steps.iter().map(move |&Step { mark, piece }| {
        let square = piece.square as usize;
        format!("{mark} {} {} {}", square / size, square % size, value_of(piece.rank))
    })
}

impl Render for Report {
    fn render(&self, out: &mut dyn Write, language: Language) -> io::Result<()> {
        writeln!(out, "score {}", self.game.score())?;
        writeln!(out, "moves {}", self.game.moves())?;
        writeln!(out, "max {}", self.max())?;
        writeln!(out, "over {}", if self.game.is_over() { "yes" } else { "no" })?;
        writeln!(out, "seed {}", self.game.seed())?;
        let board = self.game.board();
        for row in board.ranks().chunks_exact(board.size()) {
            for (column, &rank) in row.iter().enumerate() {
                let blank = if column > 0 { " " } else { "" };
                write!(out, "{blank}{}", value_of(rank))?;
            }
            writeln!(out)?;
        }
        lines(&self.transcript, board.size()).try_for_each(|line| writeln!(out, "{line}"))?;
        if self.skipped > 0 {
            writeln!(out, "skipped {}", self.skipped)?;
        }
        self.stopped.iter().try_for_each(|stopped| writeln!(out, "{}", undecided(stopped, language)))
    }
}

/// What a rank stands for: 0 for an empty square, else 2^rank.
pub fn value_of(rank: u8) -> u128 {
    if rank == 0 { 0 } else { 1 << rank }
}

/// A number, or its digits as a string when it exceeds 64 bits.
fn number(value: u128) -> Value {
    u64::try_from(value).map_or_else(|_| Value::from(value.to_string()), Value::from)
}
