//! The parts of a graph that the nodes of a matching cover while their dual variables grow and shrink.
//!
//! The sum of the dual variables around a point is the radius of a ball in the graph. A vertex is covered from the
//! point whose ball reached it first. Each node keeps its *shell*: the vertices that it reached itself, in that order.
//! It gives them up in the opposite order. So the distances between points are never needed.
//!
//! Proofs: docs/proofs/checkers.md, section 7.3.

use super::blossom::{Blossoms, Label};
use super::relaxation::Relaxed;

/// The source of a vertex that no node covers.
pub const BARE: u32 = u32::MAX;

/// The cover of each vertex of a graph.
pub struct Regions {
    /// The point from which each vertex is covered, or [`BARE`].
    pub source: Vec<u32>,
    /// The distance of each covered vertex from its source.
    pub distance: Vec<i64>,
    /// The shell of each node.
    pub shells: Vec<Vec<u32>>,
    /// The sum of the dual variables around each point, without that of its outermost node.
    pub inside: Vec<i64>,
    /// The time: how much the dual variable of a node that is always outer has grown.
    pub now: i64,
    /// The time at which each node's stored dual variable was last updated.
    since: Vec<i64>,
}

impl Regions {
    /// Makes regions in which every point covers its own vertex alone.
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

    /// Returns the outermost node that covers a vertex, if any.
    pub fn top(&self, blossoms: &Blossoms, vertex: usize) -> Option<usize> {
        let source = self.source[vertex];
        (source != BARE).then(|| blossoms.top[source as usize])
    }

    /// Returns the current dual variable of an outermost node.
    pub fn dual(&self, blossoms: &Blossoms, node: usize) -> i64 {
        let grown = self.now - self.since[node];
        let node = &blossoms.nodes[node];
        match node.label {
            Label::Outer => node.dual + grown,
            Label::Inner => node.dual - grown,
            Label::Free => node.dual,
        }
    }

    /// Returns how far the covering ball extends beyond a vertex; 0 if no node covers it.
    pub fn cover(&self, blossoms: &Blossoms, vertex: usize) -> i64 {
        let source = self.source[vertex];
        if source == BARE {
            return 0;
        }
        let source = source as usize;
        self.inside[source] + self.dual(blossoms, blossoms.top[source]) - self.distance[vertex]
    }

    /// Stores the current dual variable of an outermost node. Call this before its label changes.
    pub fn settle(&mut self, blossoms: &mut Blossoms, node: usize) {
        blossoms.nodes[node].dual = self.dual(blossoms, node);
        self.since[node] = self.now;
    }

    /// Updates the sums after a settled node has become part of `blossom`, or with `None` has left one.
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

    /// Returns the vertices that a node and all nodes inside it cover.
    pub fn vertices(&self, blossoms: &Blossoms, node: usize) -> Vec<u32> {
        let (mut vertices, mut open) = (Vec::new(), vec![node]);
        while let Some(node) = open.pop() {
            vertices.extend_from_slice(&self.shells[node]);
            open.extend(&blossoms.nodes[node].circle);
        }
        vertices
    }

    /// Lets the node that covers `from` reach `vertex` over an edge of the given length.
    pub fn reach(&mut self, blossoms: &Blossoms, from: usize, vertex: usize, length: i64) {
        let source = self.source[from];
        self.source[vertex] = source;
        self.distance[vertex] = self.distance[from] + length;
        self.shells[blossoms.top[source as usize]].push(vertex as u32);
    }

    /// Uncovers the vertices that a shrinking node no longer covers, and returns them. A point keeps its own vertex.
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

    /// Returns how much a node can shrink until it gives up a vertex, or its dual variable reaches 0.
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
