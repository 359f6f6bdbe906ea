//! The state that all tasks of a worker share.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_nats::Message;
use async_nats::jetstream::consumer::PullConsumer;
use crossbeam_channel::Sender;
use parking_lot::Mutex;
use tokio::sync::{Notify, RwLock, watch};
use tracing::{debug, warn};

use super::in_flight_file::{ActiveBatches, InFlightFile};
use super::solving::{self, Work};
use crate::broker_link::{BrokerAccess, Link, RETRY_INTERVAL};
use crate::protocol::{Heartbeat, WIRE, own_build, random};
use tabuleiro_jobs::Memory;
use tabuleiro_puzzles::solver::{FREE_BYTES, SHARED_BYTES, format_size};

/// The most bytes that a worker uses besides those of puzzles.
const OWN_BYTES: u64 = 64 << 20;
/// The `memory_limit` of most routes.
const USUAL_BYTES: u64 = 1 << 30;
/// After this many failures in a row a worker pauses for [`REST`].
const FAILURES_MAX: u32 = 3;
const REST: Duration = Duration::from_secs(30);

/// The settings of a worker.
pub struct Setting {
    /// The broker.
    pub access: BrokerAccess,
    /// How many puzzles are solved at the same time.
    pub threads: usize,
    /// Bytes that all puzzles may use together; `None` sets no bound besides their own limits.
    pub memory_bytes: Option<u64>,
    /// How long batches may take after a stop before they are given back.
    pub stop_timeout: Duration,
    /// Whether to end when no batch comes for a while.
    pub once: bool,
    /// The folder in which in-flight batches are recorded.
    pub state: Option<PathBuf>,
}

pub struct Worker {
    /// A random number that identifies this run of the worker.
    pub id: u64,
    pub(super) name: String,
    pub(super) build: String,
    pub(super) setting: Setting,
    pub memory: Arc<Memory>,
    pub solvers: Sender<Work>,
    pub in_flight: InFlightFile,
    pub active: ActiveBatches,
    /// Read-locked while a batch is solved, write-locked for one that travels alone.
    pub gate: RwLock<()>,
    pub solved: AtomicU64,
    /// Becomes true when the worker must stop.
    pub stop: watch::Receiver<bool>,
    pub(super) stopped: Mutex<Option<Instant>>,
    pub(super) connection: watch::Sender<Option<Connection>>,
    /// Notified when the consumer may be gone.
    pub(super) renew: Notify,
    failures: Mutex<(u32, Option<Instant>)>,
    logged_memory_bytes: AtomicU64,
    pub(super) last_batch: Mutex<Instant>,
}

/// A connection and its consumer of batches.
#[derive(Clone)]
pub(super) struct Connection {
    pub(super) link: Link,
    pub(super) consumer: PullConsumer,
}

impl Worker {
    pub(super) fn new(setting: Setting, stop: watch::Receiver<bool>) -> io::Result<Self> {
        let id = random();
        let in_flight = match &setting.state {
            Some(folder) => InFlightFile::open(folder, id, setting.threads).unwrap_or_else(|error| {
                warn!(
                    "cannot write the list of batches in {}: {error}; if this process dies, no service learns of it",
                    folder.display()
                );
                InFlightFile::default()
            }),
            None => InFlightFile::default(),
        };
        let memory = Memory::unlimited();
        if let Some(bytes) = setting.memory_bytes {
            // Whole MiB are easier to read.
            let (permits, puzzle_bytes_max) = grant(bytes, setting.threads);
            let puzzle_bytes_max = (puzzle_bytes_max >> 20 << 20).max(FREE_BYTES);
            memory.set(permits, puzzle_bytes_max);
            debug!(
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
            build: own_build()?,
            memory: Arc::new(memory),
            solvers: solving::start(setting.threads)?,
            setting,
            in_flight,
            active: ActiveBatches::default(),
            gate: RwLock::new(()),
            solved: AtomicU64::new(0),
            stop,
            stopped: Mutex::new(None),
            connection: watch::channel(None).0,
            renew: Notify::new(),
            failures: Mutex::new((0, None)),
            logged_memory_bytes: AtomicU64::new(0),
            last_batch: Mutex::new(Instant::now()),
        })
    }

    /// Waits while the worker pauses after failures.
    pub(super) async fn wait_out_pause(&self) {
        let until = self.failures.lock().1;
        if let Some(until) = until {
            tokio::time::sleep_until(until.into()).await;
            self.failures.lock().1.take_if(|until| *until <= Instant::now());
        }
    }

    /// Counts a failed batch. After several in a row the worker pauses: often this machine or program is the cause.
    pub fn failed(&self, what: &str) {
        let mut failures = self.failures.lock();
        failures.0 += 1;
        if failures.0 >= FAILURES_MAX {
            *failures = (0, Some(Instant::now() + REST));
            warn!(
                "{FAILURES_MAX} batches in a row failed, the last one because of {what}; pausing for {REST:?}"
            );
        }
    }

    pub fn succeeded(&self) {
        self.failures.lock().0 = 0;
    }

    /// Logs that a batch was refused because its puzzles may use too much memory. Logs each new maximum once.
    pub fn refuses_memory(&self, bytes: u64) {
        if self.logged_memory_bytes.fetch_max(bytes, Ordering::Relaxed) < bytes {
            warn!(
                memory_limit = format_size(bytes),
                a_puzzle = format_size(self.memory.puzzle_bytes_max()),
                "puzzles with a memory_limit of {} are refused: raise workers.memory_limit here, or lower the route's memory_limit",
                format_size(bytes),
            );
        }
    }

    /// Returns the connection if it is up.
    pub fn link(&self) -> Option<Link> {
        self.connection.borrow().as_ref().map(|connection| connection.link.clone())
    }

    pub fn is_stopping(&self) -> bool {
        *self.stop.borrow()
    }

    /// Waits until the worker must stop.
    pub async fn stop_requested(&self) {
        let mut stop = self.stop.clone();
        if stop.wait_for(|stop| *stop).await.is_err() {
            // The sender is gone, so no stop can come any more.
            std::future::pending::<()>().await;
        }
    }

    /// Returns whether `stop_timeout` is over.
    pub fn is_overdue(&self) -> bool {
        self.stopped.lock().is_some_and(|stopped| stopped.elapsed() >= self.setting.stop_timeout)
    }

    /// Waits until `stop_timeout` is over.
    pub async fn deadline(&self) {
        let stopped = *self.stopped.lock();
        let until = stopped.unwrap_or_else(Instant::now) + self.setting.stop_timeout;
        tokio::time::sleep_until(until.into()).await;
    }

    fn heartbeat(&self, is_leaving: bool) -> Heartbeat {
        Heartbeat {
            worker: self.id,
            name: self.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build: self.build.clone(),
            wire: WIRE,
            threads: self.setting.threads as u32,
            busy: self.active.count() as u32,
            solved: self.solved.load(Ordering::Relaxed),
            memory_bytes: self.memory.puzzle_bytes_max(),
            is_resting: self.failures.lock().1.is_some() || self.is_stopping(),
            is_leaving,
        }
    }

    /// Sends a heartbeat.
    pub(super) async fn send_heartbeat(&self, is_leaving: bool) {
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
            None => self.send_heartbeat(false).await,
        }
    }
}

/// Returns how many puzzles may use much memory at the same time, and how many bytes each, out of `bytes` in all.
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
