//! What the loop owns, and everything that can happen to it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::Sender;
use time::OffsetDateTime;
use tokio::sync::{mpsc, oneshot};

use crate::config::Config;
use crate::daemon::answering::answerer::Answerer;
use crate::daemon::answering::prepared::Held;
use crate::daemon::answering::progress::Reporter;
use crate::daemon::answering::schedule::Schedule;
use crate::daemon::base::tally::Tally;
use crate::daemon::inspect::metrics::Measured;
use crate::daemon::inspect::snapshot::Snapshot;
use crate::daemon::inspect::socket::Server;
use crate::daemon::inspect::why::Live;
use crate::daemon::intake;
use crate::daemon::intake::{Command, Message};
use crate::daemon::records::history::History;
use crate::daemon::service::measuring::Measuring;
use crate::daemon::service::retention::Retention;
use crate::daemon::service::settings::{Control, Settings};
use crate::daemon::service::threads::{Threads, Told};

/// Everything that can happen.
pub(super) enum Event {
    Intake(Message),
    Threads(Told),
    Control(Control),
    /// The configuration was read again; the error is for the log.
    Reloaded(Result<Box<Config>, String>),
    /// Somebody asks something.
    Asked(Question),
    /// Old files were removed.
    OldRemoved,
    /// Time to prove that everything makes progress.
    Watchdog,
    /// Something was due: a retry, a status line, the end of the stop's deadline.
    Due,
}

/// What the loop is asked.
pub(super) enum Question {
    /// To answer, once the intake has said how it is.
    Answer(Reply),
    /// To look: files were put into the inbox.
    Look,
}

/// Where an answer goes. Sending it never waits, and whoever asked may have given up.
pub(super) enum Reply {
    /// How everything is.
    Status(Sender<Box<Snapshot>>),
    /// What is known of the file at that path below the inbox, and the configuration in force.
    File(PathBuf, Sender<(Arc<Config>, Live)>),
    /// All that metrics are made from.
    Metrics(oneshot::Sender<Box<Measured>>),
}

/// Those who wait until the intake has said how it is.
#[derive(Default)]
pub(super) struct Waiting {
    pub(super) replies: Vec<Reply>,
    /// When they are answered in any case.
    pub(super) due: Option<Instant>,
    /// The intake was asked and has not said anything yet. It is asked once, however many wait.
    pub(super) is_asked: bool,
}

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
    pub(super) is_alive: bool,
    pub(super) has_ended: bool,
}

impl Intake {
    /// Tells it something. That fails only when it has ended.
    pub(super) fn send(&self, command: Command) -> bool {
        self.commands.send(command).is_ok()
    }
}

/// What the loop counts.
pub(super) struct Facts {
    pub(super) started: OffsetDateTime,
    pub(super) since_start: Tally,
    /// Files that went back into the inbox.
    pub(super) put_back: u64,
    /// Tries that published nothing and are followed by another.
    pub(super) tries_failed: u64,
}

/// A claim in hand.
pub(super) struct Job {
    /// The file's path below the inbox.
    pub(super) origin: PathBuf,
    /// The name of the route that took it, [`NO_ROUTE`](crate::daemon::base::tally::NO_ROUTE) where none did.
    pub(super) route: String,
    /// What the loop itself holds of it; `None` while a thread works on it.
    pub(super) held: Option<Held>,
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
    pub(super) publisher_is_alive: bool,
    /// What is to be done with each claim in hand.
    pub(super) schedule: Schedule,
    /// The claims in hand, by ID.
    pub(super) jobs: BTreeMap<String, Job>,
    /// As it was at the start.
    pub(super) claims_max: usize,
    /// With `once`: something could not be published.
    pub(super) gave_up: bool,
    /// Something in the inbox could not be taken, when the intake was idle last.
    pub(super) untaken: bool,
    pub(super) facts: Facts,
    pub(super) history: Arc<History>,
    /// Tells how long jobs get on.
    pub(super) progress: Reporter,
    pub(super) waiting: Waiting,
    /// Held until the end; removes the socket then.
    pub(super) server: Option<Server>,
    pub(super) measuring: Measuring,
    pub(super) retention: Retention,
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
