//! One batch, from its delivery to its acknowledgement.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use async_nats::jetstream::{AckKind, Message};
use serde::de::DeserializeOwned;
use tokio::sync::Notify;
use tokio::sync::mpsc::{self, UnboundedReceiver};
use tracing::warn;

use super::solving::{Extent, Solved, Work};
use super::worker_state::Worker;
use crate::broker_link::Link;
use crate::protocol::{Batch, Part, Reply, Report, WorkerAnswer, decode, encode, random};
use tabuleiro_puzzles::solver::Cancel;

/// Time between two reports. The first one gives back the puzzles of the batch that were not begun.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);
/// Time between two signs of progress to the broker: a third of its ack wait.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);
/// How long a report waits for its reply.
const REPLY_MAX: Duration = Duration::from_secs(2);
/// How long to repeat the last report of a batch if the dispatcher does not store it.
const RETRY_MAX: Duration = Duration::from_secs(20);
const ENVELOPE_BYTES: usize = 1024;
/// How long the broker waits before it delivers a batch again, if its dispatcher is not connected.
const AGAIN_LATER: Duration = Duration::from_secs(5);
/// The same wait, if this machine lacks the memory or the dispatcher is silent.
const AGAIN_SOON: Duration = Duration::from_millis(200);
/// Deliveries after which the dispatcher of a batch counts as gone for good.
const DELIVERIES_MAX: i64 = 3;

struct Delivery<'a> {
    worker: &'a Worker,
    batch: (u64, u64),
    token: u64,
    extent: Arc<Extent>,
    cancel: Cancel,
    /// Answers not reported yet; `reported` counts the others.
    pending: Vec<WorkerAnswer>,
    reported: usize,
    cpu: Duration,
    given_back_from: Option<usize>,
    /// Whether the dispatcher knows `given_back_from`.
    is_cut_reported: bool,
}

pub enum NoReply {
    /// The dispatcher is not connected.
    Nobody,
    Silence,
}

impl Worker {
    /// Solves a batch as the puller with this index, and acknowledges it.
    pub async fn deliver(&self, message: Message, index: usize) {
        let kind = self.answer(&message, index).await;
        let Some(to) = message.message.reply else { return };
        // If the acknowledgement fails, the broker delivers the batch again, and the dispatcher replies `Stale`.
        if let Some(link) = self.link() {
            if matches!(kind, AckKind::Ack) {
                let asked = link.client.request(to, kind.into());
                let _ = tokio::time::timeout(REPLY_MAX, asked).await;
            } else {
                let _ = link.client.publish(to, kind.into()).await;
            }
        }
    }

    async fn answer(&self, message: &Message, index: usize) -> AckKind {
        let Some(batch) = decode::<Batch>(&message.payload) else {
            self.failed("a batch that cannot be parsed");
            return AckKind::Term;
        };
        if batch.memory_bytes > self.memory.puzzle_bytes_max() {
            self.refuses_memory(batch.memory_bytes);
            return AckKind::Nak(Some(AGAIN_SOON));
        }
        // While a batch waits to be solved alone, no other batch begins.
        let (_together, _alone);
        if batch.alone {
            _alone = self.gate.write().await;
        } else {
            _together = self.gate.read().await;
        }
        if self.is_stopping() {
            return AckKind::Nak(Some(Duration::ZERO));
        }
        let mut delivery = Delivery {
            worker: self,
            batch: (batch.dispatcher, batch.number),
            token: random(),
            extent: Arc::new(Extent::of(batch.puzzles.len())),
            cancel: Cancel::default(),
            pending: Vec::new(),
            reported: 0,
            cpu: Duration::ZERO,
            given_back_from: None,
            is_cut_reported: true,
        };
        let deliveries = message.info().map_or(1, |info| info.delivered);
        match delivery.report().await {
            Ok(Reply::Stored) => {}
            Ok(Reply::Stale) => return AckKind::Term,
            Ok(Reply::Refused) => {
                self.failed("a dispatcher that rejected its first report");
                return AckKind::Term;
            }
            Err(NoReply::Nobody) if deliveries >= DELIVERIES_MAX => return AckKind::Term,
            Err(NoReply::Nobody) => return AckKind::Nak(Some(AGAIN_LATER)),
            Err(NoReply::Silence) => return AckKind::Nak(Some(AGAIN_SOON)),
        }
        self.in_flight.record(index, batch.dispatcher, batch.number);
        let (held, token) = (delivery.batch, delivery.token);
        let unwanted = self.active.add(held, token);
        let end = delivery.solve(batch, message, &unwanted).await;
        self.active.remove(held, token);
        self.in_flight.clear(index);
        end
    }
}

impl Delivery<'_> {
    async fn solve(mut self, batch: Batch, message: &Message, unwanted: &Notify) -> AckKind {
        let (sender, mut answers) = mpsc::unbounded_channel();
        let puzzles = batch.puzzles.len();
        let (cancel, extent) = (self.cancel.clone(), Arc::clone(&self.extent));
        let memory = Arc::clone(&self.worker.memory);
        let work = Work { batch, memory, cancel, extent, answers: sender };
        if self.worker.solvers.send(work).is_err() {
            return AckKind::Nak(Some(AGAIN_SOON));
        }
        let begun = Instant::now();
        let is_wanted = tokio::select! {
            is_wanted = self.follow(&mut answers, message) => is_wanted,
            () = unwanted.notified() => false,
        };
        if !is_wanted {
            self.cancel.cancel();
            self.extent.cut(0, true);
            // The channel closes when the solver thread is free again.
            while answers.recv().await.is_some() {}
            return AckKind::Term;
        }
        if self.reported + self.pending.len() < puzzles && self.given_back_from.is_none() {
            // The solver thread was stopped early.
            self.given_back_from = Some(self.reported + self.pending.len());
        }
        self.report_until_stored(begun).await
    }

    /// Collects the answers as they come, and reports them. Returns whether the batch is still wanted.
    async fn follow(&mut self, answers: &mut UnboundedReceiver<Solved>, message: &Message) -> bool {
        let mut report = tokio::time::interval(REPORT_INTERVAL);
        let mut progress = tokio::time::interval(PROGRESS_INTERVAL);
        report.tick().await;
        progress.tick().await;
        let mut has_cut = false;
        loop {
            tokio::select! {
                biased;
                solved = answers.recv() => {
                    let Some(solved) = solved else { return true };
                    self.collect(solved);
                    if self.pending.iter().map(size).sum::<usize>() < self.payload_max() / 2 {
                        continue;
                    }
                }
                () = self.worker.stop_requested(), if !has_cut => {
                    has_cut = true;
                    self.cut(false);
                }
                () = self.worker.deadline(), if has_cut => {
                    self.cancel.cancel();
                    self.cut(true);
                    // The search ends, and the channel closes.
                    while answers.recv().await.is_some() {}
                    return true;
                }
                _ = report.tick() => {
                    if self.given_back_from.is_none() {
                        // One puzzle takes long: the others should not wait for it.
                        self.cut(false);
                    }
                    if self.pending.is_empty() && self.is_cut_reported {
                        // `ActiveBatches` reports that the batch is being solved.
                        continue;
                    }
                }
                _ = progress.tick() => {
                    if let (Some(link), Some(to)) = (self.worker.link(), message.reply.clone()) {
                        let _ = link.client.publish(to, AckKind::Progress.into()).await;
                    }
                    continue;
                }
            }
            if matches!(self.report().await, Ok(Reply::Stale | Reply::Refused)) {
                return false;
            }
        }
    }

    fn collect(&mut self, solved: Solved) {
        self.cpu += solved.cpu;
        self.pending.push(solved.answer);
        self.worker.solved.fetch_add(1, Ordering::Relaxed);
    }

    /// Gives back the puzzles that were not begun, and if `ends_too` also the one being solved.
    fn cut(&mut self, ends_too: bool) {
        let so_far = self.reported + self.pending.len();
        self.given_back_from = Some(self.extent.cut(so_far, ends_too));
        self.is_cut_reported = false;
    }

    fn payload_max(&self) -> usize {
        self.worker.link().map_or(usize::MAX, |link| link.payload_max())
    }

    /// Reports the last answers, and retries until the dispatcher stores them.
    async fn report_until_stored(mut self, begun: Instant) -> AckKind {
        let since = Instant::now();
        let until = since + RETRY_MAX;
        loop {
            match self.report().await {
                Ok(Reply::Stored) => {
                    self.worker.succeeded();
                    return AckKind::Ack;
                }
                Ok(Reply::Stale) => return AckKind::Term,
                Ok(Reply::Refused) => {
                    self.worker.failed("answers that the dispatcher rejected");
                    return AckKind::Term;
                }
                // A dispatcher that restarted has another number. One that lost only the broker would be back by now.
                Err(NoReply::Nobody) if since.elapsed() > AGAIN_LATER && begun.elapsed() > AGAIN_LATER => {
                    return AckKind::Term;
                }
                Err(_) if Instant::now() >= until || self.worker.is_overdue() => {
                    warn!("a service could not be reached; it solves its puzzles itself");
                    return AckKind::Term;
                }
                Err(_) => tokio::time::sleep(AGAIN_SOON).await,
            }
        }
    }

    /// Reports the pending answers in as many messages as they need. If there are none, asks whether to begin.
    async fn report(&mut self) -> Result<Reply, NoReply> {
        loop {
            let payload_max = self.payload_max();
            if let Some(first) =
                self.pending.first_mut().filter(|first| size(first) + ENVELOPE_BYTES > payload_max)
            {
                *first = WorkerAnswer::TooLarge;
            }
            let mut bytes = ENVELOPE_BYTES;
            let fits = |answer: &&WorkerAnswer| {
                bytes += size(answer);
                bytes <= payload_max
            };
            let count = self.pending.iter().take_while(fits).count();
            let is_last = count == self.pending.len();
            let part = Part {
                number: self.batch.1,
                worker: self.worker.id,
                token: self.token,
                first: self.reported as u32,
                answers: self.pending[..count].to_vec(),
                cpu: self.cpu,
                given_back_from: self.given_back_from.filter(|_| is_last).map(|from| from as u32),
            };
            let link = self.worker.link().ok_or(NoReply::Silence)?;
            let reply = ask(&link, self.batch.0, &Report::Part(part)).await?;
            self.pending.drain(..count);
            self.reported += count;
            self.cpu = Duration::ZERO;
            if is_last || reply != Reply::Stored {
                self.is_cut_reported = true;
                return Ok(reply);
            }
        }
    }
}

/// Returns an upper bound of the bytes that an answer takes in a message.
fn size(answer: &WorkerAnswer) -> usize {
    match answer {
        WorkerAnswer::Solved { outcome, .. } => outcome.len() + 32,
        WorkerAnswer::Panicked { message } => message.len() + 16,
        WorkerAnswer::TooLarge | WorkerAnswer::Unreadable => 4,
    }
}

/// Sends a report to a dispatcher, and waits for its reply.
///
/// # Errors
/// Fails if no reply comes, or if it cannot be read.
pub async fn ask<R: DeserializeOwned>(link: &Link, dispatcher: u64, report: &Report) -> Result<R, NoReply> {
    let asked = link.client.request(link.subjects.dispatcher(dispatcher), encode(report).into());
    match tokio::time::timeout(REPLY_MAX, asked).await {
        Ok(Ok(reply)) => decode(&reply.payload).ok_or(NoReply::Silence),
        Ok(Err(error)) if error.kind() == async_nats::RequestErrorKind::NoResponders => Err(NoReply::Nobody),
        _ => Err(NoReply::Silence),
    }
}
