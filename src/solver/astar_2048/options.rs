//! The options of `2048-astar`.

use crate::solver::{OptionKey, OptionSpec, choice};

choice! {
    /// How a path to the goal is searched for.
    pub enum Algorithm {
        /// The fewest moves, with a proof where one is found.
        Shortest = "shortest",
        /// Best-first search by the score `left_weighted`, as published.
        LeftWeighted = "left-weighted",
        /// Best-first search by the score `distance_weighted`, as published.
        DistanceWeighted = "distance-weighted",
    }
}

pub(super) const GOAL: OptionKey<u64> =
    OptionKey::power_of_two("goal", 4..=1 << 63, "2048", "a board is won when some tile is at least this");

pub(super) const ALGORITHM: OptionKey<Algorithm> = OptionKey::choice(
    "algorithm",
    "shortest: the fewest moves, proved where possible; the others: best-first search by that score, as \
     published",
);

/// The solver's own options.
pub(super) const OPTIONS: &[OptionSpec] = &[GOAL.spec, ALGORITHM.spec];
