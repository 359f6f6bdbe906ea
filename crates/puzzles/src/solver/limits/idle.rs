//! Threads that would be idle, and may help a search meanwhile.
//!
//! Of the threads that solve, each that has a puzzle is busy. A search may have a piece of work done by as many more as
//! are not. What it does must not depend on how many that are. They are counted and not kept: help begins new threads
//! and ends with the piece, which takes some milliseconds, so that a puzzle that arrives soon has its thread back.
//!
//! Other programs may need the processors too. If helpers start late, a search stops asking for a while, longer each
//! time (exponential back-off).

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The most pieces in a row that are done without help because helpers were late.
const RESTS_MAX: u32 = 1024;

/// How many threads solve at a time, and how many of them are busy.
#[derive(Debug)]
pub struct Threads {
    total: usize,
    busy: AtomicUsize,
}

/// A busy thread: that of a puzzle, and those that help it.
#[derive(Debug)]
pub(super) struct Seat {
    threads: Arc<Threads>,
    /// Processor time of those that helped.
    helped_nanos: AtomicU64,
    /// Pieces to be done without help.
    rests: AtomicU32,
    /// How many they are the next time that helpers are late.
    rests_next: AtomicU32,
}

/// Helpers that are counted as busy.
struct Helpers<'t> {
    threads: &'t Threads,
    count: usize,
}

impl Threads {
    /// So many, all idle.
    #[must_use]
    pub fn new(total: usize) -> Self {
        Self { total, busy: AtomicUsize::new(0) }
    }

    /// As many idle ones as there are, `most` at most.
    fn lend(&self, most: usize) -> Helpers<'_> {
        let mut count = 0;
        while count < most && self.busy.fetch_add(1, Ordering::Relaxed) < self.total {
            count += 1;
        }
        if count < most {
            self.busy.fetch_sub(1, Ordering::Relaxed);
        }
        Helpers { threads: self, count }
    }
}

impl Drop for Helpers<'_> {
    fn drop(&mut self) {
        self.threads.busy.fetch_sub(self.count, Ordering::Relaxed);
    }
}

impl Seat {
    pub(super) fn new(threads: &Arc<Threads>) -> Self {
        threads.busy.fetch_add(1, Ordering::Relaxed);
        Self {
            threads: Arc::clone(threads),
            helped_nanos: AtomicU64::new(0),
            rests: AtomicU32::new(0),
            rests_next: AtomicU32::new(1),
        }
    }

    /// Returns whether any thread is idle at this moment, and helpers have not been late.
    pub(super) fn has_idle(&self) -> bool {
        let rests = self.rests.load(Ordering::Relaxed);
        if rests > 0 {
            self.rests.store(rests - 1, Ordering::Relaxed);
            return false;
        }
        self.threads.busy.load(Ordering::Relaxed) < self.threads.total
    }

    /// Calls `work` on this thread and on idle ones, `helpers_max` at most, and returns when all calls have.
    pub(super) fn share(&self, helpers_max: usize, work: impl Fn() + Sync) {
        let helpers = self.threads.lend(helpers_max);
        thread::scope(|scope| {
            let help = || {
                work();
                self.helped_nanos.fetch_add(thread_cpu_time().as_nanos() as u64, Ordering::Relaxed);
            };
            // If the system has no more threads, there is less help.
            let spawn =
                |_| thread::Builder::new().name("solve-help".to_owned()).spawn_scoped(scope, help).ok();
            let handles: Vec<_> = (0..helpers.count).filter_map(spawn).collect();
            let begun = Instant::now();
            work();
            let done = Instant::now();
            for handle in handles {
                // The panic of a helper is the search's.
                handle.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
            self.judge(done - begun, done.elapsed());
        });
    }

    /// Notes how long this thread worked, and then waited for helpers.
    fn judge(&self, worked: Duration, waited: Duration) {
        let rests = self.rests_next.load(Ordering::Relaxed);
        let is_late = waited > worked / 4;
        if is_late {
            self.rests.store(rests, Ordering::Relaxed);
        }
        let next = if is_late { 2 * rests } else { rests / 2 };
        self.rests_next.store(next.clamp(1, RESTS_MAX), Ordering::Relaxed);
    }

    /// Processor time of those that helped since this was asked before.
    pub(super) fn take_helped(&self) -> Duration {
        Duration::from_nanos(self.helped_nanos.swap(0, Ordering::Relaxed))
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.threads.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Processor time of the calling thread.
#[must_use]
pub fn thread_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;

    use super::*;

    fn busy(threads: &Threads) -> usize {
        threads.busy.load(Ordering::Relaxed)
    }

    #[test]
    fn idle_threads_help_and_busy_ones_do_not() {
        let threads = Arc::new(Threads::new(4));
        let (first, second) = (Seat::new(&threads), Seat::new(&threads));
        assert!(first.has_idle());
        let (all, most) = (Barrier::new(3), AtomicUsize::new(0));
        let calls = AtomicUsize::new(0);
        first.share(9, || {
            calls.fetch_add(1, Ordering::Relaxed);
            // All three are there at a time.
            all.wait();
            most.fetch_max(busy(&threads), Ordering::Relaxed);
            assert!(!second.has_idle());
            second.share(9, || {});
            all.wait();
        });
        assert_eq!((calls.into_inner(), most.into_inner(), busy(&threads)), (3, 4, 2));
        drop((first, second));
        assert_eq!(busy(&threads), 0);
    }

    #[test]
    fn no_more_help_than_wanted() {
        let threads = Arc::new(Threads::new(9));
        let seat = Seat::new(&threads);
        let calls = AtomicUsize::new(0);
        seat.share(2, || {
            calls.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!((calls.into_inner(), busy(&threads)), (3, 1));
    }

    #[test]
    fn whoever_waited_long_does_without_help_for_a_while() {
        const MS: Duration = Duration::from_millis(1);
        let seat = Seat::new(&Arc::new(Threads::new(2)));
        let rests = || std::iter::repeat_with(|| seat.has_idle()).take_while(|has_idle| !has_idle).count();
        seat.judge(4 * MS, MS);
        assert_eq!(rests(), 0);
        for expected in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1024] {
            seat.judge(3 * MS, MS);
            assert_eq!(rests(), expected);
        }
        seat.judge(4 * MS, MS);
        seat.judge(3 * MS, MS);
        assert_eq!(rests(), 512);
    }

    #[test]
    fn the_processor_time_of_helpers_is_known_once() {
        let threads = Arc::new(Threads::new(2));
        let seat = Seat::new(&threads);
        let main = thread::current().id();
        let work = || {
            while thread::current().id() != main && thread_cpu_time() < Duration::from_millis(20) {
                std::hint::spin_loop();
            }
        };
        seat.share(1, work);
        assert!(seat.take_helped() >= Duration::from_millis(20));
        assert_eq!(seat.take_helped(), Duration::ZERO);
    }

    #[test]
    fn a_panic_of_a_helper_is_the_search_s_and_leaves_its_threads_idle() {
        let threads = Arc::new(Threads::new(3));
        let seat = Seat::new(&threads);
        let main = thread::current().id();
        let work = || assert!(thread::current().id() == main, "a test's own panic");
        let panic = catch_unwind(AssertUnwindSafe(|| seat.share(2, work))).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"a test's own panic"));
        assert_eq!(busy(&threads), 1);
    }
}
