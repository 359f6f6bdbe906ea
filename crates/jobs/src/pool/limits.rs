//! The limits of a job, turned into a budget for each of its puzzles, and the memory that all puzzles share.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tabuleiro_puzzles::solver::{
    Budget, Cancel, JOB_TIME_LIMIT, MEMORY_LIMIT, Options, Outcome, Permits, Stop, TIME_LIMIT, Verdict,
};

/// The memory that all puzzles being solved may use together; it can change while they are solved.
#[derive(Debug)]
pub struct Memory {
    /// How many puzzles may use more than [`FREE_BYTES`](tabuleiro_puzzles::solver::FREE_BYTES) at once.
    permits: Arc<Permits>,
    /// Bytes that one puzzle may use, whatever its own limit.
    puzzle_bytes_max: AtomicU64,
}

/// The limits of a job, turned into a budget for each of its puzzles.
#[derive(Debug, Clone)]
pub struct Limits {
    time: Option<Duration>,
    job_end: Option<Instant>,
    /// Bytes that a puzzle may use.
    pub memory_bytes: u64,
    /// The pool's limit on memory is lower than the puzzle's own.
    lowered: bool,
    permits: Arc<Permits>,
    cancel: Cancel,
}

impl Memory {
    /// Returns memory without a limit.
    pub fn unlimited() -> Self {
        Self { permits: Arc::new(Permits::new(usize::MAX)), puzzle_bytes_max: AtomicU64::new(u64::MAX) }
    }

    /// Lets `permits` puzzles at once use more than [`FREE_BYTES`](tabuleiro_puzzles::solver::FREE_BYTES), each at most
    /// `puzzle_bytes_max`. Jobs that have already begun keep the old `puzzle_bytes_max`.
    pub fn set(&self, permits: usize, puzzle_bytes_max: u64) {
        self.permits.set(permits);
        self.puzzle_bytes_max.store(puzzle_bytes_max, Ordering::Relaxed);
    }

    /// Returns the bytes that one puzzle may use.
    pub fn puzzle_bytes_max(&self) -> u64 {
        self.puzzle_bytes_max.load(Ordering::Relaxed)
    }
}

impl Limits {
    /// Returns the limits set by `options` and by the memory of the pool. The time of the job starts now.
    pub fn of(options: &Options, memory: &Memory, cancel: &Cancel) -> Self {
        let own = options.get(MEMORY_LIMIT);
        let shared = memory.puzzle_bytes_max();
        let (time, job_left) = (options.get(TIME_LIMIT), options.get(JOB_TIME_LIMIT));
        Self { lowered: shared < own, ..Self::granted(time, job_left, own.min(shared), memory, cancel) }
    }

    /// Returns the limits of a puzzle from another machine, whose job ends after `job_left`.
    pub fn granted(
        time: Option<Duration>,
        job_left: Option<Duration>,
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
            cancel: cancel.clone(),
        }
    }

    /// Returns a budget to be reset for each puzzle.
    pub fn budget(&self) -> Budget {
        Budget::new(None, self.job_end, self.memory_bytes, self.cancel.clone()).sharing(&self.permits)
    }

    /// Returns a budget for work other than solving puzzles: it has the memory of one puzzle and no time limit.
    pub(crate) fn untimed_budget(&self) -> Budget {
        Budget::new(None, None, self.memory_bytes, self.cancel.clone()).sharing(&self.permits)
    }

    /// Returns the outcome with the true name of the limit that was hit: a memory limit that the pool lowered is the
    /// workers' limit.
    pub fn named(&self, mut outcome: Outcome) -> Outcome {
        if let Verdict::Undecided { stop: stop @ Stop::MemoryLimit, .. } = &mut outcome.verdict
            && self.lowered
        {
            *stop = Stop::WorkersMemoryLimit;
        }
        outcome
    }

    /// Returns how long a puzzle may take, and when the job must end.
    pub fn times(&self) -> (Option<Duration>, Option<Instant>) {
        (self.time, self.job_end)
    }

    /// Returns whether the job was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Returns when a puzzle that begins at `now` must end.
    pub fn end(&self, now: Instant) -> Option<Instant> {
        self.time.and_then(|time| now.checked_add(time))
    }
}
