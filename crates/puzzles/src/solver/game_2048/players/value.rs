//! How good a board is for the player, by its rows and columns: empty squares and mergeable neighbours are good, many
//! small pieces and pieces out of order are bad.
//!
//! The terms and their weights are those published with nneonneo/2048-ai (2014), found there by an
//! evolutionary search. Powers are whole numbers or square roots of them, which every machine rounds
//! alike, so that a game is the same everywhere.

use crate::board::sliding::SlidingBoard;
use crate::solver::{Pace, Stop};

/// What a line has for being alive; a lost position counts 0 in all.
const ALIVE: f64 = 200_000.0;
const PER_EMPTY: f64 = 270.0;
const PER_MERGEABLE: f64 = 700.0;
/// For every step of rank⁴ against the better of the two orders.
const PER_DISORDER: f64 = 47.0;
/// For every rank^3.5.
const PER_PIECE: f64 = 11.0;

/// How good the board is: the sum of [`line_value`] over its rows, then its columns.
///
/// # Errors
/// The limit that was hit.
pub fn value(board: &SlidingBoard, pace: &mut Pace<'_>) -> Result<f64, Stop> {
    let size = board.size();
    let mut value = 0.0;
    for row in board.ranks().chunks_exact(size) {
        pace.count(size)?;
        value += f64::from(line_value(row.iter().copied()));
    }
    for column in 0..size {
        pace.count(size)?;
        value += f64::from(line_value(board.ranks()[column..].iter().step_by(size).copied()));
    }
    Ok(value)
}

/// The value of a line of ranks; the same read from either end.
fn line_value(line: impl Iterator<Item = u8>) -> f32 {
    let (mut empty, mut mergeable, mut pieces) = (0_u32, 0_u32, 0.0);
    let (mut falling, mut rising) = (0.0, 0.0);
    let mut neighbour = None;
    // The last piece and whether it is counted as mergeable; empty squares do not part two pieces.
    let mut last_piece = (0, false);
    for rank in line {
        if rank == 0 {
            empty += 1;
        } else {
            let merges = last_piece.0 == rank;
            mergeable += u32::from(merges) + u32::from(merges && !last_piece.1);
            last_piece = (rank, merges);
        }
        pieces += f64::from(rank).powi(7).sqrt();
        let weight = f64::from(rank).powi(4);
        if let Some(before) = neighbour {
            let step: f64 = weight - before;
            if step < 0.0 { falling -= step } else { rising += step }
        }
        neighbour = Some(weight);
    }
    let disorder = falling.min(rising);
    let value = ALIVE + PER_EMPTY * f64::from(empty) + PER_MERGEABLE * f64::from(mergeable)
        - PER_DISORDER * disorder
        - PER_PIECE * pieces;
    value as f32
}

#[cfg(test)]
mod tests {
    use super::line_value;

    fn value(line: [u8; 4]) -> f32 {
        line_value(line.into_iter())
    }

    #[test]
    fn order_room_and_merges_are_good() {
        assert!(value([4, 3, 2, 1]) > value([4, 1, 3, 2]));
        assert!(value([4, 0, 0, 0]) > value([4, 1, 0, 0]));
        assert!(value([5, 5, 4, 0]) > value([5, 4, 5, 0]));
    }

    #[test]
    fn both_ends_are_alike() {
        assert!((value([1, 0, 3, 3]) - value([3, 3, 0, 1])).abs() < 1.0);
    }
}
