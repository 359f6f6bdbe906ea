//! Where a game's new pieces come from: its seed, and the default seed of a game that names none.

use super::moves::Moves;
use crate::solver::Random;

/// The 64-bit hash that is the seed of a game without one: FNV-1a (Fowler, Noll, Vo; RFC 9923) of the size
/// as 8 bytes, little end first, the rank of every square as a byte in row order (value 2^rank, 0 empty),
/// and the moves as capital letters `D`, `E`, `C`, `B`, or `AUTO`, or `AUTO k`, or nothing for `-`.
#[derive(Debug, Clone, Copy)]
pub struct SeedHash(u64);

impl SeedHash {
    /// The hash of a board of that size, before its squares.
    pub fn new(size: u64) -> Self {
        let mut hash = Self(0xcbf2_9ce4_8422_2325);
        size.to_le_bytes().into_iter().for_each(|byte| hash.rank(byte));
        hash
    }

    /// Adds a square, or any other byte.
    pub fn rank(&mut self, rank: u8) {
        self.0 = (self.0 ^ u64::from(rank)).wrapping_mul(0x0100_0000_01b3);
    }

    /// The seed, once the moves are known.
    pub fn with_moves(mut self, moves: &Moves) -> u64 {
        moves.canonical().for_each(|byte| self.rank(byte));
        self.0
    }
}

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
