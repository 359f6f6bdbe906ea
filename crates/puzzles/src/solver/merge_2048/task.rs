//! What a search is asked, and what it answers.

use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::{Budget, Stop};

/// Squares handled between two looks at the budget; some tens of microseconds of work.
pub(super) const SQUARES_PER_LOOK: usize = 20_000;

/// What a search is asked.
pub(super) struct Task<'a> {
    /// The position; it has two tiles at least, and all make one power of two.
    pub(super) board: &'a SlidingBoard,
    /// The rank of the last tile.
    pub(super) rank_max: u8,
    /// M.
    pub(super) moves_max: u64,
    /// A lower bound from 1 to M, known already.
    pub(super) at_least: u64,
    /// Whether the slides are wanted.
    pub(super) slides: Slides,
    /// What it may cost.
    pub(super) budget: &'a Budget,
}

/// Whether the slides of a solution are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slides {
    /// The number does.
    Unwanted,
    /// They are wanted for a picture, and not printed.
    IfLimitsAllow,
    /// They are printed with the answer. As in the case before, a limit that is hit while they are being found leaves the answer.
    Needed,
}

/// A solution: so many slides suffice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// How many.
    pub(super) count: u64,
    /// Which, if they are wanted and were found.
    pub(super) slides: Option<Vec<Direction>>,
}

/// What a search answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    /// A shortest solution.
    Shortest(Found),
    /// Proved: M slides do not suffice.
    None,
    /// A limit ended the search.
    Stopped {
        /// The limit.
        stop: Stop,
        /// Fewer slides are proved not to suffice.
        at_least: u64,
        /// The best solution that was found.
        best: Option<Found>,
    },
}
