//! The way back from a goal: which slides lead through given positions.
//!
//! As positions stand for all their symmetric images, searches keep no directions with them; the slides are
//! found forwards on the true board, each time the first direction that leads to the next position. Any
//! direction that does will do, since images of one position need the same number of slides.

use crate::board::sliding::{Direction, SlidingBoard};

/// The slides that lead from `board` through the positions with these `keys`. `key_behind` says by which
/// bytes the search knows a board that a slide led to. `None` only if the positions do not follow from each
/// other.
pub(super) fn slides<'k>(
    board: &SlidingBoard,
    keys: impl Iterator<Item = &'k [u8]>,
    mut key_behind: impl FnMut(&SlidingBoard, Direction, &mut Vec<u8>),
) -> Option<Vec<Direction>> {
    let mut board = board.clone();
    let mut found = Vec::new();
    let mut slides = Vec::new();
    for key in keys {
        let (direction, next) = Direction::ALL.into_iter().find_map(|direction| {
            let mut next = board.clone();
            next.slide(direction);
            key_behind(&next, direction, &mut found);
            (found == key).then_some((direction, next))
        })?;
        slides.push(direction);
        board = next;
    }
    Some(slides)
}
