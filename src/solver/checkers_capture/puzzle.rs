//! A valid board, and its outcome by the algorithm that was asked for.

use std::fmt::Write as _;

use serde_json::Value;

use super::capture::{Best, Interrupted};
use super::draw;
use super::exact;
use super::grade;
use super::half_grids::HalfGrids;
use super::options::Algorithm;
use super::published::{backtracking, tree};
use super::small;
use crate::board::checkers::{CheckersBoard, OPPONENT};
use crate::picture::Markup;
use crate::solver::{Answer, Bounds, Budget, Charge, Finding, Known, Outcome, Puzzle, Shown, Stop, Text};

/// A valid board with the options that matter for its answer.
pub struct CheckersPuzzle {
    /// The board.
    pub board: Board,
    /// Which search answers.
    pub algorithm: Algorithm,
    /// Whether the squares of the capturing piece are wanted.
    pub witness: bool,
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
            Ok(best) => self.answered(&best),
            // What was found is proved to be the longest all the same.
            Err(ended) if ended.best.captures == ended.at_most => self.answered(&ended.best),
            Err(ended) => undecided(ended.stop, ended.best.captures, ended.at_most),
        }
    }

    fn draw(&self, shown: &Shown<'_>) -> Markup {
        match &self.board {
            Board::Small(board) => draw::draw(&board.expand(), shown),
            Board::Large(board) => draw::draw(board, shown),
        }
    }

    fn check(&self, known: &Known, answer: &Answer) -> Finding {
        let board = || match &self.board {
            Board::Small(board) => board.expand(),
            Board::Large(board) => board.clone(),
        };
        grade::check(board, known, answer)
    }
}

impl CheckersPuzzle {
    fn longest(&self, budget: &Budget) -> Result<Best, Interrupted> {
        let expanded;
        let board = match &self.board {
            Board::Small(board) => {
                if self.algorithm == Algorithm::Exact
                    && let Some(best) = small::solve(board, self.witness)
                {
                    return Ok(best);
                }
                expanded = board.expand();
                &expanded
            }
            Board::Large(board) => board,
        };
        let solve = match self.algorithm {
            Algorithm::Exact => exact::solve,
            Algorithm::Backtracking => backtracking::solve,
            Algorithm::Tree => tree::solve,
        };
        solve(board, self.witness, budget)
    }

    fn answered(&self, best: &Best) -> Outcome {
        let mut outcome = Outcome::number(best.captures);
        if self.witness {
            let (_, columns) = self.board.size();
            let mut line = best.captures.to_string();
            let mut squares = Vec::with_capacity(best.path.len());
            for &square in &best.path {
                let (row, column) = CheckersBoard::place_of(square, columns);
                // Writing to a string cannot fail.
                let _ = write!(line, " {row},{column}");
                squares.push(Value::from(vec![row, column]));
            }
            outcome.text = Text::Lines(line);
            outcome.witness = Value::from(squares);
        }
        outcome
    }
}

/// `undecided (at least A, at most B)`.
pub fn undecided(stop: Stop, at_least: u64, at_most: u64) -> Outcome {
    let bounds = Bounds { at_least: Some(at_least), at_most: Some(at_most) };
    Outcome::undecided(stop, bounds, bounds)
}
