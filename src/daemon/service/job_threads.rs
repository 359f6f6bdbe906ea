//! The threads that answer and publish, and the channels between them.

use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};
use std::{io, iter};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use crate::config::{Config, Route};
use crate::daemon::answering::answerer::Answerer;
use crate::daemon::answering::fair::{FairQueue, Length, RouteQueue};
use crate::daemon::answering::job_progress::Busy;
use crate::daemon::answering::memory_plan::SPARE_WORKERS;
use crate::daemon::answering::pending_publication::{Made, PendingPublication};
use crate::daemon::fs::recent::FRESH;
use crate::daemon::publishing::publisher::{End, GROUP_MAX, Published, Publisher};

/// A claim to be answered under a configuration.
struct Order {
    pending: Box<PendingPublication>,
    /// The configuration in force when it was ordered.
    config: Arc<Config>,
    /// The route that takes the file by it.
    route: Option<Arc<Route>>,
}

/// A job to be published under a configuration.
type Publishable = (Box<PendingPublication>, Arc<Config>);

/// What the threads say.
pub enum Told {
    /// The publisher is done with a group of jobs.
    Published(Vec<Published>),
    /// A worker got no outcome: the file changed, or the job was cancelled.
    Interrupted(Box<PendingPublication>),
}

/// The workers and the publisher.
pub struct Threads {
    orders: Arc<FairQueue<Order>>,
    to_publish: Option<Sender<Publishable>>,
    answerer: Arc<Answerer>,
    /// The publisher is busy with a group, its lines of the history included.
    publishing: Arc<Busy>,
    handles: Vec<JoinHandle<()>>,
}

impl Threads {
    /// Starts `workers` workers, some spare ones, more where puzzles are solved on other machines, and the publisher; messages go to `tell`, which may block.
    ///
    /// # Errors
    /// When a thread cannot be started.
    pub fn start(
        workers: usize,
        answerer: &Arc<Answerer>,
        publisher: Publisher,
        tell: impl Fn(Told) + Clone + Send + 'static,
    ) -> io::Result<Self> {
        let pool = Arc::clone(answerer);
        let orders = Arc::new(FairQueue::new(move || workers + pool.pool.seats()));
        let (to_publish, publishable) = unbounded();
        let mut handles = Vec::new();
        for index in 0..workers + answerer.pool.seats_max() + SPARE_WORKERS {
            let (answerer, orders) = (Arc::clone(answerer), Arc::clone(&orders));
            let (to_publish, tell) = (to_publish.clone(), tell.clone());
            let work = move || answer_all(&answerer, &orders, &to_publish, tell);
            handles.push(Builder::new().name(format!("job-{index}")).spawn(work)?);
        }
        let publishing = Arc::new(Busy::default());
        let busy = Arc::clone(&publishing);
        let (to_copy, copyable) = unbounded();
        let publisher = Arc::new(publisher);
        let (copier, tell_copied) = (Arc::clone(&publisher), tell.clone());
        let publish = move || publish_all(&publisher, &publishable, &to_copy, &busy, tell);
        handles.push(Builder::new().name("publish".to_owned()).spawn(publish)?);
        let copy =
            move || copyable.iter().for_each(|job| tell_copied(Told::Published(vec![copier.copy(job)])));
        handles.push(Builder::new().name("copy".to_owned()).spawn(copy)?);
        let answerer = Arc::clone(answerer);
        Ok(Self { orders, to_publish: Some(to_publish), answerer, publishing, handles })
    }

    /// Has a claim answered, and published.
    pub fn answer(&self, pending: Box<PendingPublication>, config: Arc<Config>) {
        let route = config.route(&pending.claim.origin).cloned();
        let name = route.as_ref().map_or("", |route| &route.name);
        let queue = RouteQueue::new(name, Length::of(pending.claim.bytes));
        self.orders.push(queue, Order { pending, config, route });
    }

    /// Has a prepared job published, or put back.
    pub fn publish(&self, pending: Box<PendingPublication>, config: Arc<Config>) {
        if let Some(to_publish) = &self.to_publish {
            // The publisher lives as long as this sender.
            let _ = to_publish.send((pending, config));
        }
    }

    /// Takes all claims away that no worker has begun to answer.
    pub fn withdraw(&self) -> impl Iterator<Item = Box<PendingPublication>> {
        self.orders.withdraw().into_iter().map(|order| order.pending)
    }

    /// Returns whether the publisher is busy with one group for far too long.
    pub fn is_stuck(&self, now: Instant) -> bool {
        self.publishing.is_stuck(now)
    }

    /// Returns what a job that was ordered and has not ended waits for, or what is done with it.
    pub fn step(&self, id: &str) -> &'static str {
        if self.orders.is_waiting(|order| order.pending.claim.id == id) {
            return "it waits for a worker";
        }
        if self.answerer.progress.has(id) { "it is being answered" } else { "its result is being published" }
    }

    /// Ends the threads once their queues are empty.
    pub fn join(mut self) {
        self.orders.close();
        self.to_publish = None;
        for handle in self.handles.drain(..) {
            // A panic is in the log.
            let _ = handle.join();
        }
    }
}

fn answer_all(
    answerer: &Answerer,
    orders: &FairQueue<Order>,
    to_publish: &Sender<Publishable>,
    tell: impl Fn(Told),
) {
    while let Some((Order { mut pending, config, route }, _running)) = orders.take() {
        answerer.answer_for(&mut pending, route.as_deref(), &config);
        if matches!(pending.made, Made::PutBack(_) | Made::Waits(_)) {
            tell(Told::Interrupted(pending));
        } else {
            // The publisher lives as long as this sender.
            let _ = to_publish.send((pending, config));
        }
    }
}

fn publish_all(
    publisher: &Publisher,
    publishable: &Receiver<Publishable>,
    to_copy: &Sender<Published>,
    busy: &Busy,
    tell: impl Fn(Told),
) {
    // Once after the last group nothing follows for a moment; before the first one there is nothing to let go of.
    let mut wait = Duration::MAX;
    loop {
        let first = match publishable.recv_timeout(wait) {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout) => {
                publisher.close_cached_dirs();
                wait = Duration::MAX;
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return,
        };
        wait = FRESH;
        busy.set(Some(Instant::now()));
        // Whatever else is ready goes along; nothing is waited for.
        let config = Arc::clone(&first.1);
        let group = iter::once(first).chain(publishable.try_iter().take(GROUP_MAX - 1));
        let published = publisher.publish(group.map(|(pending, _)| *pending).collect(), &config);
        let (copies, over): (Vec<_>, Vec<_>) =
            published.into_iter().partition(|job| matches!(job.end, End::Copy(_)));
        tell(Told::Published(over));
        for job in copies {
            // The other thread lives as long as this sender.
            let _ = to_copy.send(job);
        }
        busy.set(None);
    }
}

#[cfg(test)]
#[path = "job_threads_tests.rs"]
mod tests;
