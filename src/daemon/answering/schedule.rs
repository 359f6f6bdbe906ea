//! The order of answers: what is to be done next with each claim. A pure state machine: it reads no clock, owns no
//! channel and touches no file. Its users tell it what happened, and do the [`Action`]s that it gives.
//!
//! Claims that lead to the same result form a *result queue*. They are answered one after the other, in the order of
//! their IDs, which is the order in which they were claimed. A claim whose answer failed waits in the *retry queue*.
//!
//! A file that goes back into the inbox is claimed again, under a later ID. So an older file must never go back while a
//! newer one of its result is claimed: its answer would come last and replace the newer one. Of each result queue
//! only the youngest claim goes back, and at a stop only one. The others stay claimed; the next start answers them
//! before it looks into the inbox.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Tries of a job with `once`, after which the service gives up and ends; without it, it tries for ever.
pub const ONCE_TRIES_MAX: u32 = 3;
/// Waiting time before the second try of a job; doubled for each further one.
const RETRY_FIRST: Duration = Duration::from_secs(1);
const RETRY_LAST: Duration = Duration::from_secs(60);

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Answer this claim.
    Answer(String),
    /// Publish what was made for this claim.
    Publish(String),
    /// Put the file back into the inbox.
    GiveBack(String),
    /// Nothing: it stays claimed, and the next start answers it first.
    Leave(String),
    /// Stop: with `once`, a job failed too often.
    GiveUp,
}

/// How a job is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// Its file is answered again.
    Answer,
    /// Its results are made, and only published again.
    Publish,
}

/// What is happening to a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimState {
    /// Behind an older claim of its result; at a stop, until no claim follows.
    Queued,
    /// A thread is doing the last action.
    Dispatched,
    /// In the retry queue, until that instant.
    Retrying(Instant),
    /// In the working folder, for the next start.
    Left,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Running,
    /// Nothing begins any more, but claims may follow.
    Stopping,
    /// No claim follows.
    Closed,
}

/// All claims in hand.
#[derive(Debug)]
pub struct Schedule {
    claims: BTreeMap<String, Claimed>,
    results: HashMap<PathBuf, ResultQueue>,
    retries: BTreeMap<(Instant, String), Retry>,
    left: usize,
    phase: Phase,
    once: bool,
}

#[derive(Debug)]
struct Claimed {
    result: PathBuf,
    state: ClaimState,
    failures: u32,
}

/// The claims that lead to one result, by their IDs.
#[derive(Debug, Default)]
struct ResultQueue {
    ids: BTreeSet<String>,
    /// A claim of it is on its way back, or went back at the stop: no other one may. Were both back, nobody would know
    /// which is the older.
    has_given_back: bool,
}

impl Schedule {
    /// Nothing in hand. With `once` a job is tried [`ONCE_TRIES_MAX`] times.
    #[must_use]
    pub fn new(once: bool) -> Self {
        let (claims, results, retries) = (BTreeMap::new(), HashMap::new(), BTreeMap::new());
        Self { claims, results, retries, left: 0, phase: Phase::Running, once }
    }

    /// A file was claimed.
    pub fn claimed(&mut self, id: &str, result: &Path) -> Vec<Action> {
        let claimed = Claimed { result: result.to_owned(), state: ClaimState::Queued, failures: 0 };
        self.claims.insert(id.to_owned(), claimed);
        self.results.entry(result.to_owned()).or_default().ids.insert(id.to_owned());
        self.advance(result)
    }

    /// A job is over: published, or its file is back in the inbox.
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

    /// A job ended without an outcome: its file changed, or it was cancelled. The file goes back where that may be; else
    /// it is answered again, after `pause` at least.
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

    /// A job could not be published, or its file not be put back.
    pub fn failed(&mut self, id: &str, retry: Retry, pause: Duration, now: Instant) -> Vec<Action> {
        if self.phase != Phase::Running {
            return self.leave(id).into_iter().collect();
        }
        self.retry(id, retry, pause, now)
    }

    /// A job waits for something that it needs, and is answered again after `pause` at least. That is no failure, but with
    /// `once` it may not happen for ever.
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
        // It stays, if it was on its way back.
        if let Some(queue) = self.results.get_mut(&claimed.result) {
            queue.has_given_back = false;
        }
        self.retries.insert((now + wait, id.to_owned()), retry);
        let gives_up = self.once && claimed.failures >= ONCE_TRIES_MAX;
        if gives_up { vec![Action::GiveUp] } else { Vec::new() }
    }

    /// Returns when [`Schedule::due`] is to be called next.
    #[must_use]
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

    /// The service stops: nothing begins any more. Claims that nobody has begun to answer are `withdrawn`.
    pub fn stop<'a>(&mut self, withdrawn: impl IntoIterator<Item = &'a str>) {
        self.phase = Phase::Stopping;
        for id in withdrawn {
            self.set(id, ClaimState::Queued);
        }
    }

    /// No claim follows: what waits goes back, the youngest first, or is left.
    pub fn close(&mut self) -> Vec<Action> {
        self.phase = Phase::Closed;
        let results: Vec<_> = self.results.keys().cloned().collect();
        let mut actions: Vec<_> = results.iter().flat_map(|result| self.settle(result)).collect();
        actions.sort_unstable_by(|a, b| b.id().cmp(&a.id()));
        actions
    }

    /// Returns what is to be done next for a result.
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

    /// Gives the youngest claim of a result back, unless somebody is busy with it, and leaves the others.
    fn settle(&mut self, result: &Path) -> Vec<Action> {
        let Some(queue) = self.results.get_mut(result) else { return Vec::new() };
        let waits =
            |id: &String| matches!(self.claims[id].state, ClaimState::Queued | ClaimState::Retrying(_));
        let mut waiting: Vec<String> = queue.ids.iter().filter(|id| waits(id)).cloned().collect();
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
        self.set(id, ClaimState::Left)?;
        self.left += 1;
        Some(Action::Leave(id.to_owned()))
    }

    fn set(&mut self, id: &str, state: ClaimState) -> Option<()> {
        let before = std::mem::replace(&mut self.claims.get_mut(id)?.state, state);
        if let ClaimState::Retrying(due) = before {
            self.retries.remove(&(due, id.to_owned()));
        }
        Some(())
    }

    /// Claims in hand, those left included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.claims.len()
    }

    /// Returns whether nothing is in hand.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.claims.is_empty()
    }

    /// Claims in the retry queue.
    #[must_use]
    pub fn retrying(&self) -> usize {
        self.retries.len()
    }

    /// Returns whether nothing of what is in hand will end in this run.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.claims.len() == self.left
    }

    /// Returns whether nobody is busy with a claim for now.
    #[must_use]
    pub fn is_at_rest(&self) -> bool {
        self.claims.len() == self.retries.len() + self.left
    }

    /// Returns what is happening to a claim; `None` for one that is not in hand.
    #[must_use]
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
    /// Returns the claim that it is about.
    #[must_use]
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
