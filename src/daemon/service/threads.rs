//! The threads that answer and publish, and the channels between them.

use std::io;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::config::{Config, Route};
use crate::daemon::answering::answerer::Answerer;
use crate::daemon::answering::fair::{FairQueue, Length, RouteQueue};
use crate::daemon::answering::memory::SPARE_WORKERS;
use crate::daemon::answering::prepared::Prepared;
use crate::daemon::claims::claim::Claim;
use crate::daemon::fs::recent::FRESH;
use crate::daemon::publishing::publisher::{GROUP_MAX, Published, Publisher};

/// A claim to be answered under a configuration.
pub struct Order {
    /// The file.
    pub claim: Claim,
    /// The configuration in force when it was ordered.
    pub config: Arc<Config>,
    /// The route that takes the file by it.
    route: Option<Arc<Route>>,
}

impl Order {
    /// To answer `claim` under `config`.
    #[must_use]
    pub fn new(claim: Claim, config: Arc<Config>) -> Self {
        let route = config.route(&claim.origin).cloned();
        Self { claim, config, route }
    }
}

enum ToPublish {
    Job(Box<Prepared>, Arc<Config>),
    Ping,
}

/// What the threads say.
pub enum Told {
    /// The publisher is done with a group of jobs.
    Published(Vec<Published>),
    /// A worker got no outcome: the file changed, or the job was cancelled.
    Interrupted(Box<Prepared>),
    /// The publisher's answer to a ping.
    Alive,
}

/// The workers and the publisher.
pub struct Threads {
    orders: Arc<FairQueue<Order>>,
    to_publish: Option<Sender<ToPublish>>,
    answerer: Arc<Answerer>,
    handles: Vec<JoinHandle<()>>,
}

impl Threads {
    /// Starts `workers` workers, some spare ones, and the publisher; messages go to `tell`, which may block.
    ///
    /// # Errors
    /// When a thread cannot be started.
    pub fn start(
        workers: usize,
        answerer: &Arc<Answerer>,
        publisher: Publisher,
        tell: impl Fn(Told) + Clone + Send + 'static,
    ) -> io::Result<Self> {
        let orders = Arc::new(FairQueue::new(workers));
        let (to_publish, publishable) = unbounded();
        let mut handles = Vec::new();
        for index in 0..workers + SPARE_WORKERS {
            let worker = Worker {
                answerer: Arc::clone(answerer),
                orders: Arc::clone(&orders),
                to_publish: to_publish.clone(),
            };
            let tell = tell.clone();
            handles.push(Builder::new().name(format!("job-{index}")).spawn(move || worker.work(tell))?);
        }
        let publish = move || publish_all(&publisher, &publishable, tell);
        handles.push(Builder::new().name("publish".to_owned()).spawn(publish)?);
        Ok(Self { orders, to_publish: Some(to_publish), answerer: Arc::clone(answerer), handles })
    }

    /// Has a claim answered, and published.
    pub fn answer(&self, order: Order) {
        let route = order.route.as_ref().map_or("", |route| &route.name);
        let queue = RouteQueue::new(route, Length::of(order.claim.bytes));
        self.orders.push(queue, order);
    }

    /// Has a prepared job published, or put back.
    pub fn publish(&self, prepared: Box<Prepared>, config: Arc<Config>) {
        if let Some(to_publish) = &self.to_publish {
            // The publisher lives as long as this sender.
            let _ = to_publish.send(ToPublish::Job(prepared, config));
        }
    }

    /// Takes all claims away that no worker has begun to answer.
    pub fn withdraw(&self) -> Vec<Claim> {
        self.orders.withdraw().into_iter().map(|order| order.claim).collect()
    }

    /// Asks the publisher to say that it is alive.
    pub fn ping(&self) {
        if let Some(to_publish) = &self.to_publish {
            let _ = to_publish.send(ToPublish::Ping);
        }
    }

    /// What a job that was ordered and has not ended waits for, or what is done with it.
    pub fn step(&self, id: &str) -> &'static str {
        if self.orders.is_waiting(|order| order.claim.id == id) {
            return "it waits for a worker";
        }
        if self.answerer.progress.has(id) { "it is being answered" } else { "its result is being published" }
    }

    /// Ends the threads once their queues are empty.
    pub fn join(mut self) {
        self.orders.close();
        self.to_publish = None;
        for handle in self.handles.drain(..) {
            // A panic was printed by the thread itself.
            let _ = handle.join();
        }
    }
}

/// A thread that answers one claim after the other.
struct Worker {
    answerer: Arc<Answerer>,
    orders: Arc<FairQueue<Order>>,
    to_publish: Sender<ToPublish>,
}

impl Worker {
    fn work(&self, tell: impl Fn(Told)) {
        while let Some((Order { claim, config, route }, _running)) = self.orders.take() {
            let prepared = Box::new(self.answerer.answer_for(claim, route.as_deref(), &config));
            if prepared.is_put_back() {
                tell(Told::Interrupted(prepared));
            } else {
                // The publisher lives as long as this sender.
                let _ = self.to_publish.send(ToPublish::Job(prepared, config));
            }
        }
    }
}

fn publish_all(publisher: &Publisher, publishable: &Receiver<ToPublish>, tell: impl Fn(Told)) {
    // Once after the last group nothing follows for a moment; before the first one there is nothing to let go of.
    let mut rested = true;
    loop {
        let first = match if rested { publishable.recv().ok() } else { wait(publishable) } {
            Some(first) => first,
            None if rested => break,
            None => {
                publisher.rest();
                rested = true;
                continue;
            }
        };
        rested = false;
        let mut group = Vec::new();
        let mut group_config = None;
        // Whatever else is ready goes along; nothing is waited for.
        for message in std::iter::once(first).chain(publishable.try_iter().take(GROUP_MAX - 1)) {
            match message {
                ToPublish::Job(prepared, config) => {
                    group.push(*prepared);
                    group_config = Some(config);
                }
                ToPublish::Ping => tell(Told::Alive),
            }
        }
        let Some(config) = group_config else { continue };
        tell(Told::Published(publisher.publish(group, &config)));
    }
}

/// The next message; `None` where none comes for a while, or ever.
fn wait(publishable: &Receiver<ToPublish>) -> Option<ToPublish> {
    publishable.recv_timeout(FRESH).ok()
}
