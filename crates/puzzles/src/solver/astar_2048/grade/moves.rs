//! The moves that the boards of an answer were made by.

use std::iter;

use super::shape::{Shape, board_at, count};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::board::swipe::swiped;
use crate::solver::Answer;
use crate::solver::grading::{TooMany, claimed};

/// The moves that lead from `start` through the boards of an answer, as far as they follow from one another. `None` where the
/// answer has no boards, or begins with another one.
///
/// # Errors
/// When they are more than are drawn.
pub fn moves(start: &SlidingBoard, answer: &Answer) -> Result<Option<Vec<Direction>>, TooMany> {
    let is_list = matches!(Shape::of(answer.first(), answer.line(1)), Shape::Size(_));
    let mut at = usize::from(!is_list && count(answer.first()).is_some());
    let Some(mut board) = board_at(answer, at).filter(|board| board == start) else { return Ok(None) };
    let next_move = || {
        at += 1 + start.size();
        let next = board_at(answer, at)?;
        let leads =
            |&direction: &Direction| swiped(&board, direction).is_some_and(|(swiped, _)| swiped == next);
        let direction = Direction::ALL.into_iter().find(leads)?;
        board = next;
        Some(direction)
    };
    claimed(iter::from_fn(next_move)).map(Some)
}
