//! One step of the searches: the positions that the four slides of a position give.
//!
//! Searches know a position by its key, the same for all images that count as one. Two kinds make them:
//! [`super::packed`] with a machine word a lane, for boards and ranks that fit, and [`AnySize`] for all.

use super::bound::Bound;
use super::case::Task;
use super::grid::Grid;
use crate::board::sliding::{Direction, SlidingBoard};

/// Axes along which a slide is of no use: bit 0 along the lanes of a position, bit 1 across.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Axes(pub(super) u8);

impl Axes {
    /// The axis with that index, 0 or 1.
    pub(super) fn one(index: usize) -> Self {
        Self(1 << index)
    }

    /// Whether the axis with that index is among them.
    pub(super) fn has(self, index: usize) -> bool {
        self.0 >> index & 1 != 0
    }
}

/// Makes positions from positions; keeps its working memory between calls.
pub(super) trait Expand {
    /// Takes the first position as the parent of those that [`slide`](Self::slide) makes.
    fn begin(&mut self, slides_left: u32);

    /// Takes the position with that key as the parent, slides along `spent` being of no use. The parent must
    /// be solved with `slides_left` slides.
    fn set_parent(&mut self, key: &[u8], spent: Axes, slides_left: u32);

    /// Takes the position made last as the parent, until [`ascend`](Self::ascend) takes its own parent again.
    fn descend(&mut self, slides_left: u32);

    /// Takes the parent before the last [`descend`](Self::descend); the position made last is what it then was.
    fn ascend(&mut self);

    /// Slides the parent: a lower bound on the slides that the position made still needs, and 0 only when it
    /// needs none. When all the slides that are left are not enough, the position is not made. `None` when the
    /// slide is of no use. Directions are those of some image of the parent.
    fn slide(&mut self, direction: Direction) -> Option<u32>;

    /// The key of the position made last, and along which axes to slide it is of no use.
    fn child_key(&mut self) -> (&[u8], Axes);

    /// Tiles, and squares of the smallest rectangle around them, of the position made last.
    fn child_size(&self) -> (usize, usize);

    /// Squares to be handled for the children of the parent, about.
    fn work(&self) -> usize;

    /// Makes `key` that of `board`, to which a slide in `direction` led.
    fn key_behind(&mut self, board: &SlidingBoard, direction: Direction, key: &mut Vec<u8>);
}

/// Positions of any size, a byte a square.
pub(super) struct AnySize<'a> {
    first: &'a SlidingBoard,
    rank_bits: u32,
    bound: Bound,
    /// The parents on the way to the current one, the last.
    parents: Vec<Grid>,
    child: Grid,
    key: Vec<u8>,
}

impl<'a> AnySize<'a> {
    /// For the positions of one task.
    pub(super) fn new(task: &Task<'a>) -> Self {
        Self {
            first: task.board,
            rank_bits: u8::BITS - task.rank_max.leading_zeros(),
            bound: Bound::new(task.rank_max),
            parents: vec![Grid::default()],
            child: Grid::default(),
            key: Vec::new(),
        }
    }
}

impl Expand for AnySize<'_> {
    fn begin(&mut self, _slides_left: u32) {
        self.parents = vec![Grid::compact(self.first)];
    }

    fn set_parent(&mut self, key: &[u8], _spent: Axes, _slides_left: u32) {
        self.parents.truncate(1);
        self.parents[0].unpack(self.rank_bits, key);
    }

    fn descend(&mut self, _slides_left: u32) {
        self.parents.push(self.child.clone());
    }

    fn ascend(&mut self) {
        self.child = self.parents.pop().unwrap_or_default();
    }

    fn slide(&mut self, direction: Direction) -> Option<u32> {
        self.child.set_to_slide_of(&self.parents[self.parents.len() - 1], direction);
        Some(self.bound.of(&self.child))
    }

    fn child_key(&mut self) -> (&[u8], Axes) {
        self.child.pack(self.rank_bits, &mut self.key);
        (&self.key, Axes::default())
    }

    fn child_size(&self) -> (usize, usize) {
        (self.child.ranks().iter().filter(|&&rank| rank != 0).count(), self.child.area())
    }

    fn work(&self) -> usize {
        16 * self.parents[self.parents.len() - 1].area()
    }

    fn key_behind(&mut self, board: &SlidingBoard, _direction: Direction, key: &mut Vec<u8>) {
        Grid::compact(board).pack(self.rank_bits, key);
    }
}
