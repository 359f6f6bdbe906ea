//! A queue of jobs in which no route waits for another route, and no short file waits for a long file of its route.
//!
//! Each route has a queue for its short files and one for its long files. The queues are served in turn. All takers
//! except the *spare* ones can be busy with one queue. A spare taker begins a job only for a queue that has none
//! running. So a job of an idle queue begins at once if a spare taker is free, and the operating system divides the
//! processor time among the running jobs.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use parking_lot::{Condvar, Mutex};

use crate::config::Config;

/// A file of at least this many bytes is long.
const LONG_BYTES: u64 = 16 << 20;

/// Whether a file may keep a taker busy for long, judged by its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Length {
    /// Shorter than [`LONG_BYTES`].
    Short,
    Long,
}

impl Length {
    /// Returns the length of a file of `bytes` bytes.
    pub fn of(bytes: u64) -> Self {
        if bytes < LONG_BYTES { Self::Short } else { Self::Long }
    }
}

/// The name of a queue.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RouteQueue {
    /// The route; empty for files that no route takes.
    pub route: String,
    /// The length of its files.
    pub length: Length,
}

impl RouteQueue {
    /// Returns the queue of a file of `bytes` bytes at a path below the inbox.
    pub fn of(path: &Path, bytes: u64, config: &Config) -> Self {
        Self::new(config.route(path).map_or("", |route| &route.name), Length::of(bytes))
    }

    /// Returns the queue of files of this length that `route` takes.
    pub fn new(route: &str, length: Length) -> Self {
        Self { route: route.to_owned(), length }
    }
}

/// The queues of all routes. `T` is a job.
pub struct FairQueue<T> {
    state: Mutex<QueuesState<T>>,
    changed: Condvar,
    /// Returns the current number of takers that are not spare.
    takers: Box<dyn Fn() -> usize + Send + Sync>,
}

struct QueuesState<T> {
    queues: BTreeMap<RouteQueue, JobQueue<T>>,
    running: usize,
    /// Jobs taken so far.
    taken: u64,
    /// Takers that wait for a job.
    idle: usize,
    /// Whether one of them was woken and has not checked the queues yet.
    woken: bool,
    closed: bool,
}

struct JobQueue<T> {
    waiting: VecDeque<T>,
    running: usize,
    /// The number of jobs taken from all queues when this queue was last served.
    served: u64,
}

impl<T> FairQueue<T> {
    /// Creates queues for as many takers as `takers` returns, and any number of spare ones.
    pub fn new(takers: impl Fn() -> usize + Send + Sync + 'static) -> Self {
        let state = QueuesState {
            queues: BTreeMap::new(),
            running: 0,
            taken: 0,
            idle: 0,
            woken: false,
            closed: false,
        };
        Self { state: Mutex::new(state), changed: Condvar::new(), takers: Box::new(takers) }
    }

    /// Adds a job to a queue.
    pub fn push(&self, queue: RouteQueue, job: T) {
        let mut state = self.state.lock();
        let empty = || JobQueue { waiting: VecDeque::new(), running: 0, served: 0 };
        state.queues.entry(queue).or_insert_with(empty).waiting.push_back(job);
        self.wake(&mut state);
    }

    /// Waits for a job that may begin, and returns it with its queue. Returns `None` once the queues are closed and
    /// empty. The job runs until its taker [ends](Self::end) it.
    pub fn take(&self) -> Option<(T, RouteQueue)> {
        let mut state = self.state.lock();
        loop {
            if let Some(picked) = state.pick((self.takers)()) {
                self.wake(&mut state);
                return Some(picked);
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

    /// Ends a job of a queue. No taker is woken: the thread that ran the job [takes](Self::take) the next one, and
    /// wakes another thread if there are more.
    pub fn end(&self, queue: &RouteQueue) {
        let mut state = self.state.lock();
        state.running -= 1;
        if let Some(ended) = state.queues.get_mut(queue) {
            ended.running -= 1;
            if ended.running == 0 && ended.waiting.is_empty() {
                state.queues.remove(queue);
            }
        }
    }

    /// Removes and returns all jobs that have not begun.
    pub fn withdraw(&self) -> Vec<T> {
        let mut state = self.state.lock();
        let jobs = state.queues.values_mut().flat_map(|queue| std::mem::take(&mut queue.waiting)).collect();
        state.queues.retain(|_, queue| queue.running > 0);
        jobs
    }

    /// Returns whether `is_meant` returns true for a waiting job.
    pub fn is_waiting(&self, is_meant: impl Fn(&T) -> bool) -> bool {
        self.state.lock().queues.values().flat_map(|queue| &queue.waiting).any(is_meant)
    }

    /// Closes the queues: no more jobs follow.
    pub fn close(&self) {
        self.state.lock().closed = true;
        self.changed.notify_all();
    }

    /// Wakes one taker if a job may begin. A taker that gets a job wakes the next one. Waking a taker for each job
    /// would cost more than most jobs.
    fn wake(&self, state: &mut QueuesState<T>) {
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

impl<T> QueuesState<T> {
    /// Begins a job of the queue whose turn it is. Returns `None` if no job may begin.
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

impl<T> JobQueue<T> {
    /// Returns whether the next job may begin. `spare` is true if only spare takers are left to run it.
    fn may_begin(&self, spare: bool) -> bool {
        !self.waiting.is_empty() && (!spare || self.running == 0)
    }
}

#[cfg(test)]
#[path = "fair_tests.rs"]
mod tests;
