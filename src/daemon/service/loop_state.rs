//! The loop's state, the events that it handles, and the settings that it starts with.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{io, thread};

use crossbeam_channel::Sender;
use time::OffsetDateTime;
use tokio::sync::mpsc;

use crate::config::Config;
use crate::daemon::answering::answerer::Answerer;
use crate::daemon::answering::job_progress::Busy;
use crate::daemon::answering::pending_publication::PendingPublication;
use crate::daemon::answering::quarantine::Quarantine;
use crate::daemon::answering::schedule::{ONCE_TRIES_MAX, Schedule};
use crate::daemon::base::clock::{now, stamp};
use crate::daemon::base::job_tally::Tally;
use crate::daemon::fs::service_folders::{FolderError, Folders, WorkLock};
use crate::daemon::intake::{self, Command, IntakeReport, Message};
use crate::daemon::records::history::{Ended, History};
use crate::daemon::records::retention::Cleaner;
use crate::daemon::service::dispatcher::Dispatcher;
use crate::daemon::service::job_threads::Threads;
use crate::daemon::service::query_servers::QueryServers;
use crate::logging::Sinks;

/// The intake's thread, and what it last reported.
pub(super) struct Intake {
    pub(super) commands: Sender<Command>,
    pub(super) thread: thread::JoinHandle<()>,
    pub(super) status: intake::Status,
    /// Whether the intake has claimed everything that it found, and no incomplete file is left.
    pub(super) is_idle: bool,
    /// Set while the intake has not answered a question for a sign of life.
    pub(super) pinged: Busy,
    pub(super) has_ended: bool,
}

impl Intake {
    /// Starts the intake's thread.
    pub(super) fn start(setting: intake::IntakeSettings, sender: EventSender) -> io::Result<Self> {
        let tell = move |message| sender.send(Event::Intake(message));
        let (commands, thread) = intake::start(setting, tell)?;
        let report = IntakeReport { as_of: stamp(now()), ..IntakeReport::default() };
        Ok(Self {
            commands,
            thread,
            status: intake::Status { report, ..intake::Status::default() },
            is_idle: false,
            pinged: Busy::default(),
            has_ended: false,
        })
    }

    /// Sends the intake a command. Returns false if the intake has ended.
    pub(super) fn send(&self, command: Command) -> bool {
        self.commands.send(command).is_ok()
    }
}

/// A claim in progress.
pub(super) struct ClaimInProgress {
    /// The file's path below the inbox.
    pub(super) origin: PathBuf,
    /// The name of the route that took the file, or [`NO_ROUTE`](crate::daemon::base::job_tally::NO_ROUTE).
    pub(super) route: String,
    /// Whether the page must not name the file, by the configuration at the time of the claim.
    pub(super) is_private: bool,
    /// The pending publication; `None` while a thread works on it.
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
    /// Decides what to do with each claim in progress.
    pub(super) schedule: Schedule,
    /// Decides which of the claims to be answered can begin.
    pub(super) quarantine: Quarantine,
    /// The claims in progress, by ID.
    pub(super) jobs: BTreeMap<String, ClaimInProgress>,
    /// With `once`: whether a result could not be published, or claiming paused because a disk is nearly full.
    pub(super) gave_up: bool,
    /// Whether something in the inbox could not be taken when the intake was last idle.
    pub(super) untaken: bool,
    pub(super) started: OffsetDateTime,
    pub(super) since_start: Tally,
    /// Files that went back into the inbox.
    pub(super) put_back: u64,
    /// Tries that published nothing and are followed by another.
    pub(super) tries_failed: u64,
    pub(super) history: Arc<History>,
    /// When to check the progress of jobs next; `None` while no job is in progress.
    pub(super) progress_due: Option<Instant>,
    /// When to feed systemd's watchdog next, and how often; `None` if systemd does not ask for it.
    pub(super) watchdog: Option<(Instant, Duration)>,
    pub(super) servers: QueryServers,
    pub(super) retention: Cleaner,
    /// Sends puzzles to other machines; `None` if no broker is configured.
    pub(super) dispatcher: Option<Dispatcher>,
    /// How many requests to read the configuration are open, including the one in progress.
    pub(super) reloads: u32,
    pub(super) status_due: Option<Instant>,
    pub(super) status_sent: Instant,
}

impl Service {
    pub(super) fn is_stopping(&self) -> bool {
        !matches!(self.phase, Phase::Starting | Phase::Running)
    }
}

/// Everything that the loop reacts to.
pub(super) enum Event {
    Intake(Message),
    /// The publisher is done with a group of jobs.
    Published(Vec<Ended>),
    /// A worker made no outcome: the file changed, the job was cancelled, or its reference may be changing.
    Interrupted(Box<PendingPublication>),
    /// The broker or a worker connected or disconnected.
    #[cfg(feature = "workers")]
    Workers,
    Control(Control),
    /// The configuration was read again; the error is for the log.
    Reloaded(Result<Box<Config>, String>),
    /// A client's question, as a function that the loop runs. Sending the answer never waits for the client.
    Query(Box<dyn FnOnce(&mut Service) + Send>),
    /// Something is due: a retry, a status line, the watchdog, the end of the stop's deadline.
    Due,
}

/// Sends the loop events from a thread. Reports the thread if it panics, since the service cannot go on without it.
#[derive(Clone)]
pub(super) struct EventSender {
    pub(super) events: mpsc::Sender<Event>,
    /// The names of threads that panicked. Sending one never waits.
    pub(super) panicked: mpsc::UnboundedSender<String>,
}

impl EventSender {
    /// Sends the loop an event. Waits while the queue of events is full.
    pub(super) fn send(&self, event: Event) {
        // Fails only when the loop has ended.
        let _ = self.events.blocking_send(event);
    }

    /// Reports that this thread panicked.
    pub(super) fn report_panic(&self) {
        let _ = self.panicked.send(thread::current().name().unwrap_or("without a name").to_owned());
    }
}

impl Drop for EventSender {
    fn drop(&mut self) {
        if thread::panicking() {
            self.report_panic();
        }
    }
}

/// Everything that the service needs to start.
pub struct Settings {
    /// The checked configuration.
    pub config: Config,
    /// The prepared folders.
    pub folders: Folders,
    /// The lock of the folders, held as long as the service runs.
    pub lock: WorkLock,
    /// Whether to answer the files that are there and then exit.
    pub once: bool,
    /// Reads the configuration again; the error is for the log.
    pub reload: Reload,
    /// Where the log goes. Snapshots report the lines that were lost.
    pub log: Sinks,
}

/// Reads and checks the configuration.
pub type Reload = Arc<dyn Fn() -> Result<Config, String> + Send + Sync>;

/// A request from outside the loop, such as a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// Read the configuration again.
    Reload,
    /// Finish the files in progress and exit. A second `Stop` puts unfinished files back at once.
    Stop,
}

/// Why the service could not start, or ended with an error.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The folders cannot be used.
    #[error(transparent)]
    Folders(#[from] FolderError),
    /// The working folder cannot be recovered.
    #[error("{0}")]
    Recover(String),
    /// Threads cannot be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] io::Error),
    /// The thread with this name panicked.
    #[error(
        "the thread {0} panicked, which is a bug in the program: please report it with the log; the next start answers the files in progress"
    )]
    Panicked(String),
    /// With `once`: results could not be published.
    #[error(
        "a result could not be published after {ONCE_TRIES_MAX} tries; what is unanswered is in the inbox again"
    )]
    GaveUp,
    /// With `once`: files could not be taken.
    #[error(
        "some files in the inbox could not be taken; the lines 'not taken' of the log name them and say why"
    )]
    Untaken,
}
