//! A kernel whose used edges need not be connected: the best balanced choice, and the proof that none is better.
//!
//! The unknown end of the trail becomes an extra vertex, *the end*, in the graph of the T-join ([`Relaxed`]). An edge
//! joins each other vertex to it. The length of this edge is a constant minus the gain of ending at the vertex. It
//! exceeds the length of all kernel edges together, so a cheapest T-join holds exactly one edge to the end.
//!
//! Proofs: docs/proofs/checkers.md, sections 6 and 7.2.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::kernel::Kernel;
use super::super::trails::Choice;
use super::matching::{self, EDGE_BYTES, Matching, POINT_BYTES, VERTEX_BYTES};
use super::odd_sets::{self, OddSet};
use crate::solver::{Charge, Pace, Stop};

/// Lengths are multiplied by this factor, so that the matching can halve them and prices can be fractions of edges.
pub const SCALE: i64 = 64;

/// Converts a scaled gain to whole edges, rounded down. Returns `None` below 0, and `u32::MAX` for larger numbers.
#[inline]
pub fn unscaled(gain: i64) -> Option<u32> {
    u64::try_from(gain.div_euclid(SCALE)).ok().map(|edges| u32::try_from(edges).unwrap_or(u32::MAX))
}

/// The graph in which the matching finds the T-join.
#[derive(Debug)]
pub struct Relaxed<'a> {
    /// The kernel that the graph is made from.
    pub kernel: &'a Kernel<'a>,
    /// The gain of using each edge whole, scaled. Negative only under prices.
    pub gains: Vec<i64>,
    /// The length of each edge, scaled: the cost of not doing what is best for it, which is the gain's absolute value.
    pub lengths: Vec<i64>,
    /// The gain of the loops of each vertex, scaled.
    pub loops: Vec<i64>,
    /// The length of the edge from each vertex to the end, scaled.
    pub to_end: Vec<i64>,
    /// The part that the lengths of all edges to the end share, scaled. The gain of ending is subtracted from it.
    pub end_cost: i64,
    /// The total of all positive gains and all loops, scaled.
    pub worth: i64,
    /// The vertices in T, the end last.
    pub terminals: Vec<usize>,
}

impl<'a> Relaxed<'a> {
    /// Makes the graph of a kernel without prices.
    pub fn new(kernel: &'a Kernel<'a>) -> Self {
        let gains = kernel.edges.iter().map(|edge| SCALE * i64::from(edge.whole.edges)).collect();
        let loops = kernel.vertices.iter().map(|vertex| SCALE * i64::from(vertex.loops.edges)).collect();
        let at_end = kernel.vertices.iter().map(|vertex| SCALE * i64::from(vertex.end.edges));
        let mut at_end: Vec<i64> = at_end.collect();
        for edge in &kernel.edges {
            let [a, b] = edge.ends;
            // Ending inside an edge counts as using it whole and ending at its other end, which gains the difference.
            for (end, inside) in [(b, edge.end_from[0]), (a, edge.end_from[1])] {
                if inside.edges > 0 {
                    let more = i64::from(inside.edges) - i64::from(edge.whole.edges);
                    at_end[end] = at_end[end].max(SCALE * more);
                }
            }
        }
        Self::of(kernel, gains, loops, &at_end)
    }

    /// Makes the graph with these gains of edges, loops, and an end at each vertex, all scaled. `gains` must be even.
    pub fn of(kernel: &'a Kernel<'a>, mut gains: Vec<i64>, loops: Vec<i64>, at_end: &[i64]) -> Self {
        for gain in gains.iter_mut().filter(|gain| **gain == 0) {
            // No length is 0. A slightly larger gain keeps the bound valid.
            *gain = 2;
        }
        let lengths: Vec<i64> = gains.iter().map(|gain| gain.abs()).collect();
        let end_cost = lengths.iter().sum::<i64>() + at_end.iter().copied().max().unwrap_or(0) + SCALE;
        let worth = gains.iter().map(|&gain| gain.max(0)).sum::<i64>() + loops.iter().sum::<i64>();
        let to_end = at_end.iter().map(|at_end| end_cost - at_end).collect();
        let mut relaxed =
            Self { kernel, gains, lengths, loops, to_end, end_cost, worth, terminals: Vec::new() };
        let end = relaxed.end();
        // T: the vertices whose parity is wrong for a trail if every edge does what is best for it.
        let used = |vertex: usize| kernel.links.of(vertex).filter(|&edge| relaxed.is_used(edge)).count();
        let odd = |vertex: &usize| (used(*vertex) % 2 == 1) ^ (*vertex == kernel.root);
        relaxed.terminals = (0..end).filter(odd).chain([end]).collect();
        relaxed
    }

    /// Returns the bytes of the graph, and of a flag per edge for its use.
    pub fn bytes(&self) -> u64 {
        let edges = self.lengths.len() * (2 * size_of::<i64>() + size_of::<bool>());
        let vertices = self.to_end.len() * 2 * size_of::<i64>() + self.terminals.len() * size_of::<usize>();
        (edges + vertices) as u64
    }

    /// Returns the number of the end, which follows those of the kernel's vertices.
    pub fn end(&self) -> usize {
        self.kernel.vertices.len()
    }

    /// Returns whether it is best to use an edge if parity is ignored.
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

/// The most that a kernel gains if the used edges need not be connected.
pub struct Relaxation<'a, 'b> {
    /// The graph in which the T-join was found.
    pub(super) relaxed: Relaxed<'a>,
    /// The certificate of the bound, which has been checked.
    pub(super) sets: Vec<OddSet>,
    /// The bound: no trail that uses an edge of the kernel has more edges.
    pub at_most: u32,
    /// The balanced choice that a cheapest T-join leaves.
    pub choice: Choice,
    _charge: Charge<'b>,
}

impl<'a, 'b> Relaxation<'a, 'b> {
    /// Solves the relaxation of `kernel`, which must have edges.
    pub fn new(kernel: &'a Kernel<'_>, pace: &mut Pace<'b>) -> Result<Self, Stop> {
        Self::of(Relaxed::new(kernel), pace)
    }

    /// Solves the relaxation of `relaxed`, whose gains can contain prices.
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

    /// Makes a relaxation from a choice and odd sets, which it checks first.
    pub(super) fn from_sets(
        relaxed: Relaxed<'a>,
        sets: Vec<OddSet>,
        choice: Choice,
        charge: Charge<'b>,
        pace: &mut Pace<'_>,
    ) -> Result<Self, Stop> {
        // Without sets the bound is the weakest, but valid without proof.
        let sets = if odd_sets::is_feasible(&relaxed, &sets, pace)? { sets } else { Vec::new() };
        let at_most = relaxed.worth + relaxed.end_cost - odd_sets::proved(&relaxed, &sets);
        Ok(Self { relaxed, sets, at_most: unscaled(at_most).unwrap_or(0), choice, _charge: charge })
    }
}

/// Returns the used edges: those that are best used, with every edge on a path between matched points flipped.
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
        // Find a shortest path (Dijkstra 1959). Most have one or two edges.
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

#[cfg(test)]
#[path = "relaxation_tests.rs"]
mod tests;
