//! The two scores of the assignment.

use super::rules::value_of;
use crate::board::sliding::SlidingBoard;

/// Σ value × ((n − 1 − column) + row): how far the tiles are from the upper right corner.
///
/// The source prints 146 for its example, an error of addition: its own terms add up to 150.
#[must_use]
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

/// The left column downwards × 2, 5, 9, 14, …, and a little for what can merge into it.
///
/// Row r's tile of the left column counts (r + 2)(r + 3)/2 − 1 times. A tile t of the second column counts
/// once when t or 2t stands on its left. The bottom row's tile in column n − 2 counts −1 times.
#[must_use]
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
