//! The options of `2048-astar`.

use crate::solver::{OptionKey, OptionSpec, Options, PICTURE, Values, WITNESS, choice};

/// The smallest goal.
pub(super) const GOAL_MIN: u64 = 4;

choice! {
    /// How to search for a path to the goal.
    pub enum Algorithm {
        /// The fewest moves, with a proof if one is found.
        Shortest = "shortest",
        /// Best-first search by the score `left_weighted`, as published.
        LeftWeighted = "left-weighted",
        /// Best-first search by the score `distance_weighted`, as published.
        DistanceWeighted = "distance-weighted",
    }
}

pub(super) const GOAL: OptionKey<u64> = Values::power_of_two(GOAL_MIN..=1 << 63).option(
    "goal",
    "2048",
    "a board is won when some tile is at least this",
);

pub(super) const ALGORITHM: OptionKey<Algorithm> = OptionKey::choice(
    "algorithm",
    "shortest: the fewest moves, proved where possible; the others: best-first search by that score, as \
     published",
);

/// The solver's own options.
pub(super) const OPTIONS: &[OptionSpec] = &[GOAL.spec, ALGORITHM.spec];

/// How the boards of a file are solved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings {
    /// The goal is 2^`goal_rank`.
    pub(super) goal_rank: u8,
    pub(super) algorithm: Algorithm,
    /// Whether the outcome includes the swipes, for machines or for a picture.
    pub(super) witness: bool,
}

impl Settings {
    /// Reads the values in `options`.
    pub(super) fn new(options: &Options) -> Self {
        Self {
            goal_rank: options.get(GOAL).trailing_zeros() as u8,
            algorithm: options.get(ALGORITHM),
            witness: options.get(WITNESS) || options.get(PICTURE),
        }
    }
}
