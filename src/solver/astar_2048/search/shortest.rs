//! The fewest moves: beams of growing width until one meets the lower bound, then every board there is.
//!
//! The effort hangs on numbers of boards and on memory alone, so the answer does not depend on the machine.
//! A beam that never has to drop a board is itself a proof, so small spaces are settled by the first ones.
//! Where no beam finds a path, the last search goes on as long as the limits allow; where one did, it is the
//! proof alone that is missing, and the effort for that is bounded.

use super::super::answer::Answer;
use super::super::boards::space::Space;
use super::layers::{self, Limits};
use crate::board::sliding::Direction;
use crate::solver::{Budget, Stop};

/// Widths of the beams, one after the other.
const WIDTHS: [usize; 4] = [100, 1_000, 10_000, 100_000];
/// Boards that a beam may be expected to keep, all layers together; a wider beam is left out. The first
/// one never is.
const BEAM_BOARDS_MAX: u64 = 1 << 25;
/// Boards, all layers together, after which a path is no longer tried to be improved or proved minimal.
const PROOF_BOARDS_MAX: u64 = 1 << 25;

/// Searches for the fewest moves from a board that is not won and needs `at_least` moves.
pub(in super::super) fn solve<S: Space>(
    space: &S,
    start: &S::Board,
    at_least: u64,
    budget: &Budget,
) -> Answer {
    let mut known = Known { path: None, at_least };
    for (index, width) in WIDTHS.into_iter().enumerate() {
        if index > 0 && known.at_least.saturating_mul(width as u64) > BEAM_BOARDS_MAX {
            break;
        }
        match known.improve(space, start, width, budget) {
            Progress::Settled => return known.settled(),
            Progress::Stopped(Stop::MemoryLimit) => break,
            Progress::Stopped(stop) => return known.unproved(stop),
            Progress::Open => {}
        }
    }
    match known.improve(space, start, usize::MAX, budget) {
        Progress::Settled => known.settled(),
        Progress::Stopped(stop) => known.unproved(stop),
        // Only the search for the proof of a path ends like this, so no stop is reported.
        Progress::Open => known.unproved(Stop::MemoryLimit),
    }
}

/// The best path so far, and what is proved.
struct Known {
    path: Option<Vec<Direction>>,
    at_least: u64,
}

enum Progress {
    /// The path has the fewest moves, or there is none.
    Settled,
    /// A limit ended the search.
    Stopped(Stop),
    /// Neither.
    Open,
}

impl Known {
    fn moves(&self) -> Option<u64> {
        self.path.as_ref().map(|path| path.len() as u64)
    }

    /// Searches for a path with fewer moves, with a beam of this width.
    fn improve<S: Space>(&mut self, space: &S, start: &S::Board, width: usize, budget: &Budget) -> Progress {
        let exhaustive = width == usize::MAX;
        let boards_max = if exhaustive && self.path.is_some() { PROOF_BOARDS_MAX } else { u64::MAX };
        let limits = Limits { at_least: self.at_least, width, below: self.moves(), boards_max };
        let report = layers::search(space, start, limits, budget);
        let Some(at_least) = report.at_least else {
            // No path below that of before; the bound is met, or there is no path.
            self.at_least = self.moves().unwrap_or(self.at_least);
            return Progress::Settled;
        };
        self.at_least = self.at_least.max(at_least);
        self.path = report.path.or(self.path.take());
        match report.stop {
            _ if self.moves() == Some(self.at_least) => Progress::Settled,
            Some(stop) => Progress::Stopped(stop),
            None => Progress::Open,
        }
    }

    fn settled(self) -> Answer {
        match self.path {
            Some(moves) => Answer::Path { moves, at_least: self.at_least },
            None => Answer::Unsolvable,
        }
    }

    fn unproved(self, stop: Stop) -> Answer {
        match self.path {
            Some(moves) => Answer::Path { moves, at_least: self.at_least },
            None => Answer::Undecided { stop, at_least: self.at_least },
        }
    }
}
