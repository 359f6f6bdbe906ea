//! Positions made from positions, lane words all the way: see [`crate::board::lane`] and [`super::position`].
//!
//! The bound is that of [`super::bound`] with its counts in one word, eight bits a rank, so that a round of
//! merging is a handful of instructions.
//!
//! Some slides are known to be of no use before they are made. When nothing is left to merge along a lane,
//! and the slides to both of its ends left the same tiles in the same order, then either slide along the
//! lanes now only leads to what the other one gave at once, or changes nothing. A position keeps that with
//! its key, as the axes that are *spent*; no shortest way from the first position slides along one. (The bound
//! need not know: a slide that merges nothing leaves no less to do than one that merges something.)

use super::bound;
use super::expand::{Axes, Expand};
use super::grid::Grid;
use super::position::{Lanes, pack_canonical};
use crate::board::lane::{self, Lane};
use crate::board::sliding::{Direction, SlidingBoard};

/// Bits of the number of tiles of a rank.
const COUNT_BITS: u32 = 8;
/// The most tiles of one rank.
const COUNT_MAX: usize = 255;

/// Tiles of each rank, [`COUNT_BITS`] a rank.
type Counts = u128;

/// What the counts change by when two tiles of each rank become one of the next.
const MERGED: [Counts; 16] = {
    let mut merged = [0; 16];
    let mut rank = 0;
    while rank < 15 {
        merged[rank] = ((1 << COUNT_BITS) - 2) << (COUNT_BITS * rank as u32);
        rank += 1;
    }
    merged
};

/// What a slide along one axis gives, towards either end.
struct Axis<L> {
    /// The lanes, read from the wall of the slide.
    ends: [Lanes<L>; 2],
    /// Tiles of each rank behind it.
    counts: Counts,
    /// It merges something.
    merges: bool,
    /// Slides that are needed behind it at least.
    rounds: u32,
    /// Behind it, a slide along the same axis is of no use.
    spent: bool,
    state: State,
}

/// Whether a slide is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Made,
    /// The slides left are not enough behind it; its lanes are not there.
    Beyond,
    /// It is of no use; nothing else is there.
    Useless,
}

/// A parent and its slides.
struct Frame<L> {
    /// Along the lanes, and across.
    lanes: [Lanes<L>; 2],
    axes: [Axis<L>; 2],
    /// The tiles lie at the wall from which the lanes are read.
    at_wall: bool,
    /// Which slide of the parent before made it.
    made_by: (usize, usize),
}

/// Makes positions of lanes of the kind `L`.
pub(super) struct Packed<L> {
    goal: Counts,
    first: [Lanes<L>; 2],
    first_counts: Counts,
    /// The parents on the way to the current one, and frames to be used again.
    frames: Vec<Frame<L>>,
    /// The number of the current one.
    depth: usize,
    /// The position made last: the axis of the slide, and the end.
    child: (usize, usize),
    key: Vec<u8>,
}

impl<L: Lane> Default for Axis<L> {
    fn default() -> Self {
        Self {
            ends: [Lanes::default(), Lanes::default()],
            counts: 0,
            merges: false,
            rounds: 0,
            spent: false,
            state: State::Useless,
        }
    }
}

impl<L: Lane> Default for Frame<L> {
    fn default() -> Self {
        Self { lanes: Default::default(), axes: Default::default(), at_wall: false, made_by: (0, 0) }
    }
}

impl<L: Lane> Frame<L> {
    /// Prepares the slides behind which fewer than `slides_left` slides may do.
    fn prepare(&mut self, counts: Counts, goal: Counts, spent: Axes, slides_left: u32) {
        for (index, (axis, lanes)) in self.axes.iter_mut().zip(&self.lanes).enumerate() {
            if spent.has(index) {
                axis.state = State::Useless;
                continue;
            }
            axis.counts = counts;
            for lane in lanes.as_slice() {
                lane.for_each_merge(|rank| axis.counts += MERGED[usize::from(rank)]);
            }
            axis.merges = axis.counts != counts;
            axis.rounds = rounds(axis.counts, goal);
            if axis.rounds >= slides_left {
                axis.state = State::Beyond;
                continue;
            }
            axis.state = State::Made;
            let [near, far] = &mut axis.ends;
            near.set_to(lanes, L::merged);
            far.set_to(lanes, |lane| lane.reversed().merged());
            axis.spent = !near.as_slice().iter().any(|lane| lane.has_merges())
                && (!axis.merges
                    || near
                        .as_slice()
                        .iter()
                        .zip(far.as_slice())
                        .all(|(one, other)| one.reversed() == *other));
        }
    }
}

impl<L: Lane> Packed<L> {
    /// For the positions that `board` leads to, whose last tile has `rank_max`; `None` when they do not fit.
    pub(super) fn new(board: &SlidingBoard, rank_max: u8) -> Option<Self> {
        let tiles = board.ranks().iter().filter(|&&rank| rank != 0).count();
        let grid = Grid::compact(board);
        let (rows, columns) = grid.sides();
        if rank_max > lane::RANK_MAX || tiles > COUNT_MAX || rows.max(columns) > L::TILES_MAX {
            return None;
        }
        let mut packed = Self::empty(rank_max);
        for (lanes, direction) in packed.first.iter_mut().zip([Direction::Left, Direction::Up]) {
            read_lanes(board, direction, lanes);
        }
        packed.first_counts = grid.ranks().iter().filter(|&&rank| rank != 0).map(|&rank| one(rank)).sum();
        Some(packed)
    }

    /// For the positions of a board whose first position does not fit, if not all do.
    pub(super) fn empty(rank_max: u8) -> Self {
        Self {
            goal: one(rank_max),
            first: [Lanes::default(), Lanes::default()],
            first_counts: 0,
            frames: vec![Frame::default()],
            depth: 0,
            child: (0, 0),
            key: Vec::new(),
        }
    }

    /// [`set_parent`](Expand::set_parent) if the position fits; whether it does.
    #[inline]
    pub(super) fn set_parent_if_it_fits(&mut self, key: &[u8], spent: Axes, slides_left: u32) -> bool {
        self.depth = 0;
        let frame = &mut self.frames[0];
        let [along, across] = &mut frame.lanes;
        let mut counts = 0;
        if !along.unpack(key, |rank| counts += one(rank)) {
            return false;
        }
        across.set_across(along);
        frame.at_wall = true;
        frame.prepare(counts, self.goal, spent, slides_left);
        true
    }
}

impl<L: Lane> Expand for Packed<L> {
    fn begin(&mut self, slides_left: u32) {
        self.depth = 0;
        let frame = &mut self.frames[0];
        frame.lanes = self.first;
        frame.at_wall = false;
        frame.prepare(self.first_counts, self.goal, Axes::default(), slides_left);
    }

    fn set_parent(&mut self, key: &[u8], spent: Axes, slides_left: u32) {
        let fits = self.set_parent_if_it_fits(key, spent, slides_left);
        debug_assert!(fits, "no position is larger than the first");
    }

    fn descend(&mut self, slides_left: u32) {
        self.depth += 1;
        if self.depth == self.frames.len() {
            self.frames.push(Frame::default());
        }
        let (above, below) = self.frames.split_at_mut(self.depth);
        let (axis, end) = self.child;
        let axis = &above[self.depth - 1].axes[axis];
        let frame = &mut below[0];
        frame.made_by = self.child;
        let [along, across] = &mut frame.lanes;
        along.set_to(&axis.ends[end], |lane| lane);
        across.set_across(along);
        frame.at_wall = true;
        let spent = if axis.spent { Axes::one(0) } else { Axes::default() };
        frame.prepare(axis.counts, self.goal, spent, slides_left);
    }

    fn ascend(&mut self) {
        self.child = self.frames[self.depth].made_by;
        self.depth -= 1;
    }

    fn slide(&mut self, direction: Direction) -> Option<u32> {
        let (axis, end) = match direction {
            Direction::Left => (0, 0),
            Direction::Right => (0, 1),
            Direction::Up => (1, 0),
            Direction::Down => (1, 1),
        };
        let frame = &self.frames[self.depth];
        let still = frame.at_wall && direction == Direction::Left;
        self.child = (axis, end);
        let axis = &frame.axes[axis];
        if axis.state == State::Useless || still && !axis.merges {
            return None;
        }
        if axis.rounds == 0 || axis.state == State::Beyond {
            return Some(axis.rounds);
        }
        let lanes = axis.ends[end].as_slice();
        let (mut across, mut above) = (axis.counts, L::default());
        for lane in lanes {
            lane.for_each_merge_across(&mut above, |rank| across += MERGED[usize::from(rank)]);
        }
        let mut behind = rounds(across, self.goal);
        // Along a spent axis nothing merges, which leaves more to do.
        if !axis.spent {
            let mut along = axis.counts;
            for lane in lanes {
                lane.for_each_merge(|rank| along += MERGED[usize::from(rank)]);
            }
            behind = behind.min(rounds(along, self.goal));
        }
        Some(1 + behind)
    }

    fn child_key(&mut self) -> (&[u8], Axes) {
        let (axis, end) = self.child;
        let axis = &self.frames[self.depth].axes[axis];
        let image = pack_canonical(&axis.ends[end], &mut self.key);
        (&self.key, if axis.spent { Axes::one(usize::from(image.across)) } else { Axes::default() })
    }

    fn child_size(&self) -> (usize, usize) {
        let lanes = self.frames[self.depth].axes[self.child.0].ends[self.child.1].as_slice();
        let longest = lanes.iter().map(|lane| lane.tiles()).max().unwrap_or(0);
        (lanes.iter().map(|lane| lane.tiles()).sum(), lanes.len() * longest)
    }

    fn work(&self) -> usize {
        let [along, across] = &self.frames[self.depth].lanes;
        4 * along.as_slice().len() * across.as_slice().len()
    }

    fn key_behind(&mut self, board: &SlidingBoard, direction: Direction, key: &mut Vec<u8>) {
        let mut lanes = Lanes::<L>::default();
        read_lanes(board, direction, &mut lanes);
        pack_canonical(&lanes, key);
    }
}

/// Makes `lanes` those of a slide of `board` in `direction`, read from the wall, gaps left out.
fn read_lanes<L: Lane>(board: &SlidingBoard, direction: Direction, lanes: &mut Lanes<L>) {
    let size = board.size();
    lanes.clear();
    for index in 0..size {
        let mut lane = L::default();
        let mut tiles = 0;
        for at in 0..size {
            let rank = board.ranks()[match direction {
                Direction::Left => index * size + at,
                Direction::Right => index * size + size - 1 - at,
                Direction::Up => at * size + index,
                Direction::Down => (size - 1 - at) * size + index,
            }];
            if rank != 0 {
                lane = lane.with(tiles, rank);
                tiles += 1;
            }
        }
        lanes.push(lane);
    }
}

/// Rounds of merging until one tile is left: as [`bound::rounds`].
#[inline]
fn rounds(mut counts: Counts, goal: Counts) -> u32 {
    const LOWEST: Counts = Counts::MAX / 255;
    let mut rounds = 0;
    while counts != goal {
        let pairs = counts >> 1 & (LOWEST * 127);
        if pairs == 0 {
            return bound::NEVER;
        }
        counts = (counts & LOWEST) + (pairs << COUNT_BITS);
        rounds += 1;
    }
    rounds
}

fn one(rank: u8) -> Counts {
    1 << (COUNT_BITS * u32::from(rank))
}

#[cfg(test)]
#[path = "packed_tests.rs"]
mod tests;
