//! The order in which the edges of a kernel are decided.
//!
//! Between two decisions only the *frontier* matters: the vertices with decided and undecided edges. Its width
//! is what the literature calls the *vertex separation* of the order (Kinnersley 1992). The work grows exponentially
//! with it, so many orders are tried and the one is taken whose frontiers add up to the least. They are greedy ones
//! from many vertices, which always go on with the vertex that adds the fewest neighbours to the frontier.
//!
//! The *bits* of a state hold, for every place of the frontier, whether the vertex there has an odd number of used
//! edges, and in the topmost bit whether the trail's end is settled. A trail has two ends, the root and one more, so
//! a vertex that leaves the frontier is even, or odd because the end is there.
//!
//! Proofs: docs/proofs/checkers.md, sections 6.1 and 12.

use std::cmp::Reverse;

use super::edge_sets::Gain;
use super::kernel::Kernel;
use crate::solver::{Charge, Pace, Stop};

/// The widest frontier: its parities share 128 bits with a flag.
pub const WIDTH_MAX: usize = 126;
/// Vertices from which greedy orders are tried, and of how many one.
const SEEDS_MAX: usize = 24;
const STRIDE_MIN: usize = 5;
/// What a vertex takes while a plan is made: its place in two orders, and what is known of it.
const VERTEX_BYTES: usize = 7 * size_of::<usize>();

/// The order of the edges and the places of the vertices on the frontier.
#[derive(Debug)]
pub struct Plan<'b> {
    /// The decisions.
    pub steps: Vec<Step>,
    /// The most vertices on the frontier at a time.
    pub width: usize,
    /// The step with which the root leaves the frontier.
    pub root_leaves: usize,
    _charge: Charge<'b>,
}

/// The decision on one edge.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// The edge.
    pub edge: usize,
    /// Its ends.
    pub vertices: [usize; 2],
    /// The places of its ends on the frontier.
    pub slots: [usize; 2],
    /// Whether it is the first decision on each end.
    pub enters: [bool; 2],
    /// Whether it is the last.
    pub leaves: [bool; 2],
}

impl<'b> Plan<'b> {
    /// A plan for `kernel`, which has a root; `place` gives row and column of each of its vertices. `None`
    /// if the frontier of every order that was tried comes to `width_max` vertices, [`WIDTH_MAX`] at most.
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn new(
        kernel: &Kernel<'_>,
        width_max: usize,
        place: impl Fn(usize) -> (usize, usize),
        pace: &mut Pace<'b>,
    ) -> Result<Option<Self>, Stop> {
        let count = kernel.vertices.len();
        // Two orders, and what makes a plan of the best one.
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

    /// Every vertex of `order` in turn gets its edges to later ones decided.
    fn in_order(kernel: &Kernel<'_>, order: &[usize], charge: Charge<'b>) -> Self {
        let mut position = vec![0; order.len()];
        for (at, &vertex) in order.iter().enumerate() {
            position[vertex] = at;
        }
        let degrees: Vec<usize> = (0..order.len()).map(|vertex| kernel.links.of(vertex).count()).collect();
        let mut undecided = degrees.clone();
        let mut slot_of = vec![0; order.len()];
        // Free places, the smallest on top, so that those in use are few and low.
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
                    slot_of[vertices[end]] = free.pop().map_or_else(
                        || {
                            width += 1;
                            width - 1
                        },
                        |Reverse(slot)| slot,
                    );
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

/// Two integers by which vertices are ranked, made from row and column.
type Rank = fn((usize, usize)) -> (usize, usize);

const RANKS: [Rank; 3] =
    [|(row, column)| (row, column), |(row, column)| (column, row), |(row, column)| (row + column, row)];

/// What an order must stay below to be of use.
#[derive(Clone, Copy)]
struct OrderLimits {
    cost: u128,
    width: usize,
}

/// The order that begins with `seed` and always goes on with the vertex of the frontier that adds the fewest others to
/// it, with what it costs; `rank` decides between equal ones. `None` if it reaches a limit.
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
        // While a vertex has its edges decided, it is on the frontier too.
        if cost >= limits.cost || frontier.len() >= limits.width {
            return Ok(None);
        }
    }
    Ok(Some((cost, order)))
}

/// In the bits of a state: the trail's end is settled.
pub const ENDED: u128 = 1 << 127;

/// What a trail does with an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// It does not touch it.
    Skip,
    /// It passes it.
    Whole,
    /// It enters it from its first end, and ends inside.
    EndFromFirst,
    /// It enters it from its second end, and ends inside.
    EndFromSecond,
}

impl Use {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Whole, Self::Skip, Self::EndFromFirst, Self::EndFromSecond];

    /// Which ends of the edge are touched.
    pub fn touches(self) -> [bool; 2] {
        match self {
            Self::Skip => [false, false],
            Self::Whole => [true, true],
            Self::EndFromFirst => [true, false],
            Self::EndFromSecond => [false, true],
        }
    }
}

/// Returns the bits behind the use of an edge, before its ends leave the frontier, and what is gained by it; `None`
/// if a state with these bits cannot use it so.
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

/// Returns the bits without the place of a vertex whose edges are all decided, and what is gained there besides its
/// loops; `None` if it cannot be left so.
#[inline]
pub fn leave(kernel: &Kernel<'_>, vertex: usize, slot: usize, bits: u128) -> Option<(u128, Gain)> {
    let odd = bits & 1 << slot != 0;
    let bits = bits & !(1 << slot);
    // The trail begins at the root.
    if odd == (vertex == kernel.root) {
        return Some((bits, Gain::default()));
    }
    (bits & ENDED == 0).then_some((bits | ENDED, kernel.vertices[vertex].end))
}
