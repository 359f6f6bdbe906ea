//! Decides what happens next to each claim. A pure state machine: it reads no clock, owns no channel and touches no
//! file. Its users report what happened, and carry out the [`Action`]s that it returns.
//!
//! Claims that lead to the same result form a *result queue*. They are answered one after the other, in the order of
//! their IDs, which is the order in which they were claimed. A claim whose answer failed waits in the *retry queue*.
//!
//! A file that goes back into the inbox is claimed again, under a later ID. So an older file must never go back while a
//! newer one with the same result is claimed: its answer would come last and replace the newer one. Only the youngest
//! claim of a result queue goes back, and at a stop only one of each queue. The others stay claimed, and the next start
//! answers them before it lists the inbox.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// With `once`, the service gives up and ends after this many failed tries of a job. Otherwise it retries for ever.
pub const ONCE_TRIES_MAX: u32 = 3;
/// Delay before the second try of a job; doubled for each further one, up to [`RETRY_LAST`].
const RETRY_FIRST: Duration = Duration::from_secs(1);
const RETRY_LAST: Duration = Duration::from_secs(60);

/// What must be done next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Answer this claim.
    Answer(String),
    /// Publish what was made for this claim.
    Publish(String),
    /// Put the file back into the inbox.
    GiveBack(String),
    /// Do nothing. The file stays claimed, and the next start answers it first.
    Leave(String),
    /// Stop, because a job failed too often with `once`.
    GiveUp,
}

/// How a job is retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// The file is answered again.
    Answer,
    /// The results exist, and are only published again.
    Publish,
}

/// The state of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimState {
    /// Waits behind an older claim of its result or, at a stop, until no more claims follow.
    Queued,
    /// A thread is carrying out the last action.
    Dispatched,
    /// In the retry queue until this instant.
    Retrying(Instant),
    /// Left in the working folder for the next start.
    Left,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Running,
    /// Nothing new begins, but more claims can follow.
    Stopping,
    /// No more claims follow.
    Closed,
}

/// All current claims.
#[derive(Debug)]
pub struct Schedule {
    claims: BTreeMap<String, Claimed>,
    results: HashMap<PathBuf, ResultQueue>,
    retries: BTreeMap<(Instant, String), Retry>,
    phase: Phase,
    once: bool,
}

#[derive(Debug)]
struct Claimed {
    result: PathBuf,
    state: ClaimState,
    failures: u32,
}

/// The claims that lead to one result, in the order of their IDs.
#[derive(Debug, Default)]
struct ResultQueue {
    ids: BTreeSet<String>,
    /// A claim of this queue is going back, or went back at the stop, so no other one may. If two files were back in
    /// the inbox, nothing would say which is older.
    has_given_back: bool,
}

impl Schedule {
    /// Creates an empty schedule. With `once` a job is tried [`ONCE_TRIES_MAX`] times.
    pub fn new(once: bool) -> Self {
        let (claims, results, retries) = (BTreeMap::new(), HashMap::new(), BTreeMap::new());
        Self { claims, results, retries, phase: Phase::Running, once }
    }

    /// Registers a claimed file.
    pub fn claimed(&mut self, id: &str, result: &Path) -> Vec<Action> {
        let claimed = Claimed { result: result.to_owned(), state: ClaimState::Queued, failures: 0 };
        self.claims.insert(id.to_owned(), claimed);
        self.results.entry(result.to_owned()).or_default().ids.insert(id.to_owned());
        self.advance(result)
    }

    /// Ends a job that was published, or whose file is back in the inbox.
    pub fn ended(&mut self, id: &str) -> Vec<Action> {
        let Some(Claimed { result, .. }) = self.claims.remove(id) else { return Vec::new() };
        if let Some(queue) = self.results.get_mut(&result) {
            queue.ids.remove(id);
            queue.has_given_back &= self.phase != Phase::Running;
            if queue.ids.is_empty() {
                self.results.remove(&result);
            }
        }
        self.advance(&result)
    }

    /// Interrupts a job that has no outcome, because its file changed or it was cancelled. The file goes back if it
    /// may. Otherwise it is answered again, after at least `pause`.
    pub fn interrupted(&mut self, id: &str, pause: Duration, now: Instant) -> Vec<Action> {
        let Some(claimed) = self.claims.get_mut(id) else { return Vec::new() };
        if self.phase == Phase::Running {
            if let Some(queue) = self.results.get_mut(&claimed.result).filter(|queue| queue.is_youngest(id)) {
                queue.has_given_back = true;
                return vec![Action::GiveBack(id.to_owned())];
            }
            return self.retry(id, Retry::Answer, pause, now);
        }
        claimed.state = ClaimState::Queued;
        let result = claimed.result.clone();
        self.advance(&result)
    }

    /// Retries a job that could not be published, or whose file could not be put back.
    pub fn failed(&mut self, id: &str, retry: Retry, pause: Duration, now: Instant) -> Vec<Action> {
        if self.phase != Phase::Running {
            return self.leave(id).into_iter().collect();
        }
        self.retry(id, retry, pause, now)
    }

    /// Postpones a job by at least `pause`, because it waits for something that it needs. This is no failure, but with
    /// `once` it must not go on for ever.
    pub fn postponed(&mut self, id: &str, pause: Duration, now: Instant) -> Vec<Action> {
        let actions = self.retry(id, Retry::Answer, pause, now);
        if let (Some(claimed), false) = (self.claims.get_mut(id), self.once) {
            claimed.failures -= 1;
        }
        actions
    }

    fn retry(&mut self, id: &str, retry: Retry, pause: Duration, now: Instant) -> Vec<Action> {
        let Some(claimed) = self.claims.get_mut(id) else { return Vec::new() };
        let wait = RETRY_FIRST.saturating_mul(1 << claimed.failures.min(10)).min(RETRY_LAST).max(pause);
        claimed.failures += 1;
        claimed.state = ClaimState::Retrying(now + wait);
        // If the file was to go back, it stays claimed after all.
        if let Some(queue) = self.results.get_mut(&claimed.result) {
            queue.has_given_back = false;
        }
        self.retries.insert((now + wait, id.to_owned()), retry);
        let gives_up = self.once && claimed.failures >= ONCE_TRIES_MAX;
        if gives_up { vec![Action::GiveUp] } else { Vec::new() }
    }

    /// Returns when [`Schedule::due`] must be called next.
    pub fn next_due(&self) -> Option<Instant> {
        let next = self.retries.keys().next().map(|(due, _)| *due);
        next.filter(|_| self.phase == Phase::Running)
    }

    /// Begins the retries that are due.
    pub fn due(&mut self, now: Instant) -> Vec<Action> {
        let mut actions = Vec::new();
        while self.next_due().is_some_and(|due| due <= now)
            && let Some(((_, id), retry)) = self.retries.pop_first()
        {
            self.set(&id, ClaimState::Dispatched);
            actions.push(match retry {
                Retry::Answer => Action::Answer(id),
                Retry::Publish => Action::Publish(id),
            });
        }
        actions
    }

    /// Stops: nothing new begins. The claims in `withdrawn` were to be answered, but no thread has begun to.
    pub fn stop<'a>(&mut self, withdrawn: impl IntoIterator<Item = &'a str>) {
        self.phase = Phase::Stopping;
        for id in withdrawn {
            self.set(id, ClaimState::Queued);
        }
    }

    /// Ends: no more claims follow. Waiting claims go back, the youngest first, or are left.
    pub fn close(&mut self) -> Vec<Action> {
        self.phase = Phase::Closed;
        let results: Vec<_> = self.results.keys().cloned().collect();
        let mut actions: Vec<_> = results.iter().flat_map(|result| self.settle(result)).collect();
        actions.sort_unstable_by(|a, b| b.id().cmp(&a.id()));
        actions
    }

    /// Returns what must be done next for a result.
    fn advance(&mut self, result: &Path) -> Vec<Action> {
        match self.phase {
            Phase::Running => {
                let oldest = self.results.get(result).and_then(|queue| queue.ids.first()).cloned();
                let queued = oldest.filter(|id| self.claims[id].state == ClaimState::Queued);
                queued.map(|id| self.out(id, Action::Answer)).into_iter().collect()
            }
            Phase::Stopping => Vec::new(),
            Phase::Closed => self.settle(result),
        }
    }

    /// Gives the youngest claim of a result back, unless a thread has it or another one went back. Leaves the others.
    fn settle(&mut self, result: &Path) -> Vec<Action> {
        let Some(queue) = self.results.get_mut(result) else { return Vec::new() };
        let is_waiting = |state| matches!(state, ClaimState::Queued | ClaimState::Retrying(_));
        let waiting = queue.ids.iter().filter(|id| is_waiting(self.claims[*id].state));
        let mut waiting: Vec<String> = waiting.cloned().collect();
        let may_go = !queue.has_given_back && waiting.last().is_some_and(|id| queue.is_youngest(id));
        let youngest = if may_go { waiting.pop() } else { None };
        queue.has_given_back |= may_go;
        let back = youngest.map(|id| self.out(id, Action::GiveBack));
        let left: Vec<_> = waiting.iter().rev().filter_map(|id| self.leave(id)).collect();
        back.into_iter().chain(left).collect()
    }

    fn out(&mut self, id: String, action: impl FnOnce(String) -> Action) -> Action {
        self.set(&id, ClaimState::Dispatched);
        action(id)
    }

    fn leave(&mut self, id: &str) -> Option<Action> {
        self.set(id, ClaimState::Left).map(|()| Action::Leave(id.to_owned()))
    }

    fn set(&mut self, id: &str, state: ClaimState) -> Option<()> {
        let before = std::mem::replace(&mut self.claims.get_mut(id)?.state, state);
        if let ClaimState::Retrying(due) = before {
            self.retries.remove(&(due, id.to_owned()));
        }
        Some(())
    }

    /// Returns the number of claims, including those left.
    pub fn len(&self) -> usize {
        self.claims.len()
    }

    /// Returns whether there are no claims.
    pub fn is_empty(&self) -> bool {
        self.claims.is_empty()
    }

    /// Returns the number of claims in the retry queue.
    pub fn retrying(&self) -> usize {
        self.retries.len()
    }

    /// Returns whether every claim that remains is left for the next start.
    pub fn is_over(&self) -> bool {
        self.claims.values().all(|claimed| claimed.state == ClaimState::Left)
    }

    /// Returns whether no thread is busy: every claim is in the retry queue or left.
    pub fn is_at_rest(&self) -> bool {
        let is_at_rest = |state| matches!(state, ClaimState::Retrying(_) | ClaimState::Left);
        self.claims.values().all(|claimed| is_at_rest(claimed.state))
    }

    /// Returns the state of a claim; `None` if there is no such claim.
    pub fn state(&self, id: &str) -> Option<ClaimState> {
        self.claims.get(id).map(|claimed| claimed.state)
    }
}

impl ResultQueue {
    fn is_youngest(&self, id: &str) -> bool {
        self.ids.last().is_some_and(|last| last == id)
    }
}

impl Action {
    /// Returns the claim that the action is about; `None` for [`Action::GiveUp`].
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Answer(id) | Self::Publish(id) | Self::GiveBack(id) | Self::Leave(id) => Some(id),
            Self::GiveUp => None,
        }
    }
}

#[cfg(test)]
#[path = "schedule_tests.rs"]
mod tests;
