//! What is printed of a game: score, moves, board and, when asked for, the whole game move by move.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::game::{Piece, Record, Standing};
use crate::solver::Render;

/// A game as its result shows it.
#[derive(Debug)]
pub struct Report {
    /// The game at its end.
    pub standing: Standing,
    /// The seed of its new pieces.
    pub seed: u64,
    /// Moves that changed nothing and were passed over.
    pub skipped: u64,
    /// `undecided (…)` when a limit ended the game.
    pub stopped: Option<String>,
}

impl Report {
    /// The largest piece.
    pub fn max(&self) -> u128 {
        value_of(self.standing.board.ranks().iter().copied().max().unwrap_or(0))
    }

    /// The answer for the log.
    pub fn headline(&self) -> String {
        format!("score {} moves {} max {}", self.standing.score, self.standing.moves, self.max())
    }

    /// The answer for machines.
    pub fn answer(&self) -> Value {
        json!({
            "score": number(self.standing.score),
            "moves": self.standing.moves,
            "max": number(self.max()),
            "over": self.standing.over,
            "seed": self.seed,
        })
    }

    /// The lines of the transcript, for machines; `Null` where none was kept.
    pub fn witness(&self) -> Value {
        let Some(record) = &self.standing.record else { return Value::Null };
        let mut lines = Vec::with_capacity(record.opening.len() + record.moves.len());
        let size = self.standing.board.size();
        // Writing to memory cannot fail.
        let _ = each_line(record, size, &mut |line| {
            lines.push(Value::from(line.to_string()));
            Ok(())
        });
        Value::Array(lines)
    }
}

impl Render for Report {
    fn render(&self, out: &mut dyn Write) -> io::Result<()> {
        let standing = &self.standing;
        writeln!(out, "score {}", standing.score)?;
        writeln!(out, "moves {}", standing.moves)?;
        writeln!(out, "max {}", self.max())?;
        writeln!(out, "over {}", if standing.over { "yes" } else { "no" })?;
        writeln!(out, "seed {}", self.seed)?;
        let size = standing.board.size();
        for row in standing.board.ranks().chunks_exact(size) {
            for (column, &rank) in row.iter().enumerate() {
                let blank = if column > 0 { " " } else { "" };
                write!(out, "{blank}{}", value_of(rank))?;
            }
            writeln!(out)?;
        }
        if let Some(record) = &standing.record {
            each_line(record, size, &mut |line| writeln!(out, "{line}"))?;
        }
        if self.skipped > 0 {
            writeln!(out, "skipped {}", self.skipped)?;
        }
        match &self.stopped {
            Some(stopped) => writeln!(out, "{stopped}"),
            None => Ok(()),
        }
    }
}

/// Gives every line of the transcript to `write`: `+ r c v` and `D r c v`.
fn each_line(
    record: &Record,
    size: usize,
    write: &mut dyn FnMut(std::fmt::Arguments<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut line = |mark: char, piece: Piece| {
        let (row, column) = (piece.square as usize / size, piece.square as usize % size);
        write(format_args!("{mark} {row} {column} {}", value_of(piece.rank)))
    };
    record.opening.iter().try_for_each(|&piece| line('+', piece))?;
    record.moves.iter().try_for_each(|&(direction, piece)| line(direction.letter(), piece))
}

/// What a rank stands for: 0 for an empty square, else 2^rank.
fn value_of(rank: u8) -> u128 {
    if rank == 0 { 0 } else { 1 << rank }
}

/// A number, or its digits as a string when it exceeds 64 bits.
fn number(value: u128) -> Value {
    u64::try_from(value).map_or_else(|_| Value::from(value.to_string()), Value::from)
}
