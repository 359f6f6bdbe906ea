//! What one puzzle may cost: time, memory, and whether anybody still wants the answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::idle::{Seat, Threads};
use super::permits::{FREE_BYTES, Permit, Permits};
use super::stop::{Cancel, Stop};

/// The limits of one puzzle; solvers ask it every few thousand steps.
///
/// [`check`](Self::check) reads the clock (about 30 ns), so call it every 1,000 to 10,000 cheap steps: often
/// enough to stop within 50 ms, rarely enough to cost nothing.
#[derive(Debug)]
pub struct Budget {
    time_limit: Option<Instant>,
    job_time_limit: Option<Instant>,
    memory_bytes_max: u64,
    memory_bytes: AtomicU64,
    memory_bytes_peak: AtomicU64,
    /// What the puzzle had been charged with when this part of its budget was made.
    charged_outside: u64,
    /// How often it was asked whether the search may go on.
    checks: AtomicU64,
    cancel: Cancel,
    /// The limit that had passed already when the budget began.
    over_at_start: Option<Stop>,
    /// Needed for more than a little memory, if puzzles share it.
    permit: Option<Arc<Permit>>,
    /// Set if puzzles share threads; all parts of a puzzle share a seat.
    seat: Option<Arc<Seat>>,
    /// The failure that a test has ordered; the parts share it.
    trial: Option<Arc<Trial>>,
}

impl Budget {
    /// A budget that ends at the earlier of the two instants (`None`: never), at `memory_bytes_max`, or when
    /// `cancel` says so.
    #[must_use]
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
            memory_bytes: AtomicU64::new(0),
            memory_bytes_peak: AtomicU64::new(0),
            charged_outside: 0,
            checks: AtomicU64::new(0),
            cancel,
            over_at_start: None,
            permit: None,
            seat: None,
            trial: None,
        };
        let limited = time_limit.is_some() || job_time_limit.is_some();
        budget.begin(time_limit, limited.then(Instant::now));
        budget
    }

    /// The same with permits to use much memory, one a puzzle.
    #[must_use]
    pub fn sharing(mut self, permits: &Arc<Permits>) -> Self {
        self.permit = Some(Arc::new(Permit::new(permits)));
        self
    }

    /// The same with the help of threads that have no puzzle. While it lives, one of them is busy.
    #[must_use]
    pub fn helped_by(mut self, threads: &Arc<Threads>) -> Self {
        self.seat = Some(Arc::new(Seat::new(threads)));
        self
    }

    /// Whether a thread is idle at this moment, so that [`share`](Self::share) may have help. Asked once for each piece of work.
    #[must_use]
    pub fn has_help(&self) -> bool {
        self.seat.as_ref().is_some_and(|seat| seat.has_idle())
    }

    /// Calls `work` on this thread and at the same time on idle ones, `helpers_max` at most; returns when all calls have. The
    /// calls share the work, each doing some of it until none is left, and what they do together must not depend on how many they are.
    pub fn share(&self, helpers_max: usize, work: impl Fn() + Sync) {
        match &self.seat {
            Some(seat) => seat.share(helpers_max, work),
            None => work(),
        }
    }

    /// Processor time of other threads that helped since this was asked before.
    #[must_use]
    pub fn take_helped(&self) -> Duration {
        self.seat.as_ref().map_or(Duration::ZERO, |seat| seat.take_helped())
    }

    /// Begins anew for the next puzzle, under its own `time_limit`, with all the memory and what is left of the
    /// job's time; `now` is the time (`None`: no matter, nothing limits it).
    pub fn begin(&mut self, time_limit: Option<Instant>, now: Option<Instant>) {
        self.time_limit = time_limit;
        if let Some(permit) = &self.permit {
            permit.renew();
        }
        self.memory_bytes = AtomicU64::new(0);
        self.memory_bytes_peak = AtomicU64::new(0);
        self.over_at_start = now.and_then(|now| self.over(now));
    }

    /// A budget without limits, for tests and library users.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::new(None, None, u64::MAX, Cancel::default())
    }

    /// For tests: a budget without limits, but for the `number`th question (from 1), which fails with `stop`, as do
    /// all after it. Questions are the looks ([`check`](Self::check), [`check_at_start`](Self::check_at_start)) and
    /// the charges; if `stop` is [`Stop::MemoryLimit`], the charges alone.
    #[doc(hidden)]
    #[must_use]
    pub fn failing_at(number: u64, stop: Stop) -> Self {
        Self { trial: Some(Arc::new(Trial::new(number, stop))), ..Self::unlimited() }
    }

    /// For tests: how many questions a budget that [fails](Self::failing_at) was asked, those after the failure
    /// included; none are counted elsewhere.
    #[doc(hidden)]
    #[must_use]
    pub fn questions(&self) -> u64 {
        self.trial.as_ref().map_or(0, |trial| trial.questions())
    }

    /// A budget for a part of the work: it ends after `time`, or when this one does. What is charged to it
    /// counts against what is left here now, but is not charged here.
    ///
    /// When its [`check`](Self::check) fails, this one's check tells whether the whole is over or the part.
    #[must_use]
    pub fn part(&self, time: Duration) -> Self {
        // What the puzzle has waited for memory until now is added to every limit; the part begins after it.
        let waited = self.waited();
        let end = Instant::now().checked_add(time).map(|end| end.checked_sub(waited).unwrap_or(end));
        let time_limit = [self.time_limit, end].into_iter().flatten().min();
        let part = Self::new(time_limit, self.job_time_limit, self.memory_bytes_left(), self.cancel.clone());
        let charged_outside = self.charged_outside + self.memory_bytes.load(Ordering::Relaxed);
        let (permit, seat) = (self.permit.clone(), self.seat.clone());
        Self { permit, seat, trial: self.trial.clone(), charged_outside, ..part }
    }

    /// Returns whether the search may go on.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn check(&self) -> Result<(), Stop> {
        self.checks.fetch_add(1, Ordering::Relaxed);
        if let Some(trial) = &self.trial {
            trial.look()?;
        }
        if self.cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        if self.time_limit.is_none() && self.job_time_limit.is_none() {
            return Ok(());
        }
        self.over(Instant::now()).map_or(Ok(()), Err)
    }

    /// Returns whether the search may begin: [`check`](Self::check) by the time at which the budget began, so that no
    /// clock is read. For searches that are mostly over sooner than that takes.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn check_at_start(&self) -> Result<(), Stop> {
        if let Some(trial) = &self.trial {
            trial.look()?;
        }
        if self.cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        self.over_at_start.map_or(Ok(()), Err)
    }

    /// Returns whether waiting for memory may go on: the puzzle's own time stands still meanwhile.
    fn check_but_own_time(&self) -> Result<(), Stop> {
        if self.cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        let over = self.job_time_limit.is_some_and(|limit| Instant::now() >= limit);
        if over { Err(Stop::JobTimeLimit) } else { Ok(()) }
    }

    /// Returns the time limit that has passed.
    fn over(&self, now: Instant) -> Option<Stop> {
        if self.job_time_limit.is_some_and(|limit| now >= limit) {
            return Some(Stop::JobTimeLimit);
        }
        // What was spent waiting for memory is not the puzzle's time.
        let waited = self.waited();
        self.time_limit.is_some_and(|limit| now >= limit + waited).then_some(Stop::TimeLimit)
    }

    /// Returns how long the puzzle waited for memory.
    fn waited(&self) -> Duration {
        self.permit.as_ref().map_or(Duration::ZERO, |permit| permit.waited())
    }

    /// Accounts for `bytes` about to be allocated and kept. Small constant-size working memory need not be
    /// charged; whatever grows with the search must be, before it is allocated.
    ///
    /// # Errors
    /// [`Stop::MemoryLimit`] when the limit would be exceeded, and the limit that was hit while waiting for a permit if
    /// puzzles share what there is; nothing is charged then.
    pub fn charge(&self, bytes: u64) -> Result<(), Stop> {
        if let Some(trial) = &self.trial {
            trial.charge()?;
        }
        let before = self.memory_bytes.fetch_add(bytes, Ordering::Relaxed);
        if before.saturating_add(bytes) > self.memory_bytes_max {
            self.memory_bytes.fetch_sub(bytes, Ordering::Relaxed);
            return Err(Stop::MemoryLimit);
        }
        if self.charged_outside + before + bytes > FREE_BYTES
            && let Some(permit) = &self.permit
        {
            permit.take(|| self.check_but_own_time()).inspect_err(|_| self.release(bytes))?;
        }
        self.memory_bytes_peak.fetch_max(before + bytes, Ordering::Relaxed);
        Ok(())
    }

    /// Returns the most bytes that were charged at a time, for measurements.
    #[must_use]
    pub fn memory_bytes_peak(&self) -> u64 {
        self.memory_bytes_peak.load(Ordering::Relaxed)
    }

    /// Returns how often [`check`](Self::check) was called, for measurements: who asks seldom ends late.
    #[must_use]
    pub fn checks(&self) -> u64 {
        self.checks.load(Ordering::Relaxed)
    }

    /// Gives the permit back if little is charged now: another puzzle may need it before this budget ends.
    pub fn rest(&self) {
        if self.memory_bytes.load(Ordering::Relaxed) <= FREE_BYTES
            && let Some(permit) = &self.permit
        {
            permit.renew();
        }
    }

    /// Returns the most bytes that may be charged at a time.
    #[must_use]
    pub fn memory_bytes_max(&self) -> u64 {
        self.memory_bytes_max
    }

    /// Gives back what was charged and is freed. A [`Charge`](super::Charge) does so by itself.
    pub(super) fn release(&self, bytes: u64) {
        self.memory_bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Returns bytes that may still be charged.
    #[must_use]
    pub fn memory_bytes_left(&self) -> u64 {
        self.memory_bytes_max.saturating_sub(self.memory_bytes.load(Ordering::Relaxed))
    }
}

/// A failure that a test orders: the budget says no to one question, and to all that follow.
#[derive(Debug)]
struct Trial {
    number: u64,
    stop: Stop,
    questions: AtomicU64,
}

impl Trial {
    fn new(number: u64, stop: Stop) -> Self {
        Self { number, stop, questions: AtomicU64::new(0) }
    }

    /// Returns how many questions were asked.
    fn questions(&self) -> u64 {
        self.questions.load(Ordering::Relaxed)
    }

    /// Asked whether the search may go on.
    fn look(&self) -> Result<(), Stop> {
        // Memory that is short ends no search that needs no more of it.
        if self.stop == Stop::MemoryLimit { Ok(()) } else { self.charge() }
    }

    /// Asked for memory.
    fn charge(&self) -> Result<(), Stop> {
        let number = self.questions.fetch_add(1, Ordering::Relaxed) + 1;
        if number >= self.number { Err(self.stop) } else { Ok(()) }
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
}
