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
mod layers;
mod meter;
mod packed_space;
mod reader;
mod row_space;
mod shortest;
mod space;
mod trail;
mod wide_space;

use std::io;

pub(crate) use self::answer::Answer;
use self::packed_space::PackedSpace;
use self::row_space::RowSpace;
use self::space::{Space, counts_of, lower_bound};
use self::wide_space::WideSpace;
use super::{
    Budget, DirectiveRule, Example, Kind, OptionSpec, Options, Outcome, Puzzle, PuzzleReader, Random, Solver,
};
use crate::board::sliding::SlidingBoard;
use crate::board::swipe::{distance_weighted, left_weighted};

/// The solver of `2048-astar`.
pub struct Astar2048;

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "goal",
        kind: Kind::PowerOfTwo { min: 4, max: 1 << 63 },
        default: "2048",
        help: "a board is won when some tile is at least this",
        directive: DirectiveRule::Free,
    },
    OptionSpec {
        name: "algorithm",
        kind: Kind::Choice(&["shortest", "left-weighted", "distance-weighted"]),
        default: "shortest",
        help: "shortest: the fewest moves, proved where possible; the others: best-first search by that \
               score, as published",
        directive: DirectiveRule::Free,
    },
];

impl Solver for Astar2048 {
    fn id(&self) -> &'static str {
        "2048-astar"
    }

    fn about(&self) -> &'static str {
        "the fewest swipes to a goal tile in a 2048 whose new tile is always a 2 in the right column"
    }

    fn input_format(&self) -> &'static str {
        "  n                      size of the board, from 2; a line of its own\n  \
           n lines of n values    0 is blank, a tile is a power of two from 2\n  \
         and so on, any number of boards. A swipe slides and merges the tiles; then a 2 appears in\n  \
         the uppermost blank square of the right column. A swipe that changes nothing or leaves no\n  \
         blank there is invalid."
    }

    fn output_format(&self) -> &'static str {
        "  Minimum number of moves: K               K is proved to be the fewest; or\n  \
           Number of moves: K (at least B)          fewer than B is proved impossible\n  \
           n and n rows, K + 1 times                every board from the first to the won one\n  \
         or one line:\n  \
           unsolvable                               no swipes win\n  \
           undecided (at least B moves)             a limit of time or memory ended the search\n  \
           invalid board: REASON at FILE:LINE:COLUMN\n  \
         The boards are always printed; with witness = true the JSON result holds the swipes besides,\n  \
         a letter each: E left, D right, C up, B down. Its answer is {\"moves\": K, \"minimum\": true or\n  \
         false}, or the words above."
    }

    fn example(&self) -> Example {
        Example {
            input: "4\n256 8 0 2\n256 8 16 2\n512 4 0 0\n1024 0 0 0\n",
            output: "Minimum number of moves: 3\n\
                     4\n256 8 0 2\n256 8 16 2\n512 4 0 0\n1024 0 0 0\n\
                     4\n512 16 16 4\n512 4 0 2\n1024 0 0 0\n0 0 0 0\n\
                     4\n1024 16 16 4\n1024 4 0 2\n0 0 0 2\n0 0 0 0\n\
                     4\n2048 16 16 4\n0 4 0 4\n0 0 0 2\n0 0 0 0\n",
        }
    }

    fn options(&self) -> &'static [OptionSpec] {
        OPTIONS
    }

    fn generator_options(&self) -> &'static [OptionSpec] {
        generate::OPTIONS
    }

    fn open(&self, options: &Options) -> Box<dyn PuzzleReader> {
        let algorithm = match options.choice("algorithm") {
            "left-weighted" => Algorithm::LeftWeighted,
            "distance-weighted" => Algorithm::DistanceWeighted,
            _ => Algorithm::Shortest,
        };
        // The table allows powers of two only.
        let goal_rank = options.integer("goal").map_or(11, |goal| goal.trailing_zeros() as u8);
        let settings = Settings { goal_rank, algorithm, witness: options.flag("witness") };
        Box::new(reader::Reader::new(settings, options.size("memory_limit")))
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

/// How a path to the goal is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// The fewest moves, with a proof where one is found.
    Shortest,
    /// Best-first search by the score `left_weighted`, as published.
    LeftWeighted,
    /// Best-first search by the score `distance_weighted`, as published.
    DistanceWeighted,
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
