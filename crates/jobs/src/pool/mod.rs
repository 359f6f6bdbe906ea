//! Threads that solve the puzzles of a batch, and the list from which they draw them.
//!
//! A batch is a list with a shared next-index; as many *tickets* for it are queued as there are threads, and
//! a thread that draws a ticket solves puzzles of that batch until none is left. So one hard puzzle holds
//! one thread, not its whole batch, and a ticket never waits for another. Tickets are drawn first in, first out.
//! A thread that waits for a batch that no thread has begun solves it itself, so a short file is not stuck behind a long
//! one.
//!
//! A *guest* draws from the same lists where the pool has any: it has puzzles solved elsewhere, and may give back what it
//! drew. The first answer to a puzzle is kept.
//!
//! Puzzles may take less than a microsecond, so what is done for each of them is little: an answer goes into
//! the place of its puzzle, the clock is read once, and the budget begins anew instead of being made.

// Lists that guests may draw from, and those who wait.
mod guests;
// The limits of a job, turned into budgets.
mod limits;
// The puzzles of a batch and the places for their answers.
mod list;
// What the dispatcher to workers on other machines reports.
mod remote_facts;

use std::sync::Arc;
use std::time::Duration;

use crate::progress::Progress;
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{Options, Puzzle, Solver};

pub use guests::Guests;
pub use limits::{Limits, Memory};
pub use list::{Failure, List, Origin, Solved, guarded};
pub use remote_facts::{RemoteFacts, WorkerFact};

/// Batches of a job, and jobs, that are in hand for guests at most, beyond those for the threads.
const GUESTS_MAX: usize = 64;

/// The threads that solve, the memory that they share, and the guests beside them.
pub struct Pool {
    threads: Arc<rayon::ThreadPool>,
    memory: Arc<Memory>,
    guests: Arc<Guests>,
    /// It has guests.
    is_open: bool,
    /// They may draw.
    has_guests: bool,
}

/// The answers to a batch, once they are all there.
pub struct Pending(Arc<List>);

impl Pool {
    /// A pool of `threads` threads; 0 stands for one a core.
    ///
    /// # Errors
    /// When the threads cannot be started.
    pub fn new(threads: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        Self::build(rayon::ThreadPoolBuilder::new().num_threads(threads))
    }

    /// The same, where `on_panic` is called by a thread that panicked beside its solver. Otherwise that aborts the process.
    ///
    /// # Errors
    /// When the threads cannot be started.
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
        let memory = Arc::new(Memory::unlimited(threads.current_num_threads()));
        Ok(Self { threads, memory, guests, is_open: false, has_guests: false })
    }

    /// Lets guests draw from its lists, and gives what they draw by. More jobs than threads may be in hand then: of those who wait for one,
    /// as many solve meanwhile as there are threads, and `spare` more where nobody begins.
    pub fn open(&mut self, spare: usize) -> Arc<Guests> {
        (self.is_open, self.has_guests) = (true, true);
        self.guests.waiters().set_spare(spare);
        Arc::clone(&self.guests)
    }

    /// The same pool without guests.
    #[must_use]
    pub fn without_guests(&self) -> Self {
        Self {
            threads: Arc::clone(&self.threads),
            memory: Arc::clone(&self.memory),
            guests: Arc::clone(&self.guests),
            is_open: self.is_open,
            has_guests: false,
        }
    }

    /// How many threads there are.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// The most batches of one job that are in hand at a time: each thread and guest has something to do while the oldest one
    /// is waited for.
    pub(crate) fn batches_max(&self) -> usize {
        self.threads() + self.seats() + 2
    }

    /// For how many guests there are batches and jobs in hand now.
    #[must_use]
    pub fn seats(&self) -> usize {
        if self.has_guests { self.guests.seats().min(GUESTS_MAX) } else { 0 }
    }

    /// The most that [`seats`](Self::seats) ever gives.
    #[must_use]
    pub fn seats_max(&self) -> usize {
        if self.is_open { GUESTS_MAX } else { 0 }
    }

    /// What guests are told of a job; `None` where there are none.
    pub(crate) fn origin(
        &self,
        solver: &dyn Solver,
        options: &Options,
        input: &Scanner<'_>,
    ) -> Option<Arc<Origin>> {
        let origin = || Origin::new(solver.id(), options.clone(), Arc::clone(input.name()));
        self.has_guests.then(|| Arc::new(origin()))
    }

    /// The memory that its puzzles share; without limit at first.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Makes a list of `puzzles`, each with its number in the file. Guests may draw them if there is an `origin`.
    #[must_use]
    pub fn list(
        &self,
        puzzles: Vec<(u64, Arc<dyn Puzzle>)>,
        limits: &Limits,
        progress: &Arc<Progress>,
        origin: Option<Arc<Origin>>,
    ) -> List {
        let waiters = self.is_open.then(|| Arc::clone(self.guests.waiters()));
        List::new(puzzles, limits, progress, origin, waiters)
    }

    /// Begins to solve the puzzles of a list. A single one that is `alone` is left to the thread that waits for it: waking another thread
    /// costs more than most files.
    #[must_use]
    pub fn solve(&self, list: List, alone: bool) -> Pending {
        let tickets = if alone && list.puzzles() == 1 { 0 } else { list.puzzles().min(self.threads()) };
        let list = Arc::new(list);
        for _ in 0..tickets {
            let list = Arc::clone(&list);
            self.threads.spawn_fifo(move || list.work());
        }
        if list.origin().is_some() {
            self.guests.note(&list);
        }
        Pending(list)
    }
}

impl Pending {
    /// Waits for all answers, and says what processor time they took. The calling thread solves where no thread of
    /// the pool has begun: they may all be busy for long with other jobs.
    pub fn wait(&self) -> Duration {
        self.0.wait()
    }

    /// The puzzles with their answers, in order. Those that are not there yet are left out: wait for them.
    pub fn answers(&self) -> impl Iterator<Item = (&Arc<dyn Puzzle>, &Solved)> {
        self.0.answers()
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        // A job given up leaves no puzzles to be begun: its retries would pile them up in the pool.
        self.0.give_up();
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod panic_tests {
    use crossbeam_channel::bounded;

    use super::*;

    #[test]
    fn a_panic_beside_the_solvers_is_told() {
        let (tell, told) = bounded(1);
        let pool = Pool::watched(1, move || tell.send(()).unwrap()).unwrap();
        pool.threads.spawn_fifo(|| panic!("a test's own panic"));
        told.recv().unwrap();
    }
}
