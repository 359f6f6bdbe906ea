//! Limits the memory that all puzzles being solved may use together.
//!
//! A puzzle may always use [`FREE_BYTES`]. Before it uses more, it takes one of a limited number of *permits*. If all
//! are taken, it waits. So all puzzles together use at most threads × free bytes + permits × limit of a puzzle.
//!
//! The time that a puzzle waits does not count against its own limit, but it counts against the file's
//! `job_time_limit`. Unless that limit ends a search, no answer depends on what else is being solved. Permits are given
//! in the order of the requests. A puzzle with a permit needs nothing that another puzzle holds, so none waits for
//! ever.

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use super::Stop;

/// Bytes that a puzzle may use without a permit.
pub const FREE_BYTES: u64 = 8 << 20;
/// How often a puzzle that waits for a permit checks whether its answer is still wanted.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// Permits to use much memory, one per puzzle.
#[derive(Debug)]
pub struct Permits {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    permits: usize,
    taken: usize,
    /// The waiting threads, in the order in which they came.
    waiting: VecDeque<ThreadId>,
}

/// The permit of one puzzle. It is taken when the puzzle needs it and returned when the puzzle ends.
#[derive(Debug)]
pub(super) struct Permit {
    permits: Arc<Permits>,
    is_taken: Cell<bool>,
    waited: Cell<Duration>,
}

impl Permits {
    /// Creates `permits` permits, at least one.
    pub fn new(permits: usize) -> Self {
        Self {
            state: Mutex::new(State { permits: permits.max(1), taken: 0, waiting: VecDeque::new() }),
            changed: Condvar::new(),
        }
    }

    /// Sets the number of permits from now on. If more are taken, the excess ones are dropped when they are returned.
    pub fn set(&self, permits: usize) {
        self.lock().permits = permits.max(1);
        self.changed.notify_all();
    }

    /// Returns how many permits are taken now.
    pub fn taken(&self) -> usize {
        self.lock().taken
    }

    fn take(&self, check: impl Fn() -> Result<(), Stop>) -> Result<(), Stop> {
        let me = thread::current().id();
        let mut state = self.lock();
        state.waiting.push_back(me);
        let mut allowed = Ok(());
        while allowed.is_ok() && (state.taken >= state.permits || state.waiting.front() != Some(&me)) {
            allowed = check();
            if allowed.is_ok() {
                let waited = self.changed.wait_timeout(state, CHECK_INTERVAL);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
        state.waiting.retain(|waiting| *waiting != me);
        state.taken += usize::from(allowed.is_ok());
        // The next thread in the queue may be able to go on, too.
        self.changed.notify_all();
        allowed
    }

    fn give_back(&self) {
        self.lock().taken -= 1;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Permit {
    pub(super) fn new(permits: &Arc<Permits>) -> Self {
        Self { permits: Arc::clone(permits), is_taken: Cell::new(false), waited: Cell::default() }
    }

    /// Takes the permit, unless it is already taken. `check` fails when waiting must end.
    pub(super) fn take(&self, check: impl Fn() -> Result<(), Stop>) -> Result<(), Stop> {
        if self.is_taken.get() {
            return Ok(());
        }
        let started = Instant::now();
        let taken = self.permits.take(check);
        self.waited.set(self.waited.get() + started.elapsed());
        self.is_taken.set(taken.is_ok());
        taken
    }

    /// Returns the time spent waiting, which does not count as the puzzle's time.
    pub(super) fn waited(&self) -> Duration {
        self.waited.get()
    }

    /// Gives the permit back and resets the waiting time, because another puzzle begins.
    pub(super) fn renew(&self) {
        if self.is_taken.take() {
            self.permits.give_back();
        }
        self.waited.take();
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.renew();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Budget, Cancel, Charge};
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    const MUCH: u64 = FREE_BYTES + 1;

    fn budget(permits: &Arc<Permits>, cancel: &Cancel) -> Budget {
        Budget::new(None, None, 1 << 40, cancel.clone()).sharing(permits)
    }

    #[test]
    fn a_little_needs_no_permit_and_much_takes_one() {
        let permits = Arc::new(Permits::new(1));
        let cancel = Cancel::default();
        let (first, mut second) = (budget(&permits, &cancel), budget(&permits, &cancel));
        for budget in [&first, &second] {
            budget.charge(FREE_BYTES).unwrap();
        }
        assert_eq!(permits.taken(), 0);
        second.charge(1).unwrap();
        second.part(Duration::MAX).charge(MUCH).unwrap();
        assert_eq!(permits.taken(), 1, "one a puzzle, its parts included");
        second.begin(None, None);
        assert_eq!(permits.taken(), 0, "the next puzzle begins without");
        first.charge(1).unwrap();
        drop(first);
        assert_eq!(permits.taken(), 0);
    }

    #[test]
    fn a_budget_that_rests_gives_its_permit_back_once_little_is_charged() {
        let permits = Arc::new(Permits::new(1));
        let budget = budget(&permits, &Cancel::default());
        let mut charge = Charge::new(MUCH, &budget).unwrap();
        budget.give_back_permit();
        assert_eq!(permits.taken(), 1, "it is still needed");
        charge.shrink_to(FREE_BYTES);
        budget.give_back_permit();
        assert_eq!(permits.taken(), 0);
        charge.grow(1).unwrap();
        assert_eq!(permits.taken(), 1, "it is taken again");
    }

    #[test]
    fn who_waits_goes_on_when_another_ends() {
        let permits = Arc::new(Permits::new(2));
        let cancel = Cancel::default();
        let most = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    let mut budget = budget(&permits, &cancel);
                    for _ in 0..50 {
                        budget.begin(None, None);
                        budget.charge(MUCH).unwrap();
                        most.fetch_max(permits.taken() as u64, Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(permits.taken(), 0);
        assert!((1..=2).contains(&most.into_inner()));
    }

    #[test]
    fn waiting_ends_when_the_answer_is_not_wanted_and_nothing_stays_charged() {
        let permits = Arc::new(Permits::new(1));
        let cancel = Cancel::default();
        let holder = budget(&permits, &Cancel::default());
        holder.charge(MUCH).unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                let waiter = budget(&permits, &cancel);
                let left = waiter.memory_bytes_left();
                assert_eq!(waiter.charge(MUCH), Err(Stop::Cancelled));
                assert_eq!(waiter.memory_bytes_left(), left);
            });
            cancel.cancel();
            waiting.join().unwrap();
        });
        assert_eq!(permits.taken(), 1);
    }

    #[test]
    fn time_spent_waiting_is_not_the_puzzle_s() {
        let permits = Arc::new(Permits::new(1));
        let cancel = Cancel::default();
        let holder = budget(&permits, &cancel);
        holder.charge(MUCH).unwrap();
        let now = Instant::now();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                let limit = Some(now + CHECK_INTERVAL / 4);
                let budget = Budget::new(limit, None, 1 << 40, cancel.clone()).sharing(&permits);
                assert_eq!(budget.charge(MUCH), Ok(()));
                budget.part(Duration::ZERO).check()
            });
            // Its own time must be over first.
            while now.elapsed() < CHECK_INTERVAL {
                std::thread::yield_now();
            }
            drop(holder);
            let part = waiting.join().unwrap();
            assert_eq!(part, Err(Stop::TimeLimit), "a part begins after the waiting");
        });
    }

    #[test]
    fn permits_are_given_in_the_order_in_which_they_were_asked_for() {
        let permits = Arc::new(Permits::new(1));
        let order = Mutex::new(Vec::new());
        let holder = budget(&permits, &Cancel::default());
        holder.charge(MUCH).unwrap();
        std::thread::scope(|scope| {
            for number in 0..4 {
                let (permits, order) = (&permits, &order);
                scope.spawn(move || {
                    let budget = budget(permits, &Cancel::default());
                    budget.charge(MUCH).unwrap();
                    order.lock().unwrap().push(number);
                });
                while permits.lock().waiting.len() <= number {
                    std::thread::yield_now();
                }
            }
            drop(holder);
        });
        assert_eq!(order.into_inner().unwrap(), [0, 1, 2, 3]);
    }

    #[test]
    fn a_part_has_no_free_memory_of_its_own() {
        let permits = Arc::new(Permits::new(1));
        let budget = budget(&permits, &Cancel::default());
        budget.charge(FREE_BYTES).unwrap();
        let part = budget.part(Duration::MAX);
        assert_eq!(permits.taken(), 0);
        part.charge(1).unwrap();
        assert_eq!(permits.taken(), 1);
    }
}
