//! Finds the cheapest T-join of a graph with an end, and its dual variables, by a cheapest perfect matching of T that
//! grows on the graph's edges.
//!
//! *Points* are the members of T except the end. *Blossoms* are odd sets of points. Both are *nodes* and have dual
//! variables (Edmonds 1965). Alternating trees grow from all unmatched points at once. *Outer* nodes, at an even
//! distance from a root, raise their dual variables; *inner* nodes lower theirs. Each node covers a part of the graph
//! ([`regions`]) that grows and shrinks with its dual variable, edge by edge, so the distances between points are never
//! needed. A queue holds the events: a node reaches a vertex; two nodes meet on an edge; an inner node gives up a
//! vertex, or its dual variable reaches 0. If an outer node meets a free node, the free node joins its tree. If outer
//! nodes of two trees meet, the matching grows. If outer nodes of one tree meet, they close an odd circle, which
//! becomes a blossom ([`blossom`]). "Sparse Blossom" (Higgott and Gidney 2023) decodes surface codes quickly in this
//! way.
//!
//! T without the end has an odd number of members, so one tree is left. It grows until it covers a vertex at which the
//! end is worth most.
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

/// Bytes that the matching takes per point, per vertex and per edge.
pub const POINT_BYTES: u64 = 512;
pub const VERTEX_BYTES: u64 = 64;
pub const EDGE_BYTES: u64 = 96;

/// The time of no event.
const NEVER: i64 = i64::MAX;

/// A matching of all points except one, which is matched to the end.
pub struct Matching {
    /// Points and blossoms with their dual variables.
    pub blossoms: Blossoms,
    /// The parts of the graph that the nodes cover.
    pub regions: Regions,
    /// The pairs of points.
    pub pairs: Vec<(usize, usize)>,
    /// The point that is matched to the end, and the vertex from which its path takes the edge to the end.
    pub last: (usize, usize),
}

/// Returns the cheapest perfect matching of T in `relaxed`. The end must be the last member of T.
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
        forest.schedule_node(point)?;
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
    /// For each tree, numbered by its root, all nodes that ever joined it.
    trees: Vec<Vec<usize>>,
    /// The tree of each node that is in a tree.
    tree_of: Vec<usize>,
    trees_left: usize,
    /// The events: time, and the number of an edge, or the number of a node plus the number of edges.
    queue: BinaryHeap<Reverse<(i64, usize)>>,
    /// The time of the earliest event of each edge and node. Its other events in the queue are out of date.
    next: Vec<i64>,
}

impl Forest<'_, '_> {
    /// Grows the trees until all points but one are matched and the last tree reaches the end. Returns the vertex at
    /// which it does.
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
            if number < edges { self.on_edge(number)? } else { self.on_node(number - edges)? }
        }
    }

    /// Returns the vertex at which the end is worth most, if an outer node covers it before the next event, at `time`.
    fn end_before(&mut self, time: i64) -> Result<Option<usize>, Stop> {
        self.pace.count(self.relaxed.to_end.len())?;
        let (mut outer, mut other) = ((i64::MIN, 0), i64::MIN);
        for (vertex, to_end) in self.relaxed.to_end.iter().enumerate() {
            let worth = self.regions.cover(&self.blossoms, vertex) - to_end;
            if self.is_outer(vertex) {
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

    /// Returns whether an outer node covers a vertex.
    fn is_outer(&self, vertex: usize) -> bool {
        let top = self.regions.top(&self.blossoms, vertex);
        top.is_some_and(|top| self.blossoms.nodes[top].label == Label::Outer)
    }

    /// Returns the time of the next event on an edge under the current labels.
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

    /// Schedules the events on the edges of a vertex.
    fn schedule_edges(&mut self, vertex: usize) {
        let kernel = self.relaxed.kernel;
        for edge in kernel.links.of(vertex) {
            if let Some(time) = self.time_of(edge) {
                self.expect(edge, time);
            }
        }
    }

    /// Schedules the events of a node whose label has changed.
    fn schedule_node(&mut self, node: usize) -> Result<(), Stop> {
        if self.blossoms.nodes[node].label == Label::Inner {
            let time = self.regions.now + self.regions.shrinks_for(&self.blossoms, node);
            self.expect(self.relaxed.lengths.len() + node, time);
            return Ok(());
        }
        let vertices = self.regions.vertices(&self.blossoms, node);
        self.pace.count(8 * vertices.len())?;
        for vertex in vertices {
            self.schedule_edges(vertex as usize);
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
        if !self.is_outer(ends[0]) {
            ends.swap(0, 1);
        }
        if self.regions.top(&self.blossoms, ends[1]).is_none() {
            self.regions.reach(&self.blossoms, ends[0], ends[1], self.relaxed.lengths[edge]);
            self.schedule_edges(ends[1]);
            return Ok(());
        }
        let [outer, point] = ends.map(|end| self.regions.source[end] as usize);
        self.touch(outer, point)
    }

    /// Handles the event that an outer node's point touches a point of another node.
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
            self.schedule_node(top)?;
            return self.schedule_node(mate);
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

    /// Frees all nodes of a tree whose root has been matched.
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
        // Edges at former outer nodes still have events, which are too early. `on_edge` corrects their times.
        inner.into_iter().try_for_each(|node| self.schedule_node(node))
    }

    /// Makes a blossom of the odd circle that two outer nodes of one tree close.
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
            // Inside an outer blossom, the region of a former inner node grows.
            if self.blossoms.nodes[node].blossom != blossom {
                continue;
            }
            for vertex in self.regions.vertices(&self.blossoms, node) {
                self.schedule_edges(vertex as usize);
            }
        }
        Ok(())
    }

    /// Handles the event that an inner node gives up a vertex, or that its dual variable reaches 0.
    fn on_node(&mut self, node: usize) -> Result<(), Stop> {
        if self.blossoms.nodes[node].blossom != NONE || self.blossoms.nodes[node].label != Label::Inner {
            return Ok(());
        }
        for vertex in self.regions.give_up(&self.blossoms, node) {
            self.schedule_edges(vertex as usize);
        }
        if self.regions.dual(&self.blossoms, node) > 0 {
            return self.schedule_node(node);
        }
        if !self.blossoms.nodes[node].circle.is_empty() {
            let tree = self.tree_of[node];
            self.regions.settle(&mut self.blossoms, node);
            // A later blossom can get the same number.
            let rest = std::mem::take(&mut self.regions.shells[node]);
            debug_assert!(rest.is_empty());
            for child in self.blossoms.expand(node) {
                self.regions.nest(&self.blossoms, child, None);
                if self.blossoms.nodes[child].label != Label::Free {
                    self.join(child, tree);
                }
                self.schedule_node(child)?;
            }
            return Ok(());
        }
        // The node is a point. Its parent and its mate touch at its vertex.
        let parent = self.blossoms.nodes[node].parent.map_or(NONE, |(_, outer)| outer);
        let mate = self.blossoms.nodes[node].mate.map_or(NONE, |(_, mate)| mate);
        self.shrink((parent, mate))
    }
}
