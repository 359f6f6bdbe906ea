//! How far a job is: its puzzles read and answered, and the one that is being solved for longest.
//!
//! Whoever works on the job only stores numbers, one a puzzle. Whoever wants to know looks when he likes.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// Nothing is said of a puzzle that takes less.
const TOLD_AFTER: Duration = Duration::from_secs(1);
/// The time at which a puzzle was begun is kept in ticks of 2^24 nanoseconds, 17 milliseconds.
const TICK_BITS: u32 = 24;
/// Bits of the number of a puzzle, beside that time; a file of so many puzzles has more than 30 GiB.
const NUMBER_BITS: u32 = 34;

/// How far a job is.
#[derive(Debug)]
pub struct Progress {
    begun: Instant,
    answered: AtomicU64,
    read: AtomicU64,
    is_read: AtomicBool,
    /// Of a job of several files: those that are over, all of them, and the puzzles answered in those that are over.
    files_over: AtomicU64,
    files: AtomicU64,
    answered_before: AtomicU64,
    /// Milliseconds that a puzzle may take, and after the beginning those at which all must be over.
    puzzle_ms_max: AtomicU64,
    job_end_ms: AtomicU64,
    /// For each thread that may solve.
    hands: OnceLock<Box<[Hand]>>,
    /// For the guests of the pool together: the puzzle that one of them has for longest.
    guests: Hand,
}

/// The puzzle that a thread is solving: when that began, in ticks, above its number from 1; 0 for none. One store tells both.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(super) struct Hand(AtomicU64);

/// A puzzle that is being solved for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solving {
    /// Its number in the file, from 1.
    pub number: u64,
    /// Puzzles in the file; `null` while it is not read to its end.
    pub of: Option<u64>,
    /// For how long, in whole seconds.
    pub running_s: u64,
    /// How long it may take, the waiting for memory not counted; `null` without a limit.
    pub limit_s: Option<u64>,
}

impl Default for Progress {
    /// A job that begins now.
    fn default() -> Self {
        Self {
            begun: Instant::now(),
            answered: AtomicU64::new(0),
            read: AtomicU64::new(0),
            is_read: AtomicBool::new(false),
            files_over: AtomicU64::new(0),
            files: AtomicU64::new(0),
            answered_before: AtomicU64::new(0),
            puzzle_ms_max: AtomicU64::new(u64::MAX),
            job_end_ms: AtomicU64::new(u64::MAX),
            hands: OnceLock::new(),
            guests: Hand::default(),
        }
    }
}

impl Progress {
    /// Puzzles whose answers were written, the invalid ones included.
    #[must_use]
    pub fn answered(&self) -> u64 {
        self.answered_before.load(Ordering::Relaxed) + self.answered.load(Ordering::Relaxed)
    }

    /// Of several files so many are over.
    pub fn files_over(&self, over: u64, files: u64) {
        let answered = self.answered.swap(0, Ordering::Relaxed);
        self.answered_before.fetch_add(answered, Ordering::Relaxed);
        self.files_over.store(over, Ordering::Relaxed);
        self.files.store(files, Ordering::Relaxed);
    }

    /// How much of the job is done, of 1000, where `bytes_read` of `bytes` are read: of what is read, the puzzles that are
    /// answered; of several files, those that are over. It is full when the job is over.
    #[must_use]
    pub fn per_mille(&self, bytes_read: u64, bytes: u64) -> u64 {
        let [answered, read, over, files] = [&self.answered, &self.read, &self.files_over, &self.files]
            .map(|count| count.load(Ordering::Relaxed));
        let is_read = self.is_read.load(Ordering::Relaxed);
        let share = |part: u64, whole: u64, of: u64| {
            (u128::from(part.min(whole)) * u128::from(of)).checked_div(u128::from(whole)).unwrap_or(0) as u64
        };
        if files > 0 {
            return share(over, files, 1000);
        }
        share(answered, read, if is_read { 1000 } else { share(bytes_read, bytes, 1000) })
    }

    /// The puzzle that is being solved for longest, unless that is not long yet.
    #[must_use]
    pub fn longest(&self) -> Option<Solving> {
        self.longest_after(self.begun.elapsed())
    }

    fn longest_after(&self, passed: Duration) -> Option<Solving> {
        let hands = self.hands.get().into_iter().flatten().chain([&self.guests]);
        let hands = hands.map(|hand| hand.0.load(Ordering::Relaxed));
        let oldest = hands.filter(|held| *held > 0).min()?;
        let begun = Duration::from_nanos(oldest >> NUMBER_BITS << TICK_BITS);
        let running = passed.saturating_sub(begun);
        if running < TOLD_AFTER {
            return None;
        }
        let own = self.puzzle_ms_max.load(Ordering::Relaxed);
        let left = self.job_end_ms.load(Ordering::Relaxed).saturating_sub(begun.as_millis() as u64);
        let limit = Some(own.min(left)).filter(|_| own.min(left) < u64::MAX / 2);
        Some(Solving {
            number: oldest & ((1 << NUMBER_BITS) - 1),
            of: self.is_read.load(Ordering::Relaxed).then(|| self.read.load(Ordering::Relaxed)),
            running_s: running.as_secs(),
            limit_s: limit.map(|ms| ((ms + 500) / 1000).max(1)),
        })
    }

    /// `threads` are going to solve, and the one that reads and writes; a puzzle may take `puzzle`, and the job is over at
    /// `job_end`.
    pub(super) fn begin(&self, threads: usize, puzzle: Option<Duration>, job_end: Option<Instant>) {
        self.hands.get_or_init(|| (0..=threads).map(|_| Hand::default()).collect());
        let ms = |time: Option<Duration>| {
            time.and_then(|time| u64::try_from(time.as_millis()).ok()).unwrap_or(u64::MAX)
        };
        self.puzzle_ms_max.store(ms(puzzle), Ordering::Relaxed);
        let end = job_end.map(|end| end.saturating_duration_since(self.begun));
        self.job_end_ms.store(ms(end), Ordering::Relaxed);
        self.has_read(0, false);
        self.has_answered(0);
    }

    /// So many puzzles are read, and these are all or not.
    pub(super) fn has_read(&self, puzzles: u64, all: bool) {
        self.read.store(puzzles, Ordering::Relaxed);
        self.is_read.store(all, Ordering::Relaxed);
    }

    /// So many puzzles are answered.
    pub(super) fn has_answered(&self, puzzles: u64) {
        self.answered.store(puzzles, Ordering::Relaxed);
    }

    /// Where thread `index` of those that solve says what it does; `None` is the one that reads and writes.
    pub(super) fn hand(&self, index: Option<usize>) -> Option<&Hand> {
        let hands = self.hands.get()?;
        hands.get(index.unwrap_or(hands.len() - 1))
    }

    /// Where it is said what guests do.
    pub(super) fn guests(&self) -> &Hand {
        &self.guests
    }

    /// How long after the beginning `now` is, in nanoseconds.
    pub(super) fn passed(&self, now: Instant) -> u64 {
        now.saturating_duration_since(self.begun).as_nanos() as u64
    }
}

impl Hand {
    /// Holds a puzzle that was begun so many nanoseconds after the job.
    pub(super) fn take(&self, number: u64, nanos: u64) {
        let held = nanos >> TICK_BITS << NUMBER_BITS | (number & ((1 << NUMBER_BITS) - 1));
        self.0.store(held, Ordering::Relaxed);
    }

    /// What it holds. A thread that solves may take another puzzle meanwhile, and is to [go on](Self::go_on) with this one.
    pub(super) fn held(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Holds what it held before.
    pub(super) fn go_on(&self, held: u64) {
        self.0.store(held, Ordering::Relaxed);
    }
}

/// `puzzle 1 of 1, for 12 s of at most 60 s`.
impl fmt::Display for Solving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, of, running_s, limit_s } = self;
        write!(f, "puzzle {number}")?;
        of.map_or(Ok(()), |of| write!(f, " of {of}"))?;
        write!(f, ", for {running_s} s")?;
        match limit_s {
            Some(limit) if running_s > limit => {
                write!(f, " of at most {limit} s, waiting for memory not counted")
            }
            Some(limit) => write!(f, " of at most {limit} s"),
            None => Ok(()),
        }
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
            let hand = progress.hand(index).unwrap();
            hand.take(number, progress.passed(progress.begun + after * SECOND));
        };
        take(Some(0), 19, 3);
        take(None, 17, 2);
        assert_eq!(progress.longest_after(2 * SECOND), None, "not long yet");
        let told = |after| progress.longest_after(after * SECOND).unwrap().to_string();
        assert_eq!(told(14), "puzzle 17, for 12 s of at most 60 s");
        progress.has_read(20, true);
        assert_eq!(told(14), "puzzle 17 of 20, for 12 s of at most 60 s");
        assert_eq!(told(72), "puzzle 17 of 20, for 70 s of at most 60 s, waiting for memory not counted");
        let held = progress.hand(None).unwrap().held();
        take(None, 18, 13);
        assert_eq!(told(14), "puzzle 19 of 20, for 11 s of at most 60 s");
        progress.hand(None).unwrap().go_on(held);
        assert_eq!(told(14), "puzzle 17 of 20, for 12 s of at most 60 s");
        take(None, 18, 13);
        progress.begin(2, Some(60 * SECOND), Some(progress.begun + 33 * SECOND));
        assert_eq!(told(14), "puzzle 19, for 11 s of at most 30 s", "the job is over sooner");
        progress.begin(2, None, None);
        assert_eq!(told(14), "puzzle 19, for 11 s");
        progress.guests().take(4, progress.passed(progress.begun + 2 * SECOND));
        assert_eq!(told(14), "puzzle 4, for 12 s");
        progress.guests().go_on(0);
        for index in [Some(0), None] {
            progress.hand(index).unwrap().go_on(0);
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
