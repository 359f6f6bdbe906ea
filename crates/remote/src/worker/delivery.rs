//! One parcel, from the pull to the acknowledgement.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use async_nats::Message;
use async_nats::jetstream::AckKind;
use tokio::sync::Notify;
use tokio::sync::mpsc::{self, UnboundedReceiver};
use tracing::warn;

use super::asking::{NotTold, REPLY_MAX, ask};
use super::solving::{Extent, Solved, Work};
use super::state::Worker;
use crate::protocol::{Answer, Parcel, Part, Reply, Report, decode, random};
use tabuleiro_puzzles::solver::Cancel;

/// Time between two reports of answers; the first one gives the puzzles back that wait in the parcel.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);
/// Time between two words to the broker that it is being solved: a third of what the broker waits.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);
/// How long answers are offered that the intake does not take.
const OFFER_MAX: Duration = Duration::from_secs(20);
/// Bytes of a message beside the answers.
const ENVELOPE_BYTES: usize = 1024;
/// When a parcel may be delivered again whose intake is not there, and one for which this machine has no memory.
const AGAIN_LATER: Duration = Duration::from_secs(5);
const AGAIN_SOON: Duration = Duration::from_millis(200);
/// Deliveries after which the intake of a parcel is taken to be gone for ever.
const DELIVERIES_MAX: i64 = 3;

/// A parcel that is being solved.
struct Delivery<'a> {
    worker: &'a Worker,
    parcel: (u64, u64),
    token: u64,
    extent: Arc<Extent>,
    cancel: Cancel,
    /// Answers that were not reported yet, behind so many that were.
    pending: Vec<Answer>,
    reported: usize,
    cpu: Duration,
    given_back_from: Option<usize>,
    /// Whether the intake knows of that.
    is_cut_told: bool,
    /// Bytes of the answers that wait.
    bytes: usize,
}

/// What the broker is told of a parcel in the end.
enum End {
    Ack,
    Term,
    Again(Duration),
}

impl Worker {
    /// Solves what came, with the thread of that index, and tells the broker what became of it.
    pub async fn deliver(&self, message: Message, index: usize) {
        let end = self.answer(&message, index).await;
        let Some(to) = message.reply else { return };
        let kind = match end {
            End::Ack => AckKind::Ack,
            End::Term => AckKind::Term,
            End::Again(after) => AckKind::Nak(Some(after)),
        };
        // Where that fails it is delivered once more, and the intake says that it is stale.
        if let Some(link) = self.link() {
            if matches!(kind, AckKind::Ack) {
                let asked = link.client.request(to, kind.into());
                let _ = tokio::time::timeout(REPLY_MAX, asked).await;
            } else {
                let _ = link.client.publish(to, kind.into()).await;
            }
        }
    }

    async fn answer(&self, message: &Message, index: usize) -> End {
        let Some(parcel) = decode::<Parcel>(&message.payload) else {
            self.failed("a parcel that cannot be read");
            return End::Term;
        };
        if parcel.memory_bytes > self.memory.puzzle_bytes_max() {
            self.refuses_memory(parcel.memory_bytes);
            return End::Again(AGAIN_SOON);
        }
        // Whoever waits for the others to end lets none begin.
        let (_together, _alone);
        if parcel.alone {
            _alone = self.gate.write().await;
        } else {
            _together = self.gate.read().await;
        }
        if self.is_stopping() {
            return End::Again(Duration::ZERO);
        }
        let mut delivery = Delivery {
            worker: self,
            parcel: (parcel.intake, parcel.number),
            token: random(),
            extent: Arc::new(Extent::of(parcel.puzzles.len())),
            cancel: Cancel::default(),
            pending: Vec::new(),
            reported: 0,
            cpu: Duration::ZERO,
            given_back_from: None,
            is_cut_told: true,
            bytes: 0,
        };
        match delivery.report().await {
            Ok(Reply::Stored) => {}
            Ok(Reply::Stale) => return End::Term,
            Ok(Reply::Refused) => {
                self.failed("an intake that does not understand it");
                return End::Term;
            }
            Err(NotTold::Nobody) if deliveries(message) >= DELIVERIES_MAX => return End::Term,
            Err(NotTold::Nobody) => return End::Again(AGAIN_LATER),
            Err(NotTold::Silence) => return End::Again(AGAIN_SOON),
        }
        self.hands.take(index, parcel.intake, parcel.number);
        let (held, token) = (delivery.parcel, delivery.token);
        let unwanted = self.held.take(held, token);
        self.busy.fetch_add(1, Ordering::Relaxed);
        let end = delivery.solve(parcel, message, &unwanted).await;
        self.busy.fetch_sub(1, Ordering::Relaxed);
        self.held.put_down(held, token);
        self.hands.put_down(index);
        end
    }
}

impl Delivery<'_> {
    async fn solve(mut self, parcel: Parcel, message: &Message, unwanted: &Notify) -> End {
        let (sender, mut answers) = mpsc::unbounded_channel();
        let puzzles = parcel.puzzles.len();
        let (cancel, extent) = (self.cancel.clone(), Arc::clone(&self.extent));
        let memory = Arc::clone(&self.worker.memory);
        let work = Work { parcel, memory, cancel, extent, answers: sender };
        if self.worker.solvers.send(work).is_err() {
            return End::Again(AGAIN_SOON);
        }
        let begun = Instant::now();
        let is_wanted = tokio::select! {
            is_wanted = self.follow(&mut answers, message) => is_wanted,
            () = unwanted.notified() => false,
        };
        if !is_wanted {
            self.cancel.cancel();
            self.extent.cut(0, true);
            // Its thread is free again when the answers end.
            while answers.recv().await.is_some() {}
            return End::Term;
        }
        if self.reported + self.pending.len() < puzzles && self.given_back_from.is_none() {
            // The thread has ended early, because it was told to.
            self.given_back_from = Some(self.reported + self.pending.len());
        }
        self.offer(begun).await
    }

    /// Takes the answers as they come, and reports. Says whether somebody wants them.
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
                    self.take(solved);
                    if self.bytes < self.payload_max() / 2 {
                        continue;
                    }
                }
                () = self.worker.told_to_stop(), if !has_cut => {
                    has_cut = true;
                    self.cut(false);
                }
                () = self.worker.deadline(), if has_cut => {
                    self.cancel.cancel();
                    self.cut(true);
                    // What is being solved ends, and the answers with it.
                    while answers.recv().await.is_some() {}
                    return true;
                }
                _ = report.tick() => {
                    if self.given_back_from.is_none() {
                        // One puzzle takes long: the others need not wait for it.
                        self.cut(false);
                    }
                    if self.pending.is_empty() && self.is_cut_told {
                        // That it is being solved is said of all parcels together.
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

    fn take(&mut self, solved: Solved) {
        self.bytes += size(&solved.answer);
        self.cpu += solved.cpu;
        self.pending.push(solved.answer);
        self.worker.solved.fetch_add(1, Ordering::Relaxed);
    }

    /// Gives back what is not begun, and what is being solved where that `ends_too`.
    fn cut(&mut self, ends_too: bool) {
        let so_far = self.reported + self.pending.len();
        self.given_back_from = Some(self.extent.cut(so_far, ends_too));
        self.is_cut_told = false;
    }

    fn payload_max(&self) -> usize {
        self.worker.link().map_or(usize::MAX, |link| link.payload_max())
    }

    /// Offers the last answers until the intake takes them.
    async fn offer(mut self, begun: Instant) -> End {
        let since = Instant::now();
        let until = since + OFFER_MAX;
        loop {
            match self.report().await {
                Ok(Reply::Stored) => {
                    self.worker.succeeded();
                    return End::Ack;
                }
                Ok(Reply::Stale) => return End::Term,
                Ok(Reply::Refused) => {
                    self.worker.failed("answers that the intake does not understand");
                    return End::Term;
                }
                // It does not come back under its number, unless the broker was away for a moment.
                Err(NotTold::Nobody) if since.elapsed() > AGAIN_LATER && begun.elapsed() > AGAIN_LATER => {
                    return End::Term;
                }
                Err(_) if Instant::now() >= until || self.worker.is_overdue() => {
                    warn!("an intake could not be reached; it solves the puzzles itself");
                    return End::Term;
                }
                Err(_) => tokio::time::sleep(AGAIN_SOON).await,
            }
        }
    }

    /// Reports the answers that wait, in as many messages as they need; without any it asks whether to begin.
    async fn report(&mut self) -> Result<Reply, NotTold> {
        loop {
            let payload_max = self.payload_max();
            if let Some(first) =
                self.pending.first_mut().filter(|first| size(first) + ENVELOPE_BYTES > payload_max)
            {
                *first = Answer::TooLarge;
            }
            let mut bytes = ENVELOPE_BYTES;
            let fits = |answer: &&Answer| {
                bytes += size(answer);
                bytes <= payload_max
            };
            let count = self.pending.iter().take_while(fits).count();
            let is_last = count == self.pending.len();
            let part = Part {
                number: self.parcel.1,
                worker: self.worker.id,
                token: self.token,
                first: self.reported as u32,
                answers: self.pending[..count].to_vec(),
                cpu: self.cpu,
                given_back_from: self.given_back_from.filter(|_| is_last).map(|from| from as u32),
            };
            let reply = self.ask(Report::Part(part)).await?;
            self.pending.drain(..count);
            self.reported += count;
            self.cpu = Duration::ZERO;
            if is_last || reply != Reply::Stored {
                self.is_cut_told = true;
                self.bytes = 0;
                return Ok(reply);
            }
        }
    }

    async fn ask(&self, report: Report) -> Result<Reply, NotTold> {
        let link = self.worker.link().ok_or(NotTold::Silence)?;
        ask(&link, self.parcel.0, &report).await
    }
}

/// Bytes of an answer in a message, at most.
fn size(answer: &Answer) -> usize {
    match answer {
        Answer::Solved { outcome, .. } => outcome.len() + 32,
        Answer::Panicked { message } => message.len() + 16,
        Answer::TooLarge | Answer::Unreadable => 4,
    }
}

/// How often a message was delivered, by the subject on which it is acknowledged.
fn deliveries(message: &Message) -> i64 {
    let subject = message.reply.as_ref().map_or("", |reply| reply.as_str());
    let tokens: Vec<_> = subject.split('.').collect();
    // `$JS.ACK.<stream>.<consumer>.<delivered>…`, or with domain and account behind `ACK`.
    let at = if tokens.len() > 9 { 6 } else { 4 };
    tokens.get(at).and_then(|delivered| delivered.parse().ok()).unwrap_or(1)
}
