//! The kernel: what is left of a graph after removing everything that can be decided on its own.
//!
//! The search looks for the longest trail from the start s to any end t. A part that is joined to the rest by one or
//! two edges is replaced by what a trail gains in it:
//!
//! - A vertex with one edge is a dead end. A trail enters it only to end there. Its neighbour stores the length of the
//!   longest such end.
//! - A vertex with two edges is passed or not. The two edges become one edge of their total length, which also stores
//!   the longest way to end inside. If both edges lead to the same vertex, a trail through that vertex loses
//!   nothing by taking the round trip.
//! - [`parts`]: larger parts behind one edge or two, each decided by a search of its own; [`inseparable`] finds them.
//!
//! The first two rules repeat until every remaining vertex except s has at least three edges. A trail that uses no edge
//! of the kernel stays within s and the parts removed there ([`Kernel::within`]).
//!
//! Proofs: docs/proofs/checkers.md, section 5.

mod inseparable;
mod parts;

use super::edge_sets::{EdgeSets, Gain};
use super::graph::{Graph, Links};
use crate::solver::{Charge, Pace, Stop};

pub use parts::without_parts;

/// The rest of a graph after the reduction.
#[derive(Debug)]
pub struct Kernel<'b> {
    /// The remaining vertices, including the root.
    pub vertices: Vec<Vertex>,
    /// The edges between them. Several edges can join the same two vertices.
    pub edges: Vec<Edge>,
    pub links: Links,
    /// The vertex at which the trail begins.
    pub root: usize,
    /// The longest trail that uses no edge of the kernel.
    pub within: Gain,
    pub sets: EdgeSets<'b>,
    _charge: Charge<'b>,
}

/// A vertex of the kernel.
#[derive(Debug, Clone, Copy, Default)]
pub struct Vertex {
    pub origin: u32,
    /// The round trips that every trail through the vertex takes.
    pub loops: Gain,
    /// The longest way to end in a branch of this vertex; 0 edges if the trail ends at the vertex itself.
    pub end: Gain,
}

/// An edge of the kernel.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    /// The two vertices that the edge joins, which differ.
    pub ends: [usize; 2],
    pub whole: Gain,
    /// The gain of entering the edge from the first or the second end and ending inside.
    pub end_from: [Gain; 2],
}

impl Kernel<'_> {
    /// Returns the other end of each edge of `vertex`.
    pub fn neighbours(&self, vertex: usize) -> impl Iterator<Item = usize> + '_ {
        self.links.of(vertex).map(move |edge| self.across(edge, vertex))
    }

    /// Returns the end of `edge` that is not `vertex`.
    pub fn across(&self, edge: usize, vertex: usize) -> usize {
        let [a, b] = self.edges[edge].ends;
        a ^ b ^ vertex
    }

    /// Returns the bytes that `vertices` vertices and `edges` edges take.
    fn bytes(vertices: usize, edges: usize) -> u64 {
        (vertices * (size_of::<Vertex>() + Links::BYTES) + edges * size_of::<Option<Edge>>()) as u64
    }
}

/// A graph that is being reduced to its kernel.
pub struct Reduction<'b> {
    pub start: usize,
    /// All vertices. Removed ones have no edges.
    pub vertices: Vec<Vertex>,
    pub links: Links,
    pub edges: Vec<Option<Edge>>,
    pub sets: EdgeSets<'b>,
    _charge: Charge<'b>,
}

impl<'b> Kernel<'b> {
    /// Reduces a graph to its kernel.
    pub fn new(graph: &Graph<'_>, pace: &mut Pace<'b>) -> Result<Self, Stop> {
        let (vertices, edges) = (graph.squares.len(), graph.edges.len());
        let charge = Charge::new(Self::bytes(vertices, edges), pace.budget())?;
        let whole = |(number, ends): (usize, &[u32; 2])| {
            let ends = ends.map(|end| end as usize);
            Some(Edge { ends, whole: Gain::edge(number as u32), end_from: [Gain::default(); 2] })
        };
        let vertex = |origin| Vertex { origin, ..Vertex::default() };
        let mut reduction = Reduction {
            start: graph.start as usize,
            vertices: (0..vertices as u32).map(vertex).collect(),
            links: graph.links.clone(),
            edges: graph.edges.iter().enumerate().map(whole).collect(),
            sets: EdgeSets::new(edges, pace.budget()),
            _charge: charge,
        };
        reduction.reduce((0..vertices).rev().collect(), pace)?;
        reduction.finish(pace)
    }
}

impl<'b> Reduction<'b> {
    /// Opens a kernel to reduce it further.
    pub fn open(kernel: Kernel<'b>, pace: &mut Pace<'b>) -> Result<Self, Stop> {
        let charge = Charge::new(Kernel::bytes(kernel.vertices.len(), kernel.edges.len()), pace.budget())?;
        Ok(Self {
            start: kernel.root,
            vertices: kernel.vertices,
            links: kernel.links,
            edges: kernel.edges.into_iter().map(Some).collect(),
            sets: kernel.sets,
            _charge: charge,
        })
    }

    /// Removes the vertices in `open` that have one edge or two, and then all others that are left with so few edges.
    pub fn reduce(&mut self, mut open: Vec<usize>, pace: &mut Pace<'_>) -> Result<(), Stop> {
        while let Some(vertex) = open.pop() {
            pace.count(16)?;
            self.reduce_one(vertex, &mut open)?;
        }
        Ok(())
    }

    /// Returns the end of `edge` that is not `vertex`. The edge must not have been removed.
    pub fn across(&self, edge: usize, vertex: usize) -> usize {
        self.edges[edge].map_or(vertex, |Edge { ends: [a, b], .. }| a ^ b ^ vertex)
    }

    /// Removes `vertex` if it has one edge or two, and adds the vertices that lose an edge to `open`.
    fn reduce_one(&mut self, vertex: usize, open: &mut Vec<usize>) -> Result<(), Stop> {
        if vertex == self.start {
            return Ok(());
        }
        let first_edges = {
            let mut edges = self.links.of(vertex);
            [edges.next(), edges.next(), edges.next()]
        };
        match first_edges {
            [Some(edge), None, _] => self.cut_off(vertex, edge, open),
            [Some(first), Some(second), None] => self.join(vertex, [first, second], open),
            _ => Ok(()),
        }
    }

    /// Turns a vertex with one edge into a branch of its neighbour.
    fn cut_off(&mut self, vertex: usize, number: usize, open: &mut Vec<usize>) -> Result<(), Stop> {
        let Some(edge) = self.edges[number].take() else { return Ok(()) };
        let side = usize::from(edge.ends[0] != vertex);
        let neighbour = edge.ends[1 - side];
        let Vertex { loops, end, .. } = self.vertices[vertex];
        let passed = self.sets.union(edge.whole, loops)?;
        let end = self.sets.union(passed, end)?.or_larger(edge.end_from[1 - side]);
        self.add_end(neighbour, end);
        for end in edge.ends {
            self.links.remove(end, number);
        }
        open.push(neighbour);
        Ok(())
    }

    /// Joins the two edges of `vertex` into one.
    fn join(&mut self, vertex: usize, numbers: [usize; 2], open: &mut Vec<usize>) -> Result<(), Stop> {
        let [Some(first), Some(second)] = numbers.map(|number| self.edges[number].take()) else {
            return Ok(());
        };
        let sides = [first, second].map(|edge| usize::from(edge.ends[0] != vertex));
        let ends = [first.ends[1 - sides[0]], second.ends[1 - sides[1]]];
        let Vertex { loops, end: branch, .. } = self.vertices[vertex];
        let halves = [self.sets.union(first.whole, loops)?, self.sets.union(second.whole, loops)?];
        let whole = self.sets.union(halves[0], second.whole)?;
        // From each end a trail ends before the vertex, or reaches it and ends there, in a branch or in the other edge.
        let beyond =
            [branch.or_larger(second.end_from[sides[1]]), branch.or_larger(first.end_from[sides[0]])];
        let before = [first.end_from[1 - sides[0]], second.end_from[1 - sides[1]]];
        let mut end_from = before;
        for end in 0..2 {
            end_from[end] = self.sets.union(halves[end], beyond[end])?.or_larger(before[end]);
        }
        let [kept, dropped] = numbers;
        self.links.remove(vertex, kept);
        self.links.remove(vertex, dropped);
        if ends[0] == ends[1] {
            self.close_loop(ends[0], whole, end_from[0].or_larger(end_from[1]))?;
            self.links.remove(ends[0], kept);
            self.links.remove(ends[0], dropped);
        } else {
            self.edges[kept] = Some(Edge { ends, whole, end_from });
            self.links.replace(ends[1], dropped, kept);
            open.push(ends[1]);
        }
        open.push(ends[0]);
        Ok(())
    }

    /// Adds an edge from `vertex` back to itself. A trail takes it whole unless ending inside gains more.
    pub fn close_loop(&mut self, vertex: usize, whole: Gain, end: Gain) -> Result<(), Stop> {
        self.vertices[vertex].loops = self.sets.union(self.vertices[vertex].loops, whole)?;
        if end.edges > whole.edges {
            let end = self.sets.instead(end, whole)?;
            self.add_end(vertex, end);
        }
        Ok(())
    }

    /// Adds a branch at `vertex`, in which a trail can end and gain `end`.
    pub fn add_end(&mut self, vertex: usize, end: Gain) {
        let longest = &mut self.vertices[vertex].end;
        *longest = longest.or_larger(end);
    }

    /// Returns the kernel after the reduction, with its vertices and edges renumbered.
    pub fn finish(mut self, pace: &mut Pace<'b>) -> Result<Kernel<'b>, Stop> {
        let is_left = |vertex: &usize| *vertex == self.start || self.links.of(*vertex).next().is_some();
        let left: Vec<usize> = (0..self.vertices.len()).filter(is_left).collect();
        let number = |vertex: usize| left.binary_search(&vertex).unwrap_or_default();
        let edge_count = self.edges.iter().flatten().count();
        pace.count(self.edges.len() + 16 * edge_count)?;
        let charge = Charge::new(Kernel::bytes(left.len(), edge_count), pace.budget())?;
        let mut edges = Vec::with_capacity(edge_count);
        edges.extend(self.edges.iter().flatten().map(|edge| Edge { ends: edge.ends.map(number), ..*edge }));
        let Vertex { loops, end, .. } = self.vertices[self.start];
        Ok(Kernel {
            vertices: left.iter().map(|&vertex| self.vertices[vertex]).collect(),
            links: Links::new(left.len(), edges.iter().map(|edge: &Edge| edge.ends)),
            edges,
            root: number(self.start),
            within: self.sets.union(loops, end)?,
            sets: self.sets,
            _charge: charge,
        })
    }
}
