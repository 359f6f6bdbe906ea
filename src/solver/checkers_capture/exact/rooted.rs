//! What one own piece can reach: the graph of its captures, in which every other own piece is in the way.
//!
//! Proofs: docs/proofs/checkers.md, section 2.

use super::graph::{Graph, Links, NONE, Start, across};
use crate::solver::{Charge, Pace, Stop};

/// What the graph takes for each edge.
const EDGE_BYTES: u64 = 128;

/// The part of a graph that a piece can reach.
#[derive(Debug)]
pub struct Rooted<'b> {
    /// The square of each vertex, ascending.
    pub squares: Vec<u32>,
    /// The two vertices of each edge.
    pub edges: Vec<[u32; 2]>,
    /// The edges of each vertex.
    pub links: Links,
    /// The vertex on which the piece stands.
    pub start: u32,
    _charge: Charge<'b>,
}

impl<'b> Rooted<'b> {
    /// The part of `graph` that the piece on `start` can reach. The slice `numbers` has an entry for each vertex of
    /// `graph`, all [`NONE`] before and after, so that a start costs no more than what it reaches.
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn new(
        graph: &Graph<'_>,
        start: Start,
        numbers: &mut [u32],
        pace: &mut Pace<'b>,
    ) -> Result<Self, Stop> {
        let charge = Charge::new(u64::from(start.edges) * EDGE_BYTES, pace.budget())?;
        let mut vertices = vec![start.vertex];
        numbers[start.vertex as usize] = 0;
        let reached = Self::reach(graph, start.vertex, &mut vertices, numbers, pace);
        vertices.sort_unstable();
        for (number, &vertex) in vertices.iter().enumerate() {
            numbers[vertex as usize] = number as u32;
        }
        let rooted = reached.map(|mut edges| {
            // In the order of the board, whichever way they were reached.
            edges.sort_unstable();
            edges.dedup();
            let number = |vertex: u32| numbers[vertex as usize];
            let edges: Vec<_> =
                edges.into_iter().map(|edge| graph.edges[edge as usize].map(number)).collect();
            Self {
                squares: vertices.iter().map(|&vertex| graph.squares[vertex as usize]).collect(),
                links: Links::new(vertices.len(), &edges),
                edges,
                start: number(start.vertex),
                _charge: charge,
            }
        });
        for vertex in vertices {
            numbers[vertex as usize] = NONE;
        }
        rooted
    }

    /// Finds the vertices in reach of those there are; the edges between them, most of them twice.
    fn reach(
        graph: &Graph<'_>,
        start: u32,
        vertices: &mut Vec<u32>,
        numbers: &mut [u32],
        pace: &mut Pace<'_>,
    ) -> Result<Vec<u32>, Stop> {
        let (mut edges, mut at) = (Vec::new(), 0);
        while let Some(&vertex) = vertices.get(at) {
            at += 1;
            pace.count(4)?;
            for edge in graph.links.of(vertex) {
                let next = across(graph.edges[edge as usize], vertex);
                if next != start && graph.own[next as usize] {
                    continue;
                }
                edges.push(edge);
                if numbers[next as usize] == NONE {
                    numbers[next as usize] = 0;
                    vertices.push(next);
                }
            }
        }
        Ok(edges)
    }

    /// The end of `edge` that is not `vertex`.
    #[must_use]
    pub fn across(&self, edge: u32, vertex: u32) -> u32 {
        across(self.edges[edge as usize], vertex)
    }
}
