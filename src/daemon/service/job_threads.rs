//! The threads that answer, publish and copy, and the channels between them.

use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::Instant;
use std::{io, iter};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::config::Config;
use crate::daemon::answering::answerer::Answerer;
use crate::daemon::answering::fair::{FairQueue, RouteQueue};
use crate::daemon::answering::job_progress::Busy;
use crate::daemon::answering::memory_plan::SPARE_WORKERS;
use crate::daemon::answering::pending_publication::{Made, PendingPublication};
use crate::daemon::publishing::publisher::{End, GROUP_MAX, Published, Publisher};
use crate::daemon::records::history::Ended;
use crate::daemon::service::loop_state::Event;

/// The workers, the publisher, and the thread that copies inputs to another file system.
pub(super) struct Threads {
    orders: Arc<FairQueue<Box<PendingPublication>>>,
    to_publish: Option<Sender<Box<PendingPublication>>>,
    answerer: Arc<Answerer>,
    /// Set while the publisher works on a group and its lines are written to the history.
    pub(super) publishing: Arc<Busy>,
    handles: Vec<JoinHandle<()>>,
}

impl Threads {
    /// Starts the publisher, the copying thread and the workers: `workers` of them, [`SPARE_WORKERS`] spare ones, and
    /// more if other machines can solve puzzles. Events go to `tell`, which may block.
    ///
    /// # Errors
    /// Fails if a thread cannot be started.
    pub(super) fn start(
        workers: usize,
        answerer: &Arc<Answerer>,
        publisher: Publisher,
        tell: impl Fn(Event) + Clone + Send + 'static,
    ) -> io::Result<Self> {
        let queue_answerer = Arc::clone(answerer);
        let orders = Arc::new(FairQueue::new(move || workers + queue_answerer.pool.seats()));
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
        let copy = move || copyable.iter().for_each(|job| tell_copied(ended([copier.copy(job)])));
        handles.push(Builder::new().name("copy".to_owned()).spawn(copy)?);
        let answerer = Arc::clone(answerer);
        Ok(Self { orders, to_publish: Some(to_publish), answerer, publishing, handles })
    }

    /// Queues a claim to be answered with `config` and then published.
    pub fn answer(&self, mut pending: Box<PendingPublication>, config: &Arc<Config>) {
        let queue = RouteQueue::of(&pending.claim.origin, pending.claim.bytes, config);
        pending.config = Arc::clone(config);
        self.orders.push(queue, pending);
    }

    /// Queues a prepared job to be published or put back.
    pub fn publish(&self, pending: Box<PendingPublication>) {
        if let Some(to_publish) = &self.to_publish {
            // The publisher lives as long as this sender.
            let _ = to_publish.send(pending);
        }
    }

    /// Removes and returns all claims that no worker has begun to answer.
    pub fn withdraw(&self) -> impl Iterator<Item = Box<PendingPublication>> + use<> {
        self.orders.withdraw().into_iter()
    }

    /// Describes the current step of a job that was queued and has not ended.
    pub fn step(&self, id: &str) -> &'static str {
        if self.orders.is_waiting(|pending| pending.claim.id == id) {
            return "it waits for a worker";
        }
        if self.answerer.progress.has(id) { "it is being answered" } else { "its result is being published" }
    }

    /// Ends the threads once their queues are empty, and waits for them.
    pub fn join(mut self) {
        self.orders.close();
        self.to_publish = None;
        for handle in self.handles.drain(..) {
            // The panic hook has already logged a panic.
            let _ = handle.join();
        }
    }
}

fn answer_all(
    answerer: &Answerer,
    orders: &FairQueue<Box<PendingPublication>>,
    to_publish: &Sender<Box<PendingPublication>>,
    tell: impl Fn(Event),
) {
    while let Some((mut pending, queue)) = orders.take() {
        answerer.answer(&mut pending);
        if matches!(pending.made, Made::PutBack(_) | Made::Waits(_)) {
            tell(Event::Interrupted(pending));
        } else {
            // The publisher lives as long as this sender.
            let _ = to_publish.send(pending);
        }
        orders.end(&queue);
    }
}

/// Returns the event that reports jobs that left the publisher.
fn ended(jobs: impl IntoIterator<Item = Published>) -> Event {
    Event::Published(jobs.into_iter().map(|published| Ended { published, record: None }).collect())
}

fn publish_all(
    publisher: &Publisher,
    publishable: &Receiver<Box<PendingPublication>>,
    to_copy: &Sender<Published>,
    busy: &Busy,
    tell: impl Fn(Event),
) {
    for first in publishable {
        busy.set(Some(Instant::now()));
        // Everything else that is ready joins the group; the publisher does not wait for more.
        let group = iter::once(first).chain(publishable.try_iter().take(GROUP_MAX - 1));
        let published = publisher.publish(group.map(|pending| *pending).collect());
        let (copies, over): (Vec<_>, Vec<_>) =
            published.into_iter().partition(|job| matches!(job.end, End::Copy(_)));
        tell(ended(over));
        for job in copies {
            // The copying thread lives as long as this sender.
            let _ = to_copy.send(job);
        }
        busy.set(None);
    }
}

#[cfg(test)]
#[path = "job_threads_tests.rs"]
mod tests;
