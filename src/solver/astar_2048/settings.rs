//! The options of `2048-astar`: their table, and their values once chosen.

use crate::solver::{DirectiveRule, Kind, OptionSpec, Options};

pub(super) const OPTIONS: &[OptionSpec] = &[
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
pub(super) struct Settings {
    /// The goal is 2^`goal_rank`.
    pub(super) goal_rank: u8,
    pub(super) algorithm: Algorithm,
    pub(super) witness: bool,
}

impl Settings {
    /// The values in `options`.
    pub(super) fn new(options: &Options) -> Self {
        let algorithm = match options.choice("algorithm") {
            "left-weighted" => Algorithm::LeftWeighted,
            "distance-weighted" => Algorithm::DistanceWeighted,
            _ => Algorithm::Shortest,
        };
        // The table allows powers of two only.
        let goal_rank = options.integer("goal").map_or(11, |goal| goal.trailing_zeros() as u8);
        Self { goal_rank, algorithm, witness: options.flag("witness") }
    }
}
