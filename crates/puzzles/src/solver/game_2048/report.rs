//! What is printed of a game: score, moves, board and, when asked for, the whole game move by move.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::game_rules::{Game, Piece};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::wire::{board_of_ranks, decode, encode};
use crate::solver::{Render, WireError, undecided};
use crate::words::{Language, Phrase, messages};

/// Ranks whose values fit 128 bits.
const RANK_MAX: u8 = 127;
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
    pub ending: Ending,
    /// The whole game, if it is to be printed.
    pub transcript: Vec<Step>,
    /// Moves that changed nothing and were passed over.
    pub skipped: u64,
    /// A limit ended the game.
    pub stopped: bool,
}

/// What is shown of a game at its end.
#[derive(Debug)]
pub struct Ending {
    board: SlidingBoard,
    score: u128,
    moves: u64,
    is_over: bool,
    seed: u64,
}

impl Ending {
    /// That of a game.
    pub fn of(game: Game) -> Self {
        let (score, moves, is_over, seed) = (game.score(), game.moves(), game.is_over(), game.seed());
        Self { board: game.into_board(), score, moves, is_over, seed }
    }
}

messages! {
    "game"
    /// What is known of a game that a limit ended.
    enum Proved {
        /// So many moves were made.
        Stopped = "stopped-after" { moves: u64 },
    }
}

/// Returns what is known of a game that a limit ended after so many moves.
pub fn stopped_after(moves: u64) -> Phrase {
    Proved::Stopped { moves }.into()
}

/// A report as it travels.
#[derive(Serialize, Deserialize)]
struct Form<'a> {
    ranks: &'a [u8],
    score: u128,
    moves: u64,
    is_over: bool,
    seed: u64,
    /// Mark, square and rank of the piece.
    transcript: Vec<(u8, u32, u8)>,
    skipped: u64,
    stopped: bool,
}

impl Report {
    /// The report that these bytes are.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn of_wire(wire: &[u8]) -> Result<Self, WireError> {
        let form: Form = decode(wire)?;
        let board = board_of_ranks(form.ranks, RANK_MAX)?;
        let step = |&(mark, square, rank): &(u8, u32, u8)| {
            let mark = char::from(mark);
            let is_mark = mark == '+' || Direction::ALL.iter().any(|direction| direction.letter() == mark);
            let is_step = is_mark && (square as usize) < form.ranks.len() && matches!(rank, 1 | 2);
            WireError::unless(is_step, "a step that no game has")?;
            Ok(Step { mark, piece: Piece { square, rank } })
        };
        let transcript = form.transcript.iter().map(step).collect::<Result<_, WireError>>()?;
        let Form { score, moves, is_over, seed, skipped, stopped, .. } = form;
        Ok(Self { ending: Ending { board, score, moves, is_over, seed }, transcript, skipped, stopped })
    }

    /// Returns the answer for the log.
    pub fn headline(&self) -> String {
        format!("score {} moves {} max {}", self.ending.score, self.ending.moves, self.max())
    }

    /// Returns the answer for machines.
    pub fn answer(&self) -> Value {
        json!({
            "score": number(self.ending.score),
            "moves": self.ending.moves,
            "max": number(self.max()),
            "over": self.ending.is_over,
            "seed": self.ending.seed,
        })
    }

    fn max(&self) -> u128 {
        value_of(self.ending.board.ranks().iter().copied().max().unwrap_or(0))
    }
}

/// Returns the lines of a transcript on a board of that many squares on a side: `+ r c v` and `D r c v`.
pub fn lines(steps: &[Step], size: usize) -> impl Iterator<Item = String> {
    steps.iter().map(move |&Step { mark, piece }| {
        let square = piece.square as usize;
        format!("{mark} {} {} {}", square / size, square % size, value_of(piece.rank))
    })
}

impl Render for Report {
    fn render(&self, out: &mut dyn Write, language: Language) -> io::Result<()> {
        let Ending { board, score, moves, is_over, seed } = &self.ending;
        writeln!(out, "score {score}")?;
        writeln!(out, "moves {moves}")?;
        writeln!(out, "max {}", self.max())?;
        writeln!(out, "over {}", if *is_over { "yes" } else { "no" })?;
        writeln!(out, "seed {seed}")?;
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
        if self.stopped { writeln!(out, "{}", undecided(&stopped_after(*moves), language)) } else { Ok(()) }
    }

    fn to_wire(&self) -> Vec<u8> {
        let &Ending { ref board, score, moves, is_over, seed } = &self.ending;
        let step = |step: &Step| (step.mark as u8, step.piece.square, step.piece.rank);
        encode(&Form {
            ranks: board.ranks(),
            score,
            moves,
            is_over,
            seed,
            transcript: self.transcript.iter().map(step).collect(),
            skipped: self.skipped,
            stopped: self.stopped,
        })
    }
}

/// Returns what a rank stands for: 0 for an empty square, else 2^rank.
pub fn value_of(rank: u8) -> u128 {
    if rank == 0 { 0 } else { 1 << rank }
}

/// Returns a number, or its digits as a string when it exceeds 64 bits.
fn number(value: u128) -> Value {
    u64::try_from(value).map_or_else(|_| Value::from(value.to_string()), Value::from)
}
