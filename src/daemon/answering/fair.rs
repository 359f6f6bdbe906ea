//! A queue of jobs in which no route waits for another, and no short file for a long one.
//!
//! Of the routes that may begin a job, one of the highest priority gets its turn: the one with the fewest jobs running
//! for its share, of several the one that began the fewest for its share lately (stride scheduling: Waldspurger and
//! Weihl, MIT/LCS/TM-528, 1995). A route that waited while [`PASSED_OVER_MAX`] jobs began counts as one of
//! the highest priority there is until it is served. Within a route short files and long ones have a line each, first
//! in, first out; the line with fewer running jobs is served.
//!
//! All takers but the *spare* ones may be busy with one route; a spare one begins a job only for a route that has none
//! running, or a short file where only long ones are running. So a job for an idle route begins at once, as long as there
//! are spare takers, and the processor's time is then shared by the system.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Jobs that may begin while a route of lower priority waits.
const PASSED_OVER_MAX: u64 = 32;
/// Bytes from which on a file is a long one.
const LONG_BYTES: u64 = 16 << 20;
/// What a job adds to the pass of a route with share 1.
const STRIDE: u64 = 1 << 20;

/// Whose waiting files begin first.
#[allow(dead_code, reason = "no route has a priority any more")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Priority {
    /// After all others.
    Low,
    /// As most.
    #[default]
    Normal,
    /// Before all others.
    High,
}

/// What a route may have where several want more than there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Whose waiting files begin first.
    pub priority: Priority,
    /// Its weight among the routes of its priority, from 1 to 100.
    pub share: usize,
}

impl Default for Standing {
    fn default() -> Self {
        Self { priority: Priority::default(), share: 1 }
    }
}

/// Whether a file may keep a taker for long, as far as its length tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Length {
    /// Below [`LONG_BYTES`].
    Short,
    /// The others.
    Long,
}

impl Length {
    /// That of a file of so many bytes.
    #[must_use]
    pub fn of(bytes: u64) -> Self {
        if bytes < LONG_BYTES { Self::Short } else { Self::Long }
    }
}

/// The queue; `T` is a job.
pub struct FairQueue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    /// Takers that are not spare.
    takers: usize,
}

struct State<T> {
    routes: BTreeMap<String, Route<T>>,
    running: usize,
    /// Jobs taken so far.
    taken: u64,
    /// The furthest pass at which a job was taken: where a route begins that had nothing waiting.
    pass: u64,
    /// Takers that wait for a job.
    idle: usize,
    /// One of them was woken and has not looked yet.
    woken: bool,
    closed: bool,
}

struct Route<T> {
    standing: Standing,
    short: Line<T>,
    long: Line<T>,
    /// Jobs it began, in units of its share.
    pass: u64,
    /// Jobs that had been taken when it was served last, or began to wait.
    waits_since: u64,
}

struct Line<T> {
    waiting: VecDeque<T>,
    running: usize,
    /// Jobs that had been taken when this line was served last.
    served: u64,
}

/// A job that is running; it ends when this is dropped. Whoever drops it has to [take](FairQueue::take) again.
pub struct Running<'a, T> {
    queue: &'a FairQueue<T>,
    route: String,
    length: Length,
}

impl<T> FairQueue<T> {
    /// A queue for `takers` takers and any number of spare ones.
    pub fn new(takers: usize) -> Self {
        let state = State {
            routes: BTreeMap::new(),
            running: 0,
            taken: 0,
            pass: 0,
            idle: 0,
            woken: false,
            closed: false,
        };
        Self { state: Mutex::new(state), changed: Condvar::new(), takers }
    }

    /// Adds a job of a route, which has that standing from now on.
    pub fn push(&self, route: &str, standing: Standing, length: Length, job: T) {
        let mut state = self.lock();
        let State { taken, pass, .. } = *state;
        let entry = state.routes.entry(route.to_owned()).or_insert_with(|| Route::new(pass));
        entry.standing = standing;
        if !entry.waits() {
            entry.pass = entry.pass.max(pass);
            entry.waits_since = taken;
        }
        entry.line(length).waiting.push_back(job);
        self.wake(&mut state);
    }

    /// Waits for a job that may begin; `None` once the queue is closed and empty.
    pub fn take(&self) -> Option<(T, Running<'_, T>)> {
        let mut state = self.lock();
        loop {
            if let Some((job, route, length)) = state.pick(self.takers) {
                self.wake(&mut state);
                return Some((job, Running { queue: self, route, length }));
            }
            if state.closed && !state.routes.values().any(Route::waits) {
                self.changed.notify_all();
                return None;
            }
            state.idle += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
            state.woken = false;
        }
    }

    /// Whether a job waits that `is_meant`.
    pub fn is_waiting(&self, is_meant: impl Fn(&T) -> bool) -> bool {
        let state = self.lock();
        let lines = state.routes.values().flat_map(|route| [&route.short, &route.long]);
        lines.flat_map(|line| &line.waiting).any(is_meant)
    }

    /// No job follows.
    pub fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Wakes one taker if a job may begin; whoever takes one wakes the next. Waking one for each job costs more than
    /// most jobs.
    fn wake(&self, state: &mut State<T>) {
        if state.idle == 0 || state.woken {
            return;
        }
        let spare = state.running >= self.takers;
        if state.closed || state.routes.values().any(|route| route.next(spare).is_some()) {
            state.woken = true;
            self.changed.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> State<T> {
    fn pick(&mut self, takers: usize) -> Option<(T, String, Length)> {
        let spare = self.running >= takers;
        let taken = self.taken;
        let (name, route) = self
            .routes
            .iter_mut()
            .filter(|(_, route)| route.next(spare).is_some())
            .min_by_key(|(_, route)| route.turn(taken))?;
        let length = route.next(spare)?;
        let job = route.line(length).waiting.pop_front()?;
        self.taken += 1;
        self.running += 1;
        self.pass = self.pass.max(route.pass);
        route.begin(length, self.taken);
        Some((job, name.clone(), length))
    }
}

impl<T> Route<T> {
    fn new(pass: u64) -> Self {
        let line = || Line { waiting: VecDeque::new(), running: 0, served: 0 };
        Self { standing: Standing::default(), short: line(), long: line(), pass, waits_since: 0 }
    }

    fn line(&mut self, length: Length) -> &mut Line<T> {
        match length {
            Length::Short => &mut self.short,
            Length::Long => &mut self.long,
        }
    }

    fn waits(&self) -> bool {
        !self.short.waiting.is_empty() || !self.long.waiting.is_empty()
    }

    fn running(&self) -> usize {
        self.short.running + self.long.running
    }

    /// The line whose next job may begin, for a taker that is spare or not.
    fn next(&self, spare: bool) -> Option<Length> {
        let short = !self.short.waiting.is_empty() && (!spare || self.short.running == 0);
        let long = !self.long.waiting.is_empty() && (!spare || self.running() == 0);
        let lines = [(short, Length::Short, &self.short), (long, Length::Long, &self.long)];
        lines
            .into_iter()
            .filter(|(may_begin, ..)| *may_begin)
            .min_by_key(|(_, length, line)| (line.running, line.served, *length))
            .map(|(_, length, _)| length)
    }

    /// The least comes first.
    fn turn(&self, taken: u64) -> impl Ord + use<T> {
        let overdue = taken - self.waits_since >= PASSED_OVER_MAX;
        let priority = if overdue { Priority::High } else { self.standing.priority };
        (Reverse(priority), self.running() / self.standing.share, self.pass, self.waits_since)
    }

    fn begin(&mut self, length: Length, taken: u64) {
        self.pass += STRIDE / self.standing.share as u64;
        self.waits_since = taken;
        let line = self.line(length);
        line.running += 1;
        line.served = taken;
    }
}

impl<T> Drop for Running<'_, T> {
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        state.running -= 1;
        if let Some(route) = state.routes.get_mut(&self.route) {
            route.line(self.length).running -= 1;
            if route.running() == 0 && !route.waits() {
                state.routes.remove(&self.route);
            }
        }
        // Nobody is woken: whoever ran the job takes the next one, and wakes another if there are more. One that
        // panics does not.
        if std::thread::panicking() {
            self.queue.wake(&mut state);
        }
    }
}

#[cfg(test)]
#[path = "fair_tests.rs"]
mod tests;
