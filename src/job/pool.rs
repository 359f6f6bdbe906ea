//! Worker threads that solve the puzzles of a batch.
//!
//! A batch is a list with a shared next-index; as many *tickets* for it are queued as there are threads, and
//! a thread that draws a ticket solves puzzles of that batch until none is left. So one hard puzzle holds
//! one thread, not its whole batch, and a ticket never waits for another: short files are not stuck behind
//! long ones for more than a puzzle. Tickets are drawn first in, first out.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::solver::{Budget, Cancel, Options, Outcome, Puzzle};

/// The threads that solve.
pub struct Pool(rayon::ThreadPool);

/// The limits of a job, turned into a budget for each of its puzzles.
#[derive(Debug, Clone)]
pub struct Limits {
    time: Option<Duration>,
    job_end: Option<Instant>,
    memory_bytes: u64,
    cancel: Cancel,
}

/// The answer to one puzzle, or what a panic said.
pub struct Solved {
    pub result: Result<Outcome, String>,
    pub wall: Duration,
}

/// The answers to a batch, once they are all there.
pub struct Pending {
    shared: Arc<Shared>,
    done: Receiver<()>,
}

struct Shared {
    puzzles: Vec<Box<dyn Puzzle>>,
    limits: Limits,
    next: AtomicUsize,
    results: Mutex<Results>,
    done: Sender<()>,
}

#[derive(Default)]
struct Results {
    solved: Vec<(usize, Solved)>,
    cpu: Duration,
}

impl Limits {
    /// The limits that `options` set, the job's time beginning now.
    #[must_use]
    pub fn of(options: &Options, cancel: &Cancel) -> Self {
        Self {
            time: options.duration("time_limit"),
            job_end: options.duration("job_time_limit").and_then(|time| Instant::now().checked_add(time)),
            memory_bytes: options.size("memory_limit"),
            cancel: cancel.clone(),
        }
    }

    fn budget(&self, now: Instant) -> Budget {
        let time_limit = self.time.and_then(|time| now.checked_add(time));
        Budget::new(time_limit, self.job_end, self.memory_bytes, self.cancel.clone())
    }
}

impl Pool {
    /// A pool of `threads` threads; 0 stands for one a core.
    ///
    /// # Errors
    /// When the threads cannot be started.
    pub fn new(threads: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("solve-{index}"))
            .build()
            .map(Self)
    }

    /// How many threads there are.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.0.current_num_threads()
    }

    /// Begins to solve `puzzles`.
    #[must_use]
    pub fn solve(&self, puzzles: Vec<Box<dyn Puzzle>>, limits: &Limits) -> Pending {
        let (done_sender, done) = bounded(1);
        let tickets = puzzles.len().min(self.threads());
        let shared = Arc::new(Shared {
            puzzles,
            limits: limits.clone(),
            next: AtomicUsize::new(0),
            results: Mutex::default(),
            done: done_sender,
        });
        for _ in 0..tickets {
            let shared = Arc::clone(&shared);
            self.0.spawn_fifo(move || shared.work());
        }
        Pending { shared, done }
    }
}

impl Pending {
    /// Waits for all answers; they come in the order of the puzzles, with the processor time they took.
    pub fn wait(self) -> (Vec<Solved>, Duration) {
        if !self.shared.puzzles.is_empty() {
            // Fails only when every ticket is gone, and a ticket goes only after its results are in.
            let _ = self.done.recv();
        }
        let mut results = self.shared.results.lock().unwrap_or_else(PoisonError::into_inner);
        let mut solved = std::mem::take(&mut results.solved);
        solved.sort_unstable_by_key(|(index, _)| *index);
        (solved.into_iter().map(|(_, solved)| solved).collect(), results.cpu)
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        // A job given up leaves no puzzles to be begun: its retries would pile them up in the pool.
        self.shared.next.store(self.shared.puzzles.len(), Ordering::Relaxed);
    }
}

impl Shared {
    fn work(&self) {
        let cpu_before = thread_cpu_time();
        let mut solved = Vec::new();
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(puzzle) = self.puzzles.get(index) else { break };
            let started = Instant::now();
            let budget = self.limits.budget(started);
            let result = catch_unwind(AssertUnwindSafe(|| puzzle.solve(&budget))).map_err(|panic| {
                let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
                text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
            });
            solved.push((index, Solved { result, wall: started.elapsed() }));
        }
        if solved.is_empty() {
            return;
        }
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        results.cpu += thread_cpu_time().saturating_sub(cpu_before);
        results.solved.append(&mut solved);
        if results.solved.len() == self.puzzles.len() {
            // The receiver may be gone: the job was given up.
            let _ = self.done.try_send(());
        }
    }
}

/// Processor time of the calling thread.
fn thread_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}
