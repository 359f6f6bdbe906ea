//! Prices on being connected (Lagrange): a sharper bound than parity alone, and choices with fewer components.
//!
//! Let X be a set of vertices without the root, and f an edge with both ends in X. A trail that uses f crosses cut(X)
//! twice, or crosses it once and ends in X. So x(cut(X)) + \[end in X\] − 2 x(f) ≥ 0 for every trail. This also holds
//! if x(f) is an average over several such edges. A *price* on X is added to the gain of each edge of cut(X) and of an
//! end in X; twice the price is subtracted from the gain of the average edge f. No trail gains less under prices, so
//! the best balanced choice under prices bounds all trails. The sets are the components of earlier choices. The prices
//! follow the subgradient (Held and Karp 1971).
//!
//! Proofs: docs/proofs/checkers.md, section 7.6.

use std::collections::HashSet;

use super::super::kernel::Kernel;
use super::super::trails::Choice;
use super::relaxation::{Relaxation, Relaxed, SCALE};
use crate::solver::{Charge, Pace, Stop};

/// Bytes per set in addition to the numbers of its vertices and edges.
const SET_BYTES: u64 = 128;

/// Sets of vertices with their prices.
pub struct Prices<'b> {
    sets: Vec<PricedSet>,
    /// The vertices of each set in `sets`, followed by its edges.
    known: HashSet<Vec<u32>>,
    charge: Charge<'b>,
}

struct PricedSet {
    /// The vertices in ascending order, without the root.
    members: Vec<u32>,
    /// The edges between members over which the average is taken.
    edges: Vec<u32>,
    /// The total gain of `edges`, in whole edges. An edge's weight in the average is its share of this gain.
    worth: i64,
    /// The price, scaled by [`SCALE`]: even and at least 0.
    price: i64,
}

impl<'b> Prices<'b> {
    /// Starts without prices.
    pub fn new(pace: &Pace<'b>) -> Self {
        Self { sets: Vec::new(), known: HashSet::new(), charge: Charge::none(pace.budget()) }
    }

    /// Returns the best balanced choice under the prices. Its `at_most` bounds all trails that use a kernel edge.
    pub fn relax<'a>(&self, kernel: &'a Kernel<'_>, pace: &mut Pace<'b>) -> Result<Relaxation<'a, 'b>, Stop> {
        let Relaxed { mut gains, loops, to_end, end_cost, .. } = Relaxed::new(kernel);
        let mut at_end: Vec<i64> = to_end.into_iter().map(|to_end| end_cost - to_end).collect();
        let mut member_of = vec![usize::MAX; kernel.vertices.len()];
        for (number, set) in self.sets.iter().enumerate().filter(|(_, set)| set.price > 0) {
            let PricedSet { members, edges, worth, price } = set;
            pace.count(8 * members.len())?;
            set.mark(number, &mut member_of);
            for &vertex in members {
                let vertex = vertex as usize;
                at_end[vertex] += price;
                for edge in kernel.links.of(vertex) {
                    let is_inside = member_of[kernel.across(edge, vertex)] == number;
                    gains[edge] += if is_inside { 0 } else { *price };
                }
            }
            for &edge in edges {
                let length = i64::from(kernel.edges[edge as usize].whole.edges);
                // Subtract an even number, since gains must stay even.
                gains[edge as usize] -= 2 * (price * length / worth);
            }
        }
        Relaxation::of(Relaxed::of(kernel, gains, loops, &at_end), pace)
    }

    /// Changes the prices by a subgradient step of size `step`, and adds a set for each new component. `relaxation` has
    /// the best choice under the prices so far; `components` are that choice's components, without the root's.
    pub fn follow(
        &mut self,
        relaxation: &Relaxation<'_, '_>,
        components: &[Vec<u32>],
        step: i64,
        pace: &mut Pace<'_>,
    ) -> Result<(), Stop> {
        let Choice { used, end } = &relaxation.choice;
        let kernel = relaxation.relaxed.kernel;
        let mut member_of = vec![usize::MAX; kernel.vertices.len()];
        let length_of = |edge: u32| i64::from(kernel.edges[edge as usize].whole.edges);
        for (number, set) in self.sets.iter_mut().enumerate() {
            pace.count(8 * set.members.len())?;
            set.mark(number, &mut member_of);
            let mut crossing = i64::from(member_of[*end] == number);
            for &vertex in &set.members {
                let vertex = vertex as usize;
                let out = |edge: &usize| used[*edge] && member_of[kernel.across(*edge, vertex)] != number;
                crossing += kernel.links.of(vertex).filter(out).count() as i64;
            }
            let inside = set.edges.iter().filter(|&&edge| used[edge as usize]);
            let average = 2 * step * inside.map(|&edge| length_of(edge)).sum::<i64>() / set.worth;
            set.price = (set.price + average - step * crossing).max(0) & !1;
        }
        let used_at = |vertex: usize| kernel.links.of(vertex).filter(|&edge| used[edge]);
        for mut members in components.iter().cloned() {
            members.sort_unstable();
            let mut edges: Vec<u32> = Vec::new();
            for &vertex in &members {
                edges.extend(used_at(vertex as usize).map(|edge| edge as u32));
            }
            edges.sort_unstable();
            edges.dedup();
            if !self.known.insert(members.iter().chain(&edges).copied().collect()) {
                continue;
            }
            let worth = edges.iter().map(|&edge| length_of(edge)).sum::<i64>();
            pace.count(32 * members.len())?;
            self.charge.grow(8 * (members.len() + edges.len()) as u64 + SET_BYTES)?;
            self.sets.push(PricedSet { members, edges, worth, price: (2 * step) & !1 });
        }
        Ok(())
    }

    /// The step size of one whole edge.
    pub const STEP: i64 = SCALE;
}

impl PricedSet {
    /// Marks each member with `number`, the number of the set.
    fn mark(&self, number: usize, member_of: &mut [usize]) {
        for &vertex in &self.members {
            member_of[vertex as usize] = number;
        }
    }
}

#[cfg(test)]
#[path = "prices_tests.rs"]
mod tests;
