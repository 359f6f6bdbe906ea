//! A kernel without the demand that what is used be connected: the best balanced choice, and the proof that none is better.
//!
//! The T-join is sought in a graph ([`Relaxed`]) in which the unknown end t of the trail is a vertex behind all others.
//! An edge from each of them to t costs more than all other edges together, less what ending there is worth; so a
//! T-join holds exactly one of these edges.
//!
//! Proofs: docs/proofs/checkers.md, sections 6 and 7.2.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::kernel::Kernel;
use super::super::trails::Choice;
use super::matching::{self, EDGE_BYTES, Matching, POINT_BYTES, VERTEX_BYTES};
use super::odd_sets::{self, OddSet};
use crate::solver::{Charge, Pace, Stop};

/// Lengths are multiplied by this, so that the matching can halve them, and prices be parts of them.
pub const SCALE: i64 = 64;

/// A scaled number of edges in whole ones, rounded down; `None` below 0. What is too large to be counted is the largest that can be.
#[inline]
pub fn unscaled(gain: i64) -> Option<u32> {
    u64::try_from(gain.div_euclid(SCALE)).ok().map(|edges| u32::try_from(edges).unwrap_or(u32::MAX))
}

/// The graph in which the T-join is sought.
#[derive(Debug)]
pub struct Relaxed<'a> {
    /// The kernel that it is made of.
    pub kernel: &'a Kernel<'a>,
    /// What the use of each edge gains, scaled; below 0 only under prices.
    pub gains: Vec<i64>,
    /// What it costs to do otherwise than is best for the edge by itself, scaled: the size of the gain.
    pub lengths: Vec<i64>,
    /// What the loops of each vertex are worth, scaled.
    pub loops: Vec<i64>,
    /// What the edge from each vertex to the end costs, scaled.
    pub to_end: Vec<i64>,
    /// What all those edges cost more than they are worth, scaled.
    pub end_cost: i64,
    /// What all edges and loops are worth together, scaled.
    pub worth: i64,
    /// The vertices in T, the end last.
    pub terminals: Vec<usize>,
}

impl<'a> Relaxed<'a> {
    /// Returns the graph of a kernel with a root.
    pub fn new(kernel: &'a Kernel<'a>) -> Self {
        let gains = kernel.edges.iter().map(|edge| SCALE * i64::from(edge.whole.edges)).collect();
        let loops = kernel.vertices.iter().map(|vertex| SCALE * i64::from(vertex.loops.edges)).collect();
        let at_end = kernel.vertices.iter().map(|vertex| SCALE * i64::from(vertex.end.edges));
        let mut at_end: Vec<i64> = at_end.collect();
        for edge in &kernel.edges {
            let [a, b] = edge.ends;
            // To end inside is to lose the edge, but for the way inside, and the other end's parity with it.
            for (end, inside) in [(b, edge.end_from[0]), (a, edge.end_from[1])] {
                if inside.edges > 0 {
                    let more = i64::from(inside.edges) - i64::from(edge.whole.edges);
                    at_end[end] = at_end[end].max(SCALE * more);
                }
            }
        }
        Self::of(kernel, gains, loops, &at_end)
    }

    /// The same with these even gains of edges, loops, and gains of an end at each vertex, all scaled.
    pub fn of(kernel: &'a Kernel<'a>, mut gains: Vec<i64>, loops: Vec<i64>, at_end: &[i64]) -> Self {
        for gain in gains.iter_mut().filter(|gain| **gain == 0) {
            // An edge that gains nothing may count a little: a bound stays one.
            *gain = 2;
        }
        let lengths: Vec<i64> = gains.iter().map(|gain| gain.abs()).collect();
        let end_cost = lengths.iter().sum::<i64>() + at_end.iter().copied().max().unwrap_or(0) + SCALE;
        let worth = gains.iter().map(|&gain| gain.max(0)).sum::<i64>() + loops.iter().sum::<i64>();
        let to_end = at_end.iter().map(|at_end| end_cost - at_end).collect();
        let mut relaxed =
            Self { kernel, gains, lengths, loops, to_end, end_cost, worth, terminals: Vec::new() };
        let end = relaxed.end();
        // The vertices that are not as a trail needs them if every edge is as is best for it by itself.
        let used = |vertex: usize| kernel.links.of(vertex).filter(|&edge| relaxed.is_used(edge)).count();
        let odd = |vertex: &usize| (used(*vertex) % 2 == 1) ^ (*vertex == kernel.root);
        relaxed.terminals = (0..end).filter(odd).chain([end]).collect();
        relaxed
    }

    /// Returns what it takes, whether each edge is used included.
    pub fn bytes(&self) -> u64 {
        let edges = self.lengths.len() * (2 * size_of::<i64>() + size_of::<bool>());
        let vertices = self.to_end.len() * 2 * size_of::<i64>() + self.terminals.len() * size_of::<usize>();
        (edges + vertices) as u64
    }

    /// Returns the number of the end, behind those of all vertices.
    pub fn end(&self) -> usize {
        self.kernel.vertices.len()
    }

    /// Returns whether it is best for an edge by itself to be used.
    pub fn is_used(&self, edge: usize) -> bool {
        self.gains[edge] >= 0
    }

    /// Returns whether each vertex, the end included, is in T.
    pub fn in_terminals(&self) -> Vec<bool> {
        let mut in_terminals = vec![false; self.end() + 1];
        for &terminal in &self.terminals {
            in_terminals[terminal] = true;
        }
        in_terminals
    }
}

/// What a kernel is worth if connectivity is forgotten.
pub struct Relaxation<'a, 'b> {
    /// The graph in which the T-join was sought.
    pub(super) relaxed: Relaxed<'a>,
    /// The certificate of the bound, checked.
    pub(super) sets: Vec<OddSet>,
    /// The most that is gained; no trail that meets the kernel has more edges.
    pub at_most: u32,
    /// The balanced choice that a cheapest T-join leaves.
    pub choice: Choice,
    _charge: Charge<'b>,
}

impl<'a, 'b> Relaxation<'a, 'b> {
    /// Returns what `kernel`, which has edges, is worth.
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn new(kernel: &'a Kernel<'_>, pace: &mut Pace<'b>) -> Result<Self, Stop> {
        Self::of(Relaxed::new(kernel), pace)
    }

    /// Returns what a kernel is worth under prices.
    ///
    /// # Errors
    /// The limit that ended it.
    pub(super) fn of(relaxed: Relaxed<'a>, pace: &mut Pace<'b>) -> Result<Self, Stop> {
        let kernel = relaxed.kernel;
        let (points, vertices) = (relaxed.terminals.len() as u64, kernel.vertices.len() as u64);
        let bytes = points * POINT_BYTES + vertices * VERTEX_BYTES + kernel.edges.len() as u64 * EDGE_BYTES;
        let _working = Charge::new(bytes, pace.budget())?;
        let mut charge = Charge::new(relaxed.bytes(), pace.budget())?;
        let matching = matching::cheapest(&relaxed, pace)?;
        let sets = odd_sets::of_matching(&relaxed, &matching, &mut charge, pace)?;
        let used = left_by_join(&relaxed, &matching, pace)?;
        Self::from_sets(relaxed, sets, Choice { used, end: matching.last.1 }, charge, pace)
    }

    /// Returns whether the loops of a vertex gain something.
    pub fn takes_loops(&self, vertex: usize) -> bool {
        self.relaxed.loops[vertex] > 0
    }

    /// The same from some sets, which are checked first.
    pub(super) fn from_sets(
        relaxed: Relaxed<'a>,
        sets: Vec<OddSet>,
        choice: Choice,
        charge: Charge<'b>,
        pace: &mut Pace<'_>,
    ) -> Result<Self, Stop> {
        // No set at all proves the least, and needs no proof.
        let sets = if odd_sets::is_feasible(&relaxed, &sets, pace)? { sets } else { Vec::new() };
        let at_most = relaxed.worth + relaxed.end_cost - odd_sets::proved(&relaxed, &sets);
        Ok(Self { relaxed, sets, at_most: unscaled(at_most).unwrap_or(0), choice, _charge: charge })
    }
}

#[cfg(test)]
impl<'a, 'b> Relaxation<'a, 'b> {
    /// What the T-join that was found costs, and what the dual variables prove that each costs at least; both scaled.
    pub fn primal_and_dual(&self) -> (i64, i64) {
        let Self { relaxed, choice: Choice { used, end }, .. } = self;
        let otherwise = (0..used.len()).filter(|&edge| used[edge] != relaxed.is_used(edge));
        let cost = otherwise.map(|edge| relaxed.lengths[edge]).sum::<i64>() + relaxed.to_end[*end];
        (cost, odd_sets::proved(relaxed, &self.sets))
    }

    /// Returns what is left of it if the dual variable of one set is too large.
    pub fn corrupted(
        kernel: &'a Kernel<'_>,
        (set, too_much): (usize, i64),
        pace: &mut Pace<'b>,
    ) -> Result<Self, Stop> {
        let Self { relaxed, mut sets, choice, .. } = Self::new(kernel, pace)?;
        let set = set % sets.len();
        sets[set].dual += too_much;
        Self::from_sets(relaxed, sets, choice, Charge::none(pace.budget()), pace)
    }
}

/// Returns the edges that are left when the paths between matched points are taken away.
fn left_by_join(relaxed: &Relaxed<'_>, matching: &Matching, pace: &mut Pace<'_>) -> Result<Vec<bool>, Stop> {
    let kernel = relaxed.kernel;
    let mut used: Vec<bool> = (0..kernel.edges.len()).map(|edge| relaxed.is_used(edge)).collect();
    let mut distances = vec![i64::MAX; kernel.vertices.len()];
    let mut reached_by = vec![usize::MAX; kernel.vertices.len()];
    let mut touched = Vec::new();
    let mut open = BinaryHeap::new();
    let pairs = matching.pairs.iter().map(|&(a, b)| (relaxed.terminals[a], relaxed.terminals[b]));
    let last = (relaxed.terminals[matching.last.0], matching.last.1);
    for (from, to) in pairs.chain([last]) {
        // A shortest path (Dijkstra 1959); most are of one edge or two.
        open.push(Reverse((0, from)));
        distances[from] = 0;
        touched.push(from);
        while let Some(Reverse((distance, vertex))) = open.pop() {
            pace.count(4)?;
            if vertex == to {
                break;
            }
            if distance > distances[vertex] {
                continue;
            }
            for edge in kernel.links.of(vertex) {
                let next = kernel.across(edge, vertex);
                let length = distance + relaxed.lengths[edge];
                if length < distances[next] {
                    (distances[next], reached_by[next]) = (length, edge);
                    touched.push(next);
                    open.push(Reverse((length, next)));
                }
            }
        }
        let mut back = to;
        while back != from {
            let edge = reached_by[back];
            used[edge] ^= true;
            back = kernel.across(edge, back);
        }
        open.clear();
        for vertex in touched.drain(..) {
            distances[vertex] = i64::MAX;
        }
    }
    Ok(used)
}
