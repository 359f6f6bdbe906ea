//! The options of `checkers-capture`, and the published limits.

use crate::solver::{Limits, OptionKey, OptionSpec, choice};

/// The published limits of rows and of columns.
pub(super) const SIDE_MIN: u64 = 3;
pub(super) const SIDE_MAX: u64 = 20;
/// The published limit of rows times columns.
pub(super) const AREA_MAX: u64 = 200;

choice! {
    /// Which algorithm solves a board.
    pub(super) enum Algorithm {
        /// Finds the longest trail by dynamic programming.
        Exact = "exact",
        /// The published program that tries every move.
        Backtracking = "backtracking",
        /// The published program that keeps boards in a tree.
        Tree = "tree",
    }
}

choice! {
    /// What the reader does after an invalid board.
    pub(super) enum OnInvalid {
        Continue = "continue",
        /// Reads no further, like the published programs.
        Stop = "stop",
    }
}

pub(super) const ALGORITHM: OptionKey<Algorithm> = OptionKey::choice(
    "algorithm",
    "exact: longest trail by dynamic programming; backtracking, tree: the two published programs",
);

pub(super) const LIMITS: OptionKey<Limits> = OptionKey::choice(
    "limits",
    "published: 3 to 20 rows and columns, at most 200 squares, at most a quarter of them with pieces of \
     one player; none: any board",
)
.lower_only();

pub(super) const ON_INVALID: OptionKey<OnInvalid> = OptionKey::choice(
    "on_invalid",
    "after an invalid board, continue with the next one, or stop as the published programs do",
);

/// The solver's own options.
pub(super) const OPTIONS: &[OptionSpec] = &[ALGORITHM.spec, LIMITS.spec, ON_INVALID.spec];
