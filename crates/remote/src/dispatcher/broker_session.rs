//! One connection to the broker: sends batches, and processes reports and heartbeats until the connection is lost.

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{self, Context};
use async_nats::{HeaderMap, Message, Subscriber};
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};
use tokio::sync::Notify;
use tracing::{info, warn};

use super::dispatcher_thread::DispatcherState;
use super::worker_registry::Change;
use crate::broker_link::Link;
use crate::protocol::{Batch, Heartbeat, Reply, Report, decode, encode};

/// Bounds of the stream.
const STREAM_MESSAGES_MAX: i64 = 20_000;
const STREAM_BYTES_MAX: i64 = 512 << 20;
const STREAM_AGE_MAX: Duration = Duration::from_secs(3600);
/// Servers of a cluster that hold the stream. One of them may fail, but all must be up when the stream is created.
const CLUSTER_REPLICAS: usize = 3;
/// How long the stream remembers which batches it has seen.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(120);
/// Time between two scans of the lists while puzzles wait in them.
const LOOK_INTERVAL: Duration = Duration::from_millis(5);
/// The same while batches are in flight, and while none is.
const BUSY_INTERVAL: Duration = Duration::from_millis(100);
const IDLE_INTERVAL: Duration = Duration::from_secs(1);
/// Time between two checks for overdue batches.
const SWEEP_INTERVAL: Duration = Duration::from_millis(50);
/// The most batches that the broker has not acknowledged. Beyond five times as many the client would block the sender.
const PUBLISHING_MAX: usize = 1000;
/// The most reports processed between two scans of the lists.
const REPORTS_MAX: usize = 256;
/// Time between two tries to create a missing stream.
const STREAM_INTERVAL: Duration = Duration::from_millis(500);

pub struct Session {
    link: Link,
    context: Context,
    reports: Subscriber,
    heartbeats: Subscriber,
    /// Batches that the broker has not acknowledged.
    publishing: FuturesUnordered<Publishing>,
    /// When to try to create the stream, if it is missing.
    stream_due: Option<Instant>,
    /// When the facts for the status were last updated, and whether they are up to date.
    facts_updated: Instant,
    are_facts_current: bool,
    /// When overdue batches were last searched for.
    swept: Instant,
    new_list: Arc<Notify>,
}

/// A batch's number, and its sequence number in the stream.
type Publishing = std::pin::Pin<Box<dyn Future<Output = (u64, Result<u64, PublishErrorKind>)> + Send>>;

impl Session {
    /// Subscribes to reports and heartbeats, and creates the stream if there is none.
    ///
    /// # Errors
    /// Returns what the broker refused.
    pub async fn begin(link: Link, dispatcher: &DispatcherState) -> Result<Self, String> {
        let context = jetstream::new(link.client.clone());
        let subscribed = |subject| link.client.subscribe(subject);
        let reports = subscribed(link.subjects.dispatcher(dispatcher.number)).await;
        let reports = reports.map_err(|error| error.to_string())?;
        let heartbeats = subscribed(link.subjects.worker(None)).await.map_err(|error| error.to_string())?;
        make_stream(&context, &link, &dispatcher.access.stream).await?;
        let session = Self {
            link,
            context,
            reports,
            heartbeats,
            publishing: FuturesUnordered::new(),
            stream_due: None,
            facts_updated: Instant::now(),
            are_facts_current: true,
            swept: Instant::now(),
            new_list: Arc::default(),
        };
        // Asks all workers for a heartbeat now. If that fails, the connection is lost, which is logged anyway.
        let _ = session.link.client.publish(session.link.subjects.who(), Vec::new().into()).await;
        dispatcher.note_facts(None);
        Ok(session)
    }

    /// Shares puzzles until the connection is lost. Returns why it was lost.
    pub async fn run(&mut self, dispatcher: &mut DispatcherState) -> String {
        let link = self.link.clone();
        let mut lost = pin!(link.lost());
        loop {
            let due = self.due(dispatcher);
            let new_list = Arc::clone(&self.new_list);
            tokio::select! {
                biased;
                why = &mut lost => return why,
                Some((number, stored)) = self.publishing.next() => {
                    self.published(number, stored, dispatcher);
                    while let Some(Some((number, stored))) = self.publishing.next().now_or_never() {
                        self.published(number, stored, dispatcher);
                    }
                }
                Some(report) = self.reports.next() => self.take_reports(report, dispatcher).await,
                Some(heartbeat) = self.heartbeats.next() => heard(&heartbeat, dispatcher),
                () = new_list.notified() => {}
                () = tokio::time::sleep_until(due.into()) => {}
            }
            self.look(dispatcher).await;
        }
    }

    /// Returns when to scan the lists next if nothing happens before.
    fn due(&self, dispatcher: &DispatcherState) -> Instant {
        let now = Instant::now();
        let under_way = dispatcher.ledger.count();
        let interval = if under_way > 0 { BUSY_INTERVAL } else { IDLE_INTERVAL };
        let mut due = now + interval;
        if self.stream_due.is_none() && dispatcher.guests.seats() > under_way {
            let new_list = Arc::clone(&self.new_list);
            if !dispatcher.guests.call_on_next_list(move || new_list.notify_one())
                && let Some(ripe) = dispatcher.next_due()
            {
                due = due.min(ripe.max(now + LOOK_INTERVAL));
            }
        }
        if !self.are_facts_current {
            due = due.min(self.facts_updated + BUSY_INTERVAL);
        }
        self.stream_due.map_or(due, |stream_due| due.min(stream_due))
    }

    /// Takes back overdue batches, and sends new ones if there is room.
    async fn look(&mut self, dispatcher: &mut DispatcherState) {
        let now = Instant::now();
        if now.saturating_duration_since(self.swept) >= SWEEP_INTERVAL {
            self.swept = now;
            for sequence in dispatcher.ledger.overdue(now) {
                self.delete(sequence, &dispatcher.access.stream);
            }
        }
        for worker in dispatcher.registry.gone(now) {
            info!(name: "worker-went", worker = worker.name, "a worker is silent");
        }
        if self.stream_due.is_some_and(|due| due <= now) {
            let made = make_stream(&self.context, &self.link, &dispatcher.access.stream).await;
            self.stream_due = made.is_err().then(|| now + STREAM_INTERVAL);
        }
        let capacity = if self.stream_due.is_none() { dispatcher.registry.capacity(0) } else { 0 };
        dispatcher.guests.set_seats(capacity);
        if capacity == 0 {
            dispatcher.ledger.keep_suspects();
        }
        let payload_max = self.link.payload_max();
        while capacity > 0
            && self.publishing.len() < PUBLISHING_MAX
            && let Some(batch) = dispatcher.next_batch(payload_max, now)
        {
            self.send(batch, dispatcher).await;
        }
        self.are_facts_current = now.saturating_duration_since(self.facts_updated) >= BUSY_INTERVAL;
        if self.are_facts_current {
            self.facts_updated = now;
            dispatcher.ledger.tell_progress();
            dispatcher.note_facts(None);
        }
    }

    async fn send(&mut self, batch: Batch, dispatcher: &mut DispatcherState) {
        let subject = self.link.subjects.job(&dispatcher.build, &batch.solver);
        let number = batch.number;
        let mut headers = HeaderMap::new();
        // The broker drops a message whose ID it has seen, even after the batch was answered.
        headers.insert("Nats-Msg-Id", format!("{:016x}-{number}", batch.dispatcher));
        let sent = self.context.publish_with_headers(subject, headers, encode(&batch).into()).await;
        match sent {
            Ok(acknowledged) => self.publishing.push(Box::pin(async move {
                let stored = acknowledged.await.map(|stored| stored.sequence);
                (number, stored.map_err(|error| error.kind()))
            })),
            Err(error) => self.published(number, Err(error.kind()), dispatcher),
        }
    }

    /// Records that the broker stored a batch or refused it.
    fn published(
        &mut self,
        number: u64,
        stored: Result<u64, PublishErrorKind>,
        dispatcher: &mut DispatcherState,
    ) {
        if let Ok(sequence) = stored {
            dispatcher.ledger.stored(number, sequence);
        } else {
            // The stream may be gone or full, so nothing is sent until it has been checked.
            self.stream_due = Some(Instant::now());
            dispatcher.ledger.not_sent(number, Instant::now());
        }
    }

    /// Processes a report and all queued ones, so that the lists are scanned once for all of them.
    async fn take_reports(&mut self, first: Message, dispatcher: &mut DispatcherState) {
        self.reported(&first, dispatcher).await;
        let mut taken = 1;
        while taken < REPORTS_MAX
            && let Some(Some(report)) = self.reports.next().now_or_never()
        {
            self.reported(&report, dispatcher).await;
            taken += 1;
        }
    }

    async fn reported(&self, message: &Message, dispatcher: &mut DispatcherState) {
        let now = Instant::now();
        let reply = match decode(&message.payload) {
            Some(Report::Part(part)) => encode(&dispatcher.ledger.report(&part, now)),
            Some(Report::AtWork(at_work)) => encode(&dispatcher.ledger.at_work(&at_work, now)),
            Some(Report::Died(died)) => {
                let lost = dispatcher.ledger.died(&died, now);
                if lost > 0 {
                    warn!(name: "worker-died", puzzles = lost, "a worker died");
                }
                encode(&Reply::Stored)
            }
            None => {
                dispatcher.ledger.counts.refused += 1;
                encode(&Reply::Refused)
            }
        };
        if let Some(to) = message.reply.clone() {
            let _ = self.link.client.publish(to, reply.into()).await;
        }
    }

    /// Deletes a batch from the stream. If that fails, a worker that begins the batch gets the reply `Stale`.
    fn delete(&self, sequence: u64, stream: &str) {
        let (context, stream) = (self.context.clone(), stream.to_owned());
        tokio::spawn(async move {
            if let Ok(stream) = context.get_stream_no_info(&stream).await {
                let _ = stream.delete_message(sequence).await;
            }
        });
    }
}

fn heard(message: &Message, dispatcher: &mut DispatcherState) {
    let Some(heartbeat) = Heartbeat::read(&message.payload) else {
        dispatcher.ledger.counts.refused += 1;
        return;
    };
    match dispatcher.registry.hear(heartbeat, Instant::now()) {
        Change::None => return,
        Change::Came(worker) => {
            info!(name: "worker-came", worker = worker.name, threads = worker.threads, "a worker is there");
        }
        Change::CameOtherBuild(worker) => warn!(
            name: "worker-came",
            worker = worker.name,
            version = worker.version,
            build = worker.build,
            ours = %dispatcher.build,
            "the worker {} runs another build and gets no puzzles: install the same program on both machines",
            worker.name,
        ),
        Change::Went(worker) => {
            info!(name: "worker-went", worker = worker.name, "a worker has gone");
        }
    }
    dispatcher.note_facts(None);
}

/// Creates the stream if there is none. A stream that an administrator has set up stays as it is.
async fn make_stream(context: &Context, link: &Link, name: &str) -> Result<(), String> {
    let is_cluster = link.client.server_info().cluster.is_some();
    let config = Config {
        name: name.to_owned(),
        subjects: vec![link.subjects.jobs()],
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::Memory,
        discard: DiscardPolicy::New,
        max_messages: STREAM_MESSAGES_MAX,
        max_bytes: STREAM_BYTES_MAX,
        max_age: STREAM_AGE_MAX,
        duplicate_window: DUPLICATE_WINDOW,
        num_replicas: if is_cluster { CLUSTER_REPLICAS } else { 1 },
        ..Config::default()
    };
    let made = context.get_or_create_stream(config).await;
    made.map(|_| ()).map_err(|error| format!("the stream {name} cannot be used: {error}"))
}
