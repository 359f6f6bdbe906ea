//! The graph in which a cheapest T-join is sought: a kernel, and a vertex for the unknown end of the trail.
//!
//! The end t is a vertex of its own behind all others. An edge from each of them to it costs more than all other
//! edges together, less what ending there is worth; so a T-join holds exactly one of these edges.
//!
//! Proofs: docs/proofs/checkers.md, section 7.2.

use super::super::kernel::Kernel;

/// Lengths are multiplied by this, so that the matching can halve them, and prices be parts of them.
pub const SCALE: i64 = 64;

/// A scaled number of edges in whole ones, rounded down; `None` below 0. What is too large to be counted is the largest that can be.
#[inline]
pub fn unscaled(gain: i64) -> Option<u32> {
    u64::try_from(gain.div_euclid(SCALE)).ok().map(|edges| u32::try_from(edges).unwrap_or(u32::MAX))
}

/// The graph in which the T-join is sought.
pub struct Relaxed<'a> {
    /// Where it comes from.
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
        let loops = kernel.vertices.iter().map(|vertex| SCALE * i64::from(vertex.loops.edges));
        let loops: Vec<i64> = loops.collect();
        let worth = SCALE * total + loops.iter().sum::<i64>();
        let lengths: Vec<i64> = kernel.edges.iter().map(|edge| SCALE * i64::from(edge.whole.edges)).collect();
        let end_cost = SCALE * end_cost;
        let gains = lengths.clone();
        let mut relaxed =
            Self { kernel, gains, lengths, loops, to_end, end_cost, worth, terminals: Vec::new() };
        relaxed.find_terminals();
        relaxed
    }

    /// What it takes, whether each edge is used included.
    pub fn bytes(&self) -> u64 {
        let edges = self.lengths.len() * (2 * size_of::<i64>() + size_of::<bool>());
        let vertices = self.to_end.len() * 2 * size_of::<i64>() + self.terminals.len() * size_of::<usize>();
        (edges + vertices) as u64
    }

    /// The number of the end, behind those of all vertices.
    pub fn end(&self) -> usize {
        self.kernel.vertices.len()
    }

    /// Whether it is best for an edge by itself to be used.
    pub fn is_used(&self, edge: usize) -> bool {
        self.gains[edge] >= 0
    }

    /// Other gains of edges, even ones, other loops, and so much more for an end at each vertex.
    pub fn reprice(&mut self, gains: Vec<i64>, loops: Vec<i64>, more: &[i64]) {
        // An edge that gains nothing may count a little: a bound stays one.
        self.gains = gains.into_iter().map(|gain| if gain == 0 { 2 } else { gain }).collect();
        self.lengths = self.gains.iter().map(|gain| gain.abs()).collect();
        let edges: i64 = self.gains.iter().map(|&gain| gain.max(0)).sum();
        self.worth = edges + loops.iter().sum::<i64>();
        self.loops = loops;
        let worth: Vec<i64> =
            self.to_end.iter().zip(more).map(|(to_end, more)| self.end_cost - to_end + more).collect();
        let total: i64 = self.lengths.iter().sum();
        self.end_cost = total + worth.iter().copied().max().unwrap_or(0) + SCALE;
        self.to_end = worth.into_iter().map(|worth| self.end_cost - worth).collect();
        self.find_terminals();
    }

    /// The vertices that are not as a trail needs them where every edge is as is best for it by itself.
    fn find_terminals(&mut self) {
        let end = self.end();
        let used = |vertex: usize| self.kernel.links.of(vertex).filter(|&edge| self.is_used(edge)).count();
        let odd = |vertex: &usize| (used(*vertex) % 2 == 1) ^ (*vertex == self.kernel.root);
        self.terminals = (0..end).filter(odd).chain([end]).collect();
    }
}
