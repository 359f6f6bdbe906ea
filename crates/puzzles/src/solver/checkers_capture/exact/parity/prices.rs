//! Prices on being connected (Lagrange): a sharper bound than parity alone, and choices that fall apart less.
//!
//! A trail that uses an edge f with both ends in a set X without the root crosses cut(X) twice, or once and ends in X. So
//! x(cut(X)) + \[end in X\] − 2 x(f) ≥ 0 for every trail, and the same with an average over some edges f. A *price* on X adds
//! so much for every edge of cut(X) that is used and for an end in X, and takes twice as much off the edges f. No trail
//! becomes worth less, so the best balanced choice under prices bounds all trails. The sets are the components that earlier
//! choices fell apart into; prices follow the subgradient (Held and Karp 1971).
//!
//! Proofs: docs/proofs/checkers.md, section 7.6.

use std::collections::HashSet;

use super::super::kernel::Kernel;
use super::super::trails::Choice;
use super::relaxation::{Relaxation, Relaxed, SCALE};
use crate::solver::{Charge, Pace, Stop};

/// What a set takes besides the numbers of its vertices and edges.
const SET_BYTES: u64 = 128;

/// Sets of vertices with their prices.
pub struct Prices<'b> {
    sets: Vec<PricedSet>,
    /// The vertices of each set, and behind them its edges.
    known: HashSet<Vec<u32>>,
    charge: Charge<'b>,
}

struct PricedSet {
    /// Its vertices, ascending, without the root.
    members: Vec<u32>,
    /// Edges between them, over which the average is taken, and over the loops of the members.
    edges: Vec<u32>,
    /// What these edges and loops are worth, which is their weight in the average.
    worth: i64,
    /// The price, even and not negative, scaled.
    price: i64,
}

impl<'b> Prices<'b> {
    /// No prices yet.
    pub fn new(pace: &Pace<'b>) -> Self {
        Self { sets: Vec::new(), known: HashSet::new(), charge: Charge::none(pace.budget()) }
    }

    /// Returns the best balanced choice under the prices; its `at_most` bounds all trails that meet the kernel.
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn relax<'a>(&self, kernel: &'a Kernel<'_>, pace: &mut Pace<'b>) -> Result<Relaxation<'a, 'b>, Stop> {
        let Relaxed { mut gains, mut loops, to_end, end_cost, .. } = Relaxed::new(kernel);
        let mut at_end: Vec<i64> = to_end.into_iter().map(|to_end| end_cost - to_end).collect();
        let mut member_of = vec![usize::MAX; kernel.vertices.len()];
        for (number, set) in self.sets.iter().enumerate().filter(|(_, set)| set.price > 0) {
            let PricedSet { members, edges, worth, price } = set;
            pace.count(8 * members.len())?;
            set.mark(number, &mut member_of);
            for &vertex in members {
                let vertex = vertex as usize;
                at_end[vertex] += price;
                loops[vertex] -= 2 * price * i64::from(kernel.vertices[vertex].loops.edges) / worth;
                for edge in kernel.links.of(vertex) {
                    let is_inside = member_of[kernel.across(edge, vertex)] == number;
                    gains[edge] += if is_inside { 0 } else { *price };
                }
            }
            for &edge in edges {
                let length = i64::from(kernel.edges[edge as usize].whole.edges);
                // Gains stay even.
                gains[edge as usize] -= 2 * (price * length / worth);
            }
        }
        // A trail takes loops only if they gain something.
        for loops in &mut loops {
            *loops = (*loops).max(0);
        }
        Relaxation::of(Relaxed::of(kernel, gains, loops, &at_end), pace)
    }

    /// Changes prices by what the best choice under them does, by at most `step`. `components` are those that it falls
    /// apart into, without the root's.
    ///
    /// # Errors
    /// The limit that ended it.
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
        let loops_of = |vertex: u32| i64::from(kernel.vertices[vertex as usize].loops.edges);
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
            let unused_edges = set.edges.iter().filter(|&&edge| !used[edge as usize]);
            let unused_loops = set.members.iter().filter(|&&vertex| !relaxation.takes_loops(vertex as usize));
            let unused = unused_edges.map(|&edge| length_of(edge)).sum::<i64>()
                + unused_loops.map(|&vertex| loops_of(vertex)).sum::<i64>();
            let average = 2 * step * (set.worth - unused) / set.worth;
            set.price = (set.price + average - step * crossing).max(0) & !1;
        }
        let used_at = |vertex: usize| kernel.links.of(vertex).filter(|&edge| used[edge]);
        // Vertices with loops by themselves, as far as no edge of theirs is used.
        let alone = (0..kernel.vertices.len()).filter(|&vertex| {
            vertex != kernel.root && loops_of(vertex as u32) > 0 && used_at(vertex).next().is_none()
        });
        let alone = alone.map(|vertex| vec![vertex as u32]);
        for mut members in components.iter().cloned().chain(alone) {
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
            let worth = edges.iter().map(|&edge| length_of(edge)).sum::<i64>()
                + members.iter().map(|&vertex| loops_of(vertex)).sum::<i64>();
            pace.count(32 * members.len())?;
            self.charge.grow(8 * (members.len() + edges.len()) as u64 + SET_BYTES)?;
            self.sets.push(PricedSet { members, edges, worth, price: (2 * step) & !1 });
        }
        Ok(())
    }

    /// The step that changes a price by a whole edge.
    pub const STEP: i64 = SCALE;
}

impl PricedSet {
    /// Writes `number`, that of the set, down for each member.
    fn mark(&self, number: usize, member_of: &mut [usize]) {
        for &vertex in &self.members {
            member_of[vertex as usize] = number;
        }
    }
}

#[cfg(test)]
#[path = "prices_tests.rs"]
mod tests;
