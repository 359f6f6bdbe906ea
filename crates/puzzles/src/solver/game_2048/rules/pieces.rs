//! Where a game's new pieces come from: its seed.

use crate::solver::Random;

/// The new pieces of a game: for each two random numbers, the square and then the value, so that the squares
/// do not depend on how probable a 4 is.
#[derive(Debug, Clone)]
pub struct Pieces {
    random: Random,
    percent_four: u64,
}

impl Pieces {
    /// The pieces of `seed`; a piece is a 4 in `percent_four` of 100 cases, else a 2.
    pub fn new(seed: u64, percent_four: u64) -> Self {
        Self { random: Random::new(seed), percent_four }
    }

    /// The next piece: which of the `empties` (at least 1) empty squares it takes, counted in row order, and
    /// its rank, 1 or 2.
    pub fn draw(&mut self, empties: u64) -> (u64, u8) {
        let square = self.random.below(empties.max(1));
        let four = self.random.below(100) < self.percent_four;
        (square, 1 + u8::from(four))
    }
}
