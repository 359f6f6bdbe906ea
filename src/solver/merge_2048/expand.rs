//! One step of the searches that work on compact positions: the positions that the four slides give.

use super::bound::Bound;
use super::case::Task;
use super::grid::Grid;
use super::meter::Meter;
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::Stop;

/// Makes positions from positions; keeps its working memory between calls.
pub(super) struct Expander<'b> {
    rank_bits: u32,
    meter: Meter<'b>,
    bound: Bound,
    parent: Grid,
    child: Grid,
    key: Vec<u8>,
}

impl<'b> Expander<'b> {
    /// For the positions of one task.
    pub(super) fn new(task: &Task<'b>) -> Self {
        Self {
            rank_bits: rank_bits(task),
            meter: Meter::new(task.budget),
            bound: Bound::new(task.rank_max),
            parent: Grid::default(),
            child: Grid::default(),
            key: Vec::new(),
        }
    }

    /// The first position, as [`child_key`](Self::child_key) and the like then give it.
    pub(super) fn begin(&mut self, board: &SlidingBoard) {
        self.child = Grid::compact(board);
        self.child.pack(self.rank_bits, &mut self.key);
    }

    /// Takes the position with that key as the parent of those that [`slide`](Self::slide) makes.
    pub(super) fn set_parent(&mut self, key: &[u8]) {
        self.parent.unpack(self.rank_bits, key);
    }

    /// Slides the parent.
    ///
    /// # Errors
    /// The limit that was hit.
    pub(super) fn slide(&mut self, direction: Direction) -> Result<(), Stop> {
        self.meter.spend(4 * self.parent.area())?;
        self.child.set_to_slide_of(&self.parent, direction);
        self.child.pack(self.rank_bits, &mut self.key);
        Ok(())
    }

    /// The key of the position made last.
    pub(super) fn child_key(&self) -> &[u8] {
        &self.key
    }

    /// Squares of the position made last.
    pub(super) fn child_area(&self) -> usize {
        self.child.area()
    }

    /// Tiles of the position made last.
    pub(super) fn child_tiles(&self) -> usize {
        self.child.ranks().iter().filter(|&&rank| rank != 0).count()
    }

    /// The least number of slides that the position made last still needs, and 0 only when it needs none.
    pub(super) fn child_bound(&mut self) -> u32 {
        self.bound.of(&self.child)
    }
}

/// How the searches know a position of `task`, for [`super::path::slides`].
pub(super) fn board_key(task: &Task<'_>) -> impl Fn(&SlidingBoard, &mut Vec<u8>) + use<> {
    let rank_bits = rank_bits(task);
    move |board, key| Grid::compact(board).pack(rank_bits, key)
}

fn rank_bits(task: &Task<'_>) -> u32 {
    u8::BITS - task.rank_max.leading_zeros()
}
