//! Lists that guests may draw from: who has puzzles solved elsewhere.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use super::list::List;

/// Lists that are noted at a time; guests do not see further ones.
const LISTS_MAX: usize = 10_000;

/// The lists that guests may draw from, the oldest first.
pub struct Guests {
    /// Who solves what they give back.
    threads: Arc<rayon::ThreadPool>,
    waiters: Arc<Waiters>,
    lists: Mutex<VecDeque<Weak<List>>>,
    /// Called when a list is noted while nobody looks.
    ring: Mutex<Option<Box<dyn Fn() + Send>>>,
}

impl Guests {
    pub(super) fn new(threads: Arc<rayon::ThreadPool>) -> Self {
        let waiters = Arc::new(Waiters::new(threads.current_num_threads()));
        Self { threads, waiters, lists: Mutex::default(), ring: Mutex::default() }
    }

    /// Those who wait for a batch.
    pub(super) fn waiters(&self) -> &Arc<Waiters> {
        &self.waiters
    }

    /// How many puzzles guests solve at a time, beside the threads of the pool.
    #[must_use]
    pub fn seats(&self) -> usize {
        self.waiters.seats()
    }

    /// So many puzzles are solved by guests at a time from now on.
    pub fn set_seats(&self, seats: usize) {
        self.waiters.set_seats(seats);
    }

    /// Notes a list, for guests who come later too.
    pub(super) fn note(&self, list: &Arc<List>) {
        {
            let mut lists = self.lists.lock();
            if lists.len() >= LISTS_MAX {
                lists.retain(|list| list.strong_count() > 0);
            }
            if lists.len() < LISTS_MAX {
                lists.push_back(Arc::downgrade(list));
            }
        }
        if let Some(ring) = self.ring.lock().take() {
            ring();
        }
    }

    /// Gives puzzles back that were drawn from `list` and have no answer: to be drawn again by anybody, or by no guest where they
    /// are to stay `here`.
    pub fn give_back(&self, list: &Arc<List>, indexes: impl IntoIterator<Item = usize>, here: bool) {
        list.take_back(indexes, here);
        let drawn = Arc::clone(list);
        self.threads.spawn_fifo(move || drawn.work());
        let mut lists = self.lists.lock();
        if list.has_more() && !lists.iter().any(|other| other.as_ptr() == Arc::as_ptr(list)) {
            lists.push_front(Arc::downgrade(list));
        }
    }

    /// The lists with puzzles to draw, the oldest first. Others are forgotten.
    #[must_use]
    pub fn lists(&self) -> Vec<Arc<List>> {
        let mut lists = self.lists.lock();
        let found: Vec<_> = lists.iter().filter_map(Weak::upgrade).filter(|list| list.has_more()).collect();
        if found.len() < lists.len() {
            *lists = found.iter().map(Arc::downgrade).collect();
        }
        found
    }

    /// Has `ring` called when the next list is noted, unless there is one. Returns whether there is none.
    pub fn ring_for_next(&self, ring: impl Fn() + Send + 'static) -> bool {
        *self.ring.lock() = Some(Box::new(ring));
        self.lists().is_empty()
    }
}

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
