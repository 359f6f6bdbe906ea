//! The plain search, for boards on which little can be captured: all ways of all pieces are gone.
//!
//! It counts its steps and gives up after some microseconds, so that it can do without a budget: the general algorithm
//! then takes its place.
//!
//! Proofs: docs/proofs/checkers.md, section 11.2.

use super::half_grid::{bits, half_grids};
use crate::solver::checkers_capture::capture::Best;
use crate::solver::checkers_capture::half_grids::HalfGrids;

/// Steps, of some 5 ns, before the general algorithm is better.
const STEPS_MAX: u32 = 256;

/// The longest capture on `board`, with its path if `witness`; `None` if it is too hard for this search.
#[must_use]
pub fn solve(board: &HalfGrids, witness: bool) -> Option<Best> {
    let mut best = Best::default();
    // Two squares behind each other leave no room for a jump.
    if board.rows() < 3 || board.columns() < 3 {
        return Some(best);
    }
    let mut steps = STEPS_MAX;
    let mut longest_from = None;
    for (index, half_grid) in half_grids(board).into_iter().enumerate() {
        for start in bits(half_grid.starts()) {
            let jumps = half_grid.jumps(start);
            let captures = jumps.longest(start, &mut steps);
            if u64::from(captures) > best.captures {
                best.captures = u64::from(captures);
                longest_from = Some((index, jumps, start, captures));
            }
        }
    }
    if steps == 0 {
        return None;
    }
    if witness && let Some((index, jumps, start, captures)) = longest_from {
        let path = jumps.longest_path(start, captures);
        best.path = path.into_iter().map(|bit| board.square(index, bit)).collect();
    }
    Some(best)
}

#[cfg(test)]
#[path = "solve_tests.rs"]
mod tests;
