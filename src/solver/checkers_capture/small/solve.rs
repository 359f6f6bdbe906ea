//! Which search a small board gets.
//!
//! Boards on which little can be captured are searched as they are. The others are searched by bounds ([`bounded`]),
//! and so are those whose path is wanted. Both count their steps and give up after some ten microseconds, so that they
//! can do without a budget: the general algorithm then takes their place.
//!
//! Proofs: docs/proofs/checkers.md, section 11.2.

use super::bounded;
use super::half_grid::{HalfGrid, bits, half_grids};
use crate::solver::checkers_capture::capture::Best;
use crate::solver::checkers_capture::half_grids::HalfGrids;

/// Steps of the plain search, of some 5 ns, before bounds are worth their while.
const PLAIN_STEPS_MAX: u32 = 256;

/// The longest capture on `board`, with its path if `witness`; `None` if it is too hard for this search.
#[must_use]
pub fn solve(board: &HalfGrids, witness: bool) -> Option<Best> {
    let half_grids = half_grids(board);
    if !witness && let Some(captures) = plain(&half_grids) {
        return Some(Best { captures: u64::from(captures), path: Vec::new() });
    }
    bounded::longest(&half_grids).map(|longest| longest.into_best(board, witness))
}

/// The most captures by plain search; `None` if that takes too long.
fn plain(half_grids: &[HalfGrid; 2]) -> Option<u32> {
    let (mut best, mut steps) = (0, PLAIN_STEPS_MAX);
    for half_grid in half_grids {
        for start in bits(half_grid.starts()) {
            best = best.max(half_grid.jumps(start).longest(start, &mut steps));
        }
    }
    (steps > 0).then_some(best)
}

#[cfg(test)]
#[path = "solve_tests.rs"]
mod tests;
