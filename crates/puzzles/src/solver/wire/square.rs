//! Square boards: a rank a square, so that their number tells the side.

use super::error::WireError;
use crate::board::sliding::SlidingBoard;

/// Squares on a side, at least: no solver that has ranks takes smaller boards.
const SIDE_MIN: usize = 2;

/// The board of these ranks, row by row, of which none is above `rank_max`.
///
/// # Errors
/// When it is none.
pub(crate) fn board_of_ranks(ranks: &[u8], rank_max: u8) -> Result<SlidingBoard, WireError> {
    let side = ranks.len().isqrt();
    let is_board = side >= SIDE_MIN && side * side == ranks.len();
    WireError::unless(is_board, "a board that is not square, or too small")?;
    WireError::unless(ranks.iter().all(|&rank| rank <= rank_max), "a tile that is too large")?;
    Ok(SlidingBoard::new(side, ranks.to_vec()))
}
