//! What the search found out already: a table of fixed size that any number of threads read and write
//! without waiting for each other.
//!
//! An entry is two words, the board XOR the answer and the answer. A reader that meets two halves of different
//! entries gets a board that is not the one it asked for, and finds nothing (Hyatt and Mann, A Lock-less
//! Transposition Table Implementation for Parallel Search, 2002). A new entry takes the place of the old one.
//!
//! A question is a board and how far it was looked ahead from it; the answer to it never depends on anything
//! else. So it makes no difference to a player's moves what the table holds, how large it is, or who filled it.

use std::sync::atomic::{AtomicU64, Ordering};

use super::search::Reach;
use crate::board::packed::PackedBoard;
use crate::solver::{Budget, Stop};

/// Bytes of an entry.
const ENTRY_BYTES: u64 = size_of::<Entry>() as u64;
/// Entries at most: 4 MiB.
const ENTRIES_MAX: usize = 1 << 18;

#[derive(Debug, Default)]
struct Entry {
    mixed: AtomicU64,
    answer: AtomicU64,
}

/// Values of boards, by board and reach.
#[derive(Debug)]
pub struct Memo(Box<[Entry]>);

impl Memo {
    /// A table within what `budget` has left, charged to it: 4 MiB, or less by halves.
    ///
    /// # Errors
    /// When there is no room for a single entry.
    pub fn new(budget: &Budget) -> Result<Self, Stop> {
        let mut entries = ENTRIES_MAX;
        // Half of what is left at most: the record of the game grows beside it.
        while entries > 1 && entries as u64 * ENTRY_BYTES > budget.memory_bytes_left() / 2 {
            entries /= 2;
        }
        budget.charge(entries as u64 * ENTRY_BYTES)?;
        Ok(Self::of_entries(entries))
    }

    /// A table of so many entries, a power of two.
    pub(super) fn of_entries(entries: usize) -> Self {
        debug_assert!(entries.is_power_of_two());
        Self((0..entries).map(|_| Entry::default()).collect())
    }

    /// Bytes that were charged for it.
    #[cfg(test)]
    fn bytes(&self) -> u64 {
        self.0.len() as u64 * ENTRY_BYTES
    }

    /// The value found for `board` with that reach, if it is still there.
    pub fn get(&self, board: PackedBoard, reach: Reach) -> Option<f32> {
        let entry = self.entry(board, reach);
        let answer = entry.answer.load(Ordering::Relaxed);
        let mixed = entry.mixed.load(Ordering::Relaxed);
        // A reach is never 0 here, so an entry never written has no reach of a question.
        let found = mixed ^ answer == board.bits() && answer as u32 == reach.bits();
        found.then(|| f32::from_bits((answer >> 32) as u32))
    }

    /// Keeps a value.
    pub fn put(&self, board: PackedBoard, reach: Reach, value: f32) {
        let entry = self.entry(board, reach);
        let answer = u64::from(value.to_bits()) << 32 | u64::from(reach.bits());
        entry.answer.store(answer, Ordering::Relaxed);
        entry.mixed.store(board.bits() ^ answer, Ordering::Relaxed);
    }

    fn entry(&self, board: PackedBoard, reach: Reach) -> &Entry {
        // Fibonacci hashing (Knuth, volume 3, 6.4): the high bits of a product by 2⁶⁴ / φ.
        let mixed = (board.bits() ^ u64::from(reach.bits()) << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        &self.0[(mixed >> 32) as usize & (self.0.len() - 1)]
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
        let memo = Memo::of_entries(1);
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
        assert_eq!(Memo::new(&budget(u64::MAX)).unwrap().bytes(), 4 << 20);
        let small = budget(1000);
        assert_eq!(Memo::new(&small).unwrap().bytes(), 256);
        assert_eq!(small.memory_bytes_left(), 744);
        assert_eq!(Memo::new(&budget(10)).unwrap_err(), Stop::MemoryLimit);
    }
}
