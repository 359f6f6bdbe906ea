//! What is said to the broker while it is there.

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

use super::crew::Change;
use super::packing::Packed;
use super::state::Intake;
use crate::link::Link;
use crate::protocol::{Heartbeat, Reply, Report, decode, encode};

/// Parcels in the stream, and bytes.
const STREAM_MESSAGES_MAX: i64 = 20_000;
const STREAM_BYTES_MAX: i64 = 512 << 20;
/// How long a parcel stays in the stream, whatever its job may take.
const STREAM_AGE_MAX: Duration = Duration::from_secs(3600);
/// Servers of a cluster that hold the stream, so that one of them may fail; all of them must be there when it is made.
const CLUSTER_REPLICAS: usize = 3;
/// The stream remembers so long which parcels it has seen.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(120);
/// Time between two looks at the lists while there is something in them for which there is no room.
const LOOK_INTERVAL: Duration = Duration::from_millis(5);
/// The same while parcels are under way, and while there is nothing.
const BUSY_INTERVAL: Duration = Duration::from_millis(100);
const IDLE_INTERVAL: Duration = Duration::from_secs(1);
/// Time between two looks whether a parcel is overdue.
const SWEEP_INTERVAL: Duration = Duration::from_millis(50);
/// Parcels on their way to the broker. The client lets five times as many wait for its word, and then whoever sends.
const PUBLISHING_MAX: usize = 1000;
/// Reports that are taken between two looks at the lists.
const REPORTS_MAX: usize = 256;
/// Time between two tries to make the stream where it is missing.
const STREAM_INTERVAL: Duration = Duration::from_millis(500);

/// A connection at work.
pub struct Session {
    link: Link,
    context: Context,
    reports: Subscriber,
    heartbeats: Subscriber,
    /// Parcels of which the broker has not said that it has them.
    publishing: FuturesUnordered<Publishing>,
    /// When the stream is to be looked for, where it is missing.
    stream_due: Option<Instant>,
    /// When whoever asks was told last how it is, and whether something was done since.
    noted: Instant,
    is_told: bool,
    /// When it was looked last whether a parcel is overdue.
    swept: Instant,
    ring: Arc<Notify>,
}

/// A parcel's number, and the stream's for it.
type Publishing = std::pin::Pin<Box<dyn Future<Output = (u64, Result<u64, PublishErrorKind>)> + Send>>;

impl Session {
    /// Subscribes, and makes the stream.
    ///
    /// # Errors
    /// Why that cannot be done.
    pub async fn begin(link: Link, intake: &Intake) -> Result<Self, String> {
        let context = jetstream::new(link.client.clone());
        let subscribed = |subject| link.client.subscribe(subject);
        let reports = subscribed(link.subjects.intake(intake.packing.intake)).await;
        let reports = reports.map_err(|error| error.to_string())?;
        let heartbeats = subscribed(link.subjects.worker(None)).await.map_err(|error| error.to_string())?;
        make_stream(&context, &link, &intake.access.stream).await?;
        let session = Self {
            link,
            context,
            reports,
            heartbeats,
            publishing: FuturesUnordered::new(),
            stream_due: None,
            noted: Instant::now(),
            is_told: true,
            swept: Instant::now(),
            ring: Arc::default(),
        };
        session.ask_who().await;
        intake.note_facts(None);
        Ok(session)
    }

    /// Everybody who is there is to say so now.
    async fn ask_who(&self) {
        // Where that fails the connection is lost, which is told anyway.
        let _ = self.link.client.publish(self.link.subjects.who(), Vec::new().into()).await;
    }

    /// Shares puzzles until the connection is lost, and says why it was.
    pub async fn run(&mut self, intake: &mut Intake) -> String {
        let link = self.link.clone();
        let mut lost = pin!(link.lost());
        loop {
            let due = self.due(intake);
            let ring = Arc::clone(&self.ring);
            tokio::select! {
                biased;
                why = &mut lost => return why,
                Some((number, stored)) = self.publishing.next() => {
                    self.published(number, stored, intake);
                    while let Some(Some((number, stored))) = self.publishing.next().now_or_never() {
                        self.published(number, stored, intake);
                    }
                }
                Some(report) = self.reports.next() => self.take_reports(report, intake).await,
                Some(heartbeat) = self.heartbeats.next() => heard(&heartbeat, intake),
                () = ring.notified() => {}
                () = tokio::time::sleep_until(due.into()) => {}
            }
            self.look(intake).await;
        }
    }

    /// When the lists are to be looked at next, where nothing happens before.
    fn due(&self, intake: &Intake) -> Instant {
        let now = Instant::now();
        let under_way = intake.ledger.count();
        let interval = if under_way > 0 { BUSY_INTERVAL } else { IDLE_INTERVAL };
        let mut due = now + interval;
        if self.stream_due.is_none() && intake.packing.guests.seats() > under_way {
            let ring = Arc::clone(&self.ring);
            if !intake.packing.guests.ring_for_next(move || ring.notify_one())
                && let Some(ripe) = intake.packing.next_due()
            {
                due = due.min(ripe.max(now + LOOK_INTERVAL));
            }
        }
        if !self.is_told {
            due = due.min(self.noted + BUSY_INTERVAL);
        }
        self.stream_due.map_or(due, |stream_due| due.min(stream_due))
    }

    /// Takes back what is overdue, sends what there is room for.
    async fn look(&mut self, intake: &mut Intake) {
        let now = Instant::now();
        if now.saturating_duration_since(self.swept) >= SWEEP_INTERVAL {
            self.swept = now;
            for sequence in intake.ledger.overdue(now) {
                self.delete(sequence, &intake.access.stream);
            }
        }
        for worker in intake.crew.gone(now) {
            info!(name: "worker-went", worker = worker.name, "a worker is not heard any more");
        }
        if self.stream_due.is_some_and(|due| due <= now) {
            let made = make_stream(&self.context, &self.link, &intake.access.stream).await;
            self.stream_due = made.is_err().then(|| now + STREAM_INTERVAL);
        }
        let seats = if self.stream_due.is_none() { intake.crew.seats(0) } else { 0 };
        intake.packing.guests.set_seats(seats);
        if seats == 0 {
            intake.ledger.keep_suspects();
        }
        let payload_max = self.link.payload_max();
        while seats > 0
            && self.publishing.len() < PUBLISHING_MAX
            && let Some(packed) = intake.packing.next(&mut intake.ledger, &intake.crew, payload_max, now)
        {
            self.send(packed, intake).await;
        }
        self.is_told = now.saturating_duration_since(self.noted) >= BUSY_INTERVAL;
        if self.is_told {
            self.noted = now;
            intake.ledger.tell_progress();
            intake.note_facts(None);
        }
    }

    async fn send(&mut self, packed: Packed, intake: &mut Intake) {
        let Packed { solver, parcel } = packed;
        let (number, subject) = (parcel.number, self.link.subjects.job(&intake.build, solver));
        let mut headers = HeaderMap::new();
        // The broker passes over a message whose ID it has seen, even long after it was answered.
        headers.insert("Nats-Msg-Id", format!("{:016x}-{number}", parcel.intake));
        let sent = self.context.publish_with_headers(subject, headers, encode(&parcel).into()).await;
        match sent {
            Ok(acknowledged) => self.publishing.push(Box::pin(async move {
                let stored = acknowledged.await.map(|stored| stored.sequence);
                (number, stored.map_err(|error| error.kind()))
            })),
            Err(error) => self.published(number, Err(error.kind()), intake),
        }
    }

    /// The broker has a parcel, or does not take it.
    fn published(&mut self, number: u64, stored: Result<u64, PublishErrorKind>, intake: &mut Intake) {
        if let Ok(sequence) = stored {
            intake.ledger.stored(number, sequence);
        } else {
            // The stream may be gone or full; until it is looked at again nothing is sent.
            self.stream_due = Some(Instant::now());
            intake.ledger.not_sent(number, Instant::now());
        }
    }

    /// A worker reports, and others may have meanwhile: the lists are looked at once for all of them.
    async fn take_reports(&mut self, first: Message, intake: &mut Intake) {
        self.reported(&first, intake).await;
        let mut taken = 1;
        while taken < REPORTS_MAX
            && let Some(Some(report)) = self.reports.next().now_or_never()
        {
            self.reported(&report, intake).await;
            taken += 1;
        }
    }

    /// A worker reports.
    async fn reported(&self, message: &Message, intake: &mut Intake) {
        let now = Instant::now();
        let reply = match decode(&message.payload) {
            Some(Report::Part(part)) => encode(&intake.ledger.report(&part, now)),
            Some(Report::AtWork(word)) => encode(&intake.ledger.at_work(&word, now)),
            Some(Report::Died(died)) => {
                let lost = intake.ledger.died(&died, now);
                if lost > 0 {
                    warn!(
                        name: "worker-died",
                        puzzles = lost,
                        "a worker's process died with puzzles in hand; they travel singly from now on"
                    );
                }
                encode(&Reply::Stored)
            }
            None => {
                intake.ledger.tally.refused += 1;
                encode(&Reply::Refused)
            }
        };
        if let Some(to) = message.reply.clone() {
            let _ = self.link.client.publish(to, reply.into()).await;
        }
    }

    /// Deletes a parcel that nobody is to begin any more. Where that fails, whoever begins it learns that it is stale.
    fn delete(&self, sequence: u64, stream: &str) {
        let (context, stream) = (self.context.clone(), stream.to_owned());
        tokio::spawn(async move {
            if let Ok(stream) = context.get_stream_no_info(&stream).await {
                let _ = stream.delete_message(sequence).await;
            }
        });
    }
}

/// A worker tells of itself.
fn heard(message: &Message, intake: &mut Intake) {
    let Some(heartbeat) = Heartbeat::read(&message.payload) else {
        intake.ledger.tally.refused += 1;
        return;
    };
    match intake.crew.hear(heartbeat, Instant::now()) {
        Change::None => return,
        Change::Came(worker) => {
            info!(name: "worker-came", worker = worker.name, threads = worker.threads, "a worker is there");
        }
        Change::CameOtherBuild(worker) => warn!(
            name: "worker-came",
            worker = worker.name,
            version = worker.version,
            build = worker.build,
            ours = %intake.build,
            "a worker of another build is there, which gets no puzzles from here: install the same program on both machines"
        ),
        Change::Went(worker) => {
            info!(name: "worker-went", worker = worker.name, "a worker has gone");
        }
    }
    intake.note_facts(None);
}

/// Makes the stream where there is none; one that somebody has set up stays as it is.
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
