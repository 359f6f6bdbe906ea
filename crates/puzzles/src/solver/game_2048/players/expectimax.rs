//! Expectimax on boards of any size: the move after which the board is best on average over the new pieces to
//! come (Michie, Game-Playing and Game-Learning Automata, 1966). The 4 × 4 board has a player of its own
//! ([`super::fast`]).
//!
//! A depth of d looks at d moves of the player with all new pieces between them, and values the board after
//! the last of them; a board without moves is worth 0. Nothing is cut off and nothing is remembered, so the
//! choice is a function of board, depth and percentage.

use super::super::rules::moved::slide;
use super::value::value;
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::{Pace, Stop};

/// Squares looked at for a move at depth `auto`: boards at the last ply times the squares of each.
const SQUARES_PER_MOVE: u64 = 320_000;

/// The best move; `None` when there is no move. `fours` is the probability of a 4 as a new piece.
///
/// # Errors
/// The limit that was hit.
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

/// The depth at which a position with so many `squares` and `empties` costs about the same as others.
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

/// The value of a board on which a new piece is due, looking `depth` more moves ahead.
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

/// The value of a board on which the player is to move, looking `depth` (at least 1) moves ahead.
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
}
