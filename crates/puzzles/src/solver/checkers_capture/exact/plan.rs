//! The order in which the edges of a kernel are decided.
//!
//! Between two decisions only the *frontier* matters: the vertices with decided and undecided edges. The literature
//! calls its width the *vertex separation* of the order (Kinnersley 1992). The work grows exponentially with the width,
//! so many orders are tried, and the plan takes the one whose frontiers have the smallest total cost. Each order is
//! greedy: it starts at some vertex and always goes on with the vertex that adds the fewest neighbours to the frontier.
//!
//! The *bits* of a state hold, for every place of the frontier, whether the vertex there has an odd number of used
//! edges. The topmost bit says whether the trail's end is settled. A trail has two ends, the root and one more. So a
//! vertex other than the root is even when it leaves the frontier, unless the trail ends there.
//!
//! Proofs: docs/proofs/checkers.md, sections 6.1 and 12.

use std::cmp::Reverse;

use super::edge_sets::Gain;
use super::kernel::Kernel;
use crate::solver::{Charge, Pace, Stop};

/// The widest frontier: its parities and a flag share 128 bits.
pub const WIDTH_MAX: usize = 126;
/// The most vertices from which greedy orders start, and the least distance between their numbers.
const SEEDS_MAX: usize = 24;
const STRIDE_MIN: usize = 5;
/// Bytes per vertex while a plan is made: its place in two orders, and working data.
const VERTEX_BYTES: usize = 7 * size_of::<usize>();

/// The order of the edges, and the places of the vertices on the frontier.
#[derive(Debug)]
pub struct Plan<'b> {
    /// The decisions, in order.
    pub steps: Vec<Step>,
    /// The largest number of vertices on the frontier.
    pub width: usize,
    /// The index of the step with which the root leaves the frontier.
    pub root_leaves: usize,
    _charge: Charge<'b>,
}

/// The decision on one edge.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    pub edge: usize,
    /// The ends of the edge.
    pub vertices: [usize; 2],
    /// The places of the ends on the frontier.
    pub slots: [usize; 2],
    /// Whether this is the first decided edge of each end.
    pub enters: [bool; 2],
    /// Whether this is the last decided edge of each end.
    pub leaves: [bool; 2],
}

impl<'b> Plan<'b> {
    /// Makes a plan for `kernel`; `place` gives the row and column of each vertex. Returns `None` if the frontier of
    /// every order that was tried reaches `width_max` vertices. `width_max` is at most [`WIDTH_MAX`].
    pub fn new(
        kernel: &Kernel<'_>,
        width_max: usize,
        place: impl Fn(usize) -> (usize, usize),
        pace: &mut Pace<'b>,
    ) -> Result<Option<Self>, Stop> {
        let count = kernel.vertices.len();
        // Memory for two orders, and for making a plan of the best one.
        let _working = Charge::new((count * VERTEX_BYTES) as u64, pace.budget())?;
        let charge = Charge::new((kernel.edges.len() * size_of::<Step>()) as u64, pace.budget())?;
        let stride = count.div_ceil(SEEDS_MAX).max(STRIDE_MIN);
        let mut best: Option<(u128, Vec<usize>)> = None;
        for seed in (0..count).step_by(stride) {
            for rank in RANKS {
                let cost = best.as_ref().map_or(u128::MAX, |(cost, _)| *cost);
                let limits = OrderLimits { cost, width: width_max };
                best = greedy_order(kernel, seed, |vertex| rank(place(vertex)), limits, pace)?.or(best);
            }
        }
        Ok(best.map(|(_, order)| Self::in_order(kernel, &order, charge)))
    }

    /// Makes the plan that takes the vertices of `order` in turn, and decides each one's edges to later vertices.
    fn in_order(kernel: &Kernel<'_>, order: &[usize], charge: Charge<'b>) -> Self {
        let mut position = vec![0; order.len()];
        for (at, &vertex) in order.iter().enumerate() {
            position[vertex] = at;
        }
        let degrees: Vec<usize> = (0..order.len()).map(|vertex| kernel.links.of(vertex).count()).collect();
        let mut undecided = degrees.clone();
        let mut slot_of = vec![0; order.len()];
        // Free places, the smallest on top, so that the places in use are few and low.
        let mut free = std::collections::BinaryHeap::new();
        let mut width = 0;
        let mut steps = Vec::with_capacity(kernel.edges.len());
        let mut root_leaves = 0;
        for &vertex in order {
            let to_later =
                |edge: &usize| kernel.edges[*edge].ends.iter().all(|&end| position[end] >= position[vertex]);
            for edge in kernel.links.of(vertex).filter(to_later) {
                let vertices = kernel.edges[edge].ends;
                let enters = vertices.map(|end| undecided[end] == degrees[end]);
                for end in (0..2).filter(|&end| enters[end]) {
                    let slot = free.pop().map_or(width, |Reverse(slot)| slot);
                    width = width.max(slot + 1);
                    slot_of[vertices[end]] = slot;
                }
                let slots = vertices.map(|end| slot_of[end]);
                let leaves = vertices.map(|end| {
                    undecided[end] -= 1;
                    undecided[end] == 0
                });
                for end in (0..2).filter(|&end| leaves[end]) {
                    free.push(Reverse(slots[end]));
                    if kernel.root == vertices[end] {
                        root_leaves = steps.len();
                    }
                }
                steps.push(Step { edge, vertices, slots, enters, leaves });
            }
        }
        Self { steps, width, root_leaves, _charge: charge }
    }
}

/// Makes the two integers that rank a vertex from its row and column.
type Rank = fn((usize, usize)) -> (usize, usize);

const RANKS: [Rank; 3] =
    [|(row, column)| (row, column), |(row, column)| (column, row), |(row, column)| (row + column, row)];

/// The limits that an order must stay below.
#[derive(Clone, Copy)]
struct OrderLimits {
    cost: u128,
    width: usize,
}

/// Returns the order that begins with `seed` and always goes on with the vertex of the frontier that adds the fewest
/// others to it, with its cost. `rank` breaks ties. Returns `None` if the order reaches a limit.
fn greedy_order<K: Ord>(
    kernel: &Kernel<'_>,
    seed: usize,
    rank: impl Fn(usize) -> K,
    limits: OrderLimits,
    pace: &mut Pace<'_>,
) -> Result<Option<(u128, Vec<usize>)>, Stop> {
    let mut is_ahead = vec![true; kernel.vertices.len()];
    is_ahead[seed] = false;
    let mut frontier = vec![seed];
    let (mut order, mut cost) = (Vec::with_capacity(kernel.vertices.len()), 0);
    while !frontier.is_empty() {
        pace.count(4 * frontier.len())?;
        let news = |vertex: usize| kernel.neighbours(vertex).filter(|&next| is_ahead[next]).count();
        let key = |&(_, &vertex): &(usize, &usize)| (news(vertex), rank(vertex), vertex);
        let Some((at, &vertex)) = frontier.iter().enumerate().min_by_key(key) else { break };
        frontier.swap_remove(at);
        order.push(vertex);
        for next in kernel.neighbours(vertex) {
            if std::mem::take(&mut is_ahead[next]) {
                frontier.push(next);
            }
        }
        cost += 1_u128.checked_shl(frontier.len() as u32).unwrap_or(u128::MAX) >> 1;
        // While the edges of a vertex are being decided, that vertex is on the frontier as well.
        if cost >= limits.cost || frontier.len() >= limits.width {
            return Ok(None);
        }
    }
    Ok(Some((cost, order)))
}

/// The bit of a state that says that the trail's end is settled.
pub const ENDED: u128 = 1 << 127;

/// What a trail does with an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// The trail does not touch the edge.
    Skip,
    /// The trail passes the edge.
    Whole,
    /// The trail enters the edge from its first end, and ends inside.
    EndFromFirst,
    /// The trail enters the edge from its second end, and ends inside.
    EndFromSecond,
}

impl Use {
    /// All uses, in the order in which the search tries them.
    pub const ALL: [Self; 4] = [Self::Whole, Self::Skip, Self::EndFromFirst, Self::EndFromSecond];

    /// Returns, for each end of the edge, whether this use touches it.
    pub fn touches(self) -> [bool; 2] {
        match self {
            Self::Skip => [false, false],
            Self::Whole => [true, true],
            Self::EndFromFirst => [true, false],
            Self::EndFromSecond => [false, true],
        }
    }
}

/// Returns the bits after the use of an edge, before its ends leave the frontier, and the gain of the use. Returns
/// `None` if a state with these bits does not permit this use.
#[inline]
pub fn use_edge(kernel: &Kernel<'_>, step: &Step, bits: u128, how: Use) -> Option<(u128, Gain)> {
    let edge = &kernel.edges[step.edge];
    let [first, second] = step.slots.map(|slot| 1_u128 << slot);
    let end =
        |mask: u128, gain: Gain| (gain.edges > 0 && bits & ENDED == 0).then_some((bits ^ mask | ENDED, gain));
    match how {
        Use::Skip => Some((bits, Gain::default())),
        Use::Whole => Some((bits ^ first ^ second, edge.whole)),
        Use::EndFromFirst => end(first, edge.end_from[0]),
        Use::EndFromSecond => end(second, edge.end_from[1]),
    }
}

/// Returns the bits after a vertex, whose edges are all decided, has left the frontier, and the gain there besides its
/// loops. Returns `None` if the vertex would be a second end.
#[inline]
pub fn leave(kernel: &Kernel<'_>, vertex: usize, slot: usize, bits: u128) -> Option<(u128, Gain)> {
    let odd = bits & 1 << slot != 0;
    let bits = bits & !(1 << slot);
    // The root, where the trail begins, must be odd; other vertices must be even. Otherwise the trail ends here.
    if odd == (vertex == kernel.root) {
        return Some((bits, Gain::default()));
    }
    (bits & ENDED == 0).then_some((bits | ENDED, kernel.vertices[vertex].end))
}
