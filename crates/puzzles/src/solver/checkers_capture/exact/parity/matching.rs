//! The cheapest T-join of a graph with an end, and its dual variables: a cheapest perfect matching of T that grows on the
//! graph's edges.
//!
//! Points are the members of T but the end. They and odd sets of them, *blossoms*, have dual variables (Edmonds 1965). From
//! all unmatched points alternating trees grow at once. *Outer* nodes, at even distance from a root, raise their dual
//! variables, *inner* ones lower theirs. What a node covers ([`regions`]) is a part of the graph that grows and shrinks with
//! it, edge by edge, so the distances between points are never needed. What happens comes from a queue of events: a node
//! reaches a vertex; two nodes meet on an edge; an inner node gives up a vertex, or has used up its dual variable. Where
//! two nodes meet, an outer and a free node join; two outer nodes of different trees make the matching larger; two of one
//! tree close an odd circle, which becomes a blossom ([`blossom`]). This is how matchings decode surface codes quickly
//! (Higgott and Gidney, "Sparse Blossom", 2023).
//!
//! One tree is left, for T without the end is odd. It grows on until the end is worth most at a vertex that it covers.
//!
//! Proofs: docs/proofs/checkers.md, section 7.3.
//!
//! [`blossom`]: super::blossom
//! [`regions`]: super::regions

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::blossom::{Blossoms, Label, NONE};
use super::regions::Regions;
use super::relaxation::Relaxed;
use crate::solver::{Pace, Stop};

/// What the matching takes for each point, each vertex and each edge.
pub const POINT_BYTES: u64 = 512;
pub const VERTEX_BYTES: u64 = 64;
pub const EDGE_BYTES: u64 = 96;

/// No event.
const NEVER: i64 = i64::MAX;

/// A matching of all points but one, which the end is matched to.
pub struct Matching {
    /// Points and blossoms with their dual variables.
    pub blossoms: Blossoms,
    /// What they cover.
    pub regions: Regions,
    /// The pairs of points.
    pub pairs: Vec<(usize, usize)>,
    /// The point that is matched to the end, and the vertex at which.
    pub last: (usize, usize),
}

/// Returns the cheapest matching of the members of T in `relaxed`, the end last.
///
/// # Errors
/// The limit that ended it.
pub fn cheapest(relaxed: &Relaxed<'_>, pace: &mut Pace<'_>) -> Result<Matching, Stop> {
    let points = relaxed.terminals.len() - 1;
    let edges = relaxed.lengths.len();
    let mut forest = Forest {
        relaxed,
        pace,
        blossoms: Blossoms::new(points),
        regions: Regions::new(relaxed, points),
        trees: (0..points).map(|point| vec![point]).collect(),
        tree_of: (0..2 * points).collect(),
        trees_left: points,
        queue: BinaryHeap::new(),
        next: vec![NEVER; edges + 2 * points],
    };
    for point in 0..points {
        forest.look_at_region(point)?;
    }
    let last = forest.run()?;
    forest.blossoms.match_along((forest.regions.source[last] as usize, NONE));
    let mate = |point: usize| forest.blossoms.nodes[point].mate.map_or(NONE, |(_, mate)| mate);
    let pairs = (0..points).map(|point| (point, mate(point)));
    let pairs = pairs.filter(|&(point, mate)| mate != NONE && point < mate).collect();
    let single = (0..points).find(|&point| mate(point) == NONE).unwrap_or(0);
    Ok(Matching { pairs, last: (single, last), blossoms: forest.blossoms, regions: forest.regions })
}

struct Forest<'a, 'b> {
    relaxed: &'a Relaxed<'a>,
    pace: &'a mut Pace<'b>,
    blossoms: Blossoms,
    regions: Regions,
    /// The nodes that have ever joined each tree, by the number of its root.
    trees: Vec<Vec<usize>>,
    /// The tree of each node that is in one.
    tree_of: Vec<usize>,
    trees_left: usize,
    /// When something happens, on an edge or (behind all edges) at a node.
    queue: BinaryHeap<Reverse<(i64, usize)>>,
    /// The earliest event in the queue of each edge and node; others are out of date.
    next: Vec<i64>,
}

impl Forest<'_, '_> {
    /// Grows until all points but one are matched, and that one's tree has come to the end: the vertex at which.
    fn run(&mut self) -> Result<usize, Stop> {
        loop {
            let event = self.queue.pop().map_or((NEVER, 0), |Reverse(event)| event);
            let (time, number) = event;
            if time == NEVER || time > self.regions.now {
                if self.trees_left == 1
                    && let Some(vertex) = self.end_before(time)?
                {
                    return Ok(vertex);
                }
                self.regions.now = time;
            }
            if self.next[number] != time {
                continue;
            }
            self.next[number] = NEVER;
            self.pace.count(4)?;
            let edges = self.relaxed.lengths.len();
            if number < edges { self.on_edge(number)? } else { self.at_node(number - edges)? }
        }
    }

    /// The vertex at which the end is worth most, if the last tree covers it before something else happens at `time`.
    fn end_before(&mut self, time: i64) -> Result<Option<usize>, Stop> {
        self.pace.count(self.relaxed.to_end.len())?;
        let (mut outer, mut other) = ((i64::MIN, 0), i64::MIN);
        for (vertex, to_end) in self.relaxed.to_end.iter().enumerate() {
            let worth = self.regions.cover(&self.blossoms, vertex) - to_end;
            let top = self.regions.top(&self.blossoms, vertex);
            if top.is_some_and(|top| self.blossoms.nodes[top].label == Label::Outer) {
                outer = outer.max((worth, vertex));
            } else {
                other = other.max(worth);
            }
        }
        let wanted = (other - outer.0).max(0);
        if time != NEVER && self.regions.now + wanted > time {
            return Ok(None);
        }
        self.regions.now += wanted;
        for node in 0..self.blossoms.nodes.len() {
            if self.blossoms.nodes[node].blossom == NONE {
                self.regions.settle(&mut self.blossoms, node);
            }
        }
        Ok(Some(outer.1))
    }

    /// When something happens on an edge, as things stand.
    fn time_of(&self, edge: usize) -> Option<i64> {
        let ends = self.relaxed.kernel.edges[edge].ends;
        let tops = ends.map(|end| self.regions.top(&self.blossoms, end));
        if tops[0] == tops[1] {
            return None;
        }
        let rates = tops.map(|top| match top.map(|top| self.blossoms.nodes[top].label) {
            Some(Label::Outer) => 1,
            Some(Label::Inner) => -1,
            Some(Label::Free) | None => 0,
        });
        let rate = rates[0] + rates[1];
        if rate <= 0 {
            return None;
        }
        let covers = ends.map(|end| self.regions.cover(&self.blossoms, end));
        Some(self.regions.now + (self.relaxed.lengths[edge] - covers[0] - covers[1]) / rate)
    }

    fn expect(&mut self, number: usize, time: i64) {
        if time < self.next[number] {
            self.next[number] = time;
            self.queue.push(Reverse((time, number)));
        }
    }

    /// Expects what may happen on the edges of a vertex.
    fn look_at(&mut self, vertex: usize) {
        let kernel = self.relaxed.kernel;
        for edge in kernel.links.of(vertex) {
            if let Some(time) = self.time_of(edge) {
                self.expect(edge, time);
            }
        }
    }

    /// Expects what may happen around a node whose label has changed.
    fn look_at_region(&mut self, node: usize) -> Result<(), Stop> {
        if self.blossoms.nodes[node].label == Label::Inner {
            let time = self.regions.now + self.regions.shrinks_for(&self.blossoms, node);
            self.expect(self.relaxed.lengths.len() + node, time);
            return Ok(());
        }
        let vertices = self.regions.vertices(&self.blossoms, node);
        self.pace.count(8 * vertices.len())?;
        for vertex in vertices {
            self.look_at(vertex as usize);
        }
        Ok(())
    }

    fn on_edge(&mut self, edge: usize) -> Result<(), Stop> {
        let Some(time) = self.time_of(edge) else { return Ok(()) };
        if time > self.regions.now {
            self.expect(edge, time);
            return Ok(());
        }
        let mut ends = self.relaxed.kernel.edges[edge].ends;
        let is_outer = |vertex: usize| {
            let top = self.regions.top(&self.blossoms, vertex);
            top.is_some_and(|top| self.blossoms.nodes[top].label == Label::Outer)
        };
        if !is_outer(ends[0]) {
            ends.swap(0, 1);
        }
        if self.regions.top(&self.blossoms, ends[1]).is_none() {
            self.regions.reach(&self.blossoms, ends[0], ends[1], self.relaxed.lengths[edge]);
            self.look_at(ends[1]);
            return Ok(());
        }
        let [outer, point] = ends.map(|end| self.regions.source[end] as usize);
        self.touch(outer, point)
    }

    /// An outer point touches a point of another node.
    fn touch(&mut self, outer: usize, point: usize) -> Result<(), Stop> {
        let [above, top] = [outer, point].map(|point| self.blossoms.top[point]);
        if self.blossoms.nodes[top].label == Label::Free {
            let mate = self.blossoms.nodes[top].mate.map_or(top, |(_, mate)| self.blossoms.top[mate]);
            for node in [top, mate] {
                self.regions.settle(&mut self.blossoms, node);
                self.join(node, self.tree_of[above]);
            }
            self.blossoms.nodes[top].label = Label::Inner;
            self.blossoms.nodes[top].parent = Some((point, outer));
            self.blossoms.nodes[mate].label = Label::Outer;
            self.look_at_region(top)?;
            return self.look_at_region(mate);
        }
        if self.tree_of[above] == self.tree_of[top] {
            return self.shrink((outer, point));
        }
        let trees = [above, top].map(|node| self.tree_of[node]);
        self.blossoms.match_along((outer, point));
        self.blossoms.match_along((point, outer));
        self.trees_left -= 2;
        trees.into_iter().try_for_each(|tree| self.dissolve(tree))
    }

    fn join(&mut self, node: usize, tree: usize) {
        self.tree_of[node] = tree;
        self.trees[tree].push(node);
    }

    /// All nodes of a tree whose root is matched are free again.
    fn dissolve(&mut self, tree: usize) -> Result<(), Stop> {
        let members = std::mem::take(&mut self.trees[tree]);
        self.pace.count(4 * members.len())?;
        let mut inner = Vec::new();
        for node in members {
            let label = self.blossoms.nodes[node].label;
            if label == Label::Free || self.blossoms.nodes[node].blossom != NONE || self.tree_of[node] != tree
            {
                continue;
            }
            self.regions.settle(&mut self.blossoms, node);
            (self.blossoms.nodes[node].label, self.blossoms.nodes[node].parent) = (Label::Free, None);
            if label == Label::Inner {
                inner.push(node);
            }
        }
        // Outer nodes have their events already, which are too early now.
        inner.into_iter().try_for_each(|node| self.look_at_region(node))
    }

    /// Two outer nodes of one tree close an odd circle.
    fn shrink(&mut self, pair: (usize, usize)) -> Result<(), Stop> {
        let paths = [pair.0, pair.1].map(|end| self.blossoms.path_to_root(self.blossoms.top[end]));
        self.pace.count(paths[0].len() + paths[1].len())?;
        let tree = self.tree_of[paths[0][0]];
        let is_inner = |node: &usize| self.blossoms.nodes[*node].label == Label::Inner;
        let inner: Vec<usize> = paths.iter().flatten().copied().filter(is_inner).collect();
        for &node in paths.iter().flatten() {
            self.regions.settle(&mut self.blossoms, node);
        }
        let blossom = self.blossoms.shrink(pair, &paths);
        for node in self.blossoms.nodes[blossom].circle.clone() {
            self.regions.nest(&self.blossoms, node, Some(blossom));
        }
        self.join(blossom, tree);
        for node in inner {
            // Inside an outer blossom it covers as an outer node does.
            if self.blossoms.nodes[node].blossom != blossom {
                continue;
            }
            for vertex in self.regions.vertices(&self.blossoms, node) {
                self.look_at(vertex as usize);
            }
        }
        Ok(())
    }

    /// An inner node gives up a vertex, or has used up its dual variable.
    fn at_node(&mut self, node: usize) -> Result<(), Stop> {
        if self.blossoms.nodes[node].blossom != NONE || self.blossoms.nodes[node].label != Label::Inner {
            return Ok(());
        }
        for vertex in self.regions.give_up(&self.blossoms, node) {
            self.look_at(vertex as usize);
        }
        if self.regions.dual(&self.blossoms, node) > 0 {
            return self.look_at_region(node);
        }
        if !self.blossoms.nodes[node].circle.is_empty() {
            let tree = self.tree_of[node];
            self.regions.settle(&mut self.blossoms, node);
            // The number is used again.
            let rest = std::mem::take(&mut self.regions.shells[node]);
            debug_assert!(rest.is_empty());
            for child in self.blossoms.expand(node) {
                self.regions.nest(&self.blossoms, child, None);
                if self.blossoms.nodes[child].label != Label::Free {
                    self.join(child, tree);
                }
                self.look_at_region(child)?;
            }
            return Ok(());
        }
        // Its parent and its mate touch on its own vertex.
        let parent = self.blossoms.nodes[node].parent.map_or(NONE, |(_, outer)| outer);
        let mate = self.blossoms.nodes[node].mate.map_or(NONE, |(_, mate)| mate);
        self.shrink((parent, mate))
    }
}
