//! Makes positions from positions, using lane words only: see [`crate::board::lane`] and [`super::lanes`].
//!
//! The bound is that of [`super::estimates`] with its counts in one word, eight bits per rank, so a round of merging
//! takes a handful of instructions.
//!
//! Some slides are known to be useless before they are made. Suppose that nothing is left to merge along the lanes, and
//! that the slides to both of their ends left the same tiles in the same order. Then a slide along the lanes either
//! changes nothing or leads to what the opposite slide gave at once. A position stores such axes with its key as
//! *spent*; no shortest path from the first position slides along one. (The bound need not know: a slide that merges
//! nothing leaves no less to do than one that merges something.) The proof is in docs/proofs/2048-merge.md, section 3.

use super::estimates::{self, Features};
use super::lanes::{Lanes, pack_canonical};
use super::{Axes, Expand};
use crate::board::lane::{self, Lane};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::merge_2048::search::SQUARES_PER_CHECK;
use crate::solver::{Budget, Pace, Stop};

/// Bits per count.
const COUNT_BITS: u32 = 8;
/// The most tiles of one rank that a count holds.
const COUNT_MAX: u32 = 255;

/// The number of tiles of each rank, [`COUNT_BITS`] per rank.
type Counts = u128;

/// The change of the counts when two tiles of each rank become one of the next.
const MERGED: [Counts; 16] = {
    let mut merged = [0; 16];
    let mut rank = 0;
    while rank < 15 {
        merged[rank] = ((1 << COUNT_BITS) - 2) << (COUNT_BITS * rank as u32);
        rank += 1;
    }
    merged
};

/// The slides along one axis, towards either end.
#[derive(Default)]
struct Axis<L> {
    /// The lanes after the slide to each end, read from its wall.
    ends: [Lanes<L>; 2],
    /// Whether the slide to each end is useless. If both are, no other field is set.
    useless: [bool; 2],
    /// The number of tiles of each rank after a slide.
    counts: Counts,
    /// A lower bound on the slides that are still needed after a slide.
    rounds: u32,
    /// Whether another slide along the same axis is useless.
    spent: bool,
}

/// A parent and its slides.
#[derive(Default)]
struct Frame<L> {
    /// The lanes along, and the lanes across.
    lanes: [Lanes<L>; 2],
    axes: [Axis<L>; 2],
    /// The axis and end of the slide that made this parent from the one before.
    made_by: (usize, usize),
}

/// Makes positions of lanes of the kind `L`.
pub struct ExpandLanes<'b, L> {
    goal: Counts,
    first: [Lanes<L>; 2],
    first_counts: Counts,
    /// The path of parents, then frames to be reused.
    frames: Vec<Frame<L>>,
    /// The index of the current parent.
    depth: usize,
    /// The axis and end of the slide that made the last position.
    child: (usize, usize),
    /// The lanes across those of a child.
    across: Lanes<L>,
    key: Vec<u8>,
    pace: Pace<'b>,
}

impl<L: Lane> Frame<L> {
    /// Prepares the slides. If the tiles lie `at_wall`, the slide to the wall from which the lanes are read changes
    /// nothing unless it merges.
    fn prepare(&mut self, counts: Counts, goal: Counts, spent: Axes, at_wall: bool) {
        for (index, (axis, lanes)) in self.axes.iter_mut().zip(&self.lanes).enumerate() {
            axis.useless = [spent.has(index); 2];
            if spent.has(index) {
                continue;
            }
            axis.counts = counts;
            for lane in lanes.as_slice() {
                lane.for_each_merge(|rank| axis.counts += MERGED[usize::from(rank)]);
            }
            let merges = axis.counts != counts;
            axis.useless[0] = index == 0 && at_wall && !merges;
            axis.rounds = rounds(axis.counts, goal);
            let [near, far] = &mut axis.ends;
            near.set_to(lanes, L::merged);
            far.set_to(lanes, |lane| lane.reversed().merged());
            let (near, far) = (near.as_slice(), far.as_slice());
            let same = || near.iter().zip(far).all(|(one, other)| one.reversed() == *other);
            axis.spent = !near.iter().any(|lane| lane.has_merges()) && (!merges || same());
        }
    }
}

impl<'b, L: Lane> ExpandLanes<'b, L> {
    /// Creates an expander for `board`, whose last tile has `rank_max`. `None` if its positions do not fit.
    pub fn new(board: &SlidingBoard, rank_max: u8, budget: &'b Budget) -> Option<Self> {
        if rank_max > lane::RANK_MAX || board.size() > L::TILES_MAX || made_at_most(board) > COUNT_MAX {
            return None;
        }
        let tiles = || board.ranks().iter().filter(|&&rank| rank != 0);
        Some(Self {
            goal: one(rank_max),
            first: [Direction::Left, Direction::Up].map(|direction| read_lanes(board, direction)),
            first_counts: tiles().map(|&rank| one(rank)).sum(),
            frames: vec![Frame::default()],
            depth: 0,
            child: (0, 0),
            across: Lanes::default(),
            key: Vec::new(),
            pace: Pace::every(SQUARES_PER_CHECK, budget),
        })
    }

    /// Prepares the slides of the parent, whose lanes are already set.
    #[inline]
    fn prepare(&mut self, counts: Counts, spent: Axes, at_wall: bool) -> Result<(), Stop> {
        let frame = &mut self.frames[self.depth];
        frame.prepare(counts, self.goal, spent, at_wall);
        let [along, across] = &frame.lanes;
        self.pace.count(4 * along.as_slice().len() * across.as_slice().len())
    }
}

impl<L: Lane> Expand for ExpandLanes<'_, L> {
    fn begin(&mut self) -> Result<(), Stop> {
        self.depth = 0;
        self.frames[0].lanes = self.first;
        self.prepare(self.first_counts, Axes::default(), false)
    }

    fn set_parent(&mut self, key: &[u8], spent: Axes) -> Result<(), Stop> {
        self.depth = 0;
        let [along, across] = &mut self.frames[0].lanes;
        let mut counts = 0;
        along.unpack(key, |rank| counts += one(rank));
        across.set_across(along);
        self.prepare(counts, spent, true)
    }

    fn descend(&mut self) -> Result<(), Stop> {
        self.depth += 1;
        if self.depth == self.frames.len() {
            self.frames.push(Frame::default());
        }
        let (above, below) = self.frames.split_at_mut(self.depth);
        let axis = &above[self.depth - 1].axes[self.child.0];
        below[0].made_by = self.child;
        let [along, across] = &mut below[0].lanes;
        *along = axis.ends[self.child.1];
        across.set_across(along);
        let spent = if axis.spent { Axes::one(0) } else { Axes::default() };
        let counts = axis.counts;
        self.prepare(counts, spent, true)
    }

    fn ascend(&mut self) {
        self.child = self.frames[self.depth].made_by;
        self.depth -= 1;
    }

    fn slide(&mut self, direction: Direction) -> Result<Option<u32>, Stop> {
        let (axis, end) = match direction {
            Direction::Left => (0, 0),
            Direction::Right => (0, 1),
            Direction::Up => (1, 0),
            Direction::Down => (1, 1),
        };
        self.child = (axis, end);
        let axis = &self.frames[self.depth].axes[axis];
        if axis.useless[end] {
            return Ok(None);
        }
        if axis.rounds == 0 {
            return Ok(Some(0));
        }
        let lanes = axis.ends[end].as_slice();
        let (mut across, mut above) = (axis.counts, L::default());
        for lane in lanes {
            lane.for_each_merge_across(&mut above, |rank| across += MERGED[usize::from(rank)]);
        }
        let mut behind = rounds(across, self.goal);
        // Along a spent axis nothing merges, which leaves no less to do.
        if !axis.spent {
            let mut along = axis.counts;
            for lane in lanes {
                lane.for_each_merge(|rank| along += MERGED[usize::from(rank)]);
            }
            behind = behind.min(rounds(along, self.goal));
        }
        Ok(Some(1 + behind))
    }

    fn child_key(&mut self) -> Result<(&[u8], Axes), Stop> {
        let (axis, end) = self.child;
        let axis = &self.frames[self.depth].axes[axis];
        let across = pack_canonical(&axis.ends[end], &mut self.key);
        Ok((&self.key, if axis.spent { Axes::one(usize::from(across)) } else { Axes::default() }))
    }

    fn child_score(&mut self, bound: u32) -> Result<i64, Stop> {
        let along = &self.frames[self.depth].axes[self.child.0].ends[self.child.1];
        self.across.set_across(along);
        let mut features = Features::default();
        for (axis, lanes) in [along, &self.across].into_iter().enumerate() {
            for &lane in lanes.as_slice() {
                features.add_line(axis, ranks(lane));
            }
        }
        Ok(features.score(bound, along.as_slice().len() * self.across.as_slice().len()))
    }

    fn key_behind(&mut self, board: &SlidingBoard, direction: Direction) -> Result<Vec<u8>, Stop> {
        let (mut lanes, mut key) = (Lanes::<L>::default(), Vec::new());
        lanes.set_to(&read_lanes(board, direction), L::merged);
        pack_canonical(&lanes, &mut key);
        Ok(key)
    }
}

/// Returns the lanes for a slide of `board` in `direction`, read from the wall, without gaps.
fn read_lanes<L: Lane>(board: &SlidingBoard, direction: Direction) -> Lanes<L> {
    let size = board.size();
    let mut lanes = Lanes::default();
    for index in 0..size {
        let mut lane = L::default();
        let mut tiles = 0;
        for rank in (0..size).map(board.lane(direction, index)).map(|square| board.ranks()[square]) {
            if rank != 0 {
                lane = lane.with(tiles, rank);
                tiles += 1;
            }
        }
        lanes.push(lane);
    }
    lanes
}

/// Returns the most tiles of one rank that can ever exist: those at the beginning, plus half of all that ever exist of
/// the rank below. No rank is above [`lane::RANK_MAX`].
fn made_at_most(board: &SlidingBoard) -> u32 {
    let mut counts = [0; lane::RANK_MAX as usize + 1];
    for &rank in board.ranks().iter().filter(|&&rank| rank != 0) {
        counts[usize::from(rank)] += 1;
    }
    let (mut ever, mut most) = (0, 0);
    for count in counts {
        ever = count + ever / 2;
        most = most.max(ever);
    }
    most
}

/// Returns the rounds of merging until one tile is left, like [`estimates::rounds`].
#[inline]
fn rounds(mut counts: Counts, goal: Counts) -> u32 {
    const LOWEST: Counts = Counts::MAX / 255;
    let mut rounds = 0;
    while counts != goal {
        let pairs = counts >> 1 & (LOWEST * 127);
        if pairs == 0 {
            return estimates::NEVER;
        }
        counts = (counts & LOWEST) + (pairs << COUNT_BITS);
        rounds += 1;
    }
    rounds
}

/// Returns the ranks of the tiles of a lane in their order.
#[inline]
fn ranks<L: Lane>(mut lane: L) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let (rank, behind) = lane.split_first();
        lane = behind;
        (rank != 0).then_some(rank)
    })
}

fn one(rank: u8) -> Counts {
    1 << (COUNT_BITS * u32::from(rank))
}

#[cfg(test)]
#[path = "expand_lanes_tests.rs"]
mod tests;
