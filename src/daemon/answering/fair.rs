//! A queue of jobs in which no route waits for another, and no short file for a long one of its route.
//!
//! Each route has a queue for its short files and one for its long ones. The queues are served in turn.
//! All takers but the *spare* ones may be busy with one queue; a spare taker begins a job only for a queue that has none
//! running. So a job for an idle queue begins at once, as long as there are spare takers, and the system shares the
//! processor's time.

use std::collections::{BTreeMap, VecDeque};

use parking_lot::{Condvar, Mutex};

/// Bytes from which on a file is a long one.
const LONG_BYTES: u64 = 16 << 20;

/// Whether a file may keep a taker for long, as far as its length tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Length {
    /// Shorter than [`LONG_BYTES`].
    Short,
    Long,
}

impl Length {
    /// Returns the length of a file of so many bytes.
    #[must_use]
    pub fn of(bytes: u64) -> Self {
        if bytes < LONG_BYTES { Self::Short } else { Self::Long }
    }
}

/// The name of a queue.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RouteQueue {
    /// The route; the empty name stands for files that none takes.
    pub route: String,
    /// The length of its files.
    pub length: Length,
}

impl RouteQueue {
    /// The queue of files of that length that `route` takes.
    #[must_use]
    pub fn new(route: &str, length: Length) -> Self {
        Self { route: route.to_owned(), length }
    }
}

/// The queues of all routes; `T` is a job.
pub struct FairQueue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    /// Takers that are not spare, at this moment.
    takers: Box<dyn Fn() -> usize + Send + Sync>,
}

struct State<T> {
    queues: BTreeMap<RouteQueue, Queue<T>>,
    running: usize,
    /// Jobs taken so far.
    taken: u64,
    /// Takers that wait for a job.
    idle: usize,
    /// One of them was woken and has not looked yet.
    woken: bool,
    closed: bool,
}

struct Queue<T> {
    waiting: VecDeque<T>,
    running: usize,
    /// Jobs that had been taken when this queue was served last.
    served: u64,
}

/// A running job, which ends when this is dropped. The thread that drops it must [take](FairQueue::take) again.
pub struct Running<'a, T> {
    jobs: &'a FairQueue<T>,
    queue: RouteQueue,
}

impl<T> FairQueue<T> {
    /// Queues for as many takers as `takers` says and any number of spare ones.
    pub fn new(takers: impl Fn() -> usize + Send + Sync + 'static) -> Self {
        let state =
            State { queues: BTreeMap::new(), running: 0, taken: 0, idle: 0, woken: false, closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), takers: Box::new(takers) }
    }

    /// Adds a job to a queue.
    pub fn push(&self, queue: RouteQueue, job: T) {
        let mut state = self.state.lock();
        let empty = || Queue { waiting: VecDeque::new(), running: 0, served: 0 };
        state.queues.entry(queue).or_insert_with(empty).waiting.push_back(job);
        self.wake(&mut state);
    }

    /// Waits for a job that may begin; `None` once the queues are closed and empty.
    pub fn take(&self) -> Option<(T, Running<'_, T>)> {
        let mut state = self.state.lock();
        loop {
            if let Some((job, queue)) = state.pick((self.takers)()) {
                self.wake(&mut state);
                return Some((job, Running { jobs: self, queue }));
            }
            if state.closed && state.queues.values().all(|queue| queue.waiting.is_empty()) {
                self.changed.notify_all();
                return None;
            }
            state.idle += 1;
            self.changed.wait(&mut state);
            state.idle -= 1;
            state.woken = false;
        }
    }

    /// Takes all jobs away that have not begun.
    pub fn withdraw(&self) -> Vec<T> {
        let mut state = self.state.lock();
        let jobs = state.queues.values_mut().flat_map(|queue| std::mem::take(&mut queue.waiting)).collect();
        state.queues.retain(|_, queue| queue.running > 0);
        jobs
    }

    /// Returns whether a job waits that `is_meant`.
    pub fn is_waiting(&self, is_meant: impl Fn(&T) -> bool) -> bool {
        self.state.lock().queues.values().flat_map(|queue| &queue.waiting).any(is_meant)
    }

    /// No job follows.
    pub fn close(&self) {
        self.state.lock().closed = true;
        self.changed.notify_all();
    }

    /// Wakes one taker if a job may begin; a taker that gets a job wakes the next. Waking one for each job costs more than
    /// most jobs.
    fn wake(&self, state: &mut State<T>) {
        if state.idle == 0 || state.woken {
            return;
        }
        let spare = state.running >= (self.takers)();
        if state.closed || state.queues.values().any(|queue| queue.may_begin(spare)) {
            state.woken = true;
            self.changed.notify_one();
        }
    }
}

impl<T> State<T> {
    /// Begins a job of the queue whose turn it is.
    fn pick(&mut self, takers: usize) -> Option<(T, RouteQueue)> {
        let spare = self.running >= takers;
        let may_begin = self.queues.iter_mut().filter(|(_, queue)| queue.may_begin(spare));
        let (name, queue) = may_begin.min_by_key(|(_, queue)| queue.served)?;
        let job = queue.waiting.pop_front()?;
        self.taken += 1;
        self.running += 1;
        queue.running += 1;
        queue.served = self.taken;
        Some((job, name.clone()))
    }
}

impl<T> Queue<T> {
    /// Returns whether its next job may begin, for a taker that is spare or not.
    fn may_begin(&self, spare: bool) -> bool {
        !self.waiting.is_empty() && (!spare || self.running == 0)
    }
}

impl<T> Drop for Running<'_, T> {
    fn drop(&mut self) {
        let mut state = self.jobs.state.lock();
        state.running -= 1;
        if let Some(queue) = state.queues.get_mut(&self.queue) {
            queue.running -= 1;
            if queue.running == 0 && queue.waiting.is_empty() {
                state.queues.remove(&self.queue);
            }
        }
        // No taker is woken: the thread that ran the job takes the next one and wakes another if there are more. A thread
        // that panics does not.
        if std::thread::panicking() {
            self.jobs.wake(&mut state);
        }
    }
}

#[cfg(test)]
#[path = "fair_tests.rs"]
mod tests;
