//! A balanced choice of a kernel's edges, and what it is worth.
//!
//! The edges used whole leave no vertex odd but the root and the end. What they are worth is what is connected with the
//! root: that is a trail (Hierholzer 1873).
//!
//! Proofs: docs/proofs/checkers.md, sections 5.5 and 7.7.

use super::super::edge_sets::Gain;
use super::super::kernel::Kernel;

/// No component: no edge of the vertex is used.
pub const UNTOUCHED: u32 = u32::MAX;

/// Edges that are used, and where the trail ends.
#[derive(Debug, Clone)]
pub struct Choice {
    /// Whether each edge is used whole.
    pub used: Vec<bool>,
    /// The vertex at which the trail ends, or in a branch of which.
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
    /// The components of `choice`.
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
    /// What is gained by the trail, and by ending where it is best for it.
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

    /// The edges of the graph behind the kernel that the trail uses.
    pub fn graph_edges(&self, kernel: &Kernel<'_>, components: &Components, edges: usize) -> Vec<bool> {
        let mut counts = vec![0; edges];
        let mut count = |gain: Gain| kernel.sets.count(gain, &mut counts);
        let (_, inside) = self.last(kernel, components);
        for (number, edge) in kernel.edges.iter().enumerate() {
            if !self.used[number] || components.of[edge.ends[0]] != 0 {
                continue;
            }
            match inside {
                Some((ended, side)) if ended == number => count(edge.end_from[side]),
                _ => count(edge.whole),
            }
        }
        for &vertex in &components.vertices[0] {
            count(kernel.vertices[vertex as usize].loops);
        }
        if inside.is_none() {
            count(kernel.vertices[self.end].end);
        }
        counts.into_iter().map(|count| count > 0).collect()
    }
}
