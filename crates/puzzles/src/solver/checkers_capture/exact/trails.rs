//! Trails that are found without a search, and the trail of a set of edges.
//!
//! - [`balanced`]: a long trail through a graph, found at once.
//! - [`Choice`]: a balanced choice of a kernel's edges. The edges used whole leave no vertex odd but the root and the
//!   end. What they are worth is what is connected with the root: that is a trail.
//! - [`through`]: the trail of a set of edges (Hierholzer 1873).
//!
//! Proofs: docs/proofs/checkers.md, sections 4, 5.5 and 7.7.

use std::collections::VecDeque;

use super::graph::across;
use super::kernel::Kernel;
use super::rooted::Rooted;
use crate::solver::{Charge, Pace, Stop};

/// The squares a piece visits, its start first.
pub type Trail = Vec<usize>;

/// A trail that leaves out a short path between each odd vertex and the nearest other one, and uses everything
/// that is then connected with the start. Good if the graph has many circles.
///
/// # Errors
/// The limit that ended it: on a large graph the ways between odd vertices may be long.
pub fn balanced(graph: &Rooted<'_>, pace: &mut Pace<'_>) -> Result<Trail, Stop> {
    /// Whether an edge is kept, and the trail in the making and made.
    const EDGE_BYTES: usize = size_of::<bool>() + size_of::<u32>() + size_of::<usize>();
    /// Whether a vertex is odd, how it was reached, and the queue.
    const VERTEX_BYTES: usize = size_of::<bool>() + 2 * size_of::<u32>() + size_of::<usize>();

    let vertices = graph.squares.len();
    let bytes = graph.edges.len() * EDGE_BYTES + vertices * VERTEX_BYTES;
    let _working = Charge::new(bytes as u64, pace.budget())?;
    let mut kept = vec![true; graph.edges.len()];
    let is_odd = |vertex| vertex != graph.start && !graph.links.of(vertex as usize).count().is_multiple_of(2);
    let mut odd: Vec<bool> = (0..vertices as u32).map(is_odd).collect();
    // From which search a vertex is known, and the edge by which it was reached.
    let (mut known_from, mut reached_by) = (vec![u32::MAX; vertices], vec![0; vertices]);
    let mut queue = VecDeque::new();
    for from in 0..vertices as u32 {
        if !odd[from as usize] {
            continue;
        }
        queue.clear();
        queue.push_back(from);
        known_from[from as usize] = from;
        while let Some(vertex) = queue.pop_front() {
            pace.count(1)?;
            if vertex != from && odd[vertex as usize] {
                let mut back = vertex;
                while back != from {
                    let edge = reached_by[back as usize];
                    kept[edge] = false;
                    back = across(graph.edges[edge], back);
                }
                (odd[from as usize], odd[vertex as usize]) = (false, false);
                break;
            }
            for (edge, next) in graph.links(vertex).filter(|&(edge, _)| kept[edge]) {
                if known_from[next as usize] != from {
                    known_from[next as usize] = from;
                    reached_by[next as usize] = edge;
                    queue.push_back(next);
                }
            }
        }
    }
    Ok(through(graph, kept))
}

/// The trail from the start that uses exactly the edges in `unused`, as far as they are connected with the start.
/// They must have no odd vertices except perhaps the start and one other (Hierholzer 1873).
pub fn through(graph: &Rooted<'_>, mut unused: Vec<bool>) -> Trail {
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

/// No component: no edge of the vertex is used.
pub const UNTOUCHED: u32 = u32::MAX;

/// Edges that are used, and where the trail ends.
#[derive(Debug, Clone)]
pub struct Choice {
    /// Whether each edge is used whole.
    pub used: Vec<bool>,
    /// The vertex where the trail ends, or whose branch it ends in.
    pub end: usize,
}

/// The components of what is used.
#[derive(Debug, Default)]
pub struct Components {
    /// The component of each vertex, or [`UNTOUCHED`]; the root is in component 0, touched or not.
    pub of: Vec<u32>,
    /// What each component is worth, its loops included.
    pub worth: Vec<u32>,
    /// The vertices, component by component.
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
    /// Returns what is gained by the trail, and by the best end.
    pub fn worth(&self, kernel: &Kernel<'_>, components: &Components) -> u32 {
        components.worth[0] + self.last(kernel, components).0
    }

    /// What ending gains, and the edge that is ended in the place of being used whole, with the end it is entered from.
    fn last(&self, kernel: &Kernel<'_>, components: &Components) -> (u32, Option<(usize, usize)>) {
        let mut best = (kernel.vertices[self.end].end.edges, None);
        // The edge is left from the other side than the vertex that seemed to be the end.
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

    /// Whether what is connected with the root stays so without an edge at the end, the end's own vertex included.
    fn stays_whole(&self, kernel: &Kernel<'_>, components: &Components, edge: usize) -> bool {
        let mut without = self.clone();
        without.used[edge] = false;
        let found = Components::new(kernel, &without);
        found.vertices[0].len() == components.vertices[0].len()
    }

    /// Returns the edges of the graph behind the kernel that the trail uses.
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
