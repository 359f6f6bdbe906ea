//! One step of the searches: the positions that the four slides of a position give.
//!
//! Searches know a position by its key, the same for all images that count as one.

use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::Stop;

/// Axes along which a slide is of no use: bit 0 along the lanes of a position, bit 1 across.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Axes(pub u8);

impl Axes {
    /// Returns the axis with that index, 0 or 1.
    pub fn one(index: usize) -> Self {
        Self(1 << index)
    }

    /// Returns whether the axis with that index is among them.
    pub fn has(self, index: usize) -> bool {
        self.0 >> index & 1 != 0
    }
}

/// Makes positions from positions, and asks the budget once in a while; keeps its working memory between calls.
///
/// An error is the limit of the budget that was hit.
pub trait Expand {
    /// Takes the first position as the parent of those that [`slide`](Self::slide) makes.
    fn begin(&mut self) -> Result<(), Stop>;

    /// Takes the position with that key as the parent, slides along `spent` being of no use.
    fn set_parent(&mut self, key: &[u8], spent: Axes) -> Result<(), Stop>;

    /// Takes the position made last as the parent, until [`ascend`](Self::ascend) takes its own parent again.
    fn descend(&mut self) -> Result<(), Stop>;

    /// Takes the parent before the last [`descend`](Self::descend); the position made last is what it then was.
    fn ascend(&mut self);

    /// One for another thread, which makes positions of the same board; `None` if the memory that this one takes grows.
    fn another(&self) -> Option<Self>
    where
        Self: Sized;

    /// Slides the parent: a lower bound on the slides that the position made still needs, and 0 only when it
    /// needs none. `None` when the slide is of no use. Directions are those of some image of the parent.
    fn slide(&mut self, direction: Direction) -> Result<Option<u32>, Stop>;

    /// Returns the key of the position made last, and along which axes to slide it is of no use.
    fn child_key(&mut self) -> Result<(&[u8], Axes), Stop>;

    /// Returns how promising the position made last seems, whose bound is known: the lower, the more.
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
