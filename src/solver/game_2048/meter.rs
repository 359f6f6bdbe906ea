//! Work counted in squares, so that a budget is asked neither too often nor too late on any size of board.

use crate::solver::{Budget, Stop};

/// Squares looked at between two questions to the budget: some tens of microseconds.
const SQUARES_BETWEEN_CHECKS: u64 = 1 << 15;

/// Asks a budget once in a while.
#[derive(Debug)]
pub struct Meter<'a> {
    budget: &'a Budget,
    squares: u64,
}

impl<'a> Meter<'a> {
    /// A meter that asks `budget` at the first work done.
    pub fn new(budget: &'a Budget) -> Self {
        Self { budget, squares: SQUARES_BETWEEN_CHECKS }
    }

    /// The budget behind it.
    pub fn budget(&self) -> &'a Budget {
        self.budget
    }

    /// Counts work on so many squares.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn spend(&mut self, squares: usize) -> Result<(), Stop> {
        self.squares += squares as u64;
        if self.squares >= SQUARES_BETWEEN_CHECKS {
            self.squares = 0;
            self.budget.check()?;
        }
        Ok(())
    }
}
