//! Lists that guests may draw from: who has puzzles solved elsewhere.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::list::List;
use super::waiters::Waiters;

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
            let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
            if lists.len() >= LISTS_MAX {
                lists.retain(|list| list.strong_count() > 0);
            }
            if lists.len() < LISTS_MAX {
                lists.push_back(Arc::downgrade(list));
            }
        }
        if let Some(ring) = self.ring.lock().unwrap_or_else(PoisonError::into_inner).take() {
            ring();
        }
    }

    /// Gives puzzles back that were drawn from `list` and have no answer: to be drawn again by anybody, or by no guest where they
    /// are to stay `here`.
    pub fn give_back(&self, list: &Arc<List>, indexes: impl IntoIterator<Item = usize>, here: bool) {
        list.take_back(indexes, here);
        let drawn = Arc::clone(list);
        self.threads.spawn_fifo(move || drawn.work());
        let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        if list.has_more() && !lists.iter().any(|other| other.as_ptr() == Arc::as_ptr(list)) {
            lists.push_front(Arc::downgrade(list));
        }
    }

    /// The lists with puzzles to draw, the oldest first. Others are forgotten.
    #[must_use]
    pub fn lists(&self) -> Vec<Arc<List>> {
        let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        let found: Vec<_> = lists.iter().filter_map(Weak::upgrade).filter(|list| list.has_more()).collect();
        if found.len() < lists.len() {
            *lists = found.iter().map(Arc::downgrade).collect();
        }
        found
    }

    /// Has `ring` called when the next list is noted, unless there is one. Returns whether there is none.
    pub fn ring_for_next(&self, ring: impl Fn() + Send + 'static) -> bool {
        *self.ring.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(ring));
        self.lists().is_empty()
    }
}
