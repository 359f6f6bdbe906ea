//! Trails found without a search, and the trail through a set of edges.
//!
//! - [`Choice`]: a balanced choice of a kernel's edges. Only the root and the end can have an odd number of edges used
//!   whole. The edges connected with the root form a trail, and only they count for the choice's worth.
//! - [`through`]: the trail through a set of edges (Hierholzer 1873).
//!
//! Proofs: docs/proofs/checkers.md, sections 4, 5.5 and 7.7.

use super::graph::Graph;
use super::kernel::Kernel;

/// The indices of the squares that a piece visits, its start first.
pub type Trail = Vec<usize>;

/// Returns a trail from the start that uses all edges in `unused` that are connected with the start (Hierholzer 1873).
/// At most the start and one other vertex can be odd in `unused`.
pub fn through(graph: &Graph<'_>, mut unused: Vec<bool>) -> Trail {
    let mut stack = vec![graph.start];
    let mut trail = Vec::new();
    while let Some(&vertex) = stack.last() {
        let link = graph.links(vertex).find(|&(edge, _)| unused[edge]);
        if let Some((edge, next)) = link {
            unused[edge] = false;
            stack.push(next);
        } else {
            trail.push(graph.squares[vertex as usize] as usize);
            stack.pop();
        }
    }
    trail.reverse();
    trail
}

/// The component of a vertex without used edges.
pub const UNTOUCHED: u32 = u32::MAX;

/// The edges that are used, and the end of the trail.
#[derive(Debug, Clone)]
pub struct Choice {
    /// Whether each edge is used whole.
    pub used: Vec<bool>,
    /// The vertex at which, or in whose branch, the trail ends.
    pub end: usize,
}

/// The components of the used edges.
#[derive(Debug, Default)]
pub struct Components {
    /// The component of each vertex, or [`UNTOUCHED`]. The root is in component 0 even if it is untouched.
    pub of: Vec<u32>,
    /// The edges that each component gains, its loops included.
    pub worth: Vec<u32>,
    /// The vertices of each component.
    pub vertices: Vec<Vec<u32>>,
}

impl Components {
    /// Returns the components of `choice`.
    pub fn new(kernel: &Kernel<'_>, choice: &Choice) -> Self {
        let mut found = Self { of: vec![UNTOUCHED; kernel.vertices.len()], ..Self::default() };
        for seed in std::iter::once(kernel.root).chain(0..kernel.vertices.len()) {
            let touched = kernel.links.of(seed).any(|edge| choice.used[edge]);
            if found.of[seed] != UNTOUCHED || !(touched || seed == kernel.root) {
                continue;
            }
            let number = found.worth.len() as u32;
            found.of[seed] = number;
            let (mut vertices, mut at, mut worth) = (vec![seed as u32], 0, 0);
            while let Some(&vertex) = vertices.get(at) {
                at += 1;
                let vertex = vertex as usize;
                worth += 2 * kernel.vertices[vertex].loops.edges;
                for edge in kernel.links.of(vertex).filter(|&edge| choice.used[edge]) {
                    worth += kernel.edges[edge].whole.edges;
                    let next = kernel.across(edge, vertex);
                    if found.of[next] == UNTOUCHED {
                        found.of[next] = number;
                        vertices.push(next as u32);
                    }
                }
            }
            found.worth.push(worth / 2);
            found.vertices.push(vertices);
        }
        found
    }
}

impl Choice {
    /// Returns the edges that the trail gains with its best end.
    pub fn worth(&self, kernel: &Kernel<'_>, components: &Components) -> u32 {
        components.worth[0] + self.last(kernel, components).0
    }

    /// Returns what the best end gains, and the edge in which the trail ends instead of using it whole, with the side
    /// from which it enters. Returns no edge if the trail ends at the vertex or in its branch.
    fn last(&self, kernel: &Kernel<'_>, components: &Components) -> (u32, Option<(usize, usize)>) {
        let mut best = (kernel.vertices[self.end].end.edges, None);
        // To end inside an edge, the trail enters it from the vertex opposite `self.end`.
        for edge in kernel.links.of(self.end).filter(|&edge| self.used[edge]) {
            let Some(side) = kernel.edges[edge].ends.iter().position(|&end| end != self.end) else {
                continue;
            };
            let (inside, whole) = (kernel.edges[edge].end_from[side].edges, kernel.edges[edge].whole.edges);
            if inside > whole + best.0 && self.stays_whole(kernel, components, edge) {
                best = (inside - whole, Some((edge, side)));
            }
        }
        best
    }

    /// Returns whether without `edge`, an edge at the end, all vertices stay connected with the root, the end included.
    fn stays_whole(&self, kernel: &Kernel<'_>, components: &Components, edge: usize) -> bool {
        let mut without = self.clone();
        without.used[edge] = false;
        let found = Components::new(kernel, &without);
        found.vertices[0].len() == components.vertices[0].len()
    }

    /// Returns, for each edge of the original graph, whether the trail uses it.
    pub fn graph_edges(&self, kernel: &Kernel<'_>, components: &Components) -> Vec<bool> {
        let mut gains = Vec::new();
        let (_, inside) = self.last(kernel, components);
        for (number, edge) in kernel.edges.iter().enumerate() {
            if !self.used[number] || components.of[edge.ends[0]] != 0 {
                continue;
            }
            match inside {
                Some((ended, side)) if ended == number => gains.push(edge.end_from[side]),
                _ => gains.push(edge.whole),
            }
        }
        for &vertex in &components.vertices[0] {
            gains.push(kernel.vertices[vertex as usize].loops);
        }
        if inside.is_none() {
            gains.push(kernel.vertices[self.end].end);
        }
        kernel.sets.spell_out(gains)
    }
}
