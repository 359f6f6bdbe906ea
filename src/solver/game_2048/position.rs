//! What the automatic players ask of a board, and the board of any size that answers it.
//!
//! [`super::fast::Packed`] answers the same for most 4 × 4 boards, many times faster.

use super::meter::Meter;
use super::value::line_value;
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::Stop;

/// A board on which a player thinks.
pub trait Position: Sized {
    /// Squares on the board.
    fn squares(&self) -> usize;

    /// Whether a square, counted in row order, is empty.
    fn is_empty(&self, square: usize) -> bool;

    /// The board with a piece of that rank on an empty square.
    fn with_piece(&self, square: usize, rank: u8) -> Self;

    /// The board after a move; `None` when the move changes nothing.
    ///
    /// # Errors
    /// The limit that was hit.
    fn slid(&self, direction: Direction, meter: &mut Meter<'_>) -> Result<Option<Self>, Stop>;

    /// How good the board is: the sum of [`line_value`] over its rows, then its columns.
    ///
    /// # Errors
    /// The limit that was hit.
    fn value(&self, meter: &mut Meter<'_>) -> Result<f64, Stop>;
}

/// What a move makes of a board.
#[derive(Debug)]
pub struct Moved {
    /// The board after it, before a new piece appears.
    pub board: SlidingBoard,
    /// The sum of the pieces made by merging.
    pub points: u128,
    /// Pairs that merged.
    pub merges: u64,
}

/// Moves on a copy of `board`; `None` when nothing changes. Interruptible between two lanes.
///
/// # Errors
/// The limit that was hit.
pub fn slide(
    board: &SlidingBoard,
    direction: Direction,
    meter: &mut Meter<'_>,
) -> Result<Option<Moved>, Stop> {
    let mut moved = Moved { board: board.clone(), points: 0, merges: 0 };
    let mut changed = false;
    for lane in 0..board.size() {
        meter.spend(board.size())?;
        let points = &mut moved.points;
        let slide = moved.board.slide_lane(direction, lane, |rank| *points += 1_u128 << rank);
        changed |= slide.changed;
        moved.merges += u64::from(slide.merges);
    }
    Ok(changed.then_some(moved))
}

impl Position for SlidingBoard {
    fn squares(&self) -> usize {
        self.ranks().len()
    }

    fn is_empty(&self, square: usize) -> bool {
        self.ranks()[square] == 0
    }

    fn with_piece(&self, square: usize, rank: u8) -> Self {
        let mut board = self.clone();
        board.ranks_mut()[square] = rank;
        board
    }

    fn slid(&self, direction: Direction, meter: &mut Meter<'_>) -> Result<Option<Self>, Stop> {
        Ok(slide(self, direction, meter)?.map(|moved| moved.board))
    }

    fn value(&self, meter: &mut Meter<'_>) -> Result<f64, Stop> {
        let size = self.size();
        let mut value = 0.0;
        for row in self.ranks().chunks_exact(size) {
            meter.spend(size)?;
            value += f64::from(line_value(row.iter().copied()));
        }
        for column in 0..size {
            meter.spend(size)?;
            value += f64::from(line_value(self.ranks()[column..].iter().step_by(size).copied()));
        }
        Ok(value)
    }
}
