//! A queue of jobs in which no route waits for another.
//!
//! Whoever takes gets a job of the route with the fewest jobs running, of several the one that was served longest
//! ago; within a route first in, first out. All takers but the *spare* ones may be busy with one route; a spare one
//! begins a job only for a route that has none running. So a job for an idle route begins at once, as long as there
//! are spare takers, and the processor's time is then shared by the system.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

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
    closed: bool,
}

struct Route<T> {
    waiting: VecDeque<T>,
    running: usize,
    /// Jobs that had been taken when this route was served last.
    served: u64,
}

/// A job that is running; it ends when this is dropped.
pub struct Running<'a, T> {
    queue: &'a FairQueue<T>,
    route: String,
}

impl<T> FairQueue<T> {
    /// A queue for `takers` takers and any number of spare ones.
    pub fn new(takers: usize) -> Self {
        let state = State { routes: BTreeMap::new(), running: 0, taken: 0, closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), takers }
    }

    /// Adds a job.
    pub fn push(&self, route: &str, job: T) {
        let mut state = self.lock();
        let new = || Route { waiting: VecDeque::new(), running: 0, served: 0 };
        state.routes.entry(route.to_owned()).or_insert_with(new).waiting.push_back(job);
        self.wake(&state);
    }

    /// Waits for a job that may begin; `None` once the queue is closed and empty.
    pub fn take(&self) -> Option<(T, Running<'_, T>)> {
        let mut state = self.lock();
        loop {
            if let Some((job, route)) = state.pick(self.takers) {
                self.wake(&state);
                return Some((job, Running { queue: self, route }));
            }
            if state.closed && state.routes.values().all(|route| route.waiting.is_empty()) {
                self.changed.notify_all();
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether a job waits that `is_meant`.
    pub fn is_waiting(&self, is_meant: impl Fn(&T) -> bool) -> bool {
        self.lock().routes.values().flat_map(|route| &route.waiting).any(is_meant)
    }

    /// No job follows.
    pub fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Wakes one taker if a job may begin; whoever takes one wakes the next. Waking all for each job costs more than
    /// most jobs.
    fn wake(&self, state: &State<T>) {
        if state.may_any_begin(self.takers) || state.closed {
            self.changed.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> State<T> {
    fn may_any_begin(&self, takers: usize) -> bool {
        let spare = self.running >= takers;
        self.routes.values().any(|route| !route.waiting.is_empty() && (!spare || route.running == 0))
    }

    fn pick(&mut self, takers: usize) -> Option<(T, String)> {
        let spare = self.running >= takers;
        let may_begin = |route: &Route<T>| !route.waiting.is_empty() && (!spare || route.running == 0);
        let (name, route) = self
            .routes
            .iter_mut()
            .filter(|(_, route)| may_begin(route))
            .min_by_key(|(_, route)| (route.running, route.served))?;
        let job = route.waiting.pop_front()?;
        self.running += 1;
        self.taken += 1;
        route.running += 1;
        route.served = self.taken;
        Some((job, name.clone()))
    }
}

impl<T> Drop for Running<'_, T> {
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        state.running -= 1;
        if let Some(route) = state.routes.get_mut(&self.route) {
            route.running -= 1;
            if route.running == 0 && route.waiting.is_empty() {
                state.routes.remove(&self.route);
            }
        }
        self.queue.wake(&state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(takers: usize, jobs: &[(&str, u32)]) -> FairQueue<u32> {
        let queue = FairQueue::new(takers);
        for (route, job) in jobs {
            queue.push(route, *job);
        }
        queue.close();
        queue
    }

    #[test]
    fn a_route_with_many_jobs_leaves_every_other_its_turn() {
        let queue = queue(1, &[("a", 1), ("a", 2), ("a", 3), ("b", 10), ("b", 11), ("c", 20)]);
        let order: Vec<u32> = std::iter::from_fn(|| queue.take().map(|(job, _running)| job)).collect();
        assert_eq!(order, [1, 10, 20, 2, 11, 3]);
    }

    #[test]
    fn the_route_with_fewest_running_jobs_comes_first() {
        let queue = queue(4, &[("a", 1), ("a", 2), ("a", 3), ("b", 10), ("b", 11)]);
        let mut running = Vec::new();
        let mut order = Vec::new();
        for _ in 0..4 {
            let (job, guard) = queue.take().unwrap();
            order.push(job);
            running.push(guard);
        }
        assert_eq!(order, [1, 10, 2, 11]);
    }

    #[test]
    fn a_spare_taker_begins_only_for_an_idle_route() {
        let queue = queue(2, &[("a", 1), ("a", 2), ("a", 3), ("b", 10)]);
        let (_, _first) = queue.take().unwrap();
        let (job, second) = queue.take().unwrap();
        assert_eq!(job, 10);
        drop(second);
        let (job, _second) = queue.take().unwrap();
        assert_eq!(job, 2);
        assert!(queue.lock().pick(2).is_none(), "two run, and the third is of the same route");
        queue.push("b", 11);
        let (job, _spare) = queue.take().unwrap();
        assert_eq!(job, 11);
    }

    #[test]
    fn takers_in_threads_get_every_job_once() {
        let queue = FairQueue::new(2);
        let taken = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..5 {
                scope.spawn(|| {
                    while let Some((job, _running)) = queue.take() {
                        taken.lock().unwrap().push(job);
                    }
                });
            }
            for job in 0..1000_u32 {
                queue.push(["a", "b", "c"][job as usize % 3], job);
            }
            queue.close();
        });
        let mut taken = taken.into_inner().unwrap();
        taken.sort_unstable();
        assert_eq!(taken, (0..1000).collect::<Vec<_>>());
        assert!(queue.lock().routes.is_empty());
    }
}
