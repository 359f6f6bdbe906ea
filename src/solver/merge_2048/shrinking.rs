//! Positions of boards that are too large for narrow lanes at first, and soon are not.
//!
//! Empty lanes are dropped and tiles merge, so the positions of a large board with few tiles fit 64-bit lanes
//! after a few slides, whose handling takes half the time. The keys of a position are the same with lanes of
//! either width, so each position is handled with the narrowest that it fits.

use super::expand::{Axes, Expand};
use super::packed::Packed;
use crate::board::sliding::{Direction, SlidingBoard};

/// Makes positions with lanes of two widths.
pub(super) struct Shrinking {
    wide: Packed<u128>,
    narrow: Packed<u64>,
    /// Which of them holds the parent.
    is_narrow: bool,
}

impl Shrinking {
    /// For the positions that `board` leads to, whose last tile has `rank_max`; `None` when they do not fit.
    pub(super) fn new(board: &SlidingBoard, rank_max: u8) -> Option<Self> {
        let wide = Packed::new(board, rank_max)?;
        Some(Self { wide, narrow: Packed::empty(rank_max), is_narrow: false })
    }
}

impl Expand for Shrinking {
    fn begin(&mut self, slides_left: u32) {
        self.is_narrow = false;
        self.wide.begin(slides_left);
    }

    fn set_parent(&mut self, key: &[u8], spent: Axes, slides_left: u32) {
        self.is_narrow = self.narrow.set_parent_if_it_fits(key, spent, slides_left);
        if !self.is_narrow {
            self.wide.set_parent(key, spent, slides_left);
        }
    }

    fn descend(&mut self, slides_left: u32) {
        if self.is_narrow { self.narrow.descend(slides_left) } else { self.wide.descend(slides_left) }
    }

    fn ascend(&mut self) {
        if self.is_narrow { self.narrow.ascend() } else { self.wide.ascend() }
    }

    fn slide(&mut self, direction: Direction) -> Option<u32> {
        if self.is_narrow { self.narrow.slide(direction) } else { self.wide.slide(direction) }
    }

    fn child_key(&mut self) -> (&[u8], Axes) {
        if self.is_narrow { self.narrow.child_key() } else { self.wide.child_key() }
    }

    fn child_size(&self) -> (usize, usize) {
        if self.is_narrow { self.narrow.child_size() } else { self.wide.child_size() }
    }

    fn work(&self) -> usize {
        if self.is_narrow { self.narrow.work() } else { self.wide.work() }
    }

    fn key_behind(&mut self, board: &SlidingBoard, direction: Direction, key: &mut Vec<u8>) {
        self.wide.key_behind(board, direction, key);
    }
}
