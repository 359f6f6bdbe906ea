//! Larger parts behind one edge or two, each decided by a search of its own.
//!
//! A trail enters such a part at most once. It passes it from one edge to the other, or ends in it: the part is worth the
//! longest trail between the two vertices at which it is entered, and the longest trails from them. Then it is one edge, or a
//! branch. Parts inside parts come first. One that is not decided by few states stays as it is.
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

/// Vertices of a part that is decided by itself.
const PART_VERTICES_MAX: usize = 64;
/// States kept between two steps of its search.
const STATES_MAX: usize = 2048;

/// Returns `kernel` without the parts behind one edge or two.
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
            if reduction.replace_part(&members, &exits, states_max, pace)? {
                changed.extend(exits.iter().map(|exit| exit.from));
            } else {
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

/// An edge that leaves a part, and the vertex of the part at which it does.
struct Exit {
    edge: usize,
    from: usize,
}

impl<'b> Reduction<'b> {
    /// Returns the edges between some vertices in ascending order and all others.
    fn exits(&self, members: &[usize]) -> Vec<Exit> {
        let of_vertex = |&from: &usize| {
            let leaves = move |edge: &usize| members.binary_search(&self.across(*edge, from)).is_err();
            self.links.of(from).filter(leaves).map(move |edge| Exit { edge, from })
        };
        members.iter().flat_map(of_vertex).collect()
    }

    /// Replaces a part by one vertex with a branch and loops, or by two with an edge between them, which
    /// [`reduce`](Self::reduce) then takes away. False if `states_max` states do not decide what the part is worth.
    fn replace_part(
        &mut self,
        members: &[usize],
        exits: &[Exit],
        states_max: usize,
        pace: &mut Pace<'b>,
    ) -> Result<bool, Stop> {
        let mut part = self.part(members, pace)?;
        let number = |exit: &Exit| members.binary_search(&exit.from).unwrap_or_default();
        let entered: Vec<usize> = exits.iter().map(number).collect();
        let worth = Worth::of(&mut part, &entered, states_max, pace);
        self.sets = part.sets;
        let Some(Worth { ends, between }) = worth? else { return Ok(false) };
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
        Ok(true)
    }

    /// Makes a kernel of some vertices in ascending order; it takes over the sets of this one.
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
    /// Returns what `part` is worth, entered at some of its vertices; `None` if `states_max` states do not tell.
    fn of<'b>(
        part: &mut Kernel<'b>,
        entered: &[usize],
        states_max: usize,
        pace: &mut Pace<'b>,
    ) -> Result<Option<Self>, Stop> {
        let mut ends = Vec::new();
        for &vertex in entered {
            let Some(end) = longest(part, vertex, 0, states_max, pace)? else { return Ok(None) };
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
        Ok(longest(part, from, prize, states_max, pace)?.map(|between| Self { ends, between }))
    }
}

/// Returns the longest trail of `part` from `root`, without the `prize` that it gains if there is one; `None` if
/// `states_max` states do not tell.
fn longest<'b>(
    part: &mut Kernel<'b>,
    root: usize,
    prize: u32,
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
