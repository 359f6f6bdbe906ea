//! The way back from a goal: which positions led there, and which slides made them.
//!
//! Searches keep for every position only the number of the one before. As positions stand for all their
//! symmetric images, no direction could be kept with them; the slides are found forwards on the true board,
//! each time the first direction that leads to the next position. Any direction that does will do, since
//! images of one position need the same number of slides.

use super::states::StateSet;
use crate::board::sliding::{Direction, SlidingBoard};

/// The parent of a first position.
pub(super) const NO_PARENT: u32 = u32::MAX;

/// The slides that lead from `board` to `last`, whose ancestors `parent` gives. `key` says by which bytes the
/// search knows a position. `None` only if the ancestors do not follow from each other.
pub(super) fn slides(
    board: &SlidingBoard,
    states: &StateSet<'_>,
    last: u32,
    parent: impl Fn(u32) -> u32,
    key: impl Fn(&SlidingBoard, &mut Vec<u8>),
) -> Option<Vec<Direction>> {
    let mut numbers = Vec::new();
    let mut number = last;
    while parent(number) != NO_PARENT {
        numbers.push(number);
        number = parent(number);
    }
    let mut board = board.clone();
    let mut found = Vec::new();
    let mut slides = Vec::new();
    for number in numbers.into_iter().rev() {
        let (direction, next) = Direction::ALL.into_iter().find_map(|direction| {
            let mut next = board.clone();
            next.slide(direction);
            key(&next, &mut found);
            (found == states.key(number)).then_some((direction, next))
        })?;
        slides.push(direction);
        board = next;
    }
    Some(slides)
}
