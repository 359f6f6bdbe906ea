//! The longest trail of a component by dynamic programming over a moving frontier.
//!
//! The edges are decided one by one in an order that sweeps over the board. Between two decisions only the
//! *frontier* matters: the vertices with decided and undecided edges. A state holds for each of them whether
//! its degree is odd and to which connected piece of the chosen edges it belongs; of all ways into a state
//! the one with the most edges is kept (Sekine, Imai and Tani 1995; Kawahara and others 2017 call it the
//! frontier method). The chosen edges are a trail from an own piece's square s exactly if they are
//! connected, touch no other own piece's square, and have at most one odd vertex besides s (Euler 1736).
//!
//! States that cannot reach a given number of edges any more are dropped. What cannot be used is bounded
//! from below by parity: every other vertex with an odd number of edges to come must lose one of them.

use super::Pace;
use super::graph::Component;
use super::layer::{Layer, Origins};
use crate::solver::{Budget, Stop};

/// States expanded between two looks at the budget.
const STATES_PER_CHECK: usize = 512;
/// The most vertices on a frontier: their labels must fit 15 bits.
const FRONTIER_MAX: usize = (1 << 14) - 2;
/// In a state's last word: an own piece's square is touched.
const OWN_USED: u16 = 1;
/// In a state's last word: an empty square behind the frontier is odd, so the trail ends there.
const END_USED: u16 = 2;

/// What one pass over the edges found.
#[derive(Debug, Default)]
pub struct Pass {
    /// The largest number of edges of the trails that were completed.
    pub longest: u32,
    /// The edges of that trail, if they were asked for.
    pub chosen: Option<Vec<bool>>,
    /// The most edges that a trail can have that was not followed to its end.
    pub dropped_max: u32,
}

/// The order of the edges and the places of the vertices on the frontier.
#[derive(Debug)]
pub struct Plan {
    steps: Vec<Step>,
    width: usize,
}

#[derive(Debug)]
struct Step {
    edge: u32,
    /// The places of both ends on the frontier.
    slots: [u32; 2],
    /// Which end is an own piece's square.
    own: [bool; 2],
    /// Edges of both ends, by which a vertex that is new on the frontier is told.
    degrees: [u8; 2],
    /// Whether it is the first, and the last, edge of each end.
    enters: [bool; 2],
    leaves: [bool; 2],
    /// Behind this step: empty squares of odd degree that are still ahead of the frontier.
    odd_ahead: u32,
    /// Behind this step: the edges of own pieces' squares ahead of the frontier, and the most at one.
    own_edges_ahead: u32,
    own_degree_max_ahead: u32,
}

impl Plan {
    /// A plan that sweeps over the rows or the columns, whichever keeps the frontier shorter. `place` gives
    /// row and column of a playable square.
    ///
    /// # Errors
    /// The limit that ended it; [`Stop::MemoryLimit`] also where the frontier is longer than any memory could
    /// bear.
    pub fn new(
        component: &Component,
        place: impl Fn(u32) -> (usize, usize),
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let by_rows: Vec<u32> = (0..component.squares.len() as u32).collect();
        let mut by_columns = by_rows.clone();
        by_columns.sort_by_key(|&vertex| {
            let (row, column) = place(component.squares[vertex as usize]);
            (column, row)
        });
        let rows = Self::in_order(component, &by_rows, budget)?;
        let columns = Self::in_order(component, &by_columns, budget)?;
        let plan = if columns.width < rows.width { columns } else { rows };
        if plan.width > FRONTIER_MAX { Err(Stop::MemoryLimit) } else { Ok(plan) }
    }

    /// Every vertex of `order` in turn gets its edges to later ones decided.
    fn in_order(component: &Component, order: &[u32], budget: &Budget) -> Result<Self, Stop> {
        let mut pace = Pace::new(budget);
        let mut position = vec![0_u32; order.len()];
        for (at, &vertex) in order.iter().enumerate() {
            position[vertex as usize] = at as u32;
        }
        let vertices = 0..order.len() as u32;
        let mut undecided: Vec<u8> = vertices.map(|vertex| component.degree(vertex) as u8).collect();
        let degrees = undecided.clone();
        let mut slot_of = vec![0_u32; order.len()];
        let (mut free, mut width) = (Vec::new(), 0);
        let mut steps = Vec::with_capacity(component.edges.len());
        for &vertex in order {
            pace.step(4)?;
            let later =
                |edge: &u32| position[component.across(*edge, vertex) as usize] > position[vertex as usize];
            for edge in component.links(vertex).filter(later) {
                let ends = [vertex, component.across(edge, vertex)].map(|end| end as usize);
                let enters = ends.map(|end| undecided[end] == degrees[end]);
                for end in 0..2 {
                    if enters[end] {
                        slot_of[ends[end]] = free.pop().unwrap_or_else(|| {
                            width += 1;
                            width - 1
                        });
                    }
                    undecided[ends[end]] -= 1;
                }
                let leaves = ends.map(|end| undecided[end] == 0);
                let slots = ends.map(|end| slot_of[end]);
                free.extend((0..2).filter(|&end| leaves[end]).map(|end| slots[end]));
                steps.push(Step {
                    edge,
                    slots,
                    own: ends.map(|end| component.own[end]),
                    degrees: ends.map(|end| degrees[end]),
                    enters,
                    leaves,
                    odd_ahead: 0,
                    own_edges_ahead: 0,
                    own_degree_max_ahead: 0,
                });
            }
        }
        Self::look_ahead(&mut steps);
        Ok(Self { steps, width: width as usize })
    }

    /// Fills in what lies ahead of each step.
    fn look_ahead(steps: &mut [Step]) {
        let (mut odd, mut own_edges, mut own_degree_max) = (0, 0, 0);
        for step in steps.iter_mut().rev() {
            (step.odd_ahead, step.own_edges_ahead, step.own_degree_max_ahead) =
                (odd, own_edges, own_degree_max);
            for end in (0..2).filter(|&end| step.enters[end]) {
                let degree = u32::from(step.degrees[end]);
                if step.own[end] {
                    own_edges += degree;
                    own_degree_max = own_degree_max.max(degree);
                } else {
                    odd += degree % 2;
                }
            }
        }
    }

    /// Looks for the longest trail among those of at least `target` edges.
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn longest(&self, target: u32, want_edges: bool, budget: &Budget) -> Result<Pass, Stop> {
        Search::new(self, target, want_edges, budget).run()
    }
}

/// One pass: the states before the step at hand, those behind it, and what is common to all of them.
struct Search<'a> {
    plan: &'a Plan,
    target: u32,
    budget: &'a Budget,
    /// Undecided edges of the vertex in each place of the frontier; 0 where there is none.
    undecided: Vec<u8>,
    /// Whether that vertex is an own piece's square.
    own: Vec<bool>,
    origins: Option<Origins<'a>>,
    /// New labels of the labels of a state being put in normal form.
    labels: Vec<u16>,
    pass: Pass,
    /// The step and the state from which the longest trail was completed, by taking or leaving that edge.
    longest_from: Option<(usize, u32, bool)>,
}

impl<'a> Search<'a> {
    fn new(plan: &'a Plan, target: u32, want_edges: bool, budget: &'a Budget) -> Self {
        Self {
            plan,
            target,
            budget,
            undecided: vec![0; plan.width],
            own: vec![false; plan.width],
            origins: want_edges.then(|| Origins::new(budget)),
            labels: vec![0; plan.width + 2],
            pass: Pass::default(),
            longest_from: None,
        }
    }

    fn run(mut self) -> Result<Pass, Stop> {
        let words = self.plan.width + 1;
        let mut state = vec![0; words];
        let mut layer = Layer::new(words, self.budget);
        let mut next = Layer::new(words, self.budget);
        layer.insert(&state, 0, 0)?;
        for (at, step) in self.plan.steps.iter().enumerate() {
            for end in 0..2 {
                let slot = step.slots[end] as usize;
                if step.enters[end] {
                    (self.undecided[slot], self.own[slot]) = (step.degrees[end], step.own[end]);
                }
                self.undecided[slot] -= 1;
            }
            let to_come = (self.plan.steps.len() - at - 1) as u32;
            for index in 0..layer.len() {
                if index % STATES_PER_CHECK == 0 {
                    self.budget.check()?;
                }
                for take in [true, false] {
                    let (before, edges) = layer.get(index);
                    state.copy_from_slice(before);
                    let edges = edges + u32::from(take);
                    if take && !self.take(step, &mut state) {
                        continue;
                    }
                    if !self.leave(step, &mut state, edges, (at, index as u32, take)) {
                        continue;
                    }
                    let lost = self.lost_ahead(step, &state);
                    let at_most = edges + to_come.saturating_sub(lost);
                    if at_most < self.target || lost > to_come {
                        self.pass.dropped_max = self.pass.dropped_max.max(at_most);
                        continue;
                    }
                    self.normalise(&mut state);
                    next.insert(&state, edges, (index as u32) << 1 | u32::from(take))?;
                }
            }
            if let Some(origins) = &mut self.origins {
                origins.push(&next)?;
            }
            std::mem::swap(&mut layer, &mut next);
            next.clear();
        }
        self.recover_edges();
        Ok(self.pass)
    }

    /// Takes the step's edge; false where that touches a second own piece's square.
    fn take(&self, step: &Step, state: &mut [u16]) -> bool {
        let flags = self.plan.width;
        let [a, b] = step.slots.map(|slot| slot as usize);
        for (slot, own) in [(a, step.own[0]), (b, step.own[1])] {
            if own && state[slot] == 0 {
                if state[flags] & OWN_USED != 0 {
                    return false;
                }
                state[flags] |= OWN_USED;
            }
        }
        // Labels in normal form go up to the width, so this one is new.
        let new_label = self.plan.width as u16 + 1;
        let [label_a, label_b] = [a, b].map(|slot| state[slot] >> 1);
        let label = [label_a, label_b].into_iter().find(|&label| label != 0).unwrap_or(new_label);
        for slot in [a, b] {
            let odd = state[slot] & 1;
            state[slot] = label << 1 | (odd ^ 1);
        }
        let merged = if label == label_a { label_b } else { label_a };
        if merged != 0 && merged != label {
            for word in &mut state[..flags] {
                if *word >> 1 == merged {
                    *word = label << 1 | (*word & 1);
                }
            }
        }
        true
    }

    /// Takes the vertices without undecided edges off the frontier; false where that ends the state, because
    /// its trail is complete or can never be.
    fn leave(&mut self, step: &Step, state: &mut [u16], edges: u32, from: (usize, u32, bool)) -> bool {
        let flags = self.plan.width;
        for end in (0..2).filter(|&end| step.leaves[end]) {
            let word = std::mem::take(&mut state[step.slots[end] as usize]);
            if word == 0 {
                continue;
            }
            if word & 1 == 1 && !step.own[end] {
                if state[flags] & END_USED != 0 {
                    return false;
                }
                state[flags] |= END_USED;
            }
            if state[..flags].iter().any(|other| other >> 1 == word >> 1) {
                continue;
            }
            // The last of its piece: that piece must be all there is.
            let alone = state[..flags].iter().all(|&other| other == 0);
            if alone && state[flags] & OWN_USED != 0 && edges > self.pass.longest {
                self.pass.longest = edges;
                self.longest_from = Some(from);
            }
            return false;
        }
        true
    }

    /// A lower bound on the undecided edges that a trail through `state` must leave out.
    fn lost_ahead(&self, step: &Step, state: &[u16]) -> u32 {
        let flags = self.plan.width;
        let mut unbalanced = step.odd_ahead;
        let (mut own_edges, mut own_degree_max) = (step.own_edges_ahead, step.own_degree_max_ahead);
        for ((&word, &undecided), &own) in state.iter().zip(&self.undecided).zip(&self.own) {
            if !own {
                unbalanced += (u32::from(word) + u32::from(undecided)) & 1;
            } else if word == 0 {
                own_edges += u32::from(undecided);
                own_degree_max = own_degree_max.max(u32::from(undecided));
            }
        }
        if state[flags] & OWN_USED == 0 {
            own_edges -= own_degree_max;
        }
        // Own pieces' edges end at one empty square each; the others balance two.
        let end = u32::from(state[flags] & END_USED == 0);
        own_edges + unbalanced.saturating_sub(end + own_edges).div_ceil(2)
    }

    /// Numbers the labels in the order of their first places, so that equal states look equal.
    fn normalise(&mut self, state: &mut [u16]) {
        self.labels.fill(0);
        let mut last = 0;
        for word in &mut state[..self.plan.width] {
            let label = usize::from(*word >> 1);
            if label != 0 {
                if self.labels[label] == 0 {
                    last += 1;
                    self.labels[label] = last;
                }
                *word = self.labels[label] << 1 | (*word & 1);
            }
        }
    }

    /// Follows the longest trail back through the steps.
    fn recover_edges(&mut self) {
        let (Some(origins), Some((at, mut state, take))) = (&self.origins, self.longest_from) else { return };
        let mut chosen = vec![false; self.plan.steps.len()];
        chosen[self.plan.steps[at].edge as usize] = take;
        for at in (0..at).rev() {
            let (before, take) = origins.get(at, state);
            chosen[self.plan.steps[at].edge as usize] = take;
            state = before;
        }
        self.pass.chosen = Some(chosen);
    }
}
