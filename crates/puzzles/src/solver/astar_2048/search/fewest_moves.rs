//! The fewest moves: beams of growing width until one meets the lower bound, then all boards.
//!
//! Only numbers of boards and memory limit the search, so the answer does not depend on the machine. A beam that drops
//! no board is itself a proof, so the first beams settle small spaces. If no beam finds a path, the last search
//! continues until a limit ends it. If a beam found one, only the proof is missing, and the number of boards for it is
//! bounded.

use super::super::answer::Answer;
use super::super::boards::Space;
use super::layers::{self, Limits};
use crate::board::sliding::Direction;
use crate::solver::{Budget, Stop};

/// Widths of the beams, one after the other.
const WIDTHS: [usize; 4] = [100, 1_000, 10_000, 100_000];
/// The most boards that a beam is expected to keep, all layers together. Wider beams are skipped, but never the first
/// one.
const BEAM_BOARDS_MAX: u64 = 1 << 25;
/// Boards, all layers together, after which the search stops trying to improve a path or to prove it minimal.
const PROOF_BOARDS_MAX: u64 = 1 << 25;

/// Searches for the fewest moves from a board that is not won and needs at least `at_least` moves.
pub fn solve<S: Space>(space: &S, start: &S::Board, at_least: u64, budget: &Budget) -> Answer {
    let mut search = Search { space, start, budget, path: None, at_least };
    for (index, width) in WIDTHS.into_iter().enumerate() {
        if index > 0 && search.at_least.saturating_mul(width as u64) > BEAM_BOARDS_MAX {
            break;
        }
        let settled = search.improve(width, u64::MAX);
        if settled != Ok(false) {
            return search.into_answer(settled.err());
        }
    }
    let boards_max = if search.path.is_some() { PROOF_BOARDS_MAX } else { u64::MAX };
    let all = search.improve(usize::MAX, boards_max);
    search.into_answer(all.err())
}

/// A search with the best path so far, and what is proved.
struct Search<'a, S: Space> {
    space: &'a S,
    start: &'a S::Board,
    budget: &'a Budget,
    path: Option<Vec<Direction>>,
    at_least: u64,
}

impl<S: Space> Search<'_, S> {
    fn moves(&self) -> Option<u64> {
        self.path.as_ref().map(|path| path.len() as u64)
    }

    /// Searches for a path with fewer moves, using a beam of this width. Returns whether the answer is settled: the
    /// path has the fewest moves, or there is none.
    fn improve(&mut self, width: usize, boards_max: u64) -> Result<bool, Stop> {
        let limits = Limits { at_least: self.at_least, width, below: self.moves(), boards_max };
        let report = layers::search(self.space, self.start, limits, self.budget);
        let Some(at_least) = report.at_least else {
            // No path is shorter than the known one: the bound is met, or there is no path.
            self.at_least = self.moves().unwrap_or(self.at_least);
            return Ok(true);
        };
        self.at_least = at_least;
        self.path = report.path.or(self.path.take());
        if self.moves() == Some(self.at_least) {
            return Ok(true);
        }
        report.stop.map_or(Ok(false), Err)
    }

    /// Returns the answer. If no limit ended the search and it found no path, there is none.
    fn into_answer(self, stop: Option<Stop>) -> Answer {
        let at_least = self.at_least;
        match (self.path, stop) {
            (Some(moves), _) => Answer::Path { moves, at_least },
            (None, Some(stop)) => Answer::Undecided { stop, at_least },
            (None, None) => Answer::Unsolvable,
        }
    }
}
