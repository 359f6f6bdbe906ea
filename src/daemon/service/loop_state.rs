//! What the loop owns, what can happen to it, and what it is started with.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use time::OffsetDateTime;
use tokio::sync::{mpsc, oneshot};

use crate::config::Config;
use crate::daemon::answering::answerer::Answerer;
use crate::daemon::answering::job_progress::Busy;
use crate::daemon::answering::pending_publication::PendingPublication;
use crate::daemon::answering::quarantine::Quarantine;
use crate::daemon::answering::schedule::{ONCE_TRIES_MAX, Schedule};
use crate::daemon::base::job_tally::Tally;
use crate::daemon::claims::recovery::RecoverError;
use crate::daemon::fs::service_folders::{FolderError, Folders, WorkLock};
use crate::daemon::inspect::page::Facts;
use crate::daemon::inspect::snapshot::Snapshot;
use crate::daemon::inspect::why::Live;
use crate::daemon::intake::{self, Command, Message};
use crate::daemon::records::history::History;
use crate::daemon::service::asked::QueryServers;
use crate::daemon::service::dispatcher::Dispatcher;
use crate::daemon::service::job_threads::{Threads, Told};
use crate::daemon::service::retention::Retention;
use crate::logging::Sinks;

/// What the intake said of itself.
pub(super) struct Intake {
    pub(super) commands: Sender<Command>,
    pub(super) thread: std::thread::JoinHandle<()>,
    pub(super) status: intake::Status,
    /// What it said when it was asked for details last.
    pub(super) details: intake::Details,
    /// When it said something last.
    pub(super) told: Instant,
    /// It has found everything, but for files that it claims later.
    pub(super) is_idle: bool,
    /// It was asked whether it is alive.
    pub(super) asked: Busy,
    pub(super) has_ended: bool,
}

impl Intake {
    /// Starts the intake's thread.
    pub(super) fn start(setting: intake::Setting, teller: Teller) -> io::Result<Self> {
        let tell = move |message| teller.tell(Event::Intake(message));
        let (commands, thread) = intake::start(setting, tell)?;
        Ok(Self {
            commands,
            thread,
            status: intake::Status::default(),
            details: intake::Details::default(),
            told: Instant::now(),
            is_idle: false,
            asked: Busy::default(),
            has_ended: false,
        })
    }

    /// Sends it a command. Returns false if it has ended.
    pub(super) fn send(&self, command: Command) -> bool {
        self.commands.send(command).is_ok()
    }
}

/// A claim in hand.
pub(super) struct Job {
    /// The file's path below the inbox.
    pub(super) origin: PathBuf,
    /// The name of the route that took it, [`NO_ROUTE`](crate::daemon::base::job_tally::NO_ROUTE) where none did.
    pub(super) route: String,
    /// By the configuration at its claim nobody is to be told its name.
    pub(super) is_private: bool,
    /// What the loop itself holds of it; `None` while a thread works on it.
    pub(super) held: Option<Box<PendingPublication>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Starting,
    Running,
    Stopping { deadline: Instant },
    Cancelled,
}

/// The loop's state.
pub(super) struct Service {
    pub(super) config: Arc<Config>,
    pub(super) settings: Settings,
    pub(super) phase: Phase,
    pub(super) events: mpsc::Sender<Event>,
    pub(super) intake: Intake,
    pub(super) answerer: Arc<Answerer>,
    pub(super) threads: Threads,
    /// What is to be done with each claim in hand.
    pub(super) schedule: Schedule,
    /// Which of those to be answered begin.
    pub(super) quarantine: Quarantine,
    /// The claims in hand, by ID.
    pub(super) jobs: BTreeMap<String, Job>,
    /// As it was at the start.
    pub(super) claims_max: usize,
    /// With `once`: something could not be published.
    pub(super) gave_up: bool,
    /// Something in the inbox could not be taken, when the intake was idle last.
    pub(super) untaken: bool,
    pub(super) started: OffsetDateTime,
    pub(super) since_start: Tally,
    /// Files that went back into the inbox.
    pub(super) put_back: u64,
    /// Tries that published nothing and are followed by another.
    pub(super) tries_failed: u64,
    pub(super) history: Arc<History>,
    /// When to look how jobs get on; `None` while nothing is in hand.
    pub(super) progress_due: Option<Instant>,
    /// When to prove that everything makes progress, and how often, where systemd asks for it.
    pub(super) watchdog: Option<(Instant, Duration)>,
    pub(super) servers: QueryServers,
    pub(super) retention: Retention,
    /// Puzzles solved on other machines, where there is a broker.
    pub(super) dispatcher: Option<Dispatcher>,
    /// Requests to read the configuration, the one under way included.
    pub(super) reloads: u32,
    pub(super) status_due: Option<Instant>,
    pub(super) status_sent: Instant,
}

impl Service {
    pub(super) fn is_stopping(&self) -> bool {
        !matches!(self.phase, Phase::Starting | Phase::Running)
    }
}

/// Everything that can happen.
pub(super) enum Event {
    Intake(Message),
    Threads(Told),
    /// The broker or a worker came or went.
    #[cfg(feature = "workers")]
    Workers,
    Control(Control),
    /// The configuration was read again; the error is for the log.
    Reloaded(Result<Box<Config>, String>),
    /// Somebody asks something.
    Asked(Question),
    /// Something was due: a retry, a status line, the watchdog, the end of the stop's deadline.
    Due,
}

/// What the loop is asked, and where the answer goes. Sending the answer never waits; the client may have given up.
pub(super) enum Question {
    /// How everything is.
    Status(oneshot::Sender<Box<Snapshot>>),
    /// What everybody may know.
    Page(oneshot::Sender<Box<Facts>>),
    /// What is known of the file at that path below the inbox, and the configuration in force.
    File(PathBuf, oneshot::Sender<(Arc<Config>, Live)>),
    /// The configuration in force.
    Config(oneshot::Sender<Arc<Config>>),
    /// Nothing, but to look: files were put into the inbox.
    Look,
}

/// Sends the loop events from a thread. If the thread panics, the loop learns of it: the service cannot go on without it.
#[derive(Clone)]
pub(super) struct Teller {
    pub(super) events: mpsc::Sender<Event>,
    /// The names of threads that panicked. Sending one never waits.
    pub(super) panicked: mpsc::UnboundedSender<String>,
}

impl Teller {
    /// Sends the loop an event; waits while the loop is behind.
    pub(super) fn tell(&self, event: Event) {
        // Fails only when the loop has ended.
        let _ = self.events.blocking_send(event);
    }

    /// Reports that this thread panicked.
    pub(super) fn tell_panic(&self) {
        let _ = self.panicked.send(thread::current().name().unwrap_or("without a name").to_owned());
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        if thread::panicking() {
            self.tell_panic();
        }
    }
}

/// Everything the service needs to know at its start.
pub struct Settings {
    /// The checked configuration.
    pub config: Config,
    /// The folders, prepared, and their lock.
    pub folders: Folders,
    /// Held as long as the service runs.
    pub lock: WorkLock,
    /// Answer what is there and end.
    pub once: bool,
    /// Whether to ask the system for events, or only to poll.
    pub events: bool,
    /// Reads the configuration again; the error is for the log.
    pub reload: Reload,
    /// Where the log goes, for those who ask.
    pub log: Sinks,
}

/// Reads and checks the configuration.
pub type Reload = Arc<dyn Fn() -> Result<Config, String> + Send + Sync>;

/// What somebody outside asks of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// Read the configuration again.
    Reload,
    /// Finish what is in hand and end; a second time: at once.
    Stop,
}

/// What ends the process.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The folders do not fit.
    #[error(transparent)]
    Folders(#[from] FolderError),
    /// The working folder cannot be recovered.
    #[error(transparent)]
    Recover(#[from] RecoverError),
    /// Threads cannot be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] io::Error),
    /// A thread panicked; its name.
    #[error(
        "the thread {0} panicked, which is a mistake of the program: please report it with the log; what was in hand is answered after the next start"
    )]
    Panicked(String),
    /// With `once`: results could not be published.
    #[error(
        "a result could not be published after {ONCE_TRIES_MAX} tries; what is unanswered is in the inbox again"
    )]
    GaveUp,
    /// With `once`: files could not be taken.
    #[error(
        "not all that is in the inbox could be taken; the lines 'not taken' of the log say which files and why"
    )]
    Untaken,
}
