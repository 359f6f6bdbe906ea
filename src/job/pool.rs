//! Worker threads that solve the puzzles of a batch.
//!
//! A batch is a list with a shared next-index; as many *tickets* for it are queued as there are threads, and
//! a thread that draws a ticket solves puzzles of that batch until none is left. So one hard puzzle holds
//! one thread, not its whole batch, and a ticket never waits for another. Tickets are drawn first in, first out.
//! Whoever waits for a batch that no thread has begun solves it himself, so a short file is not stuck behind a long
//! one.
//!
//! Puzzles may take less than a microsecond, so what is done for each of them is little: an answer goes into
//! the place of its puzzle, the clock is read once, and the budget begins anew instead of being made.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::job::progress::{Hand, Progress};
use crate::solver::{
    Budget, Cancel, JOB_TIME_LIMIT, MEMORY_LIMIT, Options, Outcome, Permits, Puzzle, Stop, TIME_LIMIT,
    Verdict,
};

/// The threads that solve, and the memory that they share.
pub struct Pool {
    threads: rayon::ThreadPool,
    memory: Memory,
}

/// What puzzles may use that are solved at a time. It may change while they are solved.
#[derive(Debug)]
pub struct Memory {
    /// Puzzles that may use more than [`FREE_BYTES`](crate::solver::FREE_BYTES) at a time.
    permits: Arc<Permits>,
    /// The most that one may use, whatever its own limit.
    puzzle_bytes_max: AtomicU64,
}

impl Memory {
    fn unlimited() -> Self {
        Self { permits: Arc::new(Permits::new(usize::MAX)), puzzle_bytes_max: AtomicU64::new(u64::MAX) }
    }

    /// Lets `permits` puzzles at a time use more than a little, each at most `puzzle_bytes_max`. Jobs that began
    /// before keep the latter as it was.
    pub fn set(&self, permits: usize, puzzle_bytes_max: u64) {
        self.permits.set(permits);
        self.puzzle_bytes_max.store(puzzle_bytes_max, Ordering::Relaxed);
    }
}

/// The limits of a job, turned into a budget for each of its puzzles.
#[derive(Debug, Clone)]
pub struct Limits {
    time: Option<Duration>,
    job_end: Option<Instant>,
    memory_bytes: u64,
    /// The limit on memory is not the puzzle's own.
    lowered: bool,
    permits: Arc<Permits>,
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
    tasks: Vec<Task>,
    progress: Arc<Progress>,
    limits: Limits,
    next: AtomicUsize,
    /// Puzzles that have no answer yet.
    left: AtomicUsize,
    cpu_nanos: AtomicU64,
    done: Sender<()>,
}

/// A puzzle and the place for its answer.
struct Task {
    /// Its number in the file, from 1.
    number: u64,
    puzzle: Arc<dyn Puzzle>,
    solved: OnceLock<Solved>,
}

impl Limits {
    /// The limits that `options` and the memory of the pool set, the job's time beginning now.
    #[must_use]
    pub fn of(options: &Options, memory: &Memory, cancel: &Cancel) -> Self {
        let own = options.get(MEMORY_LIMIT);
        let shared = memory.puzzle_bytes_max.load(Ordering::Relaxed);
        Self {
            time: options.get(TIME_LIMIT),
            job_end: options.get(JOB_TIME_LIMIT).and_then(|time| Instant::now().checked_add(time)),
            memory_bytes: own.min(shared),
            lowered: shared < own,
            permits: Arc::clone(&memory.permits),
            cancel: cancel.clone(),
        }
    }

    /// A budget that is to begin with each puzzle.
    pub(super) fn budget(&self) -> Budget {
        Budget::new(None, self.job_end, self.memory_bytes, self.cancel.clone()).sharing(&self.permits)
    }

    /// The outcome with the limit that was hit under its true name.
    fn named(&self, mut outcome: Outcome) -> Outcome {
        if let Verdict::Undecided { stop: stop @ Stop::MemoryLimit, .. } = &mut outcome.verdict
            && self.lowered
        {
            *stop = Stop::WorkersMemoryLimit;
        }
        outcome
    }

    /// How long a puzzle may take, and when the job is over.
    pub(super) fn times(&self) -> (Option<Duration>, Option<Instant>) {
        (self.time, self.job_end)
    }

    /// When a puzzle begun now has to end.
    fn end(&self, now: Instant) -> Option<Instant> {
        self.time.and_then(|time| now.checked_add(time))
    }
}

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
        let threads = builder.thread_name(|index| format!("solve-{index}")).build()?;
        Ok(Self { threads, memory: Memory::unlimited() })
    }

    /// How many threads there are.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// The memory that its puzzles share; without limit at first.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Begins to solve `puzzles`, each with its number in the file, and tells `progress` of each. A single one that is `alone` is left to whoever waits for it: waking a thread costs
    /// more than most files.
    #[must_use]
    pub fn solve(
        &self,
        puzzles: Vec<(u64, Arc<dyn Puzzle>)>,
        limits: &Limits,
        progress: &Arc<Progress>,
        alone: bool,
    ) -> Pending {
        let (done_sender, done) = bounded(1);
        let tickets = if alone && puzzles.len() == 1 { 0 } else { puzzles.len().min(self.threads()) };
        let shared = Arc::new(Shared {
            left: AtomicUsize::new(puzzles.len()),
            tasks: puzzles
                .into_iter()
                .map(|(number, puzzle)| Task { number, puzzle, solved: OnceLock::new() })
                .collect(),
            progress: Arc::clone(progress),
            limits: limits.clone(),
            next: AtomicUsize::new(0),
            cpu_nanos: AtomicU64::new(0),
            done: done_sender,
        });
        for _ in 0..tickets {
            let shared = Arc::clone(&shared);
            self.threads.spawn_fifo(move || shared.work());
        }
        Pending { shared, done }
    }
}

impl Pending {
    /// Waits for all answers, and says what processor time they took. The calling thread solves where no thread of
    /// the pool has begun: they may all be busy for long with other jobs.
    pub fn wait(&self) -> Duration {
        if self.shared.next.load(Ordering::Relaxed) == 0 {
            self.shared.work();
        }
        if !self.shared.tasks.is_empty() {
            // Fails only when every ticket is gone, and a ticket goes only after its answers are in.
            let _ = self.done.recv();
        }
        Duration::from_nanos(self.shared.cpu_nanos.load(Ordering::Acquire))
    }

    /// The puzzles with their answers, in order. Those that are not there yet are left out: wait for them. A job that was
    /// cancelled has no answers to what was not begun then.
    pub fn answers(&self) -> impl Iterator<Item = (&Arc<dyn Puzzle>, &Solved)> {
        self.shared.tasks.iter().filter_map(|task| Some((&task.puzzle, task.solved.get()?)))
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        // A job given up leaves no puzzles to be begun: its retries would pile them up in the pool.
        self.shared.next.store(self.shared.tasks.len(), Ordering::Relaxed);
    }
}

impl Shared {
    fn work(&self) {
        let cpu_before = thread_cpu_time();
        let mut budget = self.limits.budget();
        let mut solved = 0;
        let hand = self.progress.hand(rayon::current_thread_index());
        let held_before = hand.map(Hand::held);
        // The end of one puzzle is the beginning of the next.
        let mut now = Instant::now();
        let mut nanos = self.progress.passed(now);
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = self.tasks.get(index) else { break };
            if self.limits.cancel.is_cancelled() {
                // Nobody will look at the answers: to begin hundreds of puzzles only to end them takes a while.
                solved += 1;
                continue;
            }
            budget.begin(self.limits.end(now), Some(now));
            if let Some(hand) = hand {
                hand.take(task.number, nanos);
            }
            let solve = || self.limits.named(task.puzzle.solve(&budget));
            let result = catch_unwind(AssertUnwindSafe(solve)).map_err(|panic| {
                let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
                text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
            });
            let end = Instant::now();
            // Nobody else has drawn this index.
            let wall = end - now;
            let _ = task.solved.set(Solved { result, wall });
            (now, nanos) = (end, nanos + wall.as_nanos() as u64);
            solved += 1;
        }
        if let (Some(hand), Some(before)) = (hand, held_before) {
            hand.go_on(before);
        }
        if solved == 0 {
            return;
        }
        let cpu = thread_cpu_time().saturating_sub(cpu_before);
        self.cpu_nanos.fetch_add(cpu.as_nanos() as u64, Ordering::Relaxed);
        if self.left.fetch_sub(solved, Ordering::AcqRel) == solved {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_beside_the_solvers_is_told() {
        let (tell, told) = bounded(1);
        let pool = Pool::watched(1, move || tell.send(()).unwrap()).unwrap();
        pool.threads.spawn_fifo(|| panic!("a test's own panic"));
        told.recv().unwrap();
    }
}
