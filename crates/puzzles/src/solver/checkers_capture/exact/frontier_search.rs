//! The longest trail of a kernel by dynamic programming over a moving frontier.
//!
//! The search decides the edges one by one in the order of the plan. A state records which vertices of the frontier are
//! odd, and which of them the edges used so far connect. Of equal states the search keeps the one with the most edges
//! (Sekine, Imai and Tani 1995; Kawahara and others 2017 call this the frontier method). The used edges are a trail
//! from the root exactly if they are connected, include the root, and no vertices are odd except perhaps the root and
//! one other (Euler 1736).
//!
//! Two rules reduce the number of states. A state can dominate another one that differs ([`states`](super::states)).
//! And a state is dropped if it cannot become longer than the best known trail: parity bounds the gain that it can
//! still make, nearly exactly ([`parity`](super::parity)).
//!
//! Proofs: docs/proofs/checkers.md, section 8.

use super::edge_sets::Gain;
use super::kernel::Kernel;
use super::parity::ParityCuts;
use super::plan::{ENDED, Plan, Step, Use, leave, use_edge};
use super::states::{State, States};
use crate::solver::{Budget, ChargedVec, Pace, Stop};

/// The longest trail that a search found.
#[derive(Debug)]
pub struct BestTrail {
    /// The number of edges of the longest trail, or [`Task::longer_than`] if no trail has more.
    pub longest: u32,
    /// The gains of that trail, if [`Task::edges_wanted`] and the search found the trail.
    pub chosen: Option<Vec<Gain>>,
    /// The limit that ended the search early. The trail found until then is valid, but nothing is proved about others.
    pub ended: Result<(), Stop>,
}

/// The input of a search.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The kernel to search.
    pub kernel: &'a Kernel<'a>,
    /// The order of the decisions.
    pub plan: &'a Plan<'a>,
    /// The bound on the gain that a state can still make.
    pub cuts: &'a ParityCuts<'a, 'a>,
    /// Whether to return the edges of the longest trail.
    pub edges_wanted: bool,
    /// The search looks only for trails with more edges than this.
    pub longer_than: u32,
    /// The limits on time and memory.
    pub budget: &'a Budget,
}

impl Task<'_> {
    /// Searches through all steps of the plan.
    pub fn run(&self) -> BestTrail {
        let mut search = Search {
            task: self,
            pace: Pace::new(self.budget),
            next: States::new(self.plan.width, self.budget),
            scratch: vec![0; self.plan.width],
            longest: self.longer_than,
            longest_from: None,
            origins: Vec::new(),
        };
        let ended = search.run();
        let chosen = search.longest_from.filter(|_| self.edges_wanted);
        let chosen = chosen.map(|(step, origin)| search.chosen(step, origin));
        BestTrail { longest: search.longest, chosen, ended }
    }
}

struct Search<'a> {
    task: &'a Task<'a>,
    pace: Pace<'a>,
    next: States<'a>,
    /// The labels of the state that is being made.
    scratch: Vec<u8>,
    longest: u32,
    /// The step that completed the longest trail, and the origin of its state.
    longest_from: Option<(usize, u32)>,
    /// The origins of all states after each step, by which `chosen` traces the longest trail back.
    origins: Vec<ChargedVec<'a, u32>>,
}

impl Search<'_> {
    fn run(&mut self) -> Result<(), Stop> {
        let task = self.task;
        let mut states = States::new(task.plan.width, task.budget);
        let at_most = task.cuts.at_most(0, 0, 0).unwrap_or(0);
        states.insert(State { at_most, ..State::default() }, &self.scratch)?;
        for (at, step) in task.plan.steps.iter().enumerate() {
            for index in 0..states.len() {
                let Some(state) = states.get(index).filter(|state| state.at_most > self.longest) else {
                    continue;
                };
                self.pace.count(32)?;
                for how in Use::ALL {
                    let Some((bits, gain)) = use_edge(task.kernel, step, state.bits, how) else { continue };
                    let origin = (index as u32) << 2 | how as u32;
                    self.scratch.copy_from_slice(states.labels(index));
                    connect(&mut self.scratch, step, how);
                    let priced = state.priced + task.cuts.of_use(step, how);
                    let gained = state.gained + gain.edges;
                    let next = State { bits, gained, priced, origin, ..State::default() };
                    if let Some(next) = self.leave_ends(at, step, next) {
                        self.keep(at, next)?;
                    }
                }
            }
            if task.edges_wanted {
                self.origins.push(self.next.origins()?);
            }
            std::mem::swap(&mut states, &mut self.next);
            self.next.clear();
        }
        Ok(())
    }

    /// Removes the ends whose edges are all decided from the frontier. Returns `None` if that ends the state, because
    /// its trail is complete or can never become complete.
    fn leave_ends(&mut self, at: usize, step: &Step, mut state: State) -> Option<State> {
        let kernel = self.task.kernel;
        for end in (0..2).filter(|&end| step.leaves[end]) {
            let (vertex, slot) = (step.vertices[end], step.slots[end]);
            let label = std::mem::take(&mut self.scratch[slot]);
            let (bits, gain) = leave(kernel, vertex, slot, state.bits)?;
            let (at_end, loops) = self.task.cuts.of_vertex(vertex);
            state.priced += if (bits ^ state.bits) & ENDED == 0 { 0 } else { at_end };
            state.bits = bits;
            state.gained += gain.edges;
            if label == 0 {
                // A trail must use the root.
                if kernel.root == vertex {
                    return None;
                }
                continue;
            }
            state.gained += kernel.vertices[vertex].loops.edges;
            state.priced += loops;
            if !self.scratch.contains(&label) {
                // The vertex is the last of its component, so no other component may exist.
                let alone = self.scratch.iter().all(|&other| other == 0);
                if alone && at >= self.task.plan.root_leaves && state.gained > self.longest {
                    self.longest = state.gained;
                    self.longest_from = Some((at, state.origin));
                }
                return None;
            }
        }
        Some(state)
    }

    fn keep(&mut self, at: usize, state: State) -> Result<(), Stop> {
        let Some(at_most) = self.task.cuts.at_most(state.priced, at + 1, state.bits) else { return Ok(()) };
        if at_most <= self.longest {
            return Ok(());
        }
        normalise(&mut self.scratch);
        self.next.insert(State { at_most, ..state }, &self.scratch)
    }

    /// Returns the gains of the trail that the step `last` completed.
    fn chosen(&self, last: usize, origin: u32) -> Vec<Gain> {
        let task = self.task;
        let mut origins = vec![origin];
        for step in (0..last).rev() {
            let before = origins[origins.len() - 1] >> 2;
            origins.push(self.origins[step][before as usize]);
        }
        let mut gains = Vec::new();
        let (mut bits, mut used) = (0_u128, vec![false; task.kernel.vertices.len()]);
        for (step, origin) in task.plan.steps.iter().zip(origins.iter().rev()) {
            let how = Use::ALL.into_iter().find(|&how| how as u32 == origin & 3).unwrap_or(Use::Skip);
            let Some((behind, gain)) = use_edge(task.kernel, step, bits, how) else { break };
            bits = behind;
            gains.push(gain);
            for end in 0..2 {
                used[step.vertices[end]] |= how.touches()[end];
            }
            for end in (0..2).filter(|&end| step.leaves[end]) {
                let vertex = step.vertices[end];
                let Some((behind, gain)) = leave(task.kernel, vertex, step.slots[end], bits) else { break };
                bits = behind;
                gains.push(gain);
                if used[vertex] {
                    gains.push(task.kernel.vertices[vertex].loops);
                }
            }
        }
        // Vertices still on the frontier are not used, otherwise the trail would not be complete.
        gains
    }
}

/// Labels the ends that the use of an edge touches, and joins their components if the edge is used whole.
fn connect(labels: &mut [u8], step: &Step, how: Use) {
    // Normalised labels are at most the width of the frontier, so this one is new.
    let new = labels.len() as u8 + 1;
    let touches = how.touches();
    for end in (0..2).filter(|&end| touches[end]) {
        let label = &mut labels[step.slots[end]];
        if *label == 0 {
            *label = new;
        }
    }
    let [a, b] = step.slots.map(|slot| labels[slot]);
    if how == Use::Whole && a != b {
        for label in labels.iter_mut().filter(|label| **label == b) {
            *label = a;
        }
    }
}

/// Numbers the components in the order of their first places, so that equal states have equal labels.
fn normalise(labels: &mut [u8]) {
    let mut numbers = [0; super::plan::WIDTH_MAX + 2];
    let mut last = 0;
    for label in labels.iter_mut().filter(|label| **label != 0) {
        let number = &mut numbers[usize::from(*label)];
        if *number == 0 {
            last += 1;
            *number = last;
        }
        *label = *number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns for each place whether it is touched, and for each pair of places whether they are connected.
    fn relation(labels: &[u8]) -> (Vec<bool>, Vec<bool>) {
        let touched = labels.iter().map(|&label| label > 0).collect();
        let pair = |&a: &u8, &b: &u8| a > 0 && a == b;
        let connected = labels.iter().flat_map(|a| labels.iter().map(move |b| pair(a, b))).collect();
        (touched, connected)
    }

    #[test]
    fn a_use_connects_its_ends_and_nothing_else() {
        for width in 2..=4_usize {
            for number in 0..(width as u32 + 1).pow(width as u32) {
                let digit = |place: usize| (number / (width as u32 + 1).pow(place as u32)) as u8;
                let mut before: Vec<u8> = (0..width).map(|place| digit(place) % (width as u8 + 1)).collect();
                let same = relation(&before);
                normalise(&mut before);
                assert_eq!(relation(&before), same, "only the names change");
                let firsts = (1..).zip(
                    before
                        .iter()
                        .enumerate()
                        .filter(|&(place, &label)| label > 0 && !before[..place].contains(&label)),
                );
                firsts.for_each(|(number, (_, &label))| assert_eq!(label, number, "{before:?}"));
                for how in Use::ALL {
                    let slots = [0, width - 1];
                    let step =
                        Step { edge: 0, vertices: [0, 1], slots, enters: [false; 2], leaves: [false; 2] };
                    let mut labels = before.clone();
                    connect(&mut labels, &step, how);
                    // Compute the same with labels that are certainly new.
                    let mut expected = before.clone();
                    for (end, slot) in slots.into_iter().enumerate() {
                        if how.touches()[end] && expected[slot] == 0 {
                            expected[slot] = 100 + end as u8;
                        }
                    }
                    if how == Use::Whole {
                        let [kept, other] = slots.map(|slot| expected[slot]);
                        expected.iter_mut().filter(|label| **label == other).for_each(|label| *label = kept);
                    }
                    assert_eq!(relation(&labels), relation(&expected), "{before:?} {how:?}");
                }
            }
        }
    }
}
