//! The thread that shares puzzles: it connects, and connects again when the broker is gone.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::watch;
use tracing::{info, warn};

use super::crew::Crew;
use super::ledger::Ledger;
use super::packing::Packing;
use super::session::Session;
use super::state::Intake;
use crate::link::{Access, LinkError, RETRY_INTERVAL, Told};
use crate::protocol::{Build, Subjects, random};
use tabuleiro_jobs::Guests;
use tabuleiro_jobs::RemoteFacts;

/// What an intake works with.
pub struct Setting {
    /// The broker.
    pub access: Access,
    /// Where puzzles are drawn.
    pub guests: Arc<Guests>,
    /// The threads of the pool.
    pub threads: usize,
    /// How long a puzzle waits for them before it may travel.
    pub patience: Duration,
    /// Called when the connection or a worker came or went; never waits.
    pub tell: Box<dyn Fn() + Send>,
}

/// The intake's side, at work on a thread of its own.
pub struct Remote {
    facts: Arc<Mutex<RemoteFacts>>,
    stop: watch::Sender<bool>,
    thread: JoinHandle<()>,
}

impl Remote {
    /// Starts to share puzzles.
    ///
    /// # Errors
    /// When the thread cannot be started, or the program cannot be read.
    pub fn start(setting: Setting) -> io::Result<Self> {
        let Setting { access, guests, threads, patience, tell } = setting;
        let build = Build::own()?;
        let broker = access.shown();
        let facts = RemoteFacts { broker, build: build.to_string(), ..RemoteFacts::default() };
        let facts = Arc::new(Mutex::new(facts));
        let intake = Intake {
            packing: Packing { guests: Arc::clone(&guests), intake: random(), threads, patience },
            ledger: Ledger::new(guests),
            crew: Crew::new(&build),
            access,
            build,
            facts: Arc::clone(&facts),
            tell,
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = watch::channel(false);
        let run = move || {
            runtime.block_on(intake.run(stopped));
            // A name that is still being looked up is not waited for.
            runtime.shutdown_background();
        };
        let thread = std::thread::Builder::new().name("remote".to_owned()).spawn(run)?;
        Ok(Self { facts, stop, thread })
    }

    /// How it is.
    #[must_use]
    pub fn facts(&self) -> RemoteFacts {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Ends it; what is under way goes back to its lists.
    pub fn end(self) {
        self.stop.send_replace(true);
        // A panic is in the log.
        let _ = self.thread.join();
    }
}

impl Intake {
    /// Connects, and connects again, until it is told to stop.
    async fn run(mut self, mut stopped: watch::Receiver<bool>) {
        let mut told = Told::default();
        loop {
            let trouble = tokio::select! {
                biased;
                _ = stopped.wait_for(|stopped| *stopped) => break,
                trouble = self.connected(&mut told) => trouble,
            };
            self.lost(&trouble.to_string());
            if told.is_new(&trouble) {
                warn!(name: "broker-lost", broker = self.access.shown(), "{trouble}; all puzzles are solved here until it is back");
            }
            tokio::select! {
                biased;
                _ = stopped.wait_for(|stopped| *stopped) => break,
                () = tokio::time::sleep(RETRY_INTERVAL) => {}
            }
        }
        self.lost("the service ends");
    }

    /// Connects once, and shares puzzles until the connection is lost. Says why it was, or could not be made.
    async fn connected(&mut self, told: &mut Told) -> LinkError {
        let name = format!("tabuleiro intake {:016x}", self.packing.intake);
        let inbox = Subjects::of(&self.access.stream).intake_inbox();
        let link = match self.access.connect(&name, &inbox).await {
            Ok(link) => link,
            Err(error) => return error,
        };
        let mut session = match Session::begin(link, self).await {
            Ok(session) => session,
            Err(trouble) => return LinkError::Unusable(trouble),
        };
        info!(name: "broker-connected", broker = self.access.shown(), build = %self.build, "connected to the broker");
        told.end();
        LinkError::Lost(session.run(self).await)
    }
}
