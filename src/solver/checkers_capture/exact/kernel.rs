//! What is left of a graph when everything is taken away that can be decided by itself.
//!
//! The longest trail from the start s to any end t is asked for. Two reductions keep its length:
//!
//! - A vertex with one edge is a dead end. A trail enters it only to end there, or leaves it only because it
//!   begins there; its neighbour remembers as a *branch* how long such an end and such a beginning are.
//! - A vertex with two edges (that is not s, and holds no branch with s) is passed or not. The two edges
//!   become one of their common length, which remembers how far a trail gets that ends inside. Where the
//!   two lead to the same vertex, a trail through that vertex takes the round trip without any loss.
//!
//! They are repeated until every vertex that is left has three or more edges or is the *root*: s itself, or
//! the vertex from which the branch hangs that holds s. Trails that never touch the kernel lie within what
//! was taken away; the longest of them is found on the way ([`Kernel::within`]).
//!
//! Proofs: docs/proofs/checkers.md, section 5.

use super::edge_sets::{EdgeSets, Gain};
use super::rooted::Rooted;
use crate::solver::{Charge, Pace, Stop};

/// What the reductions take for each edge.
const EDGE_BYTES: u64 = 512;

/// What is left of a graph.
#[derive(Debug)]
pub struct Kernel<'b> {
    /// The vertices that are left.
    pub vertices: Vec<Vertex>,
    /// The edges between them; several may join the same two.
    pub edges: Vec<Edge>,
    /// Where the trail begins; `None` where nothing is left.
    pub root: Option<Root>,
    /// The longest trail that uses no edge of the kernel.
    pub within: Gain,
    /// The sets behind all gains.
    pub sets: EdgeSets,
    _charge: Charge<'b>,
}

/// A vertex of the kernel.
#[derive(Debug, Clone, Copy)]
pub struct Vertex {
    /// The vertex of the graph.
    pub origin: u32,
    /// Round trips that every trail through the vertex takes.
    pub loops: Gain,
    /// The longest way to end in a branch here; at least 0, which is to end at the vertex.
    pub end: Gain,
}

/// An edge of the kernel.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    /// The vertices it joins, which differ.
    pub ends: [usize; 2],
    /// Gained by passing it.
    pub whole: Gain,
    /// Gained by entering it from the first or the second end and ending inside.
    pub end_from: [Gain; 2],
}

/// The vertex at which the trail enters the kernel.
#[derive(Debug, Clone, Copy)]
pub struct Root {
    /// Which it is.
    pub vertex: usize,
    /// Gained at the root where it has an odd number of used edges of the kernel: the trail ends elsewhere.
    pub odd: Gain,
    /// Gained where it has an even number: the trail ends at the root or in a branch of it.
    pub even: Gain,
}

/// Something that hangs from a vertex by one edge.
#[derive(Debug, Clone, Copy)]
struct Branch {
    /// The way from the start to the vertex, where the start is in the branch.
    start: Option<Gain>,
    /// The longest way into the branch that ends there.
    end: Gain,
}

/// A vertex of the graph while it is being reduced.
#[derive(Debug, Clone, Default)]
struct Node {
    edges: Vec<u32>,
    branches: Vec<Branch>,
    loops: Gain,
}

struct Reduction {
    start: usize,
    nodes: Vec<Node>,
    edges: Vec<Option<Edge>>,
    within: Gain,
    sets: EdgeSets,
}

impl<'b> Kernel<'b> {
    /// Reduces a graph.
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn new(graph: &Rooted<'_>, pace: &mut Pace<'b>) -> Result<Self, Stop> {
        let charge = Charge::new(graph.edges.len() as u64 * EDGE_BYTES, pace.budget())?;
        let mut reduction = Reduction::new(graph, pace)?;
        let mut open: Vec<usize> = (0..graph.squares.len()).rev().collect();
        while let Some(vertex) = open.pop() {
            pace.count(8)?;
            reduction.reduce(vertex, &mut open);
        }
        reduction.finish(charge, pace)
    }
}

impl Reduction {
    fn new(graph: &Rooted<'_>, pace: &mut Pace<'_>) -> Result<Self, Stop> {
        let mut sets = EdgeSets::default();
        let mut nodes = vec![Node::default(); graph.squares.len()];
        let mut edges = Vec::with_capacity(graph.edges.len());
        for (number, ends) in graph.edges.iter().enumerate() {
            pace.count(16)?;
            let ends = ends.map(|end| end as usize);
            for end in ends {
                nodes[end].edges.push(number as u32);
            }
            edges.push(Some(Edge { ends, whole: sets.edge(number as u32), end_from: [Gain::default(); 2] }));
        }
        Ok(Self { start: graph.start as usize, nodes, edges, within: Gain::default(), sets })
    }

    /// Takes `vertex` away if it has too few edges, and notes whose edges have become fewer.
    fn reduce(&mut self, vertex: usize, open: &mut Vec<usize>) {
        match *self.nodes[vertex].edges.as_slice() {
            [edge] => self.cut_off(vertex, edge as usize, open),
            [first, second] if self.ways_to_start(vertex).is_none() => {
                self.join(vertex, [first as usize, second as usize], open);
            }
            _ => {}
        }
    }

    /// The way from the start to `vertex` by what hangs from it: empty where it is the start.
    fn ways_to_start(&self, vertex: usize) -> Option<Gain> {
        if vertex == self.start {
            return Some(Gain::default());
        }
        self.nodes[vertex].branches.iter().find_map(|branch| branch.start)
    }

    /// The longest way from `vertex` into a branch that does not hold the start.
    fn longest_end(&self, vertex: usize) -> Gain {
        let branches = self.nodes[vertex].branches.iter().filter(|branch| branch.start.is_none());
        branches.fold(Gain::default(), |longest, branch| longest.or_larger(branch.end))
    }

    /// Makes a vertex with one edge a branch of its neighbour.
    fn cut_off(&mut self, vertex: usize, number: usize, open: &mut Vec<usize>) {
        let Some(edge) = self.edges[number].take() else { return };
        let side = usize::from(edge.ends[0] != vertex);
        let neighbour = edge.ends[1 - side];
        let loops = self.nodes[vertex].loops;
        let end = self.longest_end(vertex);
        let start = self.ways_to_start(vertex);
        let passed = self.sets.union(edge.whole, loops);
        let branch = if let Some(start) = start {
            let around = self.sets.union(start, loops);
            // The trail ends in another branch here, or on its way along the edge.
            let last = end.or_larger(edge.end_from[side]);
            self.keep_within(around, last);
            let start = self.sets.union(passed, start);
            self.within = self.within.or_larger(start);
            // A trail that comes from elsewhere would have to begin here: the start is in this branch.
            Branch { start: Some(start), end: Gain::default() }
        } else {
            let end = self.sets.union(passed, end).or_larger(edge.end_from[1 - side]);
            Branch { start: None, end }
        };
        let node = &mut self.nodes[neighbour];
        node.branches.push(branch);
        node.edges.retain(|&other| other as usize != number);
        self.nodes[vertex].edges.clear();
        open.push(neighbour);
    }

    /// Makes the two edges of `vertex` one.
    fn join(&mut self, vertex: usize, numbers: [usize; 2], open: &mut Vec<usize>) {
        let [Some(first), Some(second)] = numbers.map(|number| self.edges[number].take()) else { return };
        let sides = [first, second].map(|edge| usize::from(edge.ends[0] != vertex));
        let ends = [first.ends[1 - sides[0]], second.ends[1 - sides[1]]];
        let loops = self.nodes[vertex].loops;
        let branch = self.longest_end(vertex);
        let halves = [first, second].map(|edge| self.sets.union(edge.whole, loops));
        let whole = self.sets.union(halves[0], second.whole);
        // From each end: not as far as the vertex, or past it into a branch or the other edge.
        let beyond =
            [branch.or_larger(second.end_from[sides[1]]), branch.or_larger(first.end_from[sides[0]])];
        let before = [first.end_from[1 - sides[0]], second.end_from[1 - sides[1]]];
        let end_from = [0, 1].map(|end| self.sets.union(halves[end], beyond[end]).or_larger(before[end]));
        self.nodes[vertex].edges.clear();
        let [kept, dropped] = numbers.map(|number| number as u32);
        if ends[0] == ends[1] {
            self.close_loop(ends[0], whole, end_from[0].or_larger(end_from[1]));
            self.nodes[ends[0]].edges.retain(|&edge| edge != kept && edge != dropped);
        } else {
            self.edges[kept as usize] = Some(Edge { ends, whole, end_from });
            let renamed = self.nodes[ends[1]].edges.iter_mut().find(|edge| **edge == dropped);
            if let Some(edge) = renamed {
                *edge = kept;
            }
            open.push(ends[1]);
        }
        open.push(ends[0]);
    }

    /// An edge from `vertex` back to it: always taken, unless the trail ends inside and gets farther so.
    fn close_loop(&mut self, vertex: usize, whole: Gain, end: Gain) {
        let loops = self.nodes[vertex].loops;
        self.nodes[vertex].loops = self.sets.union(loops, whole);
        if end.edges > whole.edges {
            let end = self.sets.instead(end, whole);
            self.nodes[vertex].branches.push(Branch { start: None, end });
        }
    }

    /// Notes a trail of two parts.
    fn keep_within(&mut self, a: Gain, b: Gain) {
        if a.edges + b.edges > self.within.edges {
            self.within = self.sets.union(a, b);
        }
    }

    fn finish<'b>(mut self, charge: Charge<'b>, pace: &mut Pace<'_>) -> Result<Kernel<'b>, Stop> {
        let mut number = Vec::with_capacity(self.nodes.len());
        let mut vertices = Vec::new();
        let mut root = None;
        for vertex in 0..self.nodes.len() {
            pace.count(8)?;
            let end = self.longest_end(vertex);
            let loops = self.nodes[vertex].loops;
            let start = self.ways_to_start(vertex);
            if let Some(start) = start {
                let around = self.sets.union(start, loops);
                self.keep_within(around, end);
            }
            number.push(vertices.len());
            if self.nodes[vertex].edges.is_empty() {
                continue;
            }
            if let Some(start) = start {
                root = Some(Root { vertex: vertices.len(), odd: start, even: self.sets.union(start, end) });
            }
            vertices.push(Vertex { origin: vertex as u32, loops, end });
        }
        let edges = self.edges.into_iter().flatten();
        let edges = edges.map(|edge| Edge { ends: edge.ends.map(|end| number[end]), ..edge }).collect();
        Ok(Kernel { vertices, edges, root, within: self.within, sets: self.sets, _charge: charge })
    }
}
