//! What was read before a wrong puzzle, as far back as it may be read otherwise once that puzzle is mended.

use std::collections::VecDeque;

use tabuleiro_puzzles::input::{Place, Scanner, Spot};
use tabuleiro_puzzles::solver::{Entry, Work};

/// The entries from the first wrong one on that has seen the puzzle at hand; that puzzle is the last of them.
#[derive(Default)]
pub struct Before {
    entries: VecDeque<Known>,
    /// Bytes of the file that wrong ones have seen.
    reach: u64,
}

/// An entry that was read.
#[derive(Clone, Copy)]
pub struct Known {
    /// Where its reader stood.
    pub spot: Spot,
    place: Place,
    /// Bytes of the file that its reader has seen, where it is wrong. One that is valid ends where it ends.
    seen: Option<u64>,
}

impl Known {
    /// Whether an entry is this one.
    pub fn is(&self, entry: &Entry) -> bool {
        entry.place == self.place && matches!(entry.work, Work::Invalid(_)) == self.seen.is_some()
    }
}

impl Before {
    /// Adds an entry that is not wrong, where that may matter.
    #[inline]
    pub fn add(&mut self, spot: Spot, place: Place) {
        if spot.offset() < self.reach {
            self.entries.push_back(Known { spot, place, seen: None });
        }
    }

    /// Adds a wrong puzzle, has the text from the first entry on held, and says where that begins.
    pub fn add_wrong(&mut self, spot: Spot, place: Place, input: &mut Scanner<'_>) -> Spot {
        let has_seen = |entry: &Known| entry.seen.is_some_and(|seen| seen > spot.offset());
        let begins = self.entries.iter().position(has_seen).unwrap_or(self.entries.len());
        self.entries.drain(..begins);
        self.reach = self.reach.max(input.bytes_seen());
        self.entries.push_back(Known { spot, place, seen: Some(input.bytes_seen()) });
        let first = self.entries[0].spot;
        input.hold_from(first);
        first
    }

    /// The entries, at least the puzzle at hand.
    pub fn entries(&self) -> &VecDeque<Known> {
        &self.entries
    }
}
