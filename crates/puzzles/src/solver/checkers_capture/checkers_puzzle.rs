//! A valid board, and its outcome by the algorithm that the options choose.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use serde_json::Value;

use super::capture::{Best, Interrupted};
use super::checkers_options::Algorithm;
use super::exact;
use super::half_grids::HalfGrids;
use super::published;
use super::small;
use crate::board::checkers::{CheckersBoard, OPPONENT};
use crate::solver::grading::CLAIMED_MAX;
use crate::solver::{Bounds, Budget, Charge, Options, Outcome, PICTURE, Puzzle, Stop, Text, WITNESS};

/// Bytes, rounded up generously, that one square of a path takes in the result as text and as JSON.
const WITNESS_BYTES: u64 = 192;

/// A valid board with the options that matter for its answer.
pub struct CheckersPuzzle {
    pub board: Board,
    pub algorithm: Algorithm,
    /// Which outputs need the squares of the capturing piece.
    pub proof: Proof,
}

/// Which outputs need the squares of the capturing piece.
#[derive(Debug, Clone, Copy)]
pub struct Proof {
    witness: bool,
    picture: bool,
}

impl Proof {
    /// Reads the outputs from `options`, which belong to this solver.
    pub fn of(options: &Options) -> Self {
        Self { witness: options.get(WITNESS), picture: options.get(PICTURE) }
    }

    /// Returns whether any output needs the squares of the capturing piece.
    fn wants_path(self) -> bool {
        self.witness || self.picture
    }
}

/// A board in the form that suits its size.
pub enum Board {
    Small(HalfGrids),
    Large(CheckersBoard),
}

impl From<CheckersBoard> for Board {
    fn from(board: CheckersBoard) -> Self {
        HalfGrids::of(&board).map_or(Self::Large(board), Self::Small)
    }
}

impl Board {
    /// Returns the board with one byte per square.
    pub fn expand(&self) -> Cow<'_, CheckersBoard> {
        match self {
            Self::Small(board) => Cow::Owned(board.expand()),
            Self::Large(board) => Cow::Borrowed(board),
        }
    }

    fn size(&self) -> (usize, usize) {
        match self {
            Self::Small(board) => (board.rows(), board.columns()),
            Self::Large(board) => (board.rows(), board.columns()),
        }
    }

    /// Returns how many opponent pieces there are.
    pub fn opponents(&self) -> u64 {
        match self {
            Self::Small(board) => u64::from(board.pieces()[1]),
            Self::Large(board) => board.count(OPPONENT) as u64,
        }
    }
}

impl Puzzle for CheckersPuzzle {
    fn solve(&self, budget: &Budget) -> Outcome {
        let (rows, columns) = self.board.size();
        // The board is in memory, so the number of its squares fits 64 bits.
        let squares = CheckersBoard::playable(rows as u64, columns as u64) as u64;
        let charge = budget.check_at_start().and_then(|()| Charge::new(squares, budget));
        let result = match charge {
            Ok(_charge) => self.longest(budget),
            Err(stop) => Err(Interrupted::new(stop, Best::default(), self.board.opponents())),
        };
        match result {
            Ok(best) if best.path.is_empty() => self.answered(&best),
            Ok(best) => match Charge::new(best.path.len() as u64 * WITNESS_BYTES, budget) {
                Ok(_path) => self.answered(&best),
                // The number is proved even if memory for the path is short.
                Err(_) => self.answered(&Best { path: Vec::new(), ..best }),
            },
            // The bounds meet, so the capture that was found is proved to be the longest.
            Err(ended) if ended.best.captures == ended.at_most => self.answered(&ended.best),
            Err(Interrupted { stop, best, at_most }) => {
                let witness = self.witness(&best);
                Outcome { witness, ..undecided(stop, best.captures, at_most) }
            }
        }
    }

    fn trace(&self, _budget: &Budget) -> Value {
        match (&self.board, self.algorithm) {
            (Board::Small(board), Algorithm::Exact) => {
                small::solve(board, true).map_or(Value::Null, |best| self.witness(&best))
            }
            _ => Value::Null,
        }
    }
}

/// Displays the board as a complete file.
impl fmt::Display for CheckersPuzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}0 0", self.board.expand())
    }
}

impl CheckersPuzzle {
    fn longest(&self, budget: &Budget) -> Result<Best, Interrupted> {
        if let (Board::Small(board), Algorithm::Exact) = (&self.board, self.algorithm)
            && let Some(best) = small::solve(board, self.proof.witness)
        {
            return Ok(best);
        }
        let (board, path) = (self.board.expand(), self.proof.wants_path());
        match self.algorithm {
            Algorithm::Exact => exact::solve(&board, path, budget),
            Algorithm::Backtracking => published::backtracking(&board, path, budget),
            Algorithm::Tree => published::tree(&board, path, budget),
        }
    }

    fn answered(&self, best: &Best) -> Outcome {
        let mut outcome = Outcome::number(best.captures);
        outcome.witness = self.witness(best);
        if self.proof.witness {
            let mut line = best.captures.to_string();
            for (row, column) in self.squares(best) {
                // Writing to a string cannot fail.
                let _ = write!(line, " {row},{column}");
            }
            outcome.text = Text::Lines(line);
        }
        outcome
    }

    /// Returns the squares of the capturing piece as JSON; `Null` if they are not known.
    fn witness(&self, best: &Best) -> Value {
        // A picture draws at most `CLAIMED_MAX` squares.
        let is_left_out = !self.proof.witness && best.path.len() > CLAIMED_MAX;
        if !self.proof.wants_path() || is_left_out || best.path.is_empty() && best.captures > 0 {
            return Value::Null;
        }
        self.squares(best).map(|(row, column)| Value::from(vec![row, column])).collect()
    }

    /// Returns the squares of the capturing piece.
    fn squares(&self, best: &Best) -> impl Iterator<Item = (usize, usize)> {
        let (_, columns) = self.board.size();
        best.path.iter().map(move |&square| CheckersBoard::place_of(square, columns))
    }
}

/// Returns the outcome `undecided (at least A, at most B)`.
pub fn undecided(stop: Stop, at_least: u64, at_most: u64) -> Outcome {
    let bounds = Bounds { at_least: Some(at_least), at_most: Some(at_most) };
    Outcome::undecided(stop, bounds, bounds)
}
