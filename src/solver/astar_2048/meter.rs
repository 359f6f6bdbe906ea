//! Memory charged to a budget and given back by itself, and a regular look at the budget's clock.

use crate::solver::{Budget, Stop};

/// What one data structure has charged; dropping it gives everything back.
pub(super) struct Meter<'a> {
    budget: &'a Budget,
    bytes: u64,
}

impl<'a> Meter<'a> {
    /// Nothing charged yet.
    pub(super) fn new(budget: &'a Budget) -> Self {
        Self { budget, bytes: 0 }
    }

    /// Charges `bytes` more.
    pub(super) fn charge(&mut self, bytes: u64) -> Result<(), Stop> {
        self.budget.charge(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Gives back all but `bytes`, of which no more than charged are kept.
    pub(super) fn shrink_to(&mut self, bytes: u64) {
        let kept = bytes.min(self.bytes);
        self.budget.release(self.bytes - kept);
        self.bytes = kept;
    }
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        self.budget.release(self.bytes);
    }
}

/// Steps between two looks at the budget.
const STEPS: u64 = 4096;

/// Counts cheap steps and looks at the budget every few thousand of them.
pub(super) struct Pacer<'a> {
    budget: &'a Budget,
    steps_left: u64,
}

impl<'a> Pacer<'a> {
    /// The first look comes with the first step.
    pub(super) fn new(budget: &'a Budget) -> Self {
        Self { budget, steps_left: 0 }
    }

    /// Counts `steps` (about 10 ns each).
    pub(super) fn step(&mut self, steps: u64) -> Result<(), Stop> {
        if steps < self.steps_left {
            self.steps_left -= steps;
            return Ok(());
        }
        self.steps_left = STEPS;
        self.budget.check()
    }
}
