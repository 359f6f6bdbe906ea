//! Those who wait for a batch, and may solve it meanwhile.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Those who wait for a batch, where more jobs are in hand than threads because guests solve as well.
#[derive(Debug)]
pub struct Waiters {
    threads: usize,
    /// Those who solve meanwhile.
    solving: AtomicUsize,
    /// Of those the most where nobody else begins, beyond as many as there are threads.
    spare: AtomicUsize,
    /// How many puzzles guests solve at a time.
    seats: AtomicUsize,
}

impl Waiters {
    /// Nobody waits, beside so many threads.
    pub(super) fn new(threads: usize) -> Self {
        let none = || AtomicUsize::new(0);
        Self { threads, solving: none(), spare: none(), seats: none() }
    }

    /// Where nobody else begins, so many may solve beyond as many as there are threads.
    pub(super) fn set_spare(&self, spare: usize) {
        self.spare.store(spare, Ordering::Relaxed);
    }

    pub(super) fn seats(&self) -> usize {
        self.seats.load(Ordering::Relaxed)
    }

    pub(super) fn set_seats(&self, seats: usize) {
        self.seats.store(seats, Ordering::Relaxed);
    }

    /// Whether somebody who waits may solve meanwhile; then he is to [leave](Self::leave). At first, while guests have seats, only
    /// as many may as there are threads: the others wait for guests.
    pub(super) fn enter(&self, is_first: bool) -> bool {
        let spare = if is_first && self.seats() > 0 { 0 } else { self.spare.load(Ordering::Relaxed) };
        let entered = self.solving.fetch_add(1, Ordering::Relaxed) < self.threads + spare;
        if !entered {
            self.leave();
        }
        entered
    }

    pub(super) fn leave(&self) {
        self.solving.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_solve_as_there_are_threads_and_later_the_spare_ones() {
        let waiters = Waiters::new(1);
        waiters.set_spare(1);
        waiters.set_seats(3);
        assert_eq!(
            [true, true, false, false].map(|is_first| waiters.enter(is_first)),
            [true, false, true, false]
        );
        waiters.leave();
        assert!(!waiters.enter(true) && waiters.enter(false));
        waiters.set_seats(0);
        waiters.leave();
        assert!(waiters.enter(true), "no guest can come");
    }
}
