//! What a move makes of a board.

use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::{Pace, Stop};

/// Squares looked at between two looks at the budget: some tens of microseconds.
pub const SQUARES_PER_LOOK: usize = 1 << 15;

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
pub fn slide(board: &SlidingBoard, direction: Direction, pace: &mut Pace<'_>) -> Result<Option<Moved>, Stop> {
    let mut moved = Moved { board: board.clone(), points: 0, merges: 0 };
    let mut changed = false;
    for lane in 0..board.size() {
        pace.count(board.size())?;
        let points = &mut moved.points;
        let slide = moved.board.slide_lane(direction, lane, |rank| *points += 1_u128 << rank);
        changed |= slide.changed;
        moved.merges += u64::from(slide.merges);
    }
    Ok(changed.then_some(moved))
}
