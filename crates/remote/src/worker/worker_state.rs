//! The state that all tasks of a worker share.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::Message;
use async_nats::jetstream::consumer::PullConsumer;
use crossbeam_channel::Sender;
use tokio::sync::{Notify, RwLock, watch};
use tracing::{info, warn};

use super::active_batches::ActiveBatches;
use super::in_flight_file::InFlightFile;
use super::solving::{self, Work};
use crate::broker_link::{Access, Link, RETRY_INTERVAL};
use crate::protocol::{Build, Heartbeat, WIRE, random};
use tabuleiro_jobs::Memory;
use tabuleiro_puzzles::solver::{FREE_BYTES, SHARED_BYTES, format_size};

/// Bytes that a worker itself uses at most.
const OWN_BYTES: u64 = 64 << 20;
/// The `memory_limit` of most routes.
const USUAL_BYTES: u64 = 1 << 30;
/// After so many failures in a row a worker pauses for [`REST`].
const FAILURES_MAX: u32 = 3;
const REST: Duration = Duration::from_secs(30);

/// What a worker needs.
pub struct Setting {
    /// The broker.
    pub access: Access,
    /// Puzzles that it solves at a time.
    pub threads: usize,
    /// Bytes that all puzzles may use together; `None`: no bound beside their own limits.
    pub memory_bytes: Option<u64>,
    /// How long batches may take after a stop before they are given back.
    pub stop_timeout: Duration,
    /// End when no batch came for a while.
    pub once: bool,
    /// The folder in which in-flight batches are recorded.
    pub state: Option<PathBuf>,
}

pub struct Worker {
    /// A random number.
    pub id: u64,
    pub(super) name: String,
    pub(super) build: Build,
    pub(super) threads: usize,
    stop_timeout: Duration,
    pub memory: Arc<Memory>,
    pub solvers: Sender<Work>,
    pub in_flight: InFlightFile,
    pub active: ActiveBatches,
    /// Read-locked while a batch is solved, write-locked for one that travels alone.
    pub gate: RwLock<()>,
    /// Puzzles that are being solved.
    pub busy: AtomicU32,
    pub solved: AtomicU64,
    /// Becomes true when the worker is to end.
    pub stop: watch::Receiver<bool>,
    pub(super) stopped: Mutex<Option<Instant>>,
    pub(super) line: watch::Sender<Option<Line>>,
    /// Notified when the consumer is gone.
    pub(super) renew: Notify,
    failures: Mutex<(u32, Option<Instant>)>,
    told_memory: Mutex<u64>,
    pub(super) heard: Mutex<Instant>,
}

/// A connection, and the consumer of its batches.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) link: Link,
    pub(super) consumer: PullConsumer,
}

impl Worker {
    pub(super) fn new(setting: &Setting, stop: watch::Receiver<bool>) -> io::Result<Self> {
        let id = random();
        let in_flight = match &setting.state {
            Some(folder) => InFlightFile::open(folder, id, setting.threads).unwrap_or_else(|error| {
                warn!(
                    "cannot note what is in hand in {}: {error}; a death is not told to the intakes",
                    folder.display()
                );
                InFlightFile::default()
            }),
            None => InFlightFile::default(),
        };
        let memory = Memory::unlimited(setting.threads);
        if let Some(bytes) = setting.memory_bytes {
            // Whole MiB are easier to read.
            let (permits, puzzle_bytes_max) = grant(bytes, setting.threads);
            let puzzle_bytes_max = (puzzle_bytes_max >> 20 << 20).max(FREE_BYTES);
            memory.set(permits, puzzle_bytes_max);
            info!(
                memory_limit = format_size(bytes >> 20 << 20),
                a_puzzle = format_size(puzzle_bytes_max),
                large_puzzles_at_a_time = permits,
                "memory of puzzles"
            );
        }
        let host = rustix::system::uname();
        let host = tabuleiro_puzzles::input::printable(host.nodename().to_bytes(), 40);
        Ok(Self {
            id,
            name: format!("{host}/{}", std::process::id()),
            build: Build::own()?,
            threads: setting.threads,
            stop_timeout: setting.stop_timeout,
            memory: Arc::new(memory),
            solvers: solving::start(setting.threads)?,
            in_flight,
            active: ActiveBatches::default(),
            gate: RwLock::new(()),
            busy: AtomicU32::new(0),
            solved: AtomicU64::new(0),
            stop,
            stopped: Mutex::new(None),
            line: watch::channel(None).0,
            renew: Notify::new(),
            failures: Mutex::new((0, None)),
            told_memory: Mutex::new(0),
            heard: Mutex::new(Instant::now()),
        })
    }

    /// Waits while the worker pauses after failures.
    pub(super) async fn rest(&self) {
        let until = lock(&self.failures).1;
        if let Some(until) = until {
            tokio::time::sleep_until(until.into()).await;
            lock(&self.failures).1.take_if(|until| *until <= Instant::now());
        }
    }

    /// Counts a batch that failed, often because of this machine or program.
    pub fn failed(&self, what: &str) {
        let mut failures = lock(&self.failures);
        failures.0 += 1;
        if failures.0 >= FAILURES_MAX {
            *failures = (0, Some(Instant::now() + REST));
            warn!(
                "{FAILURES_MAX} parcels in a row came to nothing, the last one because of {what}; resting for {REST:?}"
            );
        }
    }

    pub fn succeeded(&self) {
        lock(&self.failures).0 = 0;
    }

    /// Logs once that a batch was refused because its puzzles may use too much memory.
    pub fn refuses_memory(&self, bytes: u64) {
        let mut told = lock(&self.told_memory);
        if bytes > *told {
            *told = bytes;
            warn!(
                memory_limit = format_size(bytes),
                a_puzzle = format_size(self.memory.puzzle_bytes_max()),
                "puzzles of that memory_limit are refused: raise workers.memory_limit here, or lower memory_limit of the route"
            );
        }
    }

    /// Returns the connection if it is up.
    pub fn link(&self) -> Option<Link> {
        self.line.borrow().as_ref().map(|line| line.link.clone())
    }

    pub fn is_stopping(&self) -> bool {
        *self.stop.borrow()
    }

    /// Waits until the worker is to end.
    pub async fn told_to_stop(&self) {
        let mut stop = self.stop.clone();
        if stop.wait_for(|stop| *stop).await.is_err() {
            // Nobody can stop the worker any more.
            std::future::pending::<()>().await;
        }
    }

    /// Returns whether `stop_timeout` is over.
    pub fn is_overdue(&self) -> bool {
        lock(&self.stopped).is_some_and(|stopped| stopped.elapsed() >= self.stop_timeout)
    }

    /// Waits until `stop_timeout` is over.
    pub async fn deadline(&self) {
        let stopped = *lock(&self.stopped);
        let until = stopped.unwrap_or_else(Instant::now) + self.stop_timeout;
        tokio::time::sleep_until(until.into()).await;
    }

    fn heartbeat(&self, is_leaving: bool) -> Heartbeat {
        Heartbeat {
            worker: self.id,
            name: self.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build: self.build.to_string(),
            wire: WIRE,
            threads: self.threads as u32,
            busy: self.busy.load(Ordering::Relaxed),
            solved: self.solved.load(Ordering::Relaxed),
            memory_bytes: self.memory.puzzle_bytes_max(),
            is_resting: lock(&self.failures).1.is_some() || self.is_stopping(),
            is_leaving,
        }
    }

    /// Sends a heartbeat.
    pub(super) async fn beat(&self, is_leaving: bool) {
        if let Some(link) = self.link() {
            let beat = self.heartbeat(is_leaving).write();
            let _ = link.client.publish(link.subjects.worker(Some(self.id)), beat.into()).await;
            if is_leaving {
                let _ = tokio::time::timeout(RETRY_INTERVAL, link.client.flush()).await;
            }
        }
    }

    pub(super) async fn answer_who(&self, question: Message) {
        let Some(link) = self.link() else { return };
        match question.reply {
            Some(to) => drop(link.client.publish(to, self.heartbeat(false).write().into()).await),
            None => self.beat(false).await,
        }
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns how many puzzles may use much memory at a time, and how much each, if all threads together may use `bytes`.
fn grant(bytes: u64, threads: usize) -> (usize, u64) {
    let threads = threads.max(1) as u64;
    let free = FREE_BYTES;
    let room = bytes.saturating_sub(OWN_BYTES + SHARED_BYTES + free * threads).max(free);
    let each = (room / threads).max(USUAL_BYTES).min(room);
    let permits = (room / each).clamp(1, threads);
    (permits as usize, each)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    #[test]
    fn memory_is_granted_within_what_there_is() {
        assert_eq!(grant(18 * GIB, 2), (2, (18 * GIB - (208 << 20)) / 2));
        assert_eq!(grant(6 * GIB, 8), (5, GIB));
        let (permits, each) = grant(GIB / 2, 8);
        assert!(permits == 1 && each < GIB / 2, "{each}");
        for threads in [1, 3, 8, 64] {
            for bytes in [GIB / 4, GIB, 7 * GIB, 100 * GIB] {
                let (permits, each) = grant(bytes, threads);
                assert!((permits as u64) * each <= bytes, "{bytes} {threads}");
            }
        }
    }
}
