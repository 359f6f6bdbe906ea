//! The exact bound by parity, as a reference: a table over all parities of the frontier.
//!
//! If the used edges need not be connected, the gain that a state can still make depends only on its bits. No bound by
//! parity is sharper.

use std::cell::RefCell;
use std::collections::HashMap;

use super::super::kernel::Kernel;
use super::super::plan::{ENDED, Plan, Use, leave, use_edge};

/// The most that can be gained from given bits before a step; filled on demand.
pub struct ParityTable<'a> {
    kernel: &'a Kernel<'a>,
    plan: &'a Plan<'a>,
    known: RefCell<HashMap<(usize, u128), Option<u32>>>,
}

impl<'a> ParityTable<'a> {
    /// Makes an empty table.
    pub fn new(kernel: &'a Kernel<'a>, plan: &'a Plan<'a>) -> Self {
        Self { kernel, plan, known: RefCell::default() }
    }

    /// Returns the most that can be gained from `bits` by the step `at` and later steps; `None` if no choice goes on.
    pub fn gain_max(&self, at: usize, bits: u128) -> Option<u32> {
        let Some(step) = self.plan.steps.get(at) else { return (bits & !ENDED == 0).then_some(0) };
        if let Some(&known) = self.known.borrow().get(&(at, bits)) {
            return known;
        }
        let ways = Use::ALL.into_iter().filter_map(|how| {
            let (mut bits, gain) = use_edge(self.kernel, step, bits, how)?;
            let mut gained = gain.edges;
            for end in (0..2).filter(|&end| step.leaves[end]) {
                let vertex = step.vertices[end];
                let (left, gain) = leave(self.kernel, vertex, step.slots[end], bits)?;
                bits = left;
                gained += gain.edges + self.kernel.vertices[vertex].loops.edges;
            }
            Some(gained + self.gain_max(at + 1, bits)?)
        });
        let best = ways.max();
        self.known.borrow_mut().insert((at, bits), best);
        best
    }
}
