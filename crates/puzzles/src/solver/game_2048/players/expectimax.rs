//! Expectimax on boards of any size: the move after which the board is best on average over the new pieces to come
//! (Michie, Game-Playing and Game-Learning Automata, 1966). The 4 × 4 board has its own player ([`super::fast`]).
//!
//! A search of depth d examines d moves of the player with all new pieces between them, and values the board after the
//! last move; a board without moves is worth 0. Nothing is cut off and nothing is cached, so the choice is a function
//! of board, depth and percentage.
//!
//! The terms of a board's value and their weights were published with nneonneo/2048-ai (2014), which found them by an
//! evolutionary search. Powers are whole numbers or their square roots, which every machine rounds alike, so a game is
//! the same everywhere.

use super::super::game_rules::slide;
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::{Pace, Stop};

/// The value of a line for being alive; a lost position is worth 0 in all.
const ALIVE: f64 = 200_000.0;
const PER_EMPTY: f64 = 270.0;
const PER_MERGEABLE: f64 = 700.0;
/// Per unit of rank⁴ against the better of the two orders.
const PER_DISORDER: f64 = 47.0;
/// Per unit of rank^3.5.
const PER_PIECE: f64 = 11.0;

/// Squares examined per move at depth `auto`: boards at the last ply times the squares of each.
const SQUARES_PER_MOVE: u64 = 320_000;

/// Returns the best move, or `None` if there is no move. `fours` is the probability that a new piece is a 4.
pub fn best_move(
    board: &SlidingBoard,
    depth: u32,
    fours: f64,
    pace: &mut Pace<'_>,
) -> Result<Option<Direction>, Stop> {
    let mut best: Option<(f64, Direction)> = None;
    for direction in Direction::ALL {
        if let Some(moved) = slide(board, direction, pace)? {
            let value = value_after_move(&moved.board, depth.saturating_sub(1), fours, pace)?;
            if best.is_none_or(|(best_value, _)| value > best_value) {
                best = Some((value, direction));
            }
        }
    }
    Ok(best.map(|(_, direction)| direction))
}

/// Returns the depth at which a position with this many `squares` and `empties` costs about as much as others.
pub fn auto_depth(squares: usize, empties: u64, fours: f64) -> u32 {
    let values = if fours > 0.0 { 2 } else { 1 };
    let replies = empties.max(1).saturating_mul(4 * values);
    let mut boards = 4_u64;
    let mut depth = 1;
    while depth < 4 {
        boards = boards.saturating_mul(replies);
        if boards.saturating_mul(squares as u64) > SQUARES_PER_MOVE {
            break;
        }
        depth += 1;
    }
    depth
}

/// Returns the value of a board on which a new piece is due, looking `depth` more moves ahead.
fn value_after_move(after: &SlidingBoard, depth: u32, fours: f64, pace: &mut Pace<'_>) -> Result<f64, Stop> {
    if depth == 0 {
        return value(after, pace);
    }
    let (mut sum, mut empties) = (0.0, 0_u32);
    let mut board = after.clone();
    for square in 0..after.ranks().len() {
        if after.ranks()[square] > 0 {
            continue;
        }
        empties += 1;
        for (rank, probability) in [(1, 1.0 - fours), (2, fours)] {
            if probability > 0.0 {
                board.ranks_mut()[square] = rank;
                sum += probability * value_before_move(&board, depth, fours, pace)?;
            }
        }
        board.ranks_mut()[square] = 0;
    }
    // A move always leaves an empty square: a full board only changes by merging.
    Ok(sum / f64::from(empties.max(1)))
}

/// Returns the value of a board on which the player is to move, looking `depth` (at least 1) moves ahead.
fn value_before_move(board: &SlidingBoard, depth: u32, fours: f64, pace: &mut Pace<'_>) -> Result<f64, Stop> {
    let mut best: Option<f64> = None;
    for direction in Direction::ALL {
        if let Some(moved) = slide(board, direction, pace)? {
            let value = value_after_move(&moved.board, depth - 1, fours, pace)?;
            best = Some(best.map_or(value, |best| best.max(value)));
        }
    }
    Ok(best.unwrap_or(0.0))
}

/// Returns how good the board is: the sum of [`line_value`] over its rows, then its columns.
fn value(board: &SlidingBoard, pace: &mut Pace<'_>) -> Result<f64, Stop> {
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

/// Returns the value of a line of ranks, which is the same from either end.
fn line_value(line: impl Iterator<Item = u8>) -> f32 {
    let (mut empty, mut mergeable, mut pieces) = (0_u32, 0_u32, 0.0);
    let (mut falling, mut rising) = (0.0, 0.0);
    let mut neighbour = None;
    // The last piece, and whether it counts as mergeable; empty squares do not separate two pieces.
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
    use super::*;
    use crate::solver::Budget;

    #[test]
    fn the_move_that_survives_is_chosen() {
        let budget = Budget::unlimited();
        let pace = &mut Pace::new(&budget);
        // Only one pair can merge, sideways; a lost board has no move at all.
        let board = SlidingBoard::new(2, vec![1, 1, 2, 3]);
        assert_eq!(best_move(&board, 3, 0.05, pace), Ok(Some(Direction::Left)));
        let lost = SlidingBoard::new(2, vec![1, 2, 2, 1]);
        assert_eq!(best_move(&lost, 3, 0.05, pace), Ok(None));
    }

    #[test]
    fn fewer_empty_squares_are_looked_at_more_deeply() {
        let depths = [14, 9, 3, 1].map(|empties| auto_depth(16, empties, 0.05));
        assert!(depths.is_sorted() && depths[0] < depths[3], "{depths:?}");
        assert_eq!(auto_depth(1_000_000, 500_000, 0.05), 1);
    }

    fn of_line(line: [u8; 4]) -> f32 {
        line_value(line.into_iter())
    }

    #[test]
    fn order_room_and_merges_are_good() {
        assert!(of_line([4, 3, 2, 1]) > of_line([4, 1, 3, 2]));
        assert!(of_line([4, 0, 0, 0]) > of_line([4, 1, 0, 0]));
        assert!(of_line([5, 5, 4, 0]) > of_line([5, 4, 5, 0]));
    }

    #[test]
    fn both_ends_are_alike() {
        assert!((of_line([1, 0, 3, 3]) - of_line([3, 3, 0, 1])).abs() < 1.0);
    }
}
