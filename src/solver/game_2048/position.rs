//! What the players ask of a board of any size: what a move makes of it, and how good it is.

use super::meter::Meter;
use super::value::line_value;
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::Stop;

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

/// How good the board is: the sum of [`line_value`] over its rows, then its columns.
///
/// # Errors
/// The limit that was hit.
pub fn value(board: &SlidingBoard, meter: &mut Meter<'_>) -> Result<f64, Stop> {
    let size = board.size();
    let mut value = 0.0;
    for row in board.ranks().chunks_exact(size) {
        meter.spend(size)?;
        value += f64::from(line_value(row.iter().copied()));
    }
    for column in 0..size {
        meter.spend(size)?;
        value += f64::from(line_value(board.ranks()[column..].iter().step_by(size).copied()));
    }
    Ok(value)
}
