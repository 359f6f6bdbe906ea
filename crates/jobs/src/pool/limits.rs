//! The limits of a job, turned into a budget for each of its puzzles; and the memory that all puzzles share.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tabuleiro_puzzles::solver::{
    Budget, Cancel, JOB_TIME_LIMIT, MEMORY_LIMIT, Options, Outcome, Permits, Stop, TIME_LIMIT, Threads,
    Verdict,
};

/// What puzzles may use that are solved at a time: memory, which may change while they are solved, and threads.
#[derive(Debug)]
pub struct Memory {
    /// Puzzles that may use more than [`FREE_BYTES`](tabuleiro_puzzles::solver::FREE_BYTES) at a time.
    permits: Arc<Permits>,
    /// The most that one may use, whatever its own limit.
    puzzle_bytes_max: AtomicU64,
    /// Those that solve; a puzzle may be helped by those that have none.
    threads: Arc<Threads>,
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
    threads: Arc<Threads>,
    cancel: Cancel,
}

impl Memory {
    /// Memory without limit, for so many threads.
    #[must_use]
    pub fn unlimited(threads: usize) -> Self {
        Self {
            permits: Arc::new(Permits::new(usize::MAX)),
            puzzle_bytes_max: AtomicU64::new(u64::MAX),
            threads: Arc::new(Threads::new(threads)),
        }
    }

    /// Lets `permits` puzzles at a time use more than a little, each at most `puzzle_bytes_max`. Jobs that began
    /// before keep the latter as it was.
    pub fn set(&self, permits: usize, puzzle_bytes_max: u64) {
        self.permits.set(permits);
        self.puzzle_bytes_max.store(puzzle_bytes_max, Ordering::Relaxed);
    }

    /// The most that one puzzle may use.
    #[must_use]
    pub fn puzzle_bytes_max(&self) -> u64 {
        self.puzzle_bytes_max.load(Ordering::Relaxed)
    }
}

impl Limits {
    /// The limits that `options` and the memory of the pool set, the job's time beginning now.
    #[must_use]
    pub fn of(options: &Options, memory: &Memory, cancel: &Cancel) -> Self {
        let own = options.get(MEMORY_LIMIT);
        let shared = memory.puzzle_bytes_max();
        Self {
            time: options.get(TIME_LIMIT),
            job_end: options.get(JOB_TIME_LIMIT).and_then(|time| Instant::now().checked_add(time)),
            memory_bytes: own.min(shared),
            lowered: shared < own,
            permits: Arc::clone(&memory.permits),
            threads: Arc::clone(&memory.threads),
            cancel: cancel.clone(),
        }
    }

    /// Limits that somebody else set, of a job that ends after `job_left`: for puzzles that came from another machine.
    #[must_use]
    pub fn granted(
        (time, job_left): (Option<Duration>, Option<Duration>),
        memory_bytes: u64,
        memory: &Memory,
        cancel: &Cancel,
    ) -> Self {
        Self {
            time,
            job_end: job_left.and_then(|left| Instant::now().checked_add(left)),
            memory_bytes,
            lowered: false,
            permits: Arc::clone(&memory.permits),
            threads: Arc::clone(&memory.threads),
            cancel: cancel.clone(),
        }
    }

    /// A budget that is to begin with each puzzle. While it lives, its thread counts as busy.
    #[must_use]
    pub fn budget(&self) -> Budget {
        Budget::new(None, self.job_end, self.memory_bytes, self.cancel.clone())
            .sharing(&self.permits)
            .helped_by(&self.threads)
    }

    /// A budget for work beside the puzzles: it has the memory of one, and all the time.
    pub(crate) fn untimed_budget(&self) -> Budget {
        Budget::new(None, None, self.memory_bytes, self.cancel.clone()).sharing(&self.permits)
    }

    /// The outcome with the limit that was hit under its true name.
    #[must_use]
    pub fn named(&self, mut outcome: Outcome) -> Outcome {
        if let Verdict::Undecided { stop: stop @ Stop::MemoryLimit, .. } = &mut outcome.verdict
            && self.lowered
        {
            *stop = Stop::WorkersMemoryLimit;
        }
        outcome
    }

    /// How long a puzzle may take, and when the job is over.
    #[must_use]
    pub fn times(&self) -> (Option<Duration>, Option<Instant>) {
        (self.time, self.job_end)
    }

    /// Bytes that a puzzle may use.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.memory_bytes
    }

    /// Whether nobody wants the answers.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// When a puzzle begun now has to end.
    #[must_use]
    pub fn end(&self, now: Instant) -> Option<Instant> {
        self.time.and_then(|time| now.checked_add(time))
    }
}
