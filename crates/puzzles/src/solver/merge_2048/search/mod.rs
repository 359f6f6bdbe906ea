//! The searches for the fewest slides, and what they share.

mod batch;
mod beam;
pub(super) mod comparison;
mod pass;
pub(super) mod shortest;
mod store;

use crate::board::sliding::{Direction, Slide, SlidingBoard};
use crate::solver::merge_2048::position::Expand;
use crate::solver::merge_2048::task::{SQUARES_PER_LOOK, Task};
use crate::solver::{Pace, Stop};

use store::{Address, Records};

/// Returns the slides that lead from the board of `task` through the positions up to that at `last` (`None`: the first
/// one) and then through those with the keys of `tail`, the goal first. `None` only if the positions do not follow from
/// each other.
///
/// As positions stand for all their symmetric images, searches keep no directions with them. The slides are found
/// forwards on the true board, each time the first direction that leads to the next position. Any such direction will
/// do, since images of one position need the same number of slides.
///
/// # Errors
/// The limit that was hit.
fn solution_slides<E: Expand>(
    task: &Task<'_>,
    expander: &mut E,
    records: &Records<'_>,
    last: Option<Address>,
    tail: &[Vec<u8>],
) -> Result<Option<Vec<Direction>>, Stop> {
    let line = std::iter::successors(last, |&at| records.get(at).parent).map(|at| records.get(at).key);
    let keys: Vec<&[u8]> = tail.iter().map(Vec::as_slice).chain(line).collect();
    let mut pace = Pace::every(SQUARES_PER_LOOK, task.budget);
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
        slide(&mut board, direction, &mut pace)?;
        slides.push(direction);
    }
    Ok(Some(slides))
}

/// Slides a board, looking at the budget meanwhile.
///
/// # Errors
/// The limit that was hit, which leaves a part of the board unmoved.
fn slide(board: &mut SlidingBoard, direction: Direction, pace: &mut Pace<'_>) -> Result<Slide, Stop> {
    let mut slide = Slide::default();
    for lane in 0..board.size() {
        pace.count(board.size())?;
        let moved = board.slide_lane(direction, lane, |_| {});
        slide.changed |= moved.changed;
        slide.merges += moved.merges;
    }
    Ok(slide)
}
