//! What is left of a graph when everything is taken away that can be decided by itself.
//!
//! The longest trail from the start s to any end t is asked for. What hangs on the rest by one edge or two is replaced by
//! what it is worth, in two ways:
//!
//! - [`rules`]: vertices with one edge or two, until every vertex that is left but s has three or more.
//! - [`parts`]: larger parts behind one edge or two, each decided by a search of its own; [`inseparable`] finds them.
//!
//! Trails that never touch the kernel stay at s and what was taken away there ([`Kernel::within`]).
//!
//! Proofs: docs/proofs/checkers.md, section 5.

// Vertices that no two edges separate.
mod inseparable;
// Parts behind one edge or two.
mod parts;
// Vertices with one edge or two.
mod rules;

use super::edge_sets::{EdgeSets, Gain};
use super::graph::Links;
use crate::solver::Charge;

pub use parts::without_parts;

/// What is left of a graph.
#[derive(Debug)]
pub struct Kernel<'b> {
    /// The vertices that are left, the root among them.
    pub vertices: Vec<Vertex>,
    /// The edges between them; several may join the same two.
    pub edges: Vec<Edge>,
    /// The edges of each vertex.
    pub links: Links,
    /// The vertex at which the trail begins.
    pub root: usize,
    /// The longest trail that uses no edge of the kernel.
    pub within: Gain,
    /// The sets behind all gains.
    pub sets: EdgeSets<'b>,
    _charge: Charge<'b>,
}

/// A vertex of the kernel.
#[derive(Debug, Clone, Copy)]
pub struct Vertex {
    /// The vertex of the graph.
    pub origin: u32,
    /// Round trips that every trail through the vertex takes.
    pub loops: Gain,
    /// The longest way to end in a branch here; at least 0, which is to end at the vertex.
    pub end: Gain,
}

/// An edge of the kernel.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    /// The vertices it joins, which differ.
    pub ends: [usize; 2],
    /// Gained by passing it.
    pub whole: Gain,
    /// Gained by entering it from the first or the second end and ending inside.
    pub end_from: [Gain; 2],
}

impl Kernel<'_> {
    /// The other end of each edge of `vertex`.
    pub fn neighbours(&self, vertex: usize) -> impl Iterator<Item = usize> + '_ {
        self.links.of(vertex).map(move |edge| self.across(edge, vertex))
    }

    /// The end of `edge` that is not `vertex`.
    pub fn across(&self, edge: usize, vertex: usize) -> usize {
        let [a, b] = self.edges[edge].ends;
        a ^ b ^ vertex
    }

    /// What so many vertices and edges take.
    fn bytes(vertices: usize, edges: usize) -> u64 {
        (vertices * (size_of::<Vertex>() + Links::BYTES) + edges * size_of::<Option<Edge>>()) as u64
    }
}
