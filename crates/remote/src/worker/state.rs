//! What all tasks of a worker share.

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

use super::at_work::Held;
use super::hands::Hands;
use super::memory::grant;
use super::solving::{self, Work};
use crate::link::{Access, Link, RETRY_INTERVAL};
use crate::protocol::{Build, Heartbeat, WIRE, random};
use tabuleiro_jobs::Memory;
use tabuleiro_puzzles::solver::{FREE_BYTES, format_size};

/// After so many failures in a row a worker rests for a while.
const FAILURES_MAX: u32 = 3;
const REST: Duration = Duration::from_secs(30);

/// What a worker works with.
pub struct Setting {
    /// The broker.
    pub access: Access,
    /// Puzzles that it solves at a time.
    pub threads: usize,
    /// Bytes that all of them may use together; `None`: as many as each may use.
    pub memory_bytes: Option<u64>,
    /// How long what is in hand may take after a stop before it is given back.
    pub stop_timeout: Duration,
    /// It ends when there has been nothing for a while.
    pub once: bool,
    /// Where it notes what it has in hand.
    pub state: Option<PathBuf>,
}

/// What all tasks of a worker share.
pub struct Worker {
    /// A number of its own.
    pub id: u64,
    pub(super) name: String,
    pub(super) build: Build,
    pub(super) threads: usize,
    stop_timeout: Duration,
    /// The memory that its threads share.
    pub memory: Arc<Memory>,
    /// Who solves.
    pub solvers: Sender<Work>,
    /// What it has in hand, for its next start.
    pub hands: Hands,
    /// The same, for their intakes.
    pub held: Held,
    /// Those who solve a parcel hold it; who is to solve alone, alone.
    pub gate: RwLock<()>,
    /// Puzzles that are being solved, and those that were.
    pub busy: AtomicU32,
    /// Puzzles solved.
    pub solved: AtomicU64,
    /// It is to end.
    pub stop: watch::Receiver<bool>,
    pub(super) stopped: Mutex<Option<Instant>>,
    pub(super) line: watch::Sender<Option<Line>>,
    /// The consumer is gone.
    pub(super) renew: Notify,
    failures: Mutex<(u32, Option<Instant>)>,
    told_memory: Mutex<u64>,
    pub(super) heard: Mutex<Instant>,
}

/// A connection with what parcels are pulled by.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) link: Link,
    pub(super) consumer: PullConsumer,
}

impl Worker {
    pub(super) fn new(setting: &Setting, stop: watch::Receiver<bool>) -> io::Result<Self> {
        let id = random();
        let hands = match &setting.state {
            Some(folder) => Hands::open(folder, id, setting.threads).unwrap_or_else(|error| {
                warn!(
                    "cannot note what is in hand in {}: {error}; a death is not told to the intakes",
                    folder.display()
                );
                Hands::default()
            }),
            None => Hands::default(),
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
            hands,
            held: Held::default(),
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

    /// Waits while it rests.
    pub(super) async fn rest(&self) {
        let until = lock(&self.failures).1;
        if let Some(until) = until {
            tokio::time::sleep_until(until.into()).await;
            lock(&self.failures).1.take_if(|until| *until <= Instant::now());
        }
    }

    /// A parcel could not be dealt with, as often as not because of this machine or program.
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

    /// A parcel was answered.
    pub fn succeeded(&self) {
        lock(&self.failures).0 = 0;
    }

    /// Says once that a puzzle may use more memory than there is for one.
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

    /// The connection, while it is there.
    pub fn link(&self) -> Option<Link> {
        self.line.borrow().as_ref().map(|line| line.link.clone())
    }

    /// Whether it is to end.
    pub fn is_stopping(&self) -> bool {
        *self.stop.borrow()
    }

    /// Waits until it is to end.
    pub async fn told_to_stop(&self) {
        let mut stop = self.stop.clone();
        if stop.wait_for(|stop| *stop).await.is_err() {
            // Whoever could tell it is gone.
            std::future::pending::<()>().await;
        }
    }

    /// Whether the time is over that what is in hand may take after a stop.
    pub fn is_overdue(&self) -> bool {
        lock(&self.stopped).is_some_and(|stopped| stopped.elapsed() >= self.stop_timeout)
    }

    /// Waits until that time is over.
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

    /// Tells whoever listens that it is there, or leaves.
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
