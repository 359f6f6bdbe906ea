//! Values of ranks, what a swipe does, and how a board is written.

use std::fmt;

use crate::board::sliding::{Direction, SlidingBoard};

/// Largest rank of a tile: 2^63 is the largest power of two in 64 bits.
pub const RANK_MAX: u8 = 63;

/// The board after a swipe, and the largest rank made by it; `None` when the swipe is invalid.
#[must_use]
pub fn swiped(board: &SlidingBoard, direction: Direction) -> Option<(SlidingBoard, u8)> {
    let (mut slid, mut largest_made) = (board.clone(), 0);
    let slide = slid.slide_with(direction, |rank| largest_made = largest_made.max(rank));
    (slide.changed && refill(&mut slid)).then_some((slid, largest_made))
}

/// Puts a 2 into the uppermost blank square of the right column; false when there is none.
pub fn refill(squares: &mut SlidingBoard) -> bool {
    let size = squares.size();
    let blank = squares.ranks_mut().chunks_exact_mut(size.max(1)).find(|row| row.last() == Some(&0));
    match blank.and_then(<[u8]>::last_mut) {
        Some(square) => {
            *square = 1;
            true
        }
        None => false,
    }
}

/// The rank of a value: 0 for 0, r for 2^r; `None` for 1 and whatever is no power of two.
#[must_use]
pub fn rank_of(value: u64) -> Option<u8> {
    match value {
        0 => Some(0),
        1 => None,
        value => value.is_power_of_two().then(|| value.trailing_zeros() as u8),
    }
}

/// The value of a rank of at most [`RANK_MAX`].
#[must_use]
pub fn value_of(rank: u8) -> u64 {
    if rank == 0 { 0 } else { 1 << rank }
}

/// Displays ranks of at most [`RANK_MAX`] as a board: the size and the rows of values, a line each, the last
/// one without its end.
#[derive(Debug, Clone, Copy)]
pub struct Values<'a>(pub &'a SlidingBoard);

impl fmt::Display for Values<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.size())?;
        for row in self.0.ranks().chunks_exact(self.0.size().max(1)) {
            let mut before = '\n';
            for &rank in row {
                write!(f, "{before}{}", value_of(rank))?;
                before = ' ';
            }
        }
        Ok(())
    }
}
