//! Positions of a search, reduced to what matters, and the slides that lead from one to the next.
//!
//! The effect of a slide depends on the order of the tiles in each lane and on the order of the lanes, never on the
//! number of empty squares between them. So empty rows and columns can be dropped: sliding and then dropping them gives
//! the same as dropping, sliding and dropping again. This joins many positions into one, and boards of any size with
//! few tiles become small. A slide adds no lanes, and fills at most as many as the longest lane has tiles, so a
//! position never grows again.
//!
//! A position has two forms. [`Lanes`](lanes::Lanes) are machine words and hold nearly every board; a whole board, with
//! its empty lanes, holds any.

mod estimates;
mod expand_boards;
mod expand_lanes;
mod lanes;

pub(super) use estimates::rounds;
pub(super) use expand_boards::{ExpandBoards, slide};
pub(super) use expand_lanes::ExpandLanes;

use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::Stop;

/// The axes along which a slide is useless: bit 0 is along the lanes of a position, bit 1 across them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Axes(pub u8);

impl Axes {
    /// Returns the set of the one axis `index`, 0 or 1.
    pub fn one(index: usize) -> Self {
        Self(1 << index)
    }

    /// Returns whether the set has the axis `index`.
    pub fn has(self, index: usize) -> bool {
        self.0 >> index & 1 != 0
    }
}

/// Makes positions from positions and checks the budget regularly. Keeps its working memory between calls.
///
/// An error is the limit of the budget that was hit.
pub(super) trait Expand {
    /// Makes the first position the parent of those that [`slide`](Self::slide) makes.
    fn begin(&mut self) -> Result<(), Stop>;

    /// Makes the position with this key the parent. Slides along `spent` are useless.
    fn set_parent(&mut self, key: &[u8], spent: Axes) -> Result<(), Stop>;

    /// Makes the position made last the parent, until [`ascend`](Self::ascend) restores the previous parent.
    fn descend(&mut self) -> Result<(), Stop>;

    /// Restores the parent before the last [`descend`](Self::descend), and the position made last at that time.
    fn ascend(&mut self);

    /// Slides the parent. Returns a lower bound on the slides that the new position needs, or `None` if the slide is
    /// useless. The bound is 0 only if the position needs no slide. Directions are those of some image of the parent.
    fn slide(&mut self, direction: Direction) -> Result<Option<u32>, Stop>;

    /// Returns the key of the position made last, and the axes along which sliding it is useless.
    fn child_key(&mut self) -> Result<(&[u8], Axes), Stop>;

    /// Returns how promising the position made last seems, given its `bound`; lower is better.
    fn child_score(&mut self, bound: u32) -> Result<i64, Stop>;

    /// Returns the key of the position to which a slide of `board` in `direction` leads.
    fn key_behind(&mut self, board: &SlidingBoard, direction: Direction) -> Result<Vec<u8>, Stop>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_axis_is_told_from_the_other() {
        for axis in 0..2 {
            assert_eq!([0, 1].map(|other| Axes::one(axis).has(other)), [axis == 0, axis == 1]);
            assert!(!Axes::default().has(axis));
        }
    }
}
