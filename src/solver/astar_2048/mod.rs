//! `2048-astar`: the swipes that reach a goal tile in the deterministic 2048.
//!
//! The rules are those of [`Board`](crate::board::swipe::Board). Every swipe adds 2 to the sum of
//! the tiles, so the search goes in layers of equal sums, and a lower bound follows from the sum alone. The
//! default algorithm sends beams through the layers until one meets the bound; the two published ones are
//! best-first searches.

mod answer;
mod best_first;
mod gather;
mod generate;
mod info;
mod layers;
mod meter;
mod options;
mod packed_space;
mod reader;
mod row_space;
mod shortest;
mod space;
mod trail;
mod wide_space;

use std::io;

pub(crate) use self::answer::Answer;
use self::info::INFO;
pub use self::options::Algorithm;
use self::options::{ALGORITHM, GOAL};
use self::packed_space::PackedSpace;
use self::row_space::RowSpace;
use self::space::{Space, counts_of, lower_bound};
use self::wide_space::WideSpace;
use super::{
    Budget, MEMORY_LIMIT, Options, Outcome, Puzzle, PuzzleReader, Random, Solver, SolverInfo, WITNESS,
};
use crate::board::sliding::SlidingBoard;
use crate::board::swipe::{distance_weighted, left_weighted};

/// The solver of `2048-astar`.
pub struct Astar2048;

impl Solver for Astar2048 {
    fn info(&self) -> &'static SolverInfo {
        INFO
    }

    fn open(&self, options: &Options) -> Box<dyn PuzzleReader> {
        let goal_rank = options.get(GOAL).trailing_zeros() as u8;
        let settings =
            Settings { goal_rank, algorithm: options.get(ALGORITHM), witness: options.get(WITNESS) };
        Box::new(reader::Reader::new(settings, options.get(MEMORY_LIMIT)))
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

/// Rank of the smallest goal, 4.
pub(crate) const GOAL_RANK_MIN: u8 = 2;

/// How the boards of a file are solved.
#[derive(Debug, Clone, Copy)]
struct Settings {
    /// The goal is 2^`goal_rank`.
    goal_rank: u8,
    algorithm: Algorithm,
    witness: bool,
}

/// One board to be solved.
struct AstarPuzzle {
    start: SlidingBoard,
    settings: Settings,
}

impl Puzzle for AstarPuzzle {
    fn solve(&self, budget: &Budget) -> Outcome {
        let Settings { goal_rank, algorithm, witness } = self.settings;
        answer(&self.start, goal_rank, algorithm, budget).into_outcome(self.start.clone(), witness)
    }
}

/// Searches from `start`, a board of tiles up to 2^63, for a tile of 2^`goal_rank` (rank 2 to 63).
pub(crate) fn answer(start: &SlidingBoard, goal_rank: u8, algorithm: Algorithm, budget: &Budget) -> Answer {
    match lower_bound(&counts_of(start), goal_rank) {
        None => return Answer::Unsolvable,
        Some(0) => return Answer::Path { moves: Vec::new(), at_least: 0 },
        Some(at_least) => {
            if let Err(stop) = budget.check() {
                return Answer::Undecided { stop, at_least };
            }
        }
    }
    // The smallest form of the board that holds it.
    if let Some((space, start)) = PackedSpace::new(start, goal_rank) {
        search(&space, &start, algorithm, budget)
    } else if let Some((space, start)) = RowSpace::new(start, goal_rank) {
        search(&space, &start, algorithm, budget)
    } else {
        search(&WideSpace::new(start.size(), goal_rank), start, algorithm, budget)
    }
}

fn search<S: Space>(space: &S, start: &S::Board, algorithm: Algorithm, budget: &Budget) -> Answer {
    match algorithm {
        Algorithm::Shortest => shortest::solve(space, start, budget),
        Algorithm::LeftWeighted => best_first::solve(space, start, left_weighted, budget),
        Algorithm::DistanceWeighted => {
            // Values are below 2^64 and distances below 2^33, so that the sum is far below 2^127.
            best_first::solve(space, start, |board| distance_weighted(board).cast_signed(), budget)
        }
    }
}
