//! One board to be solved: chooses the search and the representation of the board.

use std::fmt;

use super::answer::Answer;
use super::astar_options::{Algorithm, Settings};
use super::boards::{PackedSpace, Space, WideSpace};
use super::lower_bound::lower_bound;
use super::search::{best_first, fewest_moves};
use crate::board::sliding::SlidingBoard;
use crate::board::swipe::{distance_weighted, left_weighted, rows};
use crate::solver::{Budget, Outcome, Puzzle};

/// The least memory that solving takes, in bytes per square: for the puzzle, its outcome, and a search with two layers
/// of a few dozen boards.
pub(super) const SQUARE_BYTES: u128 = 64;

/// One board to be solved.
pub(super) struct AstarPuzzle {
    pub(super) start: SlidingBoard,
    pub(super) settings: Settings,
}

impl Puzzle for AstarPuzzle {
    fn solve(&self, budget: &Budget) -> Outcome {
        let Settings { goal_rank, algorithm, witness } = self.settings;
        answer(&self.start, goal_rank, algorithm, budget).into_outcome(self.start.clone(), witness)
    }
}

impl fmt::Display for AstarPuzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", self.start.size(), rows(&self.start))
    }
}

/// Searches from `start`, a board of tiles up to 2^63, for a tile of 2^`goal_rank` (rank 2 to 63).
pub(super) fn answer(start: &SlidingBoard, goal_rank: u8, algorithm: Algorithm, budget: &Budget) -> Answer {
    let at_least = match lower_bound(start, goal_rank) {
        None => return Answer::Unsolvable,
        Some(0) => return Answer::Path { moves: Vec::new(), at_least: 0 },
        Some(at_least) => at_least,
    };
    if let Err(stop) = budget.check() {
        return Answer::Undecided { stop, at_least };
    }
    match PackedSpace::new(start, goal_rank) {
        Some((space, start)) => search(&space, &start, at_least, algorithm, budget),
        None => search(&WideSpace::new(start.size(), goal_rank), start, at_least, algorithm, budget),
    }
}

fn search<S: Space>(
    space: &S,
    start: &S::Board,
    at_least: u64,
    algorithm: Algorithm,
    budget: &Budget,
) -> Answer {
    match algorithm {
        Algorithm::Shortest => fewest_moves::solve(space, start, at_least, budget),
        Algorithm::LeftWeighted => best_first::solve(space, start, at_least, left_weighted, budget),
        Algorithm::DistanceWeighted => {
            // Values are below 2^64 and distances below 2^33, so the sum is far below 2^127.
            let score = |board: &SlidingBoard| distance_weighted(board).cast_signed();
            best_first::solve(space, start, at_least, score, budget)
        }
    }
}
