//! Solves the puzzles of a batch on threads, which draw them from a list.
//!
//! A batch is a list with a shared next-index. The pool queues as many *tickets* for it as there are threads. A thread
//! that draws a ticket solves puzzles of that batch until none is left. So a hard puzzle occupies one thread, not its
//! whole batch, and a ticket never waits for another. Tickets are drawn first in, first out. If no thread has begun a
//! batch, the thread that waits for it solves it itself, so a short file is not stuck behind a long one.
//!
//! A *guest* of the pool draws puzzles from the same lists and has them solved on other machines. It can give back
//! puzzles that it drew. The pool keeps the first answer to a puzzle.
//!
//! A puzzle can take less than a microsecond, so the work per puzzle is small: its answer goes into a place reserved
//! for it, the clock is read once, and one budget is reset for each puzzle instead of being created.

mod guests;
mod limits;
mod list;
mod remote_facts;

use std::sync::Arc;
use std::sync::atomic::Ordering;

pub use guests::Guests;
pub use limits::{Limits, Memory};
pub use list::{DrawnBy, Failure, List, Origin, Solved, guarded, panic_text, thread_cpu_time};
pub use remote_facts::{RemoteCounts, RemoteFacts, WorkerFact};

/// The most batches of a job, and the most jobs, that are open for guests, in addition to those for the threads.
const GUESTS_MAX: usize = 64;

/// The threads that solve, the memory that they share, and the guests.
#[derive(Clone)]
pub struct Pool {
    threads: Arc<rayon::ThreadPool>,
    memory: Arc<Memory>,
    guests: Arc<Guests>,
    /// The pool accepts guests.
    is_open: bool,
    /// Guests may draw puzzles of new lists.
    has_guests: bool,
}

/// A list that is being solved. Dropping it gives up the puzzles that were not begun.
pub struct Pending(pub Arc<List>);

impl Pool {
    /// Returns a pool of `threads` threads; 0 stands for one per core.
    ///
    /// # Errors
    /// Fails if the threads cannot be started.
    pub fn new(threads: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        Self::build(rayon::ThreadPoolBuilder::new().num_threads(threads))
    }

    /// Like [`new`](Self::new), but a thread that panics outside its solver calls `on_panic` instead of aborting the
    /// process.
    ///
    /// # Errors
    /// Fails if the threads cannot be started.
    pub fn watched(
        threads: usize,
        on_panic: impl Fn() + Send + Sync + 'static,
    ) -> Result<Self, rayon::ThreadPoolBuildError> {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
        Self::build(builder.panic_handler(move |_| on_panic()))
    }

    fn build(builder: rayon::ThreadPoolBuilder) -> Result<Self, rayon::ThreadPoolBuildError> {
        let threads = Arc::new(builder.thread_name(|index| format!("solve-{index}")).build()?);
        let guests = Arc::new(Guests::new(Arc::clone(&threads)));
        let memory = Arc::new(Memory::unlimited());
        Ok(Self { threads, memory, guests, is_open: false, has_guests: false })
    }

    /// Lets guests draw from the pool's lists, and returns the lists they draw from. More jobs than threads can then be
    /// open. A job's thread that waits for a batch may solve puzzles meanwhile. As many threads do so as the pool has
    /// threads, and `spare` more if no other thread begins their batches.
    pub fn open(&mut self, spare: usize) -> Arc<Guests> {
        (self.is_open, self.has_guests) = (true, true);
        self.guests.spare.store(spare, Ordering::Relaxed);
        Arc::clone(&self.guests)
    }

    /// Returns the same pool without guests.
    pub fn without_guests(&self) -> Self {
        Self { has_guests: false, ..self.clone() }
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// Returns how many batches of one job may be open, so that each thread and guest has work while the job waits for
    /// the oldest batch.
    pub(crate) fn batches_max(&self) -> usize {
        self.threads() + self.seats() + 2
    }

    /// Returns the number of guests for which batches and jobs are open now.
    pub fn seats(&self) -> usize {
        if self.has_guests { self.guests.seats().min(GUESTS_MAX) } else { 0 }
    }

    /// Returns the most that [`seats`](Self::seats) can return.
    pub fn seats_max(&self) -> usize {
        if self.is_open { GUESTS_MAX } else { 0 }
    }

    /// Returns the memory that the puzzles share; it is unlimited at first.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Returns the guests, if the pool accepts guests.
    pub fn guests(&self) -> Option<Arc<Guests>> {
        self.is_open.then(|| Arc::clone(&self.guests))
    }

    /// Begins to solve the puzzles of a list. If `alone` is set, a single puzzle is left to the thread that waits for
    /// it, because waking another thread costs more than solving most files.
    pub fn solve(&self, list: List, alone: bool) -> Pending {
        let tickets = if alone && list.puzzles() == 1 { 0 } else { list.puzzles().min(self.threads()) };
        let list = Arc::new(list);
        for _ in 0..tickets {
            let list = Arc::clone(&list);
            self.threads.spawn_fifo(move || list.work());
        }
        if self.has_guests {
            self.guests.add(&list);
        }
        Pending(list)
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        // An abandoned job must not leave puzzles to solve, because its retries would pile them up in the pool.
        self.0.give_up();
    }
}

#[cfg(test)]
mod tests;
