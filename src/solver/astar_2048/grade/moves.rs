//! The moves that the boards of an answer were made by.

use super::shape::{Shape, board_at, count};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::board::swipe::swiped;
use crate::solver::Answer;

/// The moves that lead from `start` through the boards of an answer, as far as they follow from one another. `None` where the
/// answer has no boards, or begins with another one.
pub fn moves(start: &SlidingBoard, answer: &Answer) -> Option<Vec<Direction>> {
    let is_list = matches!(Shape::of(answer.first(), answer.line(1)), Shape::Size(_));
    let mut at = usize::from(!is_list && count(answer.first()).is_some());
    let mut board = board_at(answer, at).filter(|board| board == start)?;
    let mut moves = Vec::new();
    loop {
        at += 1 + start.size();
        let Some(next) = board_at(answer, at) else { return Some(moves) };
        let leads =
            |&direction: &Direction| swiped(&board, direction).is_some_and(|(swiped, _)| swiped == next);
        let Some(direction) = Direction::ALL.into_iter().find(leads) else { return Some(moves) };
        moves.push(direction);
        board = next;
    }
}
