//! Larger parts behind one edge or two, each decided by a search of its own.
//!
//! A trail enters such a part at most once. It passes through from one edge to the other, or ends inside. So the part
//! is described by the longest trail between the two vertices at which trails enter it, and the longest trails from
//! each. It becomes one edge, or a branch. Parts inside parts are replaced first. Parts with too many vertices stay as
//! they are.
//!
//! Proofs: docs/proofs/checkers.md, section 5.4.

use super::super::edge_sets::{EdgeSets, Gain};
use super::super::frontier_search::Task;
use super::super::graph::Links;
use super::super::parity::{ParityCuts, Relaxation};
use super::super::plan::{Plan, WIDTH_MAX};
use super::inseparable::components;
use super::{Edge, Kernel, Reduction, Vertex};
use crate::solver::{Charge, Pace, Stop};

/// The most vertices of a part that is replaced.
const PART_VERTICES_MAX: usize = 64;

/// Returns `kernel` without the parts behind one edge or two.
pub fn without_parts<'b>(kernel: Kernel<'b>, pace: &mut Pace<'b>) -> Result<Kernel<'b>, Stop> {
    let mut reduction = Reduction::open(kernel, pace)?;
    loop {
        let mut changed = Vec::new();
        for members in components(&reduction, pace)?.into_iter().skip(1) {
            let exits = reduction.exits(&members);
            if exits.len() <= 2 && members.len() <= PART_VERTICES_MAX {
                reduction.replace_part(&members, &exits, pace)?;
                changed.extend(exits.iter().map(|exit| exit.from));
            }
        }
        if changed.is_empty() {
            return reduction.finish(pace);
        }
        reduction.reduce(changed, pace)?;
    }
}

/// An edge that leaves a part, and its end in the part.
struct Exit {
    edge: usize,
    from: usize,
}

impl<'b> Reduction<'b> {
    /// Returns the edges between `members`, which must be ascending, and all other vertices.
    fn exits(&self, members: &[usize]) -> Vec<Exit> {
        let of_vertex = |&from: &usize| {
            let leaves = move |edge: &usize| members.binary_search(&self.across(*edge, from)).is_err();
            self.links.of(from).filter(leaves).map(move |edge| Exit { edge, from })
        };
        members.iter().flat_map(of_vertex).collect()
    }

    /// Replaces a part by one vertex with a branch and loops, or by two vertices with an edge between them. These are
    /// left for [`reduce`](Self::reduce) to remove.
    fn replace_part(&mut self, members: &[usize], exits: &[Exit], pace: &mut Pace<'b>) -> Result<(), Stop> {
        let mut part = self.part(members, pace)?;
        let number = |exit: &Exit| members.binary_search(&exit.from).unwrap_or_default();
        let entered: Vec<usize> = exits.iter().map(number).collect();
        let worth = Worth::of(&mut part, &entered, pace);
        self.sets = part.sets;
        let Worth { ends, between } = worth?;
        let mut free = None;
        for &vertex in members {
            self.vertices[vertex] = Vertex { origin: self.vertices[vertex].origin, ..Vertex::default() };
            for edge in self.links.of(vertex).collect::<Vec<_>>() {
                if exits.iter().all(|exit| exit.edge != edge) {
                    self.links.remove(vertex, edge);
                    self.edges[edge] = None;
                    free = Some(edge);
                }
            }
        }
        match (exits, free) {
            ([exit], _) => self.add_end(exit.from, ends[0]),
            ([first, second], _) if first.from == second.from => {
                self.close_loop(first.from, between, ends[0])?;
            }
            ([first, second], Some(edge)) => {
                let vertices = [first.from, second.from];
                self.edges[edge] =
                    Some(Edge { ends: vertices, whole: between, end_from: [ends[0], ends[1]] });
                for vertex in vertices {
                    self.links.add(vertex, edge);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Makes a kernel of `members`, which must be ascending. Moves the edge sets of `self` to it.
    fn part(&mut self, members: &[usize], pace: &mut Pace<'b>) -> Result<Kernel<'b>, Stop> {
        let number = |vertex: usize| members.binary_search(&vertex).ok();
        let mut edges = Vec::new();
        for &vertex in members {
            let edges_here = self.links.of(vertex).filter_map(|edge| self.edges[edge]);
            for edge in edges_here.filter(|edge| edge.ends[0] == vertex) {
                if let [Some(a), Some(b)] = edge.ends.map(number) {
                    edges.push(Edge { ends: [a, b], ..edge });
                }
            }
        }
        let charge = Charge::new(Kernel::bytes(members.len(), edges.len()), pace.budget())?;
        Ok(Kernel {
            vertices: members.iter().map(|&vertex| self.vertices[vertex]).collect(),
            links: Links::new(members.len(), edges.iter().map(|edge: &Edge| edge.ends)),
            edges,
            root: 0,
            within: Gain::default(),
            sets: std::mem::replace(&mut self.sets, EdgeSets::new(0, pace.budget())),
            _charge: charge,
        })
    }
}

/// What a trail can gain in a part.
struct Worth {
    /// The longest trail from each vertex at which trails enter the part.
    ends: Vec<Gain>,
    /// The longest trail between the two vertices.
    between: Gain,
}

impl Worth {
    /// Returns what a trail can gain in `part` if it enters at the vertices `entered`.
    fn of<'b>(part: &mut Kernel<'b>, entered: &[usize], pace: &mut Pace<'b>) -> Result<Self, Stop> {
        let mut ends = Vec::new();
        for &vertex in entered {
            ends.push(longest(part, vertex, 0, pace)?);
        }
        let &[from, to] = entered else { return Ok(Self { ends, between: Gain::default() }) };
        // The prize at `to` is more than all edges and loops gain, so every longest trail ends there.
        let edges: u32 = part.edges.iter().map(|edge| edge.whole.edges).sum();
        let loops: u32 = part.vertices.iter().map(|vertex| vertex.loops.edges).sum();
        for edge in &mut part.edges {
            edge.end_from = [Gain::default(); 2];
        }
        for vertex in &mut part.vertices {
            vertex.end = Gain::default();
        }
        let prize = edges + loops + 1;
        part.vertices[to].end = Gain::prize(prize);
        Ok(Self { ends, between: longest(part, from, prize, pace)? })
    }
}

/// Returns the longest trail of `part` from `root`, without counting the `prize` of its end.
fn longest<'b>(part: &mut Kernel<'b>, root: usize, prize: u32, pace: &mut Pace<'b>) -> Result<Gain, Stop> {
    part.root = root;
    let Vertex { loops, end, .. } = part.vertices[root];
    let within = part.sets.union(loops, end)?;
    if part.edges.is_empty() {
        return Ok(within);
    }
    let relaxation = Relaxation::new(part, pace)?;
    let Some(plan) = Plan::new(part, WIDTH_MAX, |vertex| (vertex, 0), pace)? else {
        unreachable!("a part has fewer vertices than a frontier may")
    };
    let cuts = ParityCuts::new(&relaxation, &plan, pace)?;
    let task = Task {
        kernel: part,
        plan: &plan,
        cuts: &cuts,
        edges_wanted: true,
        longer_than: (loops.edges + end.edges).max(prize),
        budget: pace.budget(),
    };
    let found = task.run();
    found.ended?;
    let Some(chosen) = found.chosen else { return Ok(within) };
    let mut gain = Gain::default();
    for chosen in chosen {
        gain = part.sets.union(gain, chosen)?;
    }
    debug_assert_eq!(gain.edges + prize, found.longest, "the search gains what its edges are");
    Ok(gain)
}

#[cfg(test)]
#[path = "parts_tests.rs"]
mod tests;
