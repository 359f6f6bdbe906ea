//! The order in which the edges of a kernel are decided.
//!
//! Between two decisions only the *frontier* matters: the vertices with decided and undecided edges. Its width
//! is what the literature calls the *vertex separation* of the order (Kinnersley 1992). The work grows exponentially
//! with it, so many orders are tried and the one is taken whose frontiers add up to the least. They are greedy ones
//! from many vertices, which always go on with the vertex that adds the fewest neighbours to the frontier.
//!
//! Proofs: docs/proofs/checkers.md, sections 6.1 and 12.

use std::cmp::Reverse;

use super::kernel::Kernel;
use crate::solver::{Charge, Pace, Stop};

/// The widest frontier: its parities share 64 bits with a flag.
pub const WIDTH_MAX: usize = 62;
/// Vertices from which greedy orders are tried, and of how many one.
const SEEDS_MAX: usize = 24;
const STRIDE_MIN: usize = 5;
/// What a vertex takes while a plan is made: its place, two orders, and what the plan knows of it.
const VERTEX_BYTES: usize = 9 * size_of::<usize>();

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
    /// where every order that was tried is wider than [`WIDTH_MAX`].
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn new(
        kernel: &Kernel<'_>,
        place: impl Fn(usize) -> (usize, usize),
        pace: &mut Pace<'b>,
    ) -> Result<Option<Self>, Stop> {
        let count = kernel.vertices.len();
        // Places, and orders in the making; then what makes a plan of the best one.
        let _working = Charge::new((count * VERTEX_BYTES) as u64, pace.budget())?;
        let charge = Charge::new((kernel.edges.len() * size_of::<Step>()) as u64, pace.budget())?;
        let places: Vec<_> = (0..count).map(place).collect();
        let mut orders = Orders { kernel, best: None, cost: u128::MAX };
        orders.try_greedy(&places, pace)?;
        let Some(order) = orders.best else { return Ok(None) };
        Ok(Some(Self::in_order(kernel, &order, charge)))
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

/// The best order so far.
struct Orders<'a> {
    kernel: &'a Kernel<'a>,
    best: Option<Vec<usize>>,
    cost: u128,
}

/// Where a vertex stands while an order is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    Ahead,
    Frontier,
    Behind,
}

/// Two integers by which vertices are ranked, made from row and column.
type Rank = fn((usize, usize)) -> (usize, usize);

const RANKS: [Rank; 3] =
    [|(row, column)| (row, column), |(row, column)| (column, row), |(row, column)| (row + column, row)];

impl Orders<'_> {
    fn try_greedy(&mut self, places: &[(usize, usize)], pace: &mut Pace<'_>) -> Result<(), Stop> {
        let stride = places.len().div_ceil(SEEDS_MAX).max(STRIDE_MIN);
        for seed in (0..places.len()).step_by(stride) {
            for rank in RANKS {
                self.try_greedy_from(seed, |vertex, _| rank(places[vertex]), pace)?;
            }
            self.try_greedy_from(seed, |_, born| (born, 0), pace)?;
        }
        Ok(())
    }

    /// Goes on with the vertex of the frontier that adds the fewest others to it; `rank` gets a vertex and
    /// when it came to the frontier, and decides between equal ones.
    fn try_greedy_from<K: Ord>(
        &mut self,
        seed: usize,
        rank: impl Fn(usize, usize) -> K,
        pace: &mut Pace<'_>,
    ) -> Result<(), Stop> {
        let mut growing = Growing::new(self.kernel);
        growing.put_on_frontier(seed);
        while !growing.frontier.is_empty() {
            pace.count(4 * growing.frontier.len())?;
            let key = |&(vertex, born): &(usize, usize)| (growing.news(vertex), rank(vertex, born), vertex);
            let best = growing.frontier.iter().min_by_key(|entry| key(entry));
            let Some(&(vertex, _)) = best else { break };
            growing.take(vertex);
            if !growing.fits(self.cost) {
                return Ok(());
            }
        }
        self.cost = growing.cost;
        self.best = Some(growing.order);
        Ok(())
    }
}

/// An order in the making.
struct Growing<'a> {
    kernel: &'a Kernel<'a>,
    stands: Vec<Stand>,
    /// The vertices on the frontier, and when they came there.
    frontier: Vec<(usize, usize)>,
    order: Vec<usize>,
    cost: u128,
}

impl<'a> Growing<'a> {
    fn new(kernel: &'a Kernel<'a>) -> Self {
        let stands = vec![Stand::Ahead; kernel.vertices.len()];
        Self { kernel, stands, frontier: Vec::new(), order: Vec::new(), cost: 0 }
    }

    /// How many vertices `vertex` would bring to the frontier.
    fn news(&self, vertex: usize) -> usize {
        self.kernel.neighbours(vertex).filter(|&next| self.stands[next] == Stand::Ahead).count()
    }

    fn put_on_frontier(&mut self, vertex: usize) {
        self.stands[vertex] = Stand::Frontier;
        self.frontier.push((vertex, self.order.len()));
    }

    fn take(&mut self, vertex: usize) {
        if self.stands[vertex] == Stand::Frontier {
            self.frontier.retain(|&(other, _)| other != vertex);
        }
        self.stands[vertex] = Stand::Behind;
        self.order.push(vertex);
        for next in self.kernel.neighbours(vertex) {
            if self.stands[next] == Stand::Ahead {
                self.put_on_frontier(next);
            }
        }
        self.cost += 1 << self.frontier.len();
    }

    /// Whether it may still become better than `cost` and fit at all: while a vertex has its edges decided,
    /// it is on the frontier too.
    fn fits(&self, cost: u128) -> bool {
        self.cost < cost && self.frontier.len() < WIDTH_MAX
    }
}
