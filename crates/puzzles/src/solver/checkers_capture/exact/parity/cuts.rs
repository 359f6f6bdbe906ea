//! A bound for every state of the search, computed from odd sets of vertices.
//!
//! The T of a state consists of the members of T ahead of the frontier, and of the frontier's vertices whose used edges
//! and undecided edges together are odd in number. The dual variables of the sets that are odd for this T count.
//!
//! Proofs: docs/proofs/checkers.md, section 7.4.

use super::super::plan::{ENDED, Plan, Step, Use};
use super::odd_sets::OddSet;
use super::relaxation::{Relaxation, Relaxed, unscaled};
use crate::solver::{Charge, Pace, Stop};

/// Bytes per cut of a layer.
const CUT_BYTES: u64 = size_of::<Cut>() as u64;

/// An odd set, reduced to its places on the frontier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cut {
    places: u128,
    /// Whether the set is odd if all bits at `places` are 0 and the end is not counted.
    odd: bool,
    /// Whether the end is in the set.
    end: bool,
    dual: i64,
}

/// The bound for the states before one step.
#[derive(Debug)]
struct Layer {
    /// The worth of all undecided edges and loops, minus the duals that every state pays, scaled.
    base: i64,
    cuts: Vec<Cut>,
}

/// A bound for the states of a plan.
#[derive(Debug)]
pub struct ParityCuts<'a, 'b> {
    charge: Charge<'b>,
    layers: Vec<Layer>,
    relaxed: &'a Relaxed<'a>,
}

impl<'a, 'b> ParityCuts<'a, 'b> {
    /// Returns the bound for `plan` from a relaxation of its kernel.
    pub fn new(
        relaxation: &'a Relaxation<'_, '_>,
        plan: &Plan<'_>,
        pace: &mut Pace<'b>,
    ) -> Result<Self, Stop> {
        let Relaxation { relaxed, sets, .. } = relaxation;
        let mut cuts = Self { charge: Charge::none(pace.budget()), layers: Vec::new(), relaxed };
        let mut frontier = Frontier::new(relaxed, sets);
        for step in plan.steps.iter().map(Some).chain([None]) {
            let (layer, work) = frontier.layer();
            pace.count(4 * work + 16)?;
            cuts.charge.grow(CUT_BYTES * (layer.cuts.len() + 3) as u64)?;
            cuts.layers.push(layer);
            if let Some(step) = step {
                frontier.advance(step);
            }
        }
        Ok(cuts)
    }

    /// Returns the most edges of a trail that has these `bits` before `step`, as in [`plan`](super::super::plan). It has
    /// `gained` so much until then, scaled and under the prices. Returns `None` if no trail goes on from there.
    #[inline]
    pub fn at_most(&self, gained: i64, step: usize, bits: u128) -> Option<u32> {
        unscaled(gained + self.rest(step, bits))
    }

    /// Returns the gain of a use of the edge of `step`, scaled and under the prices.
    #[inline]
    pub fn of_use(&self, step: &Step, how: Use) -> i64 {
        let whole = self.relaxed.gains[step.edge];
        match how {
            Use::Skip => 0,
            Use::Whole => whole,
            // The bound counts this as passing the edge and ending at its other end.
            Use::EndFromFirst => whole + self.at_end(step.vertices[1]),
            Use::EndFromSecond => whole + self.at_end(step.vertices[0]),
        }
    }

    /// Returns the gain of an end at `vertex`, and the gain of its loops, scaled and under the prices.
    #[inline]
    pub fn of_vertex(&self, vertex: usize) -> (i64, i64) {
        (self.at_end(vertex), self.relaxed.loops[vertex])
    }

    fn at_end(&self, vertex: usize) -> i64 {
        self.relaxed.end_cost - self.relaxed.to_end[vertex]
    }

    /// Returns an upper bound on the gain from `step` on, scaled and under the prices.
    #[inline]
    fn rest(&self, step: usize, bits: u128) -> i64 {
        let layer = &self.layers[step];
        let open = bits & ENDED == 0;
        let mut gain = layer.base + if open { self.relaxed.end_cost } else { 0 };
        for cut in &layer.cuts {
            let odd = (bits & cut.places).count_ones() % 2 == 1;
            if odd ^ cut.odd ^ (cut.end & open) {
                gain -= cut.dual;
            }
        }
        gain
    }
}

/// The frontier while the steps of the plan are taken in turn.
struct Frontier<'a> {
    relaxed: &'a Relaxed<'a>,
    sets: &'a [OddSet],
    /// The place of each vertex that is on the frontier.
    place: Vec<Option<usize>>,
    /// The vertices on the frontier.
    vertices: Vec<usize>,
    /// The number of undecided edges of each vertex that are best used if parity is ignored.
    edges_ahead: Vec<usize>,
    in_terminals: Vec<bool>,
    /// The numbers of the sets that hold each vertex.
    sets_of: Vec<Vec<u32>>,
    /// For each set, whether it holds an odd number of members of T ahead of the frontier.
    odd_ahead: Vec<bool>,
    /// For each set, the number of its vertices on the frontier, plus one if it holds the end.
    met_by: Vec<u32>,
    /// The worth of all undecided edges and loops, minus the duals of odd sets ahead of the frontier, scaled.
    base: i64,
    /// The cuts of the sets on the frontier while a layer is being made.
    cuts: Vec<Option<Cut>>,
}

impl<'a> Frontier<'a> {
    fn new(relaxed: &'a Relaxed<'a>, sets: &'a [OddSet]) -> Self {
        let vertices = relaxed.end();
        let in_terminals = relaxed.in_terminals();
        let mut sets_of = vec![Vec::new(); vertices + 1];
        let mut base = relaxed.worth;
        let (mut odd_ahead, mut met_by) = (Vec::new(), Vec::new());
        for (number, set) in sets.iter().enumerate() {
            let mut odd = false;
            for &vertex in &set.members {
                sets_of[vertex as usize].push(number as u32);
                odd ^= vertex as usize != vertices && in_terminals[vertex as usize];
            }
            let holds_end = set.members.contains(&(vertices as u32));
            base -= if odd && !holds_end { set.dual } else { 0 };
            odd_ahead.push(odd);
            met_by.push(u32::from(holds_end));
        }
        Self {
            relaxed,
            sets,
            place: vec![None; vertices],
            vertices: Vec::new(),
            edges_ahead: (0..vertices)
                .map(|vertex| relaxed.kernel.links.of(vertex).filter(|&edge| relaxed.is_used(edge)).count())
                .collect(),
            in_terminals,
            sets_of,
            odd_ahead,
            met_by,
            base,
            cuts: vec![None; sets.len()],
        }
    }

    /// Moves the frontier past the edge of a step.
    fn advance(&mut self, step: &Step) {
        self.base -= self.relaxed.gains[step.edge].max(0);
        for end in 0..2 {
            let vertex = step.vertices[end];
            if step.enters[end] {
                self.enter(vertex, step.slots[end]);
            }
            self.edges_ahead[vertex] -= usize::from(self.relaxed.is_used(step.edge));
        }
        for end in (0..2).filter(|&end| step.leaves[end]) {
            self.leave(step.vertices[end]);
        }
    }

    fn enter(&mut self, vertex: usize, place: usize) {
        self.place[vertex] = Some(place);
        self.vertices.push(vertex);
        for &set in &self.sets_of[vertex] {
            let set = set as usize;
            if self.met_by[set] == 0 && self.odd_ahead[set] {
                self.base += self.sets[set].dual;
            }
            self.met_by[set] += 1;
            self.odd_ahead[set] ^= self.in_terminals[vertex];
        }
    }

    fn leave(&mut self, vertex: usize) {
        self.place[vertex] = None;
        self.vertices.retain(|&other| other != vertex);
        self.base -= self.relaxed.loops[vertex];
        for &set in &self.sets_of[vertex] {
            let set = set as usize;
            self.met_by[set] -= 1;
            if self.met_by[set] == 0 && self.odd_ahead[set] {
                self.base -= self.sets[set].dual;
            }
        }
    }

    /// Returns the cuts of the sets that are on the frontier or hold the end, and the work done, in set memberships.
    fn layer(&mut self) -> (Layer, usize) {
        let end = self.relaxed.end();
        let mut met = self.sets_of[end].clone();
        for &set in &met {
            let set = set as usize;
            let (odd, dual) = (self.odd_ahead[set], self.sets[set].dual);
            self.cuts[set] = Some(Cut { places: 0, odd, end: true, dual });
        }
        let mut work = 0;
        for at in 0..self.vertices.len() {
            let vertex = self.vertices[at];
            let Some(place) = self.place[vertex] else { continue };
            // Whether the vertex is in T if its bit is 0.
            let odd = (self.edges_ahead[vertex] % 2 == 1) ^ (vertex == self.relaxed.kernel.root);
            work += self.sets_of[vertex].len();
            for &number in &self.sets_of[vertex] {
                let set = number as usize;
                let cut = self.cuts[set].get_or_insert_with(|| {
                    met.push(number);
                    Cut { places: 0, odd: self.odd_ahead[set], end: false, dual: self.sets[set].dual }
                });
                cut.places |= 1 << place;
                cut.odd ^= odd;
            }
        }
        let mut cuts: Vec<Cut> = met.iter().filter_map(|&set| self.cuts[set as usize].take()).collect();
        cuts.sort_unstable();
        cuts.dedup_by(|next, kept| {
            let same = (next.places, next.odd, next.end) == (kept.places, kept.odd, kept.end);
            kept.dual += if same { next.dual } else { 0 };
            same
        });
        (Layer { base: self.base, cuts }, work)
    }
}
