//! The graph in which a cheapest T-join is sought: a kernel, and a vertex for the unknown end of the trail.
//!
//! The end t is a vertex of its own behind all others. An edge from each of them to it costs more than all other
//! edges together, less what ending there is worth; so a T-join holds exactly one of these edges.
//!
//! Proofs: docs/proofs/checkers.md, section 7.2.

use super::super::kernel::Kernel;

/// Lengths are multiplied by this, so that the matching can halve them.
pub const SCALE: i64 = 4;

/// The graph in which the T-join is sought.
pub struct Relaxed<'a> {
    /// Where it comes from.
    pub kernel: &'a Kernel<'a>,
    /// What each edge costs, scaled.
    pub lengths: Vec<i64>,
    /// What the edge from each vertex to the end costs, scaled.
    pub to_end: Vec<i64>,
    /// What all those edges cost more than they are worth, scaled.
    pub end_cost: i64,
    /// The vertices in T, the end last.
    pub terminals: Vec<usize>,
}

impl<'a> Relaxed<'a> {
    /// The graph of a kernel with a root.
    pub fn new(kernel: &'a Kernel<'a>) -> Self {
        let mut worth: Vec<i64> = kernel.vertices.iter().map(|vertex| i64::from(vertex.end.edges)).collect();
        let mut total = 0;
        for edge in &kernel.edges {
            let [a, b] = edge.ends;
            let length = i64::from(edge.whole.edges);
            total += length;
            // To end inside is to lose the edge, but for the way inside, and the other end's parity with it.
            for (end, inside) in [(b, edge.end_from[0]), (a, edge.end_from[1])] {
                if inside.edges > 0 {
                    worth[end] = worth[end].max(i64::from(inside.edges) - length);
                }
            }
        }
        let end_cost = total + worth.iter().copied().max().unwrap_or(0) + 1;
        let to_end = worth.iter().map(|worth| SCALE * (end_cost - worth)).collect();
        let end = kernel.vertices.len();
        let odd = |vertex: &usize| (kernel.links.of(*vertex).count() % 2 == 1) ^ (*vertex == kernel.root);
        let terminals = (0..end).filter(odd).chain([end]).collect();
        let lengths = kernel.edges.iter().map(|edge| SCALE * i64::from(edge.whole.edges)).collect();
        Self { kernel, lengths, to_end, end_cost: SCALE * end_cost, terminals }
    }

    /// The number of the end, behind those of all vertices.
    pub fn end(&self) -> usize {
        self.kernel.vertices.len()
    }

    /// What all edges and loops are worth together.
    pub fn worth(&self) -> i64 {
        let edges = self.kernel.edges.iter().map(|edge| i64::from(edge.whole.edges)).sum::<i64>();
        edges + self.kernel.vertices.iter().map(|vertex| i64::from(vertex.loops.edges)).sum::<i64>()
    }
}
