//! Limits the cost of one puzzle, paces the checks of a search, and names the reasons why a search ends early.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::permits::{FREE_BYTES, Permit, Permits};
use crate::solver::options::{Choice, choice};

/// The limits of one puzzle, and the memory that it has used so far.
///
/// [`check`](Self::check) reads the clock (about 30 ns), so call it every 1,000 to 10,000 cheap steps: often enough to
/// stop within 50 ms, and rarely enough that the cost does not matter.
#[derive(Debug)]
pub struct Budget {
    time_limit: Option<Instant>,
    job_time_limit: Option<Instant>,
    memory_bytes_max: u64,
    memory_bytes: Cell<u64>,
    memory_bytes_peak: Cell<u64>,
    /// Bytes that were charged to the puzzle before this part of its budget was created.
    charged_outside: u64,
    /// Number of calls of `check`.
    checks: Cell<u64>,
    cancel: Cancel,
    /// The limit that had already passed when the budget began.
    over_at_start: Option<Stop>,
    /// The permit for more than [`FREE_BYTES`], if puzzles share memory.
    permit: Option<Rc<Permit>>,
    /// The failure that a test plans; the parts of a budget share it.
    failure: Option<Rc<PlannedFailure>>,
}

impl Budget {
    /// Returns a budget that ends at the earlier of the two instants (`None`: never), at `memory_bytes_max`, or when
    /// `cancel` is set.
    pub fn new(
        time_limit: Option<Instant>,
        job_time_limit: Option<Instant>,
        memory_bytes_max: u64,
        cancel: Cancel,
    ) -> Self {
        let mut budget = Self {
            time_limit: None,
            job_time_limit,
            memory_bytes_max,
            memory_bytes: Cell::new(0),
            memory_bytes_peak: Cell::new(0),
            charged_outside: 0,
            checks: Cell::new(0),
            cancel,
            over_at_start: None,
            permit: None,
            failure: None,
        };
        let limited = time_limit.is_some() || job_time_limit.is_some();
        budget.begin(time_limit, limited.then(Instant::now));
        budget
    }

    /// Makes the budget share memory with others: a puzzle that uses much memory first takes one of the `permits`.
    pub fn sharing(mut self, permits: &Arc<Permits>) -> Self {
        self.permit = Some(Rc::new(Permit::new(permits)));
        self
    }

    /// Resets the budget for the next puzzle, with its own `time_limit`, all the memory, and what is left of the job's
    /// time. `now` is the current time; `None` is enough if no time limit applies.
    pub fn begin(&mut self, time_limit: Option<Instant>, now: Option<Instant>) {
        self.time_limit = time_limit;
        if let Some(permit) = &self.permit {
            permit.renew();
        }
        self.memory_bytes = Cell::new(0);
        self.memory_bytes_peak = Cell::new(0);
        self.over_at_start = now.and_then(|now| self.over(now));
    }

    /// Returns a budget without limits, for tests and library users.
    pub fn unlimited() -> Self {
        Self::new(None, None, u64::MAX, Cancel::default())
    }

    /// For tests: returns a budget without limits whose `number`th request (from 1) fails with `stop`, as do all later
    /// ones. Requests are the checks ([`check`](Self::check), [`check_at_start`](Self::check_at_start)) and the
    /// charges; if `stop` is [`Stop::MemoryLimit`], only the charges.
    #[doc(hidden)]
    pub fn failing_at(number: u64, stop: Stop) -> Self {
        Self {
            failure: Some(Rc::new(PlannedFailure { number, stop, requests: Cell::new(0) })),
            ..Self::unlimited()
        }
    }

    /// For tests: returns how many requests a budget that [fails](Self::failing_at) has received, including those after
    /// the failure. Other budgets count none.
    #[doc(hidden)]
    pub fn requests(&self) -> u64 {
        self.failure.as_ref().map_or(0, |failure| failure.requests.get())
    }

    /// Returns a budget for a part of the work, which ends after `time`, or when this budget ends. Its limit on memory
    /// is what is left in this budget now, but its charges are not charged to this budget.
    ///
    /// If the part's [`check`](Self::check) fails, check this budget, too: if it passes, only the part must end.
    pub fn part(&self, time: Duration) -> Self {
        // The time that the puzzle has already waited for memory extends every limit, but the part begins after that
        // wait.
        let waited = self.waited();
        let end = Instant::now().checked_add(time).map(|end| end.checked_sub(waited).unwrap_or(end));
        let time_limit = [self.time_limit, end].into_iter().flatten().min();
        let part = Self::new(time_limit, self.job_time_limit, self.memory_bytes_left(), self.cancel.clone());
        let charged_outside = self.charged_outside + self.memory_bytes.get();
        Self { permit: self.permit.clone(), failure: self.failure.clone(), charged_outside, ..part }
    }

    /// Checks whether the search may go on.
    ///
    /// # Errors
    /// Returns the limit that was hit.
    pub fn check(&self) -> Result<(), Stop> {
        self.checks.set(self.checks.get() + 1);
        if let Some(failure) = &self.failure {
            failure.on_check()?;
        }
        if self.cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        if self.time_limit.is_none() && self.job_time_limit.is_none() {
            return Ok(());
        }
        self.over(Instant::now()).map_or(Ok(()), Err)
    }

    /// Checks whether the search may begin. Unlike [`check`](Self::check), this uses the time at which the budget began
    /// and does not read the clock, for searches that usually end sooner than reading it takes.
    ///
    /// # Errors
    /// Returns the limit that was hit.
    pub fn check_at_start(&self) -> Result<(), Stop> {
        if let Some(failure) = &self.failure {
            failure.on_check()?;
        }
        if self.cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        self.over_at_start.map_or(Ok(()), Err)
    }

    /// Checks whether the puzzle may keep waiting for memory. Its own time limit does not count, because its time
    /// stands still while it waits.
    fn check_but_own_time(&self) -> Result<(), Stop> {
        if self.cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        let over = self.job_time_limit.is_some_and(|limit| Instant::now() >= limit);
        if over { Err(Stop::JobTimeLimit) } else { Ok(()) }
    }

    /// Returns the time limit that has passed at `now`.
    fn over(&self, now: Instant) -> Option<Stop> {
        if self.job_time_limit.is_some_and(|limit| now >= limit) {
            return Some(Stop::JobTimeLimit);
        }
        // Waiting for memory does not count as the puzzle's time.
        let waited = self.waited();
        self.time_limit.is_some_and(|limit| now >= limit + waited).then_some(Stop::TimeLimit)
    }

    /// Returns how long the puzzle waited for memory.
    fn waited(&self) -> Duration {
        self.permit.as_ref().map_or(Duration::ZERO, |permit| permit.waited())
    }

    /// Charges `bytes` that are about to be allocated and kept. Small working memory of constant size need not be
    /// charged; everything that grows with the search must be charged before it is allocated.
    ///
    /// # Errors
    /// Returns [`Stop::MemoryLimit`] if the limit would be exceeded. If puzzles share memory, returns the limit that
    /// was hit while waiting for a permit. In both cases nothing is charged.
    pub fn charge(&self, bytes: u64) -> Result<(), Stop> {
        if let Some(failure) = &self.failure {
            failure.on_charge()?;
        }
        let before = self.memory_bytes.get();
        let after = before.checked_add(bytes).filter(|&after| after <= self.memory_bytes_max);
        let after = after.ok_or(Stop::MemoryLimit)?;
        if self.charged_outside + after > FREE_BYTES
            && let Some(permit) = &self.permit
        {
            permit.take(|| self.check_but_own_time())?;
        }
        self.memory_bytes.set(after);
        self.memory_bytes_peak.set(self.memory_bytes_peak.get().max(after));
        Ok(())
    }

    /// Returns the most bytes that were charged at once, for measurements.
    pub fn memory_bytes_peak(&self) -> u64 {
        self.memory_bytes_peak.get()
    }

    /// Returns how often [`check`](Self::check) was called, for measurements: a search that seldom checks
    /// is slow to stop.
    pub fn checks(&self) -> u64 {
        self.checks.get()
    }

    /// Gives the permit back if little is charged now, because another puzzle may need it before this budget ends.
    pub fn give_back_permit(&self) {
        if self.memory_bytes.get() <= FREE_BYTES
            && let Some(permit) = &self.permit
        {
            permit.renew();
        }
    }

    /// Returns the most bytes that may be charged at once.
    pub fn memory_bytes_max(&self) -> u64 {
        self.memory_bytes_max
    }

    /// Releases charged bytes that have been freed. A [`Charge`](super::Charge) does so when it is dropped.
    pub(super) fn release(&self, bytes: u64) {
        self.memory_bytes.set(self.memory_bytes.get() - bytes);
    }

    /// Returns how many bytes may still be charged.
    pub fn memory_bytes_left(&self) -> u64 {
        self.memory_bytes_max.saturating_sub(self.memory_bytes.get())
    }
}

/// A failure that a test plans: the budget refuses one request, and all that follow.
#[derive(Debug)]
struct PlannedFailure {
    number: u64,
    stop: Stop,
    /// Number of requests so far.
    requests: Cell<u64>,
}

impl PlannedFailure {
    /// Answers a check.
    fn on_check(&self) -> Result<(), Stop> {
        // A lack of memory does not end a search that needs no more of it.
        if self.stop == Stop::MemoryLimit { Ok(()) } else { self.on_charge() }
    }

    /// Answers a request for memory.
    fn on_charge(&self) -> Result<(), Stop> {
        let number = self.requests.get() + 1;
        self.requests.set(number);
        if number >= self.number { Err(self.stop) } else { Ok(()) }
    }
}

/// Counts the steps of a search, and checks its budget from time to time.
#[derive(Debug)]
pub struct Pace<'b> {
    budget: &'b Budget,
    steps_per_check: usize,
    /// Steps before the next check.
    steps_left: usize,
}

impl<'b> Pace<'b> {
    /// Steps between two checks, for steps of some 10 ns.
    pub const STEPS: usize = 4096;

    /// Returns a pace for steps of some 10 ns. The first step checks the budget.
    pub fn new(budget: &'b Budget) -> Self {
        Self::every(Self::STEPS, budget)
    }

    /// Returns a pace with `steps` steps between two checks; a check should come every 10 to 100 µs.
    pub fn every(steps: usize, budget: &'b Budget) -> Self {
        Self { budget, steps_per_check: steps, steps_left: 0 }
    }

    /// Returns the budget, so that memory can be charged to it.
    pub fn budget(&self) -> &'b Budget {
        self.budget
    }

    /// Counts steps, and checks the budget if a check is due.
    ///
    /// # Errors
    /// Returns the limit that was hit.
    #[inline]
    pub fn count(&mut self, steps: usize) -> Result<(), Stop> {
        if steps < self.steps_left {
            self.steps_left -= steps;
            return Ok(());
        }
        self.check()
    }

    #[cold]
    fn check(&mut self) -> Result<(), Stop> {
        self.steps_left = self.steps_per_check;
        self.budget.check()
    }
}

choice! {
    /// Why a search ended before it was done.
    #[derive(Serialize, Deserialize)]
    pub enum Stop {
        /// The puzzle's `time_limit`.
        TimeLimit = "time_limit",
        /// The whole file's `job_time_limit`.
        JobTimeLimit = "job_time_limit",
        /// The puzzle's `memory_limit`.
        MemoryLimit = "memory_limit",
        /// The service's `workers.memory_limit`, if that leaves a puzzle less than its own limit.
        WorkersMemoryLimit = "workers.memory_limit",
        /// The answer is no longer wanted, so the caller drops whatever is returned.
        Cancelled = "cancelled",
    }
}

impl Stop {
    /// Returns the name of the limit in the configuration.
    pub fn name(self) -> &'static str {
        self.word()
    }
}

/// A flag that stops every task that holds a clone of it.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Tells all holders of this flag to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the job was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_limit_that_was_hit() {
        let past = Some(Instant::now());
        let later = Some(Instant::now() + Duration::from_secs(3600));
        let cancel = Cancel::default();
        let budget = |time, job| Budget::new(time, job, 100, cancel.clone());
        assert_eq!(budget(later, None).check(), Ok(()));
        assert_eq!(budget(past, None).check(), Err(Stop::TimeLimit));
        assert_eq!(budget(past, past).check(), Err(Stop::JobTimeLimit));
        cancel.cancel();
        assert_eq!(budget(None, None).check(), Err(Stop::Cancelled));
    }

    #[test]
    fn beginning_anew_gives_all_back() {
        let now = Instant::now();
        let hour = Duration::from_secs(3600);
        let mut budget = Budget::new(Some(now), Some(now + hour), 100, Cancel::default());
        assert_eq!(budget.check_at_start(), Err(Stop::TimeLimit));
        assert_eq!(budget.charge(100), Ok(()));
        budget.begin(Some(now + hour), Some(now));
        assert_eq!((budget.check_at_start(), budget.check()), (Ok(()), Ok(())));
        assert_eq!(budget.charge(100), Ok(()));
        budget.begin(None, Some(now + hour));
        assert_eq!(budget.check_at_start(), Err(Stop::JobTimeLimit));
    }

    #[test]
    fn a_part_ends_with_its_time_or_with_the_whole() {
        let hour = Duration::from_secs(3600);
        let cancel = Cancel::default();
        let whole = Budget::new(None, None, 100, cancel.clone());
        assert_eq!(whole.part(Duration::ZERO).check(), Err(Stop::TimeLimit));
        assert_eq!(whole.check(), Ok(()));
        let part = whole.part(hour);
        assert_eq!(part.check(), Ok(()));
        cancel.cancel();
        assert_eq!(part.check(), Err(Stop::Cancelled));
        let over = Budget::new(Some(Instant::now()), None, 100, Cancel::default());
        assert_eq!(over.part(hour).check(), Err(Stop::TimeLimit));
        assert_eq!(over.part(Duration::MAX).check(), Err(Stop::TimeLimit));
    }

    #[test]
    fn memory_is_charged_and_given_back() {
        let budget = Budget::new(None, None, 100, Cancel::default());
        assert_eq!(budget.charge(60), Ok(()));
        assert_eq!(budget.charge(41), Err(Stop::MemoryLimit));
        assert_eq!(budget.memory_bytes_left(), 40);
        budget.release(60);
        assert_eq!(budget.memory_bytes_peak(), 60);
        assert_eq!(budget.charge(100), Ok(()));
        assert_eq!(budget.memory_bytes_peak(), 100);
        assert_eq!(budget.charge(u64::MAX), Err(Stop::MemoryLimit));
    }

    #[test]
    fn looks_at_the_first_step_and_then_as_often_as_stated() {
        let budget = Budget::unlimited();
        let mut pace = Pace::every(10, &budget);
        for (steps, looks) in [(1, 1), (9, 1), (1, 2), (0, 2), (1000, 3), (9, 3), (1, 4)] {
            pace.count(steps).unwrap();
            assert_eq!(budget.checks(), looks);
        }
    }
}
