//! How often a search looks at its budget: every few thousand of its steps.

use super::{Budget, Stop};

/// Counts the steps of a search, and asks its budget once in a while whether it may go on.
#[derive(Debug)]
pub struct Pace<'b> {
    budget: &'b Budget,
    steps_a_look: usize,
    /// Steps before the next look.
    steps_left: usize,
}

impl<'b> Pace<'b> {
    /// Steps of some 10 ns between two looks.
    pub const STEPS: usize = 4096;

    /// A pace for steps of some 10 ns. The first look comes with the first step.
    #[must_use]
    pub fn new(budget: &'b Budget) -> Self {
        Self::every(Self::STEPS, budget)
    }

    /// A pace with so many steps between two looks; a look should come every 10 to 100 µs.
    #[must_use]
    pub fn every(steps: usize, budget: &'b Budget) -> Self {
        Self { budget, steps_a_look: steps, steps_left: 0 }
    }

    /// Returns the budget, to be charged.
    #[must_use]
    pub fn budget(&self) -> &'b Budget {
        self.budget
    }

    /// Counts so many steps.
    ///
    /// # Errors
    /// The limit that was hit.
    #[inline]
    pub fn count(&mut self, steps: usize) -> Result<(), Stop> {
        if steps < self.steps_left {
            self.steps_left -= steps;
            return Ok(());
        }
        self.look()
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stop> {
        self.steps_left = self.steps_a_look;
        self.budget.check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_at_the_first_step_and_then_as_often_as_stated() {
        let budget = Budget::unlimited();
        let mut pace = Pace::every(10, &budget);
        for (steps, looks) in [(1, 1), (9, 1), (1, 2), (0, 2), (1000, 3), (9, 3), (1, 4)] {
            pace.count(steps).unwrap();
            assert_eq!(budget.checks(), looks);
        }
    }
}
