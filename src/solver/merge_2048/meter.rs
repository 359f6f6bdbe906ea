//! Counts the work of a search, so that the budget is asked neither rarely nor at every step.

use crate::solver::{Budget, Stop};

/// Squares handled between two looks at the budget; some tens of microseconds of work.
const SQUARES_MAX: usize = 20_000;

/// Work done since the budget was asked last.
pub(super) struct Meter<'b> {
    budget: &'b Budget,
    squares: usize,
}

impl<'b> Meter<'b> {
    /// A meter that asks at its first use.
    pub(super) fn new(budget: &'b Budget) -> Self {
        Self { budget, squares: SQUARES_MAX }
    }

    /// Notes that so many squares are about to be handled.
    ///
    /// # Errors
    /// The limit that was hit.
    pub(super) fn spend(&mut self, squares: usize) -> Result<(), Stop> {
        self.squares = self.squares.saturating_add(squares);
        if self.squares < SQUARES_MAX {
            return Ok(());
        }
        self.squares = 0;
        self.budget.check()
    }
}
