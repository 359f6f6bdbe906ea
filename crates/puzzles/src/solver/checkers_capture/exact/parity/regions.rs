//! What the nodes of a matching cover of a graph, while their dual variables grow and shrink.
//!
//! The dual variables around a point are the radius of a ball in the graph. A vertex is covered from the point whose
//! ball reached it first. Each node remembers the vertices that it reached itself, its *shell*, in the order in which it
//! reached them; it gives them up in the opposite order. So the distances between points are never needed.
//!
//! Proofs: docs/proofs/checkers.md, section 7.3.

use super::blossom::{Blossoms, Label};
use super::relaxation::Relaxed;

/// A vertex that nothing covers.
pub const BARE: u32 = u32::MAX;

/// The cover of a graph.
pub struct Regions {
    /// The point from which each vertex is covered, or [`BARE`].
    pub source: Vec<u32>,
    /// The distance of each covered vertex from there.
    pub distance: Vec<i64>,
    /// The vertices that each node reached itself.
    pub shells: Vec<Vec<u32>>,
    /// The dual variables around each point but that of its outermost node.
    pub inside: Vec<i64>,
    /// How much dual variables have grown since the beginning.
    pub now: i64,
    /// When the dual variable of each node was last written down.
    since: Vec<i64>,
}

impl Regions {
    /// Every point covers its own vertex.
    pub fn new(relaxed: &Relaxed<'_>, points: usize) -> Self {
        let vertices = relaxed.to_end.len();
        let mut regions = Self {
            source: vec![BARE; vertices],
            distance: vec![0; vertices],
            shells: vec![Vec::new(); 2 * points],
            inside: vec![0; points],
            now: 0,
            since: vec![0; 2 * points],
        };
        for (point, &vertex) in relaxed.terminals[..points].iter().enumerate() {
            regions.source[vertex] = point as u32;
            regions.shells[point].push(vertex as u32);
        }
        regions
    }

    /// Returns the outermost node that covers a vertex.
    pub fn top(&self, blossoms: &Blossoms, vertex: usize) -> Option<usize> {
        let source = self.source[vertex];
        (source != BARE).then(|| blossoms.top[source as usize])
    }

    /// Returns the dual variable of an outermost node.
    pub fn dual(&self, blossoms: &Blossoms, node: usize) -> i64 {
        let grown = self.now - self.since[node];
        let node = &blossoms.nodes[node];
        match node.label {
            Label::Outer => node.dual + grown,
            Label::Inner => node.dual - grown,
            Label::Free => node.dual,
        }
    }

    /// Returns how far a vertex is covered.
    pub fn cover(&self, blossoms: &Blossoms, vertex: usize) -> i64 {
        let source = self.source[vertex];
        if source == BARE {
            return 0;
        }
        let source = source as usize;
        self.inside[source] + self.dual(blossoms, blossoms.top[source]) - self.distance[vertex]
    }

    /// Writes down the dual variable of an outermost node, before its label changes.
    pub fn settle(&mut self, blossoms: &mut Blossoms, node: usize) {
        blossoms.nodes[node].dual = self.dual(blossoms, node);
        self.since[node] = self.now;
    }

    /// A settled node has become part of a blossom, or has left one.
    pub fn nest(&mut self, blossoms: &Blossoms, node: usize, blossom: Option<usize>) {
        let dual = blossoms.nodes[node].dual;
        for point in blossoms.points_of(node) {
            self.inside[point] += if blossom.is_some() { dual } else { -dual };
        }
        self.since[node] = self.now;
        if let Some(blossom) = blossom {
            self.since[blossom] = self.now;
        }
    }

    /// Returns the vertices that a node covers, with all that is inside it.
    pub fn vertices(&self, blossoms: &Blossoms, node: usize) -> Vec<u32> {
        let (mut vertices, mut open) = (Vec::new(), vec![node]);
        while let Some(node) = open.pop() {
            vertices.extend_from_slice(&self.shells[node]);
            open.extend(&blossoms.nodes[node].circle);
        }
        vertices
    }

    /// A node reaches a vertex from one that it covers.
    pub fn reach(&mut self, blossoms: &Blossoms, from: usize, vertex: usize, length: i64) {
        let source = self.source[from];
        self.source[vertex] = source;
        self.distance[vertex] = self.distance[from] + length;
        self.shells[blossoms.top[source as usize]].push(vertex as u32);
    }

    /// Returns the vertices that a shrinking node covers no more, the own vertex of a point excepted.
    pub fn give_up(&mut self, blossoms: &Blossoms, node: usize) -> Vec<u32> {
        let mut bare = Vec::new();
        while let Some(vertex) = self.outermost(blossoms, node)
            && self.cover(blossoms, vertex) <= 0
        {
            self.shells[node].pop();
            self.source[vertex] = BARE;
            bare.push(vertex as u32);
        }
        bare
    }

    /// After how much shrinking a node has to give up a vertex, or has used up its dual variable.
    pub fn shrinks_for(&self, blossoms: &Blossoms, node: usize) -> i64 {
        let dual = self.dual(blossoms, node);
        self.outermost(blossoms, node).map_or(dual, |vertex| self.cover(blossoms, vertex).min(dual))
    }

    /// Returns the vertex that a node would give up first.
    fn outermost(&self, blossoms: &Blossoms, node: usize) -> Option<usize> {
        let is_point = blossoms.nodes[node].circle.is_empty();
        let shell = &self.shells[node];
        if shell.len() > usize::from(is_point) { shell.last().map(|&vertex| vertex as usize) } else { None }
    }
}
