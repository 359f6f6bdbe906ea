//! The tasks of a worker: one keeps the connection, one reports the batches in progress, and pullers solve batches.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::{self, Message};
use futures_util::StreamExt as _;
use futures_util::future::join_all;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tracing::{info, warn};

use super::delivery::{NoReply, ask};
use super::in_flight_file::LostWorker;
use super::worker_state::{Connection, Setting, Worker};
use crate::broker_link::{Link, LinkError, OutageLog, RETRY_INTERVAL};
use crate::protocol::{Died, Reply, Report, Subjects, Unwanted, WIRE};

/// How long the broker waits for a sign of progress after it delivered a batch.
const ACK_WAIT: Duration = Duration::from_secs(30);
/// The most batches that the workers of a build may have without acknowledging them.
const UNACKNOWLEDGED_MAX: i64 = 20_000;
/// The broker removes a consumer that was not used for this long.
const CONSUMER_AGE_MAX: Duration = Duration::from_secs(3600);
/// How long one pull waits for a batch.
const PULL_MAX: Duration = Duration::from_secs(4);
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(2);
/// Time between two reports of the batches in progress.
const AT_WORK_INTERVAL: Duration = Duration::from_secs(1);
/// With `once`, the worker ends after this long without a batch.
const NOTHING_FOR: Duration = Duration::from_secs(5);

/// Runs a worker until it is stopped, or idle with `once`, and has finished or given back its batches. Calls `ready`
/// once, when the worker begins to pull.
///
/// # Errors
/// Fails, before it is ready, if a thread cannot be started or the program's file cannot be read.
pub async fn run(setting: Setting, stop: watch::Receiver<bool>, ready: impl Fn(&str)) -> io::Result<()> {
    let worker = Arc::new(Worker::new(setting, stop)?);
    let mut pullers = JoinSet::new();
    for index in 0..worker.setting.threads {
        let worker = Arc::clone(&worker);
        pullers.spawn(async move { worker.pull_batches(index).await });
    }
    let mut reporter = JoinSet::new();
    reporter.spawn({
        let worker = Arc::clone(&worker);
        async move { worker.report_active_batches().await }
    });
    let mut main = std::pin::pin!(worker.keep_connected(&ready));
    let is_idle = tokio::select! {
        () = &mut main => false,
        () = worker.stop_requested() => false,
        () = worker.idle(), if worker.setting.once => true,
    };
    if is_idle {
        pullers.abort_all();
    } else {
        *worker.stopped.lock() = Some(Instant::now());
        info!(name: "stopping", in_hand = worker.active.count(), "stopping");
        worker.send_heartbeat(false).await;
        tokio::select! {
            () = async { while pullers.join_next().await.is_some() {} } => {}
            // Reconnects if that is needed to give batches back.
            () = &mut main => {}
        }
    }
    worker.send_heartbeat(true).await;
    let solved = worker.solved.load(Ordering::Relaxed);
    info!(solved, "stopped after {solved} puzzles");
    Ok(())
}

impl Worker {
    /// Connects, and reconnects whenever the connection is lost.
    async fn keep_connected(&self, ready: &impl Fn(&str)) {
        let Setting { access, threads, .. } = &self.setting;
        let inbox = Subjects::of(&access.stream).inbox("worker");
        let (mut outage, mut is_ready) = (OutageLog::default(), false);
        loop {
            let name = format!("tabuleiro worker {}", self.name);
            let trouble = match access.connect(&name, &inbox).await {
                Err(trouble) => trouble,
                Ok(link) => {
                    self.report_deaths(&link).await;
                    let pulls = || {
                        info!(name: "broker-connected", broker = access.shown(), build = %self.build, "connected to the broker");
                        if !is_ready {
                            is_ready = true;
                            info!(name: "ready", worker = self.name, threads, "ready");
                            ready(&self.name);
                        }
                    };
                    let Err(trouble) = self.serve(link, &mut outage, pulls).await;
                    self.connection.send_replace(None);
                    trouble
                }
            };
            if outage.is_new(&trouble) {
                warn!(name: "broker-lost", broker = access.shown(), "{trouble}; trying again");
            }
            tokio::time::sleep(RETRY_INTERVAL).await;
        }
    }

    /// Lets the pullers pull until the connection is lost, and returns why.
    async fn serve(
        &self,
        link: Link,
        outage: &mut OutageLog,
        mut pulls: impl FnMut(),
    ) -> Result<Infallible, LinkError> {
        let mut beat = tokio::time::interval(HEARTBEAT_INTERVAL);
        let who = link.client.subscribe(link.subjects.who()).await;
        let mut who = who.map_err(|error| LinkError::Refused(error.to_string()))?;
        let consumer = self.consumer(&link).await?;
        self.connection.send_replace(Some(Connection { link: link.clone(), consumer }));
        pulls();
        outage.end();
        let mut lost = std::pin::pin!(link.lost());
        loop {
            tokio::select! {
                why = &mut lost => return Err(LinkError::Down(why)),
                _ = beat.tick() => self.send_heartbeat(false).await,
                Some(question) = who.next() => self.answer_who(question).await,
                () = self.renew.notified() => {
                    let consumer = self.consumer(&link).await?;
                    self.connection.send_replace(Some(Connection { link: link.clone(), consumer }));
                }
            }
        }
    }

    /// Returns the consumer of this build's batches, and creates it if there is none.
    async fn consumer(&self, link: &Link) -> Result<PullConsumer, LinkError> {
        let stream = &self.setting.access.stream;
        let name = format!("{stream}-{WIRE}-{}", self.build);
        let config = pull::Config {
            durable_name: Some(name.clone()),
            filter_subject: link.subjects.job(&self.build, ">"),
            ack_policy: AckPolicy::Explicit,
            ack_wait: ACK_WAIT,
            max_deliver: -1,
            max_ack_pending: UNACKNOWLEDGED_MAX,
            inactive_threshold: CONSUMER_AGE_MAX,
            ..pull::Config::default()
        };
        let context = jetstream::new(link.client.clone());
        let found = context.get_stream_no_info(stream).await;
        let found = found.map_err(|error| LinkError::Refused(error.to_string()))?;
        let made = found.get_or_create_consumer(&name, config).await;
        made.map_err(|error| {
            LinkError::Refused(format!("no intake has made the stream {stream} yet ({error})"))
        })
    }

    /// Reports to the dispatchers the batches of processes that died on this machine.
    async fn report_deaths(&self, link: &Link) {
        let Some(folder) = &self.setting.state else { return };
        for dead in LostWorker::find(folder) {
            let mut dispatchers: Vec<_> = dead.batches.iter().map(|(dispatcher, _)| *dispatcher).collect();
            dispatchers.sort_unstable();
            dispatchers.dedup();
            let mut all_know = true;
            for dispatcher in dispatchers {
                let of_dispatcher = dead.batches.iter().filter(|(other, _)| *other == dispatcher);
                let batches = of_dispatcher.map(|(_, batch)| *batch).collect();
                let report = Report::Died(Died { worker: dead.worker, batches });
                // If a dispatcher is gone, it need not learn of the death.
                let told = ask::<Reply>(link, dispatcher, &report).await;
                all_know &= !matches!(told, Err(NoReply::Silence));
            }
            if all_know {
                dead.acknowledge();
            }
        }
    }

    /// Reports the batches in progress every second.
    async fn report_active_batches(&self) {
        let mut next = tokio::time::interval(AT_WORK_INTERVAL);
        loop {
            next.tick().await;
            let Some(link) = self.link() else { continue };
            let told = self.active.at_work_messages(self.id).into_iter().map(|(dispatcher, word)| {
                let link = &link;
                async move {
                    if let Ok(Unwanted(batches)) = ask(link, dispatcher, &Report::AtWork(word)).await {
                        self.active.notify_unwanted(dispatcher, &batches);
                    }
                }
            });
            join_all(told).await;
        }
    }

    /// Pulls and solves one batch after the other.
    async fn pull_batches(&self, index: usize) {
        let mut connections = self.connection.subscribe();
        loop {
            let next = async {
                self.wait_out_pause().await;
                let connection = async {
                    connections.wait_for(Option::is_some).await.ok().and_then(|connection| connection.clone())
                };
                let Some(connection) = connection.await else { return std::future::pending().await };
                tokio::select! {
                    message = self.pull(&connection) => message,
                    // A pull on a lost connection can take long to fail.
                    _ = connections.changed() => None,
                }
            };
            let message = tokio::select! {
                biased;
                () = self.stop_requested() => return,
                message = next => message,
            };
            if let Some(message) = message {
                *self.last_batch.lock() = Instant::now();
                self.deliver(message, index).await;
                *self.last_batch.lock() = Instant::now();
            }
        }
    }

    /// Waits for a batch; returns `None` if none came.
    async fn pull(&self, connection: &Connection) -> Option<Message> {
        let pulled = async {
            let mut messages =
                connection.consumer.fetch().max_messages(1).expires(PULL_MAX).messages().await.ok()?;
            match messages.next().await {
                None => Some(None),
                Some(Ok(message)) => Some(Some(message)),
                Some(Err(_)) => None,
            }
        };
        // A reply that never comes counts as an error.
        let pulled = tokio::time::timeout(PULL_MAX * 2, pulled).await.ok().flatten();
        if pulled.is_none() {
            // If the connection was lost, reconnecting creates a new consumer anyway.
            tokio::time::sleep(RETRY_INTERVAL / 2).await;
            self.renew.notify_one();
        }
        pulled.flatten()
    }

    /// Waits until no batch has come for [`NOTHING_FOR`] and none is in progress.
    async fn idle(&self) {
        let mut connections = self.connection.subscribe();
        let _ = connections.wait_for(Option::is_some).await;
        *self.last_batch.lock() = Instant::now();
        loop {
            let since = *self.last_batch.lock();
            tokio::time::sleep_until((since + NOTHING_FOR).into()).await;
            let mut heard = self.last_batch.lock();
            if *heard == since {
                if self.active.count() == 0 {
                    return;
                }
                *heard = Instant::now();
            }
        }
    }
}
