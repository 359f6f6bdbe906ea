//! How much a state can still gain if connectivity is forgotten: all parities of the frontier in one table.
//!
//! Without the demand that the used edges be connected, what is to come depends on the bits of a state
//! alone. Going backwards over the plan, the most that can be gained from each of them is a table of 2 to
//! the power of the frontier's width. As a bound it is as sharp as parity can be.

use super::Pace;
use super::kernel::Kernel;
use super::moves::{ENDED, Use, leave, use_edge};
use super::plan::Plan;
use super::search::Bound;
use crate::solver::{Budget, Stop};

/// No trail goes on from there.
const IMPOSSIBLE: u16 = u16::MAX;

/// The most that can be gained from all bits before all steps.
#[derive(Debug)]
pub struct ParityTable<'a> {
    budget: &'a Budget,
    bytes: u64,
    width: usize,
    gains: Vec<Vec<u16>>,
}

impl<'a> ParityTable<'a> {
    /// How many values the table would hold.
    pub fn values(plan: &Plan) -> f64 {
        ((plan.width + 1) as f64).exp2() * (plan.steps.len() + 1) as f64
    }

    /// Whether the gains fit the table.
    pub fn can_hold(kernel: &Kernel) -> bool {
        let edges: u32 = kernel.edges.iter().map(|edge| edge.whole.edges).sum();
        let loops: u32 = kernel.vertices.iter().map(|vertex| vertex.loops.edges + vertex.end.edges).sum();
        let root = kernel.root.map_or(0, |root| root.odd.edges.max(root.even.edges));
        edges + loops + root < u32::from(IMPOSSIBLE)
    }

    /// The table of `plan`, whose gains must fit ([`can_hold`](Self::can_hold)).
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn new(kernel: &Kernel, plan: &Plan, budget: &'a Budget) -> Result<Self, Stop> {
        let size = 2 << plan.width;
        let bytes = (2 * size * (plan.steps.len() + 1)) as u64;
        budget.charge(bytes)?;
        let mut table =
            Self { budget, bytes, width: plan.width, gains: vec![Vec::new(); plan.steps.len() + 1] };
        let mut last = vec![IMPOSSIBLE; size];
        (last[0], last[1 << plan.width]) = (0, 0);
        table.gains[plan.steps.len()] = last;
        let mut pace = Pace::new(budget);
        // The places in use before the step at hand.
        let mut in_use = 0_u64;
        for (at, step) in plan.steps.iter().enumerate().rev() {
            for end in 0..2 {
                in_use |= 1 << step.slots[end];
            }
            for end in (0..2).filter(|&end| step.enters[end]) {
                in_use &= !(1 << step.slots[end]);
            }
            let mut gains = vec![IMPOSSIBLE; size];
            let mut parities = in_use;
            loop {
                pace.step(8)?;
                for bits in [parities, parities | ENDED] {
                    gains[table.index(bits)] = table.best_from(kernel, plan, at, bits);
                }
                if parities == 0 {
                    break;
                }
                parities = (parities - 1) & in_use;
            }
            table.gains[at] = gains;
        }
        Ok(table)
    }

    /// The most that can be gained from `bits` by the step `at` and those behind it.
    fn best_from(&self, kernel: &Kernel, plan: &Plan, at: usize, bits: u64) -> u16 {
        let step = &plan.steps[at];
        let mut best = IMPOSSIBLE;
        for how in Use::ALL {
            let Some((mut bits, gain)) = use_edge(kernel, step, bits, how) else { continue };
            let mut gained = gain.edges;
            let mut possible = true;
            for end in (0..2).filter(|&end| step.leaves[end]) {
                let vertex = step.vertices[end];
                match leave(kernel, vertex, step.slots[end], bits) {
                    Some((left, gain)) => {
                        bits = left;
                        gained += gain.edges + kernel.vertices[vertex].loops.edges;
                    }
                    None => possible = false,
                }
            }
            let ahead = self.gains[at + 1][self.index(bits)];
            if possible && ahead != IMPOSSIBLE {
                let total = ahead + gained as u16;
                best = if best == IMPOSSIBLE { total } else { best.max(total) };
            }
        }
        best
    }

    fn index(&self, bits: u64) -> usize {
        let flag = usize::from(bits & ENDED != 0) << self.width;
        (bits & !ENDED) as usize | flag
    }
}

impl Bound for ParityTable<'_> {
    fn gain_max(&self, step: usize, bits: u64) -> Option<u32> {
        let gain = self.gains[step][self.index(bits)];
        (gain != IMPOSSIBLE).then_some(u32::from(gain))
    }
}

impl Drop for ParityTable<'_> {
    fn drop(&mut self) {
        self.budget.release(self.bytes);
    }
}
