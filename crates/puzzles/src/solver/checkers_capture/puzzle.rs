//! A valid board, and its outcome by the algorithm that was asked for.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use serde_json::Value;

use super::capture::{Best, Interrupted};
use super::draw;
use super::exact;
use super::grade;
use super::half_grids::HalfGrids;
use super::options::Algorithm;
use super::published;
use super::small;
use crate::board::checkers::{CheckersBoard, OPPONENT};
use crate::picture::Markup;
use crate::solver::grading::{CLAIMED_MAX, TooMany, claimed_squares};
use crate::solver::{
    Answer, Bounds, Budget, Charge, Finding, Known, Options, Outcome, PICTURE, Puzzle, Shown, Stop, Text,
    WITNESS,
};

/// Bytes that one square of a path takes in the result, as text and as JSON, generously.
const WITNESS_BYTES: u64 = 192;

/// A valid board with the options that matter for its answer.
pub struct CheckersPuzzle {
    /// The board.
    pub board: Board,
    /// Which search answers.
    pub algorithm: Algorithm,
    /// What the squares of the capturing piece are wanted for.
    pub proof: Proof,
}

/// What the squares of the capturing piece are wanted for.
#[derive(Debug, Clone, Copy)]
pub struct Proof {
    /// To be told.
    witness: bool,
    /// To be drawn.
    picture: bool,
}

impl Proof {
    /// Returns what `options` of this solver say.
    pub fn of(options: &Options) -> Self {
        Self { witness: options.get(WITNESS), picture: options.get(PICTURE) }
    }

    /// Returns whether the squares of the capturing piece are wanted.
    fn wants_path(self) -> bool {
        self.witness || self.picture
    }
}

/// A board in the form that suits its size.
pub enum Board {
    /// By bits.
    Small(HalfGrids),
    /// Of any size.
    Large(CheckersBoard),
}

impl From<CheckersBoard> for Board {
    fn from(board: CheckersBoard) -> Self {
        HalfGrids::of(&board).map_or(Self::Large(board), Self::Small)
    }
}

impl Board {
    fn expand(&self) -> Cow<'_, CheckersBoard> {
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

    fn opponents(&self) -> u64 {
        match self {
            Self::Small(board) => u64::from(board.pieces()[1]),
            Self::Large(board) => board.count(OPPONENT) as u64,
        }
    }
}

impl Puzzle for CheckersPuzzle {
    fn solve(&self, budget: &Budget) -> Outcome {
        let (rows, columns) = self.board.size();
        // A board that is kept has a number of squares that fits its memory.
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
                // The number is proved all the same.
                Err(_) => self.answered(&Best { path: Vec::new(), ..best }),
            },
            // What was found is proved to be the longest all the same.
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

    fn draw(&self, shown: &Shown<'_>) -> Markup {
        draw::draw(&self.board.expand(), shown)
    }

    fn claimed(&self, answer: &Answer) -> Result<Value, TooMany> {
        // No way over the board has more squares but one that breaks a rule.
        claimed_squares(answer, 1, self.board.opponents() as usize + 2)
    }

    fn check(&self, known: &Known, answer: &Answer) -> Finding {
        grade::check(|| self.board.expand().into_owned(), known, answer)
    }
}

/// Displays the board as a file of its own.
impl fmt::Display for CheckersPuzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}0 0", self.board.expand())
    }
}

impl CheckersPuzzle {
    fn longest(&self, budget: &Budget) -> Result<Best, Interrupted> {
        let expanded;
        let board = match &self.board {
            Board::Small(board) => {
                if self.algorithm == Algorithm::Exact
                    && let Some(best) = small::solve(board, self.proof.witness)
                {
                    return Ok(best);
                }
                expanded = board.expand();
                &expanded
            }
            Board::Large(board) => board,
        };
        let path = self.proof.wants_path();
        match self.algorithm {
            Algorithm::Exact => exact::solve(board, path, budget),
            Algorithm::Backtracking => published::backtracking(board, path, budget),
            Algorithm::Tree => published::tree(board, path, budget),
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
        // A picture has no room for more squares.
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

/// `undecided (at least A, at most B)`.
pub fn undecided(stop: Stop, at_least: u64, at_most: u64) -> Outcome {
    let bounds = Bounds { at_least: Some(at_least), at_most: Some(at_most) };
    Outcome::undecided(stop, bounds, bounds)
}
