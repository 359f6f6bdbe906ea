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

    /// The best balanced choice under the prices; its `at_most` bounds all trails that meet the kernel.
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn relax<'a>(&self, kernel: &'a Kernel<'_>, pace: &mut Pace<'b>) -> Result<Relaxation<'a, 'b>, Stop> {
        let mut relaxed = Relaxed::new(kernel);
        let mut at_end = vec![0; kernel.vertices.len()];
        let mut is_member = vec![false; kernel.vertices.len()];
        let mut gains = relaxed.gains.clone();
        let loops = kernel.vertices.iter().map(|vertex| SCALE * i64::from(vertex.loops.edges));
        let mut loops: Vec<i64> = loops.collect();
        for PricedSet { members, edges, worth, price } in self.sets.iter().filter(|set| set.price > 0) {
            pace.count(8 * members.len())?;
            for &vertex in members {
                is_member[vertex as usize] = true;
            }
            for &vertex in members {
                let vertex = vertex as usize;
                at_end[vertex] += price;
                for edge in kernel.links.of(vertex) {
                    gains[edge] += if is_member[kernel.across(edge, vertex)] { 0 } else { *price };
                }
            }
            for &edge in edges {
                let length = i64::from(kernel.edges[edge as usize].whole.edges);
                // Gains stay even.
                gains[edge as usize] -= 2 * (price * length / worth);
            }
            for &vertex in members {
                let vertex = vertex as usize;
                loops[vertex] -= 2 * price * i64::from(kernel.vertices[vertex].loops.edges) / worth;
            }
            for &vertex in members {
                is_member[vertex as usize] = false;
            }
        }
        // Loops are taken where they gain something.
        for loops in &mut loops {
            *loops = (*loops).max(0);
        }
        relaxed.reprice(gains, loops, &at_end);
        Relaxation::of(relaxed, pace)
    }

    /// Changes prices by what the best choice under them does: the `components` it falls apart into but the root's; `step` is by how much at most.
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
        let Relaxation { used, end, .. } = relaxation;
        let (end, kernel) = (*end, relaxation.relaxed.kernel);
        let mut is_member = vec![false; kernel.vertices.len()];
        for set in &mut self.sets {
            pace.count(8 * set.members.len())?;
            for &vertex in &set.members {
                is_member[vertex as usize] = true;
            }
            let mut crossing = i64::from(is_member[end]);
            for &vertex in &set.members {
                let vertex = vertex as usize;
                let out = |edge: &usize| used[*edge] && !is_member[kernel.across(*edge, vertex)];
                crossing += kernel.links.of(vertex).filter(out).count() as i64;
            }
            let length = |edge: &u32| i64::from(kernel.edges[*edge as usize].whole.edges);
            let unused = set.edges.iter().filter(|&&edge| !used[edge as usize]).map(length).sum::<i64>();
            let left = |vertex: &&u32| !relaxation.takes_loops(**vertex as usize);
            let loops =
                set.members.iter().filter(left).map(|&vertex| kernel.vertices[vertex as usize].loops.edges);
            let unused = unused + i64::from(loops.sum::<u32>());
            let average = 2 * step * (set.worth - unused) / set.worth;
            set.price = (set.price + average - step * crossing).max(0) & !1;
            for &vertex in &set.members {
                is_member[vertex as usize] = false;
            }
        }
        for vertices in components {
            let mut members = vertices.clone();
            members.sort_unstable();
            let mut edges: Vec<u32> = Vec::new();
            for &vertex in &members {
                edges.extend(
                    kernel.links.of(vertex as usize).filter(|&edge| used[edge]).map(|edge| edge as u32),
                );
            }
            edges.sort_unstable();
            edges.dedup();
            if !self.known.insert(members.iter().chain(&edges).copied().collect()) {
                continue;
            }
            let lengths = edges.iter().map(|&edge| kernel.edges[edge as usize].whole.edges);
            let loops = members.iter().map(|&vertex| kernel.vertices[vertex as usize].loops.edges);
            let worth = i64::from(lengths.chain(loops).sum::<u32>());
            pace.count(32 * members.len())?;
            self.charge.grow(8 * (members.len() + edges.len()) as u64 + SET_BYTES)?;
            self.sets.push(PricedSet { members, edges, worth, price: (2 * step) & !1 });
        }
        for (vertex, weight) in kernel.vertices.iter().enumerate() {
            let single = [vertex as u32];
            let is_used = || kernel.links.of(vertex).any(|edge| used[edge]);
            if weight.loops.edges == 0
                || vertex == kernel.root
                || self.known.contains(&single[..])
                || is_used()
            {
                continue;
            }
            self.charge.grow(8 + SET_BYTES)?;
            self.known.insert(single.to_vec());
            let worth = i64::from(weight.loops.edges);
            self.sets.push(PricedSet {
                members: single.to_vec(),
                edges: Vec::new(),
                worth,
                price: (2 * step) & !1,
            });
        }
        Ok(())
    }

    /// The step that changes a price by a whole edge.
    pub const STEP: i64 = SCALE;
}

#[cfg(test)]
#[path = "prices_tests.rs"]
mod tests;
