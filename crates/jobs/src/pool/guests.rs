//! Keeps the lists from which guests draw. A guest has puzzles solved on other machines.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use super::list::{DrawnBy, List};

/// The most lists that are kept at once; guests do not see further lists.
const LISTS_MAX: usize = 10_000;

/// The lists that guests may draw from, the oldest first.
pub struct Guests {
    /// Threads that solve the puzzles which guests give back.
    threads: Arc<rayon::ThreadPool>,
    /// How many puzzles guests solve at once.
    seats: AtomicUsize,
    /// Number of threads that solve while they wait for a batch. With guests, more jobs than threads are open.
    waiters: AtomicUsize,
    /// How many waiting threads may solve in addition to as many as the pool has threads, if no other thread begins
    /// their batches.
    pub(super) spare: AtomicUsize,
    lists: Mutex<VecDeque<Weak<List>>>,
    /// Called when a list is added while no guest is looking for one.
    on_new_list: Mutex<Option<Box<dyn Fn() + Send>>>,
}

impl Guests {
    pub(super) fn new(threads: Arc<rayon::ThreadPool>) -> Self {
        let (lists, on_new_list) = (Mutex::default(), Mutex::default());
        let none = AtomicUsize::default;
        Self { threads, seats: none(), waiters: none(), spare: none(), lists, on_new_list }
    }

    /// Returns how many puzzles guests solve at once, in addition to the threads of the pool.
    pub fn seats(&self) -> usize {
        self.seats.load(Ordering::Relaxed)
    }

    /// Sets how many puzzles guests solve at once from now on.
    pub fn set_seats(&self, seats: usize) {
        self.seats.store(seats, Ordering::Relaxed);
    }

    /// Calls `work` for a thread that waits for a batch, unless enough waiting threads work already. If guests have
    /// seats, the first call allows only as many working threads as the pool has; the others wait for the guests.
    pub(super) fn solve_while_waiting(&self, is_first: bool, work: impl FnOnce()) {
        let spare = if is_first && self.seats() > 0 { 0 } else { self.spare.load(Ordering::Relaxed) };
        if self.waiters.fetch_add(1, Ordering::Relaxed) < self.threads.current_num_threads() + spare {
            work();
        }
        self.waiters.fetch_sub(1, Ordering::Relaxed);
    }

    /// Adds a list, which guests that come later see as well.
    pub(super) fn add(&self, list: &Arc<List>) {
        {
            let mut lists = self.lists.lock();
            if lists.len() >= LISTS_MAX {
                lists.retain(|list| list.strong_count() > 0);
            }
            if lists.len() < LISTS_MAX {
                lists.push_back(Arc::downgrade(list));
            }
        }
        if let Some(on_new_list) = self.on_new_list.lock().take() {
            on_new_list();
        }
    }

    /// Takes back puzzles that were drawn from `list` and have no answer, so that they are drawn again.
    pub fn give_back(&self, list: &Arc<List>, indexes: impl IntoIterator<Item = usize>, by: DrawnBy) {
        list.take_back(indexes, by);
        let drawn = Arc::clone(list);
        self.threads.spawn_fifo(move || drawn.work());
        let mut lists = self.lists.lock();
        if list.has_more() && !lists.iter().any(|other| other.as_ptr() == Arc::as_ptr(list)) {
            lists.push_front(Arc::downgrade(list));
        }
    }

    /// Returns the lists that have puzzles to draw, the oldest first. Other lists are dropped.
    pub fn lists(&self) -> Vec<Arc<List>> {
        let mut lists = self.lists.lock();
        let found: Vec<_> = lists.iter().filter_map(Weak::upgrade).filter(|list| list.has_more()).collect();
        if found.len() < lists.len() {
            *lists = found.iter().map(Arc::downgrade).collect();
        }
        found
    }

    /// Calls `on_new_list` once, when the next list is added. Returns whether no list has puzzles now.
    pub fn call_on_next_list(&self, on_new_list: impl Fn() + Send + 'static) -> bool {
        *self.on_new_list.lock() = Some(Box::new(on_new_list));
        self.lists().is_empty()
    }
}
