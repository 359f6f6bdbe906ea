//! `checkers-capture`: the most opponent pieces that one own piece can take in a single move.
//!
//! The puzzle is `MegaDamas` (Maratona de Programação 2006, problem E). A move is a longest trail in a
//! planar graph ([`graph`]). On boards of the published sizes [`bitboard`] finds it, in a fraction of a
//! microsecond where they are random; [`exact`] does on all others, and two published programs stand beside it.

mod backtracking;
mod bitboard;
mod bounded;
mod edge_sets;
mod exact;
mod generate;
mod graph;
mod info;
mod kernel;
mod matching;
mod moves;
mod options;
mod parity_cuts;
mod parity_table;
mod plain;
mod plan;
mod quarters;
mod reader;
mod rooted;
mod search;
mod squares;
mod states;
mod sweep;
mod trail;
mod tree;

use std::fmt::Write as _;
use std::io;

use serde_json::Value;

use super::{Bounds, Budget, Options, Outcome, Puzzle, PuzzleReader, Random, Solver, SolverInfo, Stop, Text};
use crate::board::checkers::{CheckersBoard, OPPONENT};
use info::INFO;
use options::Algorithm;
use quarters::Quarters;

/// The published limits: rows and columns, and their product.
const SIDE_MIN: u64 = 3;
const SIDE_MAX: u64 = 20;
const AREA_MAX: u64 = 200;
/// Cheap steps between two looks at the budget.
const STEPS_PER_CHECK: u64 = 4096;

/// The solver.
pub struct CheckersCapture;

impl Solver for CheckersCapture {
    fn info(&self) -> &'static SolverInfo {
        INFO
    }

    fn open(&self, options: &Options) -> Box<dyn PuzzleReader> {
        Box::new(reader::Reader::new(options))
    }

    fn generate(
        &self,
        options: &Options,
        count: u64,
        random: &mut Random,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        generate::generate(options, count, random, out)
    }
}

/// Counts steps and looks at the budget now and then.
struct Pace<'a> {
    budget: &'a Budget,
    steps: u64,
}

impl<'a> Pace<'a> {
    fn new(budget: &'a Budget) -> Self {
        Self { budget, steps: 0 }
    }

    /// Accounts for `count` steps of some 10 ns.
    fn step(&mut self, count: u64) -> Result<(), Stop> {
        let before = self.steps / STEPS_PER_CHECK;
        self.steps += count;
        if self.steps / STEPS_PER_CHECK > before { self.budget.check() } else { Ok(()) }
    }
}

/// The longest capture found.
#[derive(Debug, Default)]
struct Best {
    captures: u64,
    /// The squares of the capturing piece by index, the first its start; empty where nobody asked, and where
    /// there is no capture.
    path: Vec<usize>,
}

/// A search that a limit ended.
#[derive(Debug)]
struct Cut {
    stop: Stop,
    /// The longest capture found until then.
    best: Best,
    /// No capture is longer.
    at_most: u64,
}

impl Cut {
    fn new(stop: Stop, best: Best, at_most: u64) -> Self {
        Self { stop, at_most: at_most.max(best.captures), best }
    }
}

/// A valid board with the options that matter for its answer.
struct CheckersPuzzle {
    board: Board,
    algorithm: Algorithm,
    witness: bool,
}

/// A board in the form that suits its size.
enum Board {
    Small(Quarters),
    Large(CheckersBoard),
}

impl From<CheckersBoard> for Board {
    fn from(board: CheckersBoard) -> Self {
        Quarters::of(&board).map_or(Self::Large(board), Self::Small)
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
        let result = match budget.check_at_start().and_then(|()| budget.charge(squares)) {
            Ok(()) => self.longest(budget),
            Err(stop) => Err(Cut::new(stop, Best::default(), self.board.opponents())),
        };
        match result {
            Ok(best) => self.answered(&best),
            // What was found is proved to be the longest all the same.
            Err(cut) if cut.best.captures == cut.at_most => self.answered(&cut.best),
            Err(cut) => undecided(cut.stop, cut.best.captures, cut.at_most),
        }
    }
}

impl CheckersPuzzle {
    fn longest(&self, budget: &Budget) -> Result<Best, Cut> {
        let expanded;
        let board = match &self.board {
            Board::Small(board) => {
                let quick = if self.algorithm == Algorithm::Exact {
                    bitboard::solve(board, self.witness)
                } else {
                    None
                };
                if let Some(best) = quick {
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
fn undecided(stop: Stop, at_least: u64, at_most: u64) -> Outcome {
    let bounds = Bounds { at_least: Some(at_least), at_most: Some(at_most) };
    Outcome::undecided(stop, bounds, bounds)
}
