//! The thread of the dispatcher: connects to the broker, and reconnects when the connection is lost.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::watch;
use tracing::{info, warn};

use super::batch_ledger::BatchLedger;
use super::broker_session::Session;
use super::worker_registry::WorkerRegistry;
use crate::broker_link::{BrokerAccess, LinkError, OutageLog, RETRY_INTERVAL};
use crate::protocol::{Subjects, own_build, random};
use tabuleiro_jobs::{Guests, RemoteFacts};

/// The dispatcher, on a thread of its own.
pub struct Dispatcher {
    facts: Arc<Mutex<RemoteFacts>>,
    stop: watch::Sender<bool>,
    thread: JoinHandle<()>,
}

impl Dispatcher {
    /// Starts the thread. `guests` gives access to the lists of the pool, which has `threads` threads. A puzzle waits
    /// for one of them for `patience` before it may travel. `tell` is called when the connection or a worker comes or
    /// goes, and must not block.
    ///
    /// # Errors
    /// Fails if the thread cannot be started, or if the program's file cannot be read.
    pub fn start(
        access: BrokerAccess,
        guests: Arc<Guests>,
        threads: usize,
        patience: Duration,
        tell: impl Fn() + Send + 'static,
    ) -> io::Result<Self> {
        let build = own_build()?;
        let broker = access.shown();
        let facts = RemoteFacts { broker, build: build.clone(), ..RemoteFacts::default() };
        let facts = Arc::new(Mutex::new(facts));
        let dispatcher = DispatcherState {
            guests: Arc::clone(&guests),
            number: random(),
            threads,
            patience,
            ledger: BatchLedger::new(guests),
            registry: WorkerRegistry::new(&build),
            access,
            build,
            facts: Arc::clone(&facts),
            tell: Box::new(tell),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = watch::channel(false);
        let run = move || {
            runtime.block_on(dispatcher.run(stopped));
            // Do not wait for a host name that is still being looked up.
            runtime.shutdown_background();
        };
        let thread = std::thread::Builder::new().name("remote".to_owned()).spawn(run)?;
        Ok(Self { facts, stop, thread })
    }

    /// Returns the state of the connection and the workers.
    pub fn facts(&self) -> RemoteFacts {
        self.facts.lock().clone()
    }

    /// Ends the thread. Puzzles in flight go back to their lists.
    pub fn end(self) {
        self.stop.send_replace(true);
        // A panic of the thread is in the log.
        let _ = self.thread.join();
    }
}

/// The state that outlives a connection.
pub struct DispatcherState {
    /// Gives access to the pool's lists.
    pub guests: Arc<Guests>,
    /// The number of this dispatcher.
    pub number: u64,
    pub threads: usize,
    /// How long a puzzle waits for a thread of the pool before it may travel.
    pub patience: Duration,
    pub ledger: BatchLedger,
    pub registry: WorkerRegistry,
    pub access: BrokerAccess,
    /// The build that workers must have.
    pub build: String,
    /// Read by the status.
    pub facts: Arc<Mutex<RemoteFacts>>,
    pub tell: Box<dyn Fn() + Send>,
}

impl DispatcherState {
    /// Connects, and reconnects, until the program ends.
    async fn run(mut self, mut stopped: watch::Receiver<bool>) {
        let mut outage = OutageLog::default();
        loop {
            let trouble = tokio::select! {
                biased;
                _ = stopped.wait_for(|stopped| *stopped) => break,
                Err(trouble) = self.connected(&mut outage) => trouble,
            };
            self.lost(&trouble.to_string());
            if outage.is_new(&trouble) {
                warn!(name: "broker-lost", broker = self.access.shown(), reason = %trouble, "broker lost");
            }
            tokio::select! {
                biased;
                _ = stopped.wait_for(|stopped| *stopped) => break,
                () = tokio::time::sleep(RETRY_INTERVAL) => {}
            }
        }
        self.lost("the service ends");
    }

    /// Connects once, and shares puzzles until the connection is lost. Returns why it was lost or could not be made.
    async fn connected(&mut self, outage: &mut OutageLog) -> Result<Infallible, LinkError> {
        let name = format!("tabuleiro intake {:016x}", self.number);
        let inbox = Subjects::of(&self.access.stream).inbox("intake");
        let link = self.access.connect(&name, &inbox).await?;
        let mut session = Session::begin(link, self).await.map_err(LinkError::Refused)?;
        info!(name: "broker-connected", broker = self.access.shown(), build = %self.build, "connected to the broker");
        outage.end();
        Err(LinkError::Down(session.run(self).await))
    }

    /// Takes all batches back after the connection was lost.
    pub fn lost(&mut self, trouble: &str) {
        self.guests.set_seats(0);
        self.registry.forget();
        self.ledger.take_all_back(Instant::now());
        self.note_facts(Some(trouble));
    }

    /// Updates the facts for the status; `trouble` says why there is no connection.
    pub fn note_facts(&self, trouble: Option<&str>) {
        let (waiting, held) = self.ledger.under_way();
        let mut facts = self.facts.lock();
        let before = (facts.is_connected, facts.help());
        facts.is_connected = trouble.is_none();
        facts.trouble = trouble.map(str::to_owned);
        facts.workers = self.registry.facts(Instant::now());
        (facts.waiting, facts.in_flight) = (waiting as u64, held as u64);
        facts.counts = self.ledger.counts;
        let after = (facts.is_connected, facts.help());
        drop(facts);
        if after != before {
            (self.tell)();
        }
    }
}
