//! A bound for every state of the search, from odd sets of vertices.
//!
//! Of a state, T is made of the vertices ahead, and of those on the frontier whose used edges and edges to come
//! are odd together. The sets that are odd then count.
//!
//! Proofs: docs/proofs/checkers.md, section 7.4.

use super::super::kernel::Kernel;
use super::super::moves::ENDED;
use super::super::plan::{Plan, Step};
use super::matching;
use super::odd_sets::{self, OddSet};
use super::relaxed::{Relaxed, SCALE};
use crate::solver::{Charge, Pace, Stop};

/// Bytes of a cut in a layer.
const CUT_BYTES: u64 = 24;

/// A set of vertices, by its places on the frontier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cut {
    places: u64,
    /// Whether the members of T that the bits do not tell are odd in number, but for the end.
    odd: bool,
    /// Whether the end is in the set.
    end: bool,
    dual: i64,
}

/// What can be said of the bits before a step.
#[derive(Debug)]
struct Layer {
    /// What all edges and loops to come are worth, less the cuts that every state pays, scaled.
    base: i64,
    cuts: Vec<Cut>,
}

/// A bound for the states of a plan.
#[derive(Debug)]
pub struct ParityCuts<'a> {
    charge: Charge<'a>,
    layers: Vec<Layer>,
    /// What the edges to the end cost beyond their worth, scaled.
    end_cost: i64,
}

impl<'a> ParityCuts<'a> {
    /// The bound for `plan`, whose kernel has a root.
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn new(kernel: &Kernel<'_>, plan: &Plan<'_>, pace: &mut Pace<'a>) -> Result<Self, Stop> {
        let relaxed = Relaxed::new(kernel);
        let (terminals, vertices) = (relaxed.terminals.len() as u64, kernel.vertices.len() as u64);
        let mut working =
            Charge::new(terminals * (8 * (vertices + 1) + matching::POINT_BYTES), pace.budget())?;
        let sets = odd_sets::optimal(&relaxed, &mut working, pace)?;
        Self::from_sets(&relaxed, plan, sets, pace)
    }

    /// The bound from some odd sets, which are checked first.
    fn from_sets(
        relaxed: &Relaxed<'_>,
        plan: &Plan<'_>,
        sets: Vec<OddSet>,
        pace: &mut Pace<'a>,
    ) -> Result<Self, Stop> {
        // No set at all proves the least, and needs no proof.
        let sets = if odd_sets::is_feasible(relaxed, &sets, pace)? { sets } else { Vec::new() };
        let charge = Charge::none(pace.budget());
        let mut cuts = Self { charge, layers: Vec::new(), end_cost: relaxed.end_cost };
        let mut frontier = Frontier::new(relaxed, &sets);
        for step in plan.steps.iter().map(Some).chain([None]) {
            pace.count((frontier.places.len() + 1) * sets.len())?;
            let layer = frontier.layer(relaxed, &sets);
            cuts.charge.grow(CUT_BYTES * (layer.cuts.len() + 3) as u64)?;
            cuts.layers.push(layer);
            if let Some(step) = step {
                frontier.go_on(step, relaxed, &sets);
            }
        }
        Ok(cuts)
    }

    /// No trail gains more by the step `step` and those behind it if the state before has these `bits`, as in
    /// [`moves`](super::super::moves); `None` where no trail goes on from there at all.
    pub fn gain_max(&self, step: usize, bits: u64) -> Option<u32> {
        let layer = &self.layers[step];
        let open = bits & ENDED == 0;
        let mut gain = layer.base + if open { self.end_cost } else { 0 };
        for cut in &layer.cuts {
            let odd = (bits & cut.places).count_ones() % 2 == 1;
            if odd ^ cut.odd ^ (cut.end & open) {
                gain -= cut.dual;
            }
        }
        u32::try_from(gain.div_euclid(SCALE)).ok()
    }
}

#[cfg(test)]
impl<'a> ParityCuts<'a> {
    /// The bound where the dual variable of one set has come out too large.
    pub fn corrupted(
        kernel: &Kernel<'_>,
        plan: &Plan<'_>,
        (set, too_much): (usize, i64),
        pace: &mut Pace<'a>,
    ) -> Result<Self, Stop> {
        let relaxed = Relaxed::new(kernel);
        let mut sets = odd_sets::optimal(&relaxed, &mut Charge::none(pace.budget()), pace)?;
        let set = set % sets.len();
        sets[set].dual += too_much;
        Self::from_sets(&relaxed, plan, sets, pace)
    }
}

/// Where the frontier stands.
struct Frontier {
    /// The vertices on it with their places.
    places: Vec<(usize, usize)>,
    /// Undecided edges of each vertex.
    edges_ahead: Vec<usize>,
    in_terminals: Vec<bool>,
    /// For each set, whether the members of T ahead of the frontier are odd in number.
    odd_ahead: Vec<bool>,
    /// What all edges and loops to come are worth.
    worth: i64,
}

impl Frontier {
    fn new(relaxed: &Relaxed<'_>, sets: &[OddSet]) -> Self {
        let vertices = relaxed.end();
        let mut in_terminals = vec![false; vertices + 1];
        for &terminal in &relaxed.terminals {
            in_terminals[terminal] = true;
        }
        let odd = |set: &OddSet| {
            (0..vertices).filter(|&vertex| set.members[vertex] && in_terminals[vertex]).count() % 2 == 1
        };
        let edges: u32 = relaxed.kernel.edges.iter().map(|edge| edge.whole.edges).sum();
        let loops: u32 = relaxed.kernel.vertices.iter().map(|vertex| vertex.loops.edges).sum();
        Self {
            places: Vec::new(),
            edges_ahead: (0..vertices).map(|vertex| relaxed.kernel.links.of(vertex).count()).collect(),
            odd_ahead: sets.iter().map(odd).collect(),
            worth: i64::from(edges + loops),
            in_terminals,
        }
    }

    /// Decides on the edge of a step.
    fn go_on(&mut self, step: &Step, relaxed: &Relaxed<'_>, sets: &[OddSet]) {
        self.worth -= i64::from(relaxed.kernel.edges[step.edge].whole.edges);
        for end in 0..2 {
            let vertex = step.vertices[end];
            if step.enters[end] {
                self.enter(vertex, step.slots[end], sets);
            }
            self.edges_ahead[vertex] -= 1;
        }
        for end in (0..2).filter(|&end| step.leaves[end]) {
            let vertex = step.vertices[end];
            self.places.retain(|&(other, _)| other != vertex);
            self.worth -= i64::from(relaxed.kernel.vertices[vertex].loops.edges);
        }
    }

    fn enter(&mut self, vertex: usize, place: usize, sets: &[OddSet]) {
        self.places.push((vertex, place));
        if self.in_terminals[vertex] {
            for (odd, set) in self.odd_ahead.iter_mut().zip(sets) {
                *odd ^= set.members[vertex];
            }
        }
    }

    /// Whether a vertex on the frontier is in T if its bit is 0.
    fn odd_on_frontier(&self, vertex: usize, relaxed: &Relaxed<'_>) -> bool {
        (self.edges_ahead[vertex] % 2 == 1) ^ (vertex == relaxed.kernel.root)
    }

    fn layer(&self, relaxed: &Relaxed<'_>, sets: &[OddSet]) -> Layer {
        let mut base = SCALE * self.worth;
        let mut cuts: Vec<Cut> = Vec::new();
        for (set, &odd_ahead) in sets.iter().zip(&self.odd_ahead) {
            let mut cut = Cut { places: 0, odd: odd_ahead, end: set.members[relaxed.end()], dual: set.dual };
            for &(vertex, place) in self.places.iter().filter(|(vertex, _)| set.members[*vertex]) {
                cut.places |= 1 << place;
                cut.odd ^= self.odd_on_frontier(vertex, relaxed);
            }
            if cut.places != 0 || cut.end {
                cuts.push(cut);
            } else if cut.odd {
                base -= cut.dual;
            }
        }
        cuts.sort_unstable();
        cuts.dedup_by(|next, kept| {
            let same = (next.places, next.odd, next.end) == (kept.places, kept.odd, kept.end);
            kept.dual += if same { next.dual } else { 0 };
            same
        });
        Layer { base, cuts }
    }
}
