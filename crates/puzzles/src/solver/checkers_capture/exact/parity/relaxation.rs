//! A kernel without the demand that what is used be connected: the best balanced choice, and the proof that none is better.
//!
//! Proofs: docs/proofs/checkers.md, sections 6 and 7.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::kernel::Kernel;
use super::matching::{self, EDGE_BYTES, Matching, POINT_BYTES, VERTEX_BYTES};
use super::odd_sets::{self, OddSet};
use super::relaxed::{Relaxed, unscaled};
use crate::solver::{Charge, Pace, Stop};

/// What a kernel is worth if connectivity is forgotten.
pub struct Relaxation<'a, 'b> {
    /// The graph in which the T-join was sought.
    pub(super) relaxed: Relaxed<'a>,
    /// The certificate of the bound, checked.
    pub(super) sets: Vec<OddSet>,
    /// The most that is gained; no trail that meets the kernel has more edges.
    pub at_most: u32,
    /// The edges of the kernel that a cheapest T-join leaves to be used.
    pub used: Vec<bool>,
    /// The vertex at which the trail ends then.
    pub end: usize,
    _charge: Charge<'b>,
}

impl<'a, 'b> Relaxation<'a, 'b> {
    /// What `kernel`, which has edges, is worth.
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn new(kernel: &'a Kernel<'_>, pace: &mut Pace<'b>) -> Result<Self, Stop> {
        Self::of(Relaxed::new(kernel), pace)
    }

    /// What a kernel is worth under prices.
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
        Self::from_sets(relaxed, sets, (used, matching.last.1), charge, pace)
    }

    /// Whether the loops of a vertex gain something.
    pub fn takes_loops(&self, vertex: usize) -> bool {
        self.relaxed.loops[vertex] > 0
    }

    /// The same from some sets, which are checked first.
    pub(super) fn from_sets(
        relaxed: Relaxed<'a>,
        sets: Vec<OddSet>,
        (used, end): (Vec<bool>, usize),
        charge: Charge<'b>,
        pace: &mut Pace<'_>,
    ) -> Result<Self, Stop> {
        // No set at all proves the least, and needs no proof.
        let sets = if odd_sets::is_feasible(&relaxed, &sets, pace)? { sets } else { Vec::new() };
        let at_most = relaxed.worth + relaxed.end_cost - odd_sets::proved(&relaxed, &sets);
        Ok(Self { relaxed, sets, at_most: unscaled(at_most).unwrap_or(0), used, end, _charge: charge })
    }
}

#[cfg(test)]
impl<'a, 'b> Relaxation<'a, 'b> {
    /// What the T-join that was found costs, and what the dual variables prove that each costs at least; both scaled.
    pub fn primal_and_dual(&self) -> (i64, i64) {
        let Self { relaxed, used, end, .. } = self;
        let otherwise = (0..used.len()).filter(|&edge| used[edge] != relaxed.is_used(edge));
        let cost = otherwise.map(|edge| relaxed.lengths[edge]).sum::<i64>() + relaxed.to_end[*end];
        (cost, odd_sets::proved(relaxed, &self.sets))
    }

    /// What is left of it where the dual variable of one set has come out too large.
    pub fn corrupted(
        kernel: &'a Kernel<'_>,
        (set, too_much): (usize, i64),
        pace: &mut Pace<'b>,
    ) -> Result<Self, Stop> {
        let Self { relaxed, mut sets, used, end, .. } = Self::new(kernel, pace)?;
        let set = set % sets.len();
        sets[set].dual += too_much;
        Self::from_sets(relaxed, sets, (used, end), Charge::none(pace.budget()), pace)
    }
}

/// The edges that are left when the paths between matched points are taken away.
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
