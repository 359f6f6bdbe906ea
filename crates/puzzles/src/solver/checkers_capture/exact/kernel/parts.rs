//! Larger parts behind one edge or two, each decided by a search of its own.
//!
//! A trail comes into such a part once at most. It passes it from one edge to the other, or ends in it: the part is worth the
//! longest trail between the two vertices at which it is entered, and the longest trails from them. Then it is one edge, or a
//! branch. Parts inside parts come first. One that is not decided by few states stays as it is.
//!
//! Proofs: docs/proofs/checkers.md, section 5.4.

use super::super::edge_sets::{EdgeSets, Gain};
use super::super::graph::Links;
use super::super::parity::{ParityCuts, Relaxation};
use super::super::plan::{Plan, WIDTH_MAX};
use super::super::search::Task;
use super::inseparable::components;
use super::{Edge, Kernel, Reduction, Vertex};
use crate::solver::{Charge, Pace, Stop};

/// Vertices of a part that is decided by itself.
const PART_VERTICES_MAX: usize = 64;
/// States kept between two steps of its search.
const STATES_MAX: usize = 2048;

/// `kernel` without the parts behind one edge or two.
///
/// # Errors
/// The limit that ended it.
pub fn without_parts<'b>(kernel: Kernel<'b>, pace: &mut Pace<'b>) -> Result<Kernel<'b>, Stop> {
    without_parts_of(STATES_MAX, kernel, pace)
}

/// The same for parts that so many states decide.
fn without_parts_of<'b>(
    states_max: usize,
    kernel: Kernel<'b>,
    pace: &mut Pace<'b>,
) -> Result<Kernel<'b>, Stop> {
    let mut reduction = Reduction::open(kernel, pace)?;
    // Vertices of parts that were not decided.
    let mut is_hard = vec![false; reduction.vertices.len()];
    loop {
        let mut changed = Vec::new();
        for members in components(&reduction, pace)?.into_iter().skip(1) {
            let exits = reduction.exits(&members);
            if exits.len() > 2
                || members.len() > PART_VERTICES_MAX
                || members.iter().any(|&vertex| is_hard[vertex])
            {
                continue;
            }
            if !reduction.take_part(states_max, (&members, &exits), &mut changed, pace)? {
                for vertex in members {
                    is_hard[vertex] = true;
                }
            }
        }
        if changed.is_empty() {
            return reduction.finish(pace);
        }
        reduction.reduce(changed, pace)?;
    }
}

/// An edge that leaves a part.
struct Exit {
    number: usize,
    edge: Edge,
    /// The side on which the part is.
    side: usize,
}

impl Exit {
    /// The vertex in the part.
    fn inner(&self) -> usize {
        self.edge.ends[self.side]
    }

    /// The vertex outside.
    fn outer(&self) -> usize {
        self.edge.ends[1 - self.side]
    }
}

impl<'b> Reduction<'b> {
    /// The edges between some vertices in ascending order and all others.
    fn exits(&self, members: &[usize]) -> Vec<Exit> {
        let mut exits = Vec::new();
        for &vertex in members {
            for number in self.links.of(vertex) {
                if let Some(edge) = self.edges[number]
                    && members.binary_search(&self.across(number, vertex)).is_err()
                {
                    exits.push(Exit { number, edge, side: usize::from(edge.ends[0] != vertex) });
                }
            }
        }
        exits
    }

    /// Replaces a part by what it is worth, and notes whose edges have become others; whether its search came to an end.
    fn take_part(
        &mut self,
        states_max: usize,
        (members, exits): (&[usize], &[Exit]),
        changed: &mut Vec<usize>,
        pace: &mut Pace<'b>,
    ) -> Result<bool, Stop> {
        let mut part = self.part(members, pace)?;
        let number = |vertex: usize| members.binary_search(&vertex).unwrap_or_default();
        let inner: Vec<usize> = exits.iter().map(|exit| number(exit.inner())).collect();
        let worth = Worth::of(&mut part, &inner, states_max, pace);
        self.sets = part.sets;
        let Some(Worth { ends, between }) = worth? else { return Ok(false) };
        // What it gains to come in by each edge and end in the part.
        let mut end_from = Vec::new();
        for (exit, &end) in exits.iter().zip(&ends) {
            end_from.push(self.sets.union(exit.edge.whole, end)?);
        }
        for &vertex in members {
            for number in self.links.of(vertex).collect::<Vec<_>>() {
                self.links.remove(vertex, number);
                self.edges[number] = None;
            }
        }
        match exits {
            [exit] => {
                self.links.remove(exit.outer(), exit.number);
                self.add_end(exit.outer(), end_from[0].or_larger(exit.edge.end_from[1 - exit.side]));
            }
            [first, second] => {
                let passed = [
                    self.sets.union(first.edge.whole, between)?,
                    self.sets.union(second.edge.whole, between)?,
                ];
                let whole = self.sets.union(passed[0], second.edge.whole)?;
                // To pass the part and end in the edge behind it, or to come not as far as the part.
                let beyond = [
                    self.sets.union(passed[0], second.edge.end_from[second.side])?,
                    self.sets.union(passed[1], first.edge.end_from[first.side])?,
                ];
                let before = [first, second].map(|exit| exit.edge.end_from[1 - exit.side]);
                let end_from =
                    [0, 1].map(|side| end_from[side].or_larger(beyond[side]).or_larger(before[side]));
                let ends = [first.outer(), second.outer()];
                if ends[0] == ends[1] {
                    self.links.remove(ends[0], first.number);
                    self.links.remove(ends[0], second.number);
                    self.close_loop(ends[0], whole, end_from[0].or_larger(end_from[1]))?;
                } else {
                    self.edges[first.number] = Some(Edge { ends, whole, end_from });
                    self.links.replace(ends[1], second.number, first.number);
                }
            }
            _ => {}
        }
        changed.extend(exits.iter().map(Exit::outer));
        Ok(true)
    }

    /// A kernel of its own of some vertices in ascending order; it has the sets of this one.
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

/// What a part is worth.
struct Worth {
    /// The longest trail from each vertex at which it is entered.
    ends: Vec<Gain>,
    /// The longest trail between the two.
    between: Gain,
}

impl Worth {
    /// What `part` is worth that is entered at some of its vertices; `None` where few states do not tell.
    fn of<'b>(
        part: &mut Kernel<'b>,
        entered: &[usize],
        states_max: usize,
        pace: &mut Pace<'b>,
    ) -> Result<Option<Self>, Stop> {
        let mut ends = Vec::new();
        for &vertex in entered {
            let Some(end) = longest(part, (vertex, 0), states_max, pace)? else { return Ok(None) };
            ends.push(end);
        }
        let &[from, to] = entered else { return Ok(Some(Self { ends, between: Gain::default() })) };
        // No trail ends anywhere else: that would forgo more than all there is.
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
        Ok(longest(part, (from, prize), states_max, pace)?.map(|between| Self { ends, between }))
    }
}

/// The longest trail of `part` from `root`, without the `prize` that it gains where there is one; `None` where so many
/// states do not tell.
fn longest<'b>(
    part: &mut Kernel<'b>,
    (root, prize): (usize, u32),
    states_max: usize,
    pace: &mut Pace<'b>,
) -> Result<Option<Gain>, Stop> {
    part.root = root;
    let Vertex { loops, end, .. } = part.vertices[root];
    let within = part.sets.union(loops, end)?;
    if part.edges.is_empty() {
        return Ok(Some(within));
    }
    let relaxation = Relaxation::new(part, pace)?;
    let Some(plan) = Plan::new(part, WIDTH_MAX, |vertex| (vertex, 0), pace)? else { return Ok(None) };
    let cuts = ParityCuts::new(&relaxation, &plan, pace)?;
    let task = Task {
        kernel: part,
        plan: &plan,
        cuts: &cuts,
        edges_wanted: true,
        longer_than: (loops.edges + end.edges).max(prize),
        states_max,
        budget: pace.budget(),
    };
    let pass = task.run();
    match pass.ended {
        Err(Stop::MemoryLimit) => return Ok(None),
        ended => ended?,
    }
    if pass.left_out_max > pass.longest {
        return Ok(None);
    }
    let Some(chosen) = pass.chosen else { return Ok(Some(within)) };
    let mut gain = Gain::default();
    for chosen in chosen {
        gain = part.sets.union(gain, chosen)?;
    }
    debug_assert_eq!(gain.edges + prize, pass.longest, "the search gains what its edges are");
    Ok(Some(gain))
}

#[cfg(test)]
#[path = "parts_tests.rs"]
mod tests;
