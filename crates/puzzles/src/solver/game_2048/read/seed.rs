//! The default seed of a game that names none.

use super::moves::Moves;

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
        moves.canonical().bytes().for_each(|byte| self.rank(byte));
        self.0
    }
}
