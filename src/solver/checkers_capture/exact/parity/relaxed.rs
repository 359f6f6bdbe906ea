//! The graph in which a cheapest T-join is sought: a kernel, and a vertex for the unknown end of the trail.
//!
//! The end t is a vertex of its own behind all others. An edge from each of them to it costs more than all other
//! edges together, less what ending there is worth; so a T-join holds exactly one of these edges.
//!
//! Proofs: docs/proofs/checkers.md, section 7.2.

use super::super::kernel::Kernel;

/// Lengths are multiplied by this, so that the matching can halve them, and prices be parts of them.
pub const SCALE: i64 = 64;

/// The graph in which the T-join is sought.
pub struct Relaxed<'a> {
    /// Where it comes from.
    pub kernel: &'a Kernel<'a>,
    /// What each edge costs, scaled.
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
    /// The graph of a kernel with a root.
    pub fn new(kernel: &'a Kernel<'a>) -> Self {
        let mut to_end: Vec<i64> = kernel.vertices.iter().map(|vertex| i64::from(vertex.end.edges)).collect();
        let mut total = 0;
        for edge in &kernel.edges {
            let [a, b] = edge.ends;
            let length = i64::from(edge.whole.edges);
            total += length;
            // To end inside is to lose the edge, but for the way inside, and the other end's parity with it.
            for (end, inside) in [(b, edge.end_from[0]), (a, edge.end_from[1])] {
                if inside.edges > 0 {
                    to_end[end] = to_end[end].max(i64::from(inside.edges) - length);
                }
            }
        }
        let end_cost = total + to_end.iter().copied().max().unwrap_or(0) + 1;
        for to_end in &mut to_end {
            *to_end = SCALE * (end_cost - *to_end);
        }
        let end = kernel.vertices.len();
        let odd = |vertex: &usize| (kernel.links.of(*vertex).count() % 2 == 1) ^ (*vertex == kernel.root);
        let terminals = (0..end).filter(odd).chain([end]).collect();
        let loops = kernel.vertices.iter().map(|vertex| SCALE * i64::from(vertex.loops.edges));
        let loops: Vec<i64> = loops.collect();
        let worth = SCALE * total + loops.iter().sum::<i64>();
        let lengths = kernel.edges.iter().map(|edge| SCALE * i64::from(edge.whole.edges)).collect();
        Self { kernel, lengths, loops, to_end, end_cost: SCALE * end_cost, worth, terminals }
    }

    /// The number of the end, behind those of all vertices.
    pub fn end(&self) -> usize {
        self.kernel.vertices.len()
    }

    /// Other lengths, even ones, other loops, and so much more for an end at each vertex.
    pub fn reprice(&mut self, lengths: Vec<i64>, loops: Vec<i64>, more: &[i64]) {
        let total: i64 = lengths.iter().sum();
        self.worth = total + loops.iter().sum::<i64>();
        self.loops = loops;
        self.lengths = lengths;
        let worth: Vec<i64> =
            self.to_end.iter().zip(more).map(|(to_end, more)| self.end_cost - to_end + more).collect();
        self.end_cost = total + worth.iter().copied().max().unwrap_or(0) + SCALE;
        self.to_end = worth.into_iter().map(|worth| self.end_cost - worth).collect();
    }
}
