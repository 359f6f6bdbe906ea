//! The threads that answer and publish, and the channels between them.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::answer::{Prepared, Workshop};
use super::claim::Claim;
use super::disk::FRESH;
use super::fair::{FairQueue, Length, Standing};
use super::publish::{GROUP_MAX, Published, Publisher};
use crate::config::{Config, Route};

/// Added to a job's own time limit before its worker counts as stuck.
const STUCK_MARGIN: Duration = Duration::from_secs(120);

/// Workers beyond those that are configured, each for a route that would have to wait for others, or for a short file
/// behind long ones.
pub const SPARE_WORKERS: usize = 8;

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

/// What the publisher says.
pub enum FromPublisher {
    /// A group of jobs ended.
    Published(Vec<Published>),
    /// The answer to a ping.
    Alive,
}

/// The workers and the publisher.
pub struct Threads {
    orders: Arc<FairQueue<Order>>,
    to_publish: Option<Sender<ToPublish>>,
    state: Arc<State>,
    handles: Vec<JoinHandle<()>>,
}

#[derive(Default)]
struct State {
    stopping: AtomicBool,
    /// Jobs being answered, with the instant after which they count as stuck.
    busy: Mutex<BTreeMap<String, Instant>>,
}

impl Threads {
    /// Starts `workers` workers, some spare ones, and the publisher; messages go to `tell`, which may block.
    ///
    /// # Errors
    /// When a thread cannot be started.
    pub fn start(
        workers: usize,
        workshop: &Arc<Workshop>,
        publisher: Publisher,
        tell: impl Fn(FromPublisher) + Send + 'static,
    ) -> io::Result<Self> {
        let orders = Arc::new(FairQueue::new(workers));
        let (to_publish, publishable) = unbounded();
        let state = Arc::new(State::default());
        let mut handles = Vec::new();
        for index in 0..workers + SPARE_WORKERS {
            let (ordered, to_publish) = (Arc::clone(&orders), to_publish.clone());
            let (workshop, state) = (Arc::clone(workshop), Arc::clone(&state));
            let work = move || state.work(&workshop, &ordered, &to_publish);
            handles.push(Builder::new().name(format!("job-{index}")).spawn(work)?);
        }
        let publish = move || publish_all(&publisher, &publishable, tell);
        handles.push(Builder::new().name("publish".to_owned()).spawn(publish)?);
        Ok(Self { orders, to_publish: Some(to_publish), state, handles })
    }

    /// Has a claim answered.
    pub fn order(&self, order: Order) {
        let route = order.route.clone();
        let name = route.as_ref().map_or("", |route| route.name());
        self.orders.push(name, Standing::default(), Length::of(order.claim.bytes), order);
    }

    /// Has a claim put back, in the order of these calls and without waiting for a worker.
    pub fn put_back(&self, Order { claim, config, .. }: Order) {
        if let Some(to_publish) = &self.to_publish {
            let prepared = Workshop::give_up(claim, "the service ends");
            let _ = to_publish.send(ToPublish::Job(Box::new(prepared), config));
        }
    }

    /// From now on orders not begun are put back instead.
    pub fn put_back_the_rest(&self) {
        self.state.stopping.store(true, Ordering::Release);
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
        let busy = self.state.busy.lock().unwrap_or_else(PoisonError::into_inner);
        if busy.contains_key(id) { "it is being answered" } else { "its result is being published" }
    }

    /// Whether some job runs far beyond its own limit.
    pub fn is_stuck(&self) -> bool {
        let busy = self.state.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        busy.values().any(|until| *until < now)
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

impl State {
    fn work(&self, workshop: &Workshop, ordered: &FairQueue<Order>, to_publish: &Sender<ToPublish>) {
        while let Some((Order { claim, config, route }, _running)) = ordered.take() {
            let id = claim.id.clone();
            let prepared = if self.stopping.load(Ordering::Acquire) {
                Workshop::give_up(claim, "the service ends")
            } else {
                let limit =
                    route.as_ref().and_then(|route| route.options().get(crate::solver::JOB_TIME_LIMIT));
                // Without a limit of its own a job may take a year before it counts as stuck.
                let limit = limit.unwrap_or(Duration::from_secs(365 * 86_400));
                self.set_busy(&id, Some(Instant::now() + limit + STUCK_MARGIN));
                let prepared = workshop.answer_for(claim, route, &config);
                self.set_busy(&id, None);
                prepared
            };
            // The publisher lives as long as this sender.
            let _ = to_publish.send(ToPublish::Job(Box::new(prepared), config));
        }
    }

    fn set_busy(&self, id: &str, until: Option<Instant>) {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        match until {
            Some(until) => drop(busy.insert(id.to_owned(), until)),
            None => drop(busy.remove(id)),
        }
    }
}

fn publish_all(publisher: &Publisher, publishable: &Receiver<ToPublish>, tell: impl Fn(FromPublisher)) {
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
                ToPublish::Ping => tell(FromPublisher::Alive),
            }
        }
        let Some(config) = group_config else { continue };
        tell(FromPublisher::Published(publisher.publish(group, &config)));
    }
}

/// The next message; `None` where none comes for a while, or ever.
fn wait(publishable: &Receiver<ToPublish>) -> Option<ToPublish> {
    publishable.recv_timeout(FRESH).ok()
}
