//! The progress of a job: how many puzzles are read and answered, and which one has been running longest.
//!
//! Solver threads publish progress with one relaxed store per puzzle; readers poll.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tabuleiro_puzzles::words::{Argument, Phrase, messages};

/// A puzzle is reported only after it has run for this long.
const SHOWN_AFTER: Duration = Duration::from_secs(1);
/// The start time of a puzzle is kept in ticks of 2^24 nanoseconds (17 milliseconds).
const TICK_BITS: u32 = 24;
/// Bits for the number of a puzzle, below the start time. A file with more than 2^34 puzzles has more than 30 GiB.
const NUMBER_BITS: u32 = 34;

/// The progress of a job.
#[derive(Debug)]
pub struct Progress {
    begun: Instant,
    answered: AtomicU64,
    state: Mutex<State>,
    /// One slot for each thread that may solve.
    slots: OnceLock<Box<[PuzzleSlot]>>,
    /// The puzzle that a guest of the pool has held longest.
    pub(super) guests: PuzzleSlot,
}

/// What changes with a batch or a file, and not with every puzzle.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    read: u64,
    is_read: bool,
    /// For a job of several files: the files that are done, all files, and the puzzles answered in the files that are
    /// done.
    files_over: u64,
    files: u64,
    answered_before: u64,
    /// How long a puzzle may take, and how long after the start the job must end.
    puzzle_max: Option<Duration>,
    job_end: Option<Duration>,
}

/// The puzzle that a thread is solving: its start time in ticks in the high bits, its number from 1 in the low bits; 0
/// if there is none. A single store updates both.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(super) struct PuzzleSlot(AtomicU64);

/// A puzzle that has been running for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solving {
    /// The number of the puzzle in the file, from 1.
    pub number: u64,
    /// Number of puzzles in the file; `null` until the file is read to its end.
    pub of: Option<u64>,
    /// How long the puzzle has been running, in whole seconds.
    pub running_s: u64,
    /// How long the puzzle may run, in seconds, not counting waits for memory; `null` without a limit.
    pub limit_s: Option<u64>,
}

impl Default for Progress {
    /// Returns the progress of a job that begins now.
    fn default() -> Self {
        Self {
            begun: Instant::now(),
            answered: AtomicU64::new(0),
            state: Mutex::default(),
            slots: OnceLock::new(),
            guests: PuzzleSlot::default(),
        }
    }
}

impl Progress {
    /// Returns the number of puzzles whose answers were written, including invalid ones.
    pub fn answered(&self) -> u64 {
        self.state.lock().answered_before + self.answered.load(Ordering::Relaxed)
    }

    /// Records how many of the job's files are done.
    pub fn files_over(&self, over: u64, files: u64) {
        let mut state = self.state.lock();
        state.answered_before += self.answered.swap(0, Ordering::Relaxed);
        (state.files_over, state.files) = (over, files);
    }

    /// Returns how much of the job is done, in thousandths: the share of `bytes` that is read, times the share of the
    /// read puzzles that is answered. A job of several files counts the files that are done.
    pub fn per_mille(&self, bytes_read: u64, bytes: u64) -> u64 {
        let State { read, is_read, files_over, files, .. } = *self.state.lock();
        let answered = self.answered.load(Ordering::Relaxed);
        let share = |part: u64, whole: u64, of: u64| {
            (u128::from(part.min(whole)) * u128::from(of)).checked_div(u128::from(whole)).unwrap_or(0) as u64
        };
        if files > 0 {
            return share(files_over, files, 1000);
        }
        share(answered, read, if is_read { 1000 } else { share(bytes_read, bytes, 1000) })
    }

    /// Returns the puzzle that a thread of this machine or a guest has been solving for longest; `None` if no puzzle
    /// has run for a second.
    pub fn longest(&self) -> Option<Solving> {
        self.longest_after(self.begun.elapsed())
    }

    fn longest_after(&self, passed: Duration) -> Option<Solving> {
        let slots = self.slots.get().into_iter().flatten().chain([&self.guests]);
        let slots = slots.map(|slot| slot.0.load(Ordering::Relaxed));
        let oldest = slots.filter(|held| *held > 0).min()?;
        let begun = Duration::from_nanos(oldest >> NUMBER_BITS << TICK_BITS);
        let running = passed.saturating_sub(begun);
        if running < SHOWN_AFTER {
            return None;
        }
        let State { read, is_read, puzzle_max, job_end, .. } = *self.state.lock();
        let limit = puzzle_max.into_iter().chain(job_end.map(|end| end.saturating_sub(begun))).min();
        Some(Solving {
            number: oldest & ((1 << NUMBER_BITS) - 1),
            of: is_read.then_some(read),
            running_s: running.as_secs(),
            limit_s: limit.map(|limit| (limit + Duration::from_millis(500)).as_secs().max(1)),
        })
    }

    /// Begins a file that `threads` threads solve, together with the thread that reads and writes. A puzzle may take
    /// `puzzle`, and the job must end at `job_end`.
    pub(super) fn begin(&self, threads: usize, puzzle: Option<Duration>, job_end: Option<Instant>) {
        self.slots.get_or_init(|| (0..=threads).map(|_| PuzzleSlot::default()).collect());
        let job_end = job_end.map(|end| end.saturating_duration_since(self.begun));
        let mut state = self.state.lock();
        *state = State { puzzle_max: puzzle, job_end, read: 0, is_read: false, ..*state };
        self.has_answered(0);
    }

    /// Records how many puzzles are read, and whether the file has no more.
    pub(super) fn has_read(&self, puzzles: u64, all: bool) {
        let mut state = self.state.lock();
        (state.read, state.is_read) = (puzzles, all);
    }

    /// Records how many puzzles are answered.
    pub(super) fn has_answered(&self, puzzles: u64) {
        self.answered.store(puzzles, Ordering::Relaxed);
    }

    /// Returns the slot of solver thread `index`; `None` stands for the thread that reads and writes.
    pub(super) fn slot(&self, index: Option<usize>) -> Option<&PuzzleSlot> {
        let slots = self.slots.get()?;
        slots.get(index.unwrap_or(slots.len() - 1))
    }

    /// Returns the nanoseconds from the start of the job to `now`.
    pub(super) fn passed(&self, now: Instant) -> u64 {
        now.saturating_duration_since(self.begun).as_nanos() as u64
    }
}

impl PuzzleSlot {
    /// Records that puzzle `number` was begun `nanos` nanoseconds after the job.
    pub(super) fn set(&self, number: u64, nanos: u64) {
        let held = nanos >> TICK_BITS << NUMBER_BITS | (number & ((1 << NUMBER_BITS) - 1));
        self.0.store(held, Ordering::Relaxed);
    }

    /// Returns the content of the slot, so that a thread can [restore](Self::restore) it after solving puzzles of
    /// another batch.
    pub(super) fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Restores an earlier content of the slot.
    pub(super) fn restore(&self, held: u64) {
        self.0.store(held, Ordering::Relaxed);
    }
}

messages! {
    "progress"
    /// Which puzzle is being solved.
    enum ProgressText {
        Solving = "solving" { number: u64, seconds: u64, limit: Argument },
        SolvingOf = "solving-of" { number: u64, of: u64, seconds: u64, limit: Argument },
        Limit = "limit" { seconds: u64 },
        LimitPassed = "limit-passed" { seconds: u64 },
    }
}

impl From<Solving> for Phrase {
    fn from(solving: Solving) -> Self {
        let Solving { number, of, running_s: seconds, limit_s } = solving;
        let limit = limit_s.map(|limit| match limit {
            // The running time can exceed the limit, because waiting for memory does not count.
            passed if seconds > passed => ProgressText::LimitPassed { seconds: passed },
            limit => ProgressText::Limit { seconds: limit },
        });
        match of {
            Some(of) => ProgressText::SolvingOf { number, of, seconds, limit: limit.into() },
            None => ProgressText::Solving { number, seconds, limit: limit.into() },
        }
        .into()
    }
}

/// Formats as `puzzle 1 of 1, for 12 s of at most 60 s`.
impl fmt::Display for Solving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Phrase::from(*self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn the_puzzle_that_is_solved_for_longest_is_told() {
        let progress = Progress::default();
        assert_eq!(progress.longest_after(SECOND), None);
        progress.begin(2, Some(60 * SECOND), None);
        progress.has_read(20, false);
        let take = |index, number, after| {
            let slot = progress.slot(index).unwrap();
            slot.set(number, progress.passed(progress.begun + after * SECOND));
        };
        take(Some(0), 19, 3);
        take(None, 17, 2);
        assert_eq!(progress.longest_after(2 * SECOND), None, "not long yet");
        let told = |after| progress.longest_after(after * SECOND).unwrap().to_string();
        assert_eq!(told(14), "puzzle 17, for 12 s of at most 60 s");
        progress.has_read(20, true);
        assert_eq!(told(14), "puzzle 17 of 20, for 12 s of at most 60 s");
        assert_eq!(told(72), "puzzle 17 of 20, for 70 s of at most 60 s, waiting for memory not counted");
        let held = progress.slot(None).unwrap().value();
        take(None, 18, 13);
        assert_eq!(told(14), "puzzle 19 of 20, for 11 s of at most 60 s");
        progress.slot(None).unwrap().restore(held);
        assert_eq!(told(14), "puzzle 17 of 20, for 12 s of at most 60 s");
        take(None, 18, 13);
        progress.begin(2, Some(60 * SECOND), Some(progress.begun + 33 * SECOND));
        assert_eq!(told(14), "puzzle 19, for 11 s of at most 30 s", "the job is over sooner");
        progress.begin(2, None, None);
        assert_eq!(told(14), "puzzle 19, for 11 s");
        progress.guests.set(4, progress.passed(progress.begun + 2 * SECOND));
        assert_eq!(told(14), "puzzle 4, for 12 s");
        progress.guests.restore(0);
        for index in [Some(0), None] {
            progress.slot(index).unwrap().restore(0);
        }
        assert_eq!(progress.longest_after(14 * SECOND), None);
    }

    #[test]
    fn what_is_read_and_not_answered_is_not_done() {
        let progress = Progress::default();
        assert_eq!(progress.per_mille(100, 100), 0);
        progress.has_read(1, false);
        assert_eq!(progress.per_mille(100, 100), 0);
        progress.has_answered(1);
        assert_eq!((progress.per_mille(50, 100), progress.per_mille(0, 0)), (500, 0));
        progress.has_read(4, true);
        assert_eq!((progress.per_mille(90, 100), progress.per_mille(0, 0)), (250, 250));
        progress.has_answered(4);
        assert_eq!(progress.per_mille(u64::MAX, u64::MAX), 1000);
        progress.has_read(u64::MAX, false);
        progress.has_answered(u64::MAX);
        assert_eq!(progress.per_mille(u64::MAX, u64::MAX), 1000);
    }
}
