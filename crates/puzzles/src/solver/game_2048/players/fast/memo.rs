//! The search's cache: a table of fixed size, in which a new entry replaces an old one.
//!
//! An entry's key is a board and the reach of the search from it. Its value depends on nothing else. So a player's
//! moves depend neither on the content of the table nor on its size.

use super::lookahead::Reach;
use crate::board::packed::PackedBoard;
use crate::solver::{Budget, Charge, Stop};

/// Bytes of an entry.
const ENTRY_BYTES: u64 = size_of::<Entry>() as u64;
/// The most entries: 4 MiB.
const ENTRIES_MAX: usize = 1 << 18;

/// A cached value. An unused entry has the reach 0, which no search stores.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    board: u64,
    reach: u32,
    value: f32,
}

/// Values of boards, by board and reach.
#[derive(Debug)]
pub struct Memo<'b> {
    entries: Box<[Entry]>,
    _charge: Charge<'b>,
}

impl<'b> Memo<'b> {
    /// Creates a table and charges it to `budget`: 4 MiB, or halved until it fits half of the memory left.
    ///
    /// # Errors
    /// Fails if there is no room for a single entry.
    pub fn new(budget: &'b Budget) -> Result<Self, Stop> {
        let mut entries = ENTRIES_MAX;
        // At most half of the memory left, since the record of the game grows at the same time.
        while entries > 1 && entries as u64 * ENTRY_BYTES > budget.memory_bytes_left() / 2 {
            entries /= 2;
        }
        Self::of_entries(entries, budget)
    }

    /// Creates a table of that many entries, a power of two.
    ///
    /// # Errors
    /// Fails if there is no room for it.
    pub(super) fn of_entries(entries: usize, budget: &'b Budget) -> Result<Self, Stop> {
        debug_assert!(entries.is_power_of_two());
        let charge = Charge::new(entries as u64 * ENTRY_BYTES, budget)?;
        Ok(Self { entries: vec![Entry::default(); entries].into(), _charge: charge })
    }

    /// Returns the value stored for `board` with that reach, if it is still there.
    pub fn get(&self, board: PackedBoard, reach: Reach) -> Option<f32> {
        let entry = &self.entries[self.place(board, reach)];
        (entry.board == board.bits() && entry.reach == reach.bits()).then_some(entry.value)
    }

    /// Stores a value.
    pub fn put(&mut self, board: PackedBoard, reach: Reach, value: f32) {
        let place = self.place(board, reach);
        self.entries[place] = Entry { board: board.bits(), reach: reach.bits(), value };
    }

    fn place(&self, board: PackedBoard, reach: Reach) -> usize {
        // Fibonacci hashing (Knuth, volume 3, 6.4): the high bits of a product by 2⁶⁴ / φ.
        let mixed = (board.bits() ^ u64::from(reach.bits()) << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 32) as usize & (self.entries.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::sliding::SlidingBoard;
    use crate::solver::Cancel;

    fn board(rank: u8) -> PackedBoard {
        let mut ranks = vec![0; 16];
        ranks[5] = rank;
        PackedBoard::from_sliding(&SlidingBoard::new(4, ranks)).unwrap()
    }

    #[test]
    fn only_the_same_question_has_the_answer() {
        let budget = Budget::unlimited();
        let mut memo = Memo::of_entries(1, &budget).unwrap();
        let reach = Reach::new(3, 20);
        assert_eq!(memo.get(board(1), reach), None);
        memo.put(board(1), reach, 1.5);
        assert_eq!(memo.get(board(1), reach), Some(1.5));
        assert_eq!(memo.get(board(2), reach), None);
        assert_eq!(memo.get(board(1), Reach::new(2, 20)), None);
        assert_eq!(memo.get(board(1), Reach::new(3, 19)), None);
        memo.put(board(2), reach, -2.5);
        assert_eq!((memo.get(board(1), reach), memo.get(board(2), reach)), (None, Some(-2.5)));
    }

    #[test]
    fn it_takes_half_of_the_memory_left_at_most() {
        let budget = |bytes| Budget::new(None, None, bytes, Cancel::default());
        let large = budget(u64::MAX);
        let memo = Memo::new(&large).unwrap();
        assert_eq!(u64::MAX - large.memory_bytes_left(), 4 << 20);
        drop(memo);
        assert_eq!(large.memory_bytes_left(), u64::MAX);
        let small = budget(1000);
        let memo = Memo::new(&small).unwrap();
        assert_eq!((memo.entries.len(), small.memory_bytes_left()), (16, 744));
        assert_eq!(Memo::new(&budget(10)).unwrap_err(), Stop::MemoryLimit);
    }
}
