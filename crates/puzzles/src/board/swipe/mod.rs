//! The board of the deterministic 2048: after every swipe a 2 appears in the right column.
//!
//! A swipe slides and merges as in [`SlidingBoard`]; rank r stands for the value 2^r. Then a 2 appears in the uppermost
//! blank square of the right column. A swipe is invalid if it changes nothing or leaves no blank in the right column.

mod board;

use std::fmt;

use super::Rows;
use super::sliding::{Direction, SlidingBoard};

pub use board::{Board, BoardError, OutsideBoard};

/// Largest rank of a tile: 2^63 is the largest power of two in 64 bits.
pub const RANK_MAX: u8 = 63;

/// Returns the board after a swipe and the largest rank that the swipe made. `None` if the swipe is invalid. A swipe
/// that makes 2^64, which no value can hold, counts as invalid.
pub fn swiped(board: &SlidingBoard, direction: Direction) -> Option<(SlidingBoard, u8)> {
    let (mut slid, mut largest_made) = (board.clone(), 0);
    let slide = slid.slide_with(direction, |rank| largest_made = largest_made.max(rank));
    (slide.changed && largest_made <= RANK_MAX && refill(&mut slid)).then_some((slid, largest_made))
}

/// Puts a 2 into the uppermost blank square of the right column. Returns false if there is none.
pub fn refill(squares: &mut SlidingBoard) -> bool {
    let size = squares.size();
    let blank = squares.ranks_mut().chunks_exact_mut(size.max(1)).find(|row| row.last() == Some(&0));
    let Some(square) = blank.and_then(<[u8]>::last_mut) else { return false };
    *square = 1;
    true
}

/// Returns the rank of a value: 0 for 0, r for 2^r. `None` for 1 and for any value that is not a power of two.
pub fn rank_of(value: u64) -> Option<u8> {
    match value {
        0 => Some(0),
        1 => None,
        value => value.is_power_of_two().then(|| value.trailing_zeros() as u8),
    }
}

/// Returns the value of a rank of at most [`RANK_MAX`].
pub fn value_of(rank: u8) -> u64 {
    if rank == 0 { 0 } else { 1 << rank }
}

/// Displays the rows of a board's values, each line with its line feed. Its ranks are at most [`RANK_MAX`].
pub fn rows(board: &SlidingBoard) -> impl fmt::Display + '_ {
    Rows(board.size(), board.ranks().iter().map(|&rank| value_of(rank)))
}

/// Returns Σ value × ((n − 1 − column) + row), which measures how far the tiles are from the upper right corner.
///
/// The source prints 146 for its example. That is an addition error: its own terms add up to 150.
pub fn distance_weighted(board: &SlidingBoard) -> u128 {
    let size = board.size();
    let squares = board.ranks().iter().enumerate().filter(|(_, rank)| **rank > 0);
    squares
        .map(|(square, &rank)| {
            let distance = (size - 1 - square % size) + square / size;
            u128::from(value_of(rank)) * distance as u128
        })
        .sum()
}

/// Returns the left column weighted downwards by 2, 5, 9, 14, …, with a bonus for tiles that can merge into it.
///
/// The tile in row r of the left column counts (r + 2)(r + 3)/2 − 1 times. A tile t of the second column counts once if
/// t or 2t stands to its left. The tile of the bottom row in column n − 2 counts −1 times.
pub fn left_weighted(board: &SlidingBoard) -> i128 {
    let size = board.size();
    if size < 2 {
        return 0;
    }
    let value = |rank: u8| i128::from(value_of(rank));
    let mut score = 0;
    for (row, squares) in board.ranks().chunks_exact(size).enumerate() {
        let (left, second) = (squares[0], squares[1]);
        let weight = (row as i128 + 2) * (row as i128 + 3) / 2 - 1;
        score += value(left) * weight;
        if second > 0 && (second == left || second + 1 == left) {
            score += value(second);
        }
    }
    score - value(board.ranks()[size * size - 2])
}

#[cfg(test)]
mod tests;
