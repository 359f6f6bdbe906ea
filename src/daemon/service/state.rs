//! What the loop owns.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use time::OffsetDateTime;
use tokio::sync::mpsc;

use crate::config::Config;
use crate::daemon::answering::answerer::Answerer;
use crate::daemon::answering::prepared::Prepared;
use crate::daemon::answering::progress::Busy;
use crate::daemon::answering::quarantine::Quarantine;
use crate::daemon::answering::schedule::Schedule;
use crate::daemon::base::tally::Tally;
use crate::daemon::intake;
use crate::daemon::intake::Command;
use crate::daemon::records::history::History;
use crate::daemon::service::asked::Asking;
use crate::daemon::service::dispatcher::Dispatcher;
use crate::daemon::service::events::Event;
use crate::daemon::service::retention::Retention;
use crate::daemon::service::settings::Settings;
use crate::daemon::service::threads::Threads;

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
    /// Tells it something. That fails only when it has ended.
    pub(super) fn send(&self, command: Command) -> bool {
        self.commands.send(command).is_ok()
    }
}

/// A claim in hand.
pub(super) struct Job {
    /// The file's path below the inbox.
    pub(super) origin: PathBuf,
    /// The name of the route that took it, [`NO_ROUTE`](crate::daemon::base::tally::NO_ROUTE) where none did.
    pub(super) route: String,
    /// By the configuration at its claim nobody is to be told its name.
    pub(super) is_private: bool,
    /// What the loop itself holds of it; `None` while a thread works on it.
    pub(super) held: Option<Box<Prepared>>,
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
    pub(super) asking: Asking,
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
