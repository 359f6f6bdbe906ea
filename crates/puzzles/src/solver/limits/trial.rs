//! A failure that a test orders: the budget says no to one question, and to all that follow.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Stop;

/// Which question fails, and with what.
#[derive(Debug)]
pub(super) struct Trial {
    number: u64,
    stop: Stop,
    questions: AtomicU64,
}

impl Trial {
    pub(super) fn new(number: u64, stop: Stop) -> Self {
        Self { number, stop, questions: AtomicU64::new(0) }
    }

    /// How many questions were asked.
    pub(super) fn questions(&self) -> u64 {
        self.questions.load(Ordering::Relaxed)
    }

    /// Asked whether the search may go on.
    pub(super) fn look(&self) -> Result<(), Stop> {
        // Memory that is short ends no search that needs no more of it.
        if self.stop == Stop::MemoryLimit { Ok(()) } else { self.charge() }
    }

    /// Asked for memory.
    pub(super) fn charge(&self) -> Result<(), Stop> {
        let number = self.questions.fetch_add(1, Ordering::Relaxed) + 1;
        if number >= self.number { Err(self.stop) } else { Ok(()) }
    }
}
