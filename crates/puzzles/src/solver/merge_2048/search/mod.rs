//! The searches for the fewest slides: their common task, answer and helpers.

mod beam;
pub(super) mod comparison;
mod pass;
pub(super) mod shortest;
mod store;

use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::merge_2048::position::{Expand, slide};
use crate::solver::{Budget, Pace, Stop};

use store::{Address, Records};

/// Squares handled between two checks of the budget; some tens of microseconds of work.
pub(super) const SQUARES_PER_CHECK: usize = 20_000;

/// The task of a search.
pub(super) struct Task<'a> {
    /// The position. It has at least two tiles, and all together make one power of two.
    pub(super) board: &'a SlidingBoard,
    /// The rank of the tile that all tiles merge into.
    pub(super) rank_max: u8,
    pub(super) moves_max: u64,
    /// A lower bound from 1 to M that is already known.
    pub(super) at_least: u64,
    pub(super) slides: Slides,
    pub(super) budget: &'a Budget,
}

/// Whether the slides of a solution are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slides {
    Unwanted,
    /// Wanted for a picture, but not printed.
    IfLimitsAllow,
    /// Printed with the answer. As above, a limit that is hit while they are being found does not change the answer.
    Needed,
}

/// A solution: `count` slides suffice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Solution {
    pub(super) count: u64,
    /// The slides, if they are wanted and were found.
    pub(super) slides: Option<Vec<Direction>>,
}

/// The answer of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    Shortest(Solution),
    /// M slides are proved not to suffice.
    None,
    Stopped {
        stop: Stop,
        /// Fewer slides are proved not to suffice.
        at_least: u64,
        /// The best solution that was found.
        best: Option<Solution>,
    },
}

/// Returns the slides that lead from the board of `task` through the positions up to that at `last` (`None`: the first
/// one) and then through those with the keys of `tail`, the goal first. `None` only if the positions do not follow from
/// each other.
///
/// Positions stand for all their symmetric images, so searches store no directions with them. The slides are found
/// forwards on the true board; each is the first direction that leads to the next position. Any such direction will do,
/// since images of one position need the same number of slides.
fn solution_slides<E: Expand>(
    task: &Task<'_>,
    expander: &mut E,
    records: &Records<'_>,
    last: Option<Address>,
    tail: &[Vec<u8>],
) -> Result<Option<Vec<Direction>>, Stop> {
    let line = std::iter::successors(last, |&at| records.get(at).parent).map(|at| records.get(at).key);
    let keys: Vec<&[u8]> = tail.iter().map(Vec::as_slice).chain(line).collect();
    let mut pace = Pace::every(SQUARES_PER_CHECK, task.budget);
    let mut board = task.board.clone();
    let mut slides = Vec::new();
    for key in keys.into_iter().rev() {
        let mut next = None;
        for direction in Direction::ALL {
            if next.is_none() && expander.key_behind(&board, direction)? == key {
                next = Some(direction);
            }
        }
        let Some(direction) = next else { return Ok(None) };
        slide(&mut board, direction, &mut pace, |_| {})?;
        slides.push(direction);
    }
    Ok(Some(slides))
}
