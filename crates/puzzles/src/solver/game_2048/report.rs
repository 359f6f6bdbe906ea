//! The text of a game's result: score, moves, board and, on request, the whole game move by move.

use std::fmt;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::game_rules::{Game, Piece};
use crate::board::Rows;
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::{Render, malformed_unless, undecided};
use crate::words::{Language, Phrase, messages};

/// The largest rank whose value fits 128 bits.
const RANK_MAX: u8 = 127;
/// Bytes charged for one step of the machine-readable outcome: a JSON string of a few letters, and its slot in a list.
pub const WITNESS_STEP_BYTES: u64 = 64;

/// A piece that the game inserted, and the move before it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(into = "StepForm", try_from = "StepForm")]
pub struct Step {
    /// `+` for a piece of the opening, else the letter of the move before the piece.
    pub mark: char,
    pub piece: Piece,
}

/// A step in JSON: its mark, and the square and rank of its piece. An array without field names keeps the JSON short,
/// because a long game has thousands of steps.
type StepForm = (char, u32, u8);

impl From<Step> for StepForm {
    fn from(Step { mark, piece: Piece { square, rank } }: Step) -> Self {
        (mark, square, rank)
    }
}

impl TryFrom<StepForm> for Step {
    type Error = &'static str;

    fn try_from((mark, square, rank): StepForm) -> Result<Self, &'static str> {
        let is_mark = mark == '+' || Direction::ALL.iter().any(|direction| direction.letter() == mark);
        let is_step = is_mark && matches!(rank, 1 | 2);
        is_step.then_some(Self { mark, piece: Piece { square, rank } }).ok_or("a step that no game has")
    }
}

/// A game as its result shows it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Report {
    board: SlidingBoard,
    score: u128,
    moves: u64,
    is_over: bool,
    seed: u64,
    /// The whole game, if it is to be printed.
    transcript: Vec<Step>,
    /// Moves that changed nothing and were skipped.
    skipped: u64,
    stopped: bool,
}

messages! {
    "game"
    /// What is known of a game that a limit ended.
    enum Proved {
        Stopped = "stopped-after" { moves: u64 },
    }
}

/// Returns what is known of a game that a limit ended after `moves` moves.
pub fn stopped_after(moves: u64) -> Phrase {
    Proved::Stopped { moves }.into()
}

impl Report {
    /// Returns the report on a game, with its `transcript`, the number of skipped moves, and whether a limit ended it.
    pub fn of(game: Game, transcript: Vec<Step>, skipped: u64, stopped: bool) -> Self {
        let (is_over, Game { board, score, moves, seed, .. }) = (game.is_over(), game);
        Self { board, score, moves, is_over, seed, transcript, skipped, stopped }
    }

    /// Parses the report on a game that another machine played.
    ///
    /// # Errors
    /// Fails if the text is not a valid report.
    pub fn from_json(json: &str) -> serde_json::Result<Self> {
        let report: Self = serde_json::from_str(json)?;
        let ranks = report.board.ranks();
        malformed_unless(ranks.iter().all(|&rank| rank <= RANK_MAX), "a tile that is too large")?;
        let is_inside = |step: &Step| (step.piece.square as usize) < ranks.len();
        malformed_unless(report.transcript.iter().all(is_inside), "a step outside of the board")?;
        Ok(report)
    }

    /// Returns the answer as the log shows it.
    pub fn headline(&self) -> String {
        format!("score {} moves {} max {}", self.score, self.moves, self.max())
    }

    /// Returns the machine-readable answer.
    pub fn answer(&self) -> Value {
        json!({
            "score": number(self.score),
            "moves": self.moves,
            "max": number(self.max()),
            "over": self.is_over,
            "seed": self.seed,
        })
    }

    fn max(&self) -> u128 {
        value_of(self.board.ranks().iter().copied().max().unwrap_or(0))
    }
}

/// Returns the lines of a transcript on a board of `size` × `size` squares: `+ r c v` and `D r c v`.
pub fn lines(steps: &[Step], size: usize) -> impl Iterator<Item = String> {
    steps.iter().map(move |&Step { mark, piece }| {
        let square = piece.square as usize;
        format!("{mark} {} {} {}", square / size, square % size, value_of(piece.rank))
    })
}

impl Render for Report {
    fn render(&self, out: &mut dyn Write, language: Language) -> io::Result<()> {
        let Self { board, score, moves, is_over, seed, .. } = self;
        writeln!(out, "score {score}")?;
        writeln!(out, "moves {moves}")?;
        writeln!(out, "max {}", self.max())?;
        writeln!(out, "over {}", if *is_over { "yes" } else { "no" })?;
        writeln!(out, "seed {seed}")?;
        write!(out, "{}", rows(board.size(), board.ranks()))?;
        lines(&self.transcript, board.size()).try_for_each(|line| writeln!(out, "{line}"))?;
        if self.skipped > 0 {
            writeln!(out, "skipped {}", self.skipped)?;
        }
        if self.stopped { writeln!(out, "{}", undecided(&stopped_after(*moves), language)) } else { Ok(()) }
    }

    fn to_json(&self) -> String {
        // Serialising numbers and texts cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Displays the values of a board of `size` × `size` squares.
pub fn rows(size: usize, ranks: &[u8]) -> impl fmt::Display + '_ {
    Rows(size, ranks.iter().map(|&rank| value_of(rank)))
}

/// Returns the value of a rank: 0 for an empty square, else 2^rank.
pub fn value_of(rank: u8) -> u128 {
    if rank == 0 { 0 } else { 1 << rank }
}

/// Returns a number, or its digits as a string when it exceeds 64 bits.
fn number(value: u128) -> Value {
    u64::try_from(value).map_or_else(|_| Value::from(value.to_string()), Value::from)
}
