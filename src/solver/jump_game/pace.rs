//! Steps of a search: every few thousand of them the budget is asked whether it may go on.

use crate::solver::{Budget, Stop};

/// Steps between two looks at the budget.
pub(super) const STEPS: usize = 4096;

/// Counts the steps of a search.
#[derive(Debug)]
pub(super) struct Pace<'a> {
    budget: &'a Budget,
    steps: usize,
}

impl<'a> Pace<'a> {
    /// Looks at the budget for the first time.
    ///
    /// # Errors
    /// The limit that is hit already.
    pub(super) fn new(budget: &'a Budget) -> Result<Self, Stop> {
        budget.check()?;
        Ok(Self { budget, steps: 0 })
    }

    /// The budget, to be charged.
    pub(super) fn budget(&self) -> &'a Budget {
        self.budget
    }

    /// Counts `steps` more.
    ///
    /// # Errors
    /// The limit that ended the search.
    pub(super) fn count(&mut self, steps: usize) -> Result<(), Stop> {
        self.steps += steps;
        if self.steps >= STEPS {
            self.steps = 0;
            self.budget.check()?;
        }
        Ok(())
    }
}
