//! The options of the jump game.

use crate::board::jump::Board;
use crate::solver::{COMPARE_RULES, OptionKey, OptionSpec, Values, choice};

choice! {
    /// How a player gets from one square to another.
    pub(super) enum Movement {
        /// A jump of S is S unit steps in the four directions inside the board, back and forth allowed.
        Walk = "walk",
        /// A jump of S goes S squares in one of the four directions, inside the board.
        Straight = "straight",
    }
}

choice! {
    /// Which of two equal jumps goes first in the next round.
    pub(super) enum Tie {
        /// The jump of the player who was ahead in the round before.
        PreviousRound = "previous-round",
        /// The jump of the player who was listed first.
        FirstRound = "first-round",
    }
}

choice! {
    /// How to search for the winner.
    pub(super) enum Algorithm {
        /// Claims every square once, round by round.
        Fast = "fast",
        /// Tries every square in reach of every visited square.
        BreadthFirst = "breadth-first",
    }
}

pub(super) const MOVEMENT: OptionKey<Movement> = OptionKey::choice(
    "movement",
    "a jump of S is S unit steps, back and forth allowed; or S squares in one direction",
);

pub(super) const TIE: OptionKey<Tie> = OptionKey::choice(
    "tie",
    "after equal jumps who was ahead in the previous round stays ahead, or who was listed first goes first",
);

pub(super) const ALGORITHM: OptionKey<Algorithm> =
    OptionKey::choice("algorithm", "near-linear, or the published search put right, for comparison");

pub(super) const EARLY_STOP: OptionKey<bool> = Values::flag().option(
    "early_stop",
    "true",
    "breadth-first only: stop when the winner is known, or explore everything",
);

/// The solver's own options.
pub(super) const OPTIONS: &[OptionSpec] =
    &[MOVEMENT.spec, TIE.spec, ALGORITHM.spec, EARLY_STOP.spec, COMPARE_RULES.spec];

/// The rules of the course's own assignment.
pub(super) const COURSE_RULES: &[(&str, &str)] =
    &[(MOVEMENT.spec.name, "straight"), (TIE.spec.name, "first-round")];

impl Movement {
    /// Returns the greatest length that makes a difference. All longer walks end on every square of their parity, and
    /// all longer straight jumps end nowhere.
    pub(super) fn longest(self, board: &Board) -> u32 {
        match self {
            Self::Walk => board.rows() + board.columns() - 2,
            Self::Straight => board.rows().max(board.columns()) - 1,
        }
    }

    /// Returns the squares on which the jump from a square can end.
    pub(super) fn ends(self, board: &Board, from: u32) -> Vec<u32> {
        let (value, longest) = (board.value(from), self.longest(board));
        let length = u32::try_from(value).ok().filter(|&length| length <= longest);
        let length = length.unwrap_or_else(|| cut_down(value, longest));
        match self {
            Self::Walk => board.walks(from, length).collect(),
            Self::Straight => board.straight_jumps(from, length).collect(),
        }
    }

    /// Returns whether a jump of `length` leads from one square to another.
    pub(super) fn leads(self, board: &Board, length: u64, from: u32, to: u32) -> bool {
        match self {
            Self::Walk => board.can_walk(length, from, to),
            Self::Straight => board.can_jump_straight(length, from, to),
        }
    }

    /// Returns whether the jump from a square of the board leads to another.
    pub(super) fn reaches(self, board: &Board, from: u32, to: u32) -> bool {
        self.leads(board, board.value(from), from, to)
    }
}

/// Shortens the jump of a `value` above `longest` to the least such length of the same parity, which ends alike.
pub(super) fn cut_down(value: u64, longest: u32) -> u32 {
    longest + 1 + ((value ^ u64::from(longest + 1)) & 1) as u32
}
