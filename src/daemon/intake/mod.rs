//! The intake: finds files in the inbox, waits until they are complete, and claims them.
//!
//! One thread owns the whole intake. It lists the inbox again and again. Listings alone find every file; events only
//! say where to look sooner. The inbox itself is the queue: the intake claims a file only when a slot for a claim is
//! free, and pauses the listing until then. So a backlog of any length costs little memory. No route can hold all
//! slots.

// Which complaints are logged, and which files permissions keep from being taken.
mod complaints;
// Whether a file may be taken, and whether it is complete.
pub mod judging;
// Listings of the inbox and of folders in it.
mod listing;
// Whether the disks have room.
mod low_water;
// Which file may be claimed.
mod slots;
// A bounded table that the owners of files share.
mod fair_table;
// Events of the file system.
mod watch;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use complaints::{Complaints, Denials};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use fair_table::Table;
use judging::{Candidate, Reason};
use listing::Listing;
use low_water::LowWater;
use serde::{Deserialize, Serialize};
use slots::{Backlog, Slots};
use tokio::sync::oneshot;
use tracing::{info, warn};
use watch::Watch;

use crate::config::{self, Config, WatchMode};
use crate::daemon::answering::fair::{Length, RouteQueue};
use crate::daemon::base::clock::{now, stamp};
use crate::daemon::base::job_id::JobIds;
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::claims::find::Gate;
use crate::daemon::fs::folder_tree::Tree;
use crate::daemon::fs::os::{self, Room};
use crate::daemon::fs::service_folders::{Folders, is_own};
use crate::logging::kind;
use tabuleiro_puzzles::input::printable;

/// Entries of a listing, or files of the backlog, that are handled between two checks for commands.
const STEP_ENTRIES: usize = 256;
/// Maximum number of claims that are reported to the loop at once.
const CLAIMED_MAX: usize = 16;
/// Incomplete files that are remembered, shared evenly among their owners. The next listing finds the others.
const CANDIDATES_MAX: usize = 10_000;
/// Commands handled between two checks of files, so that a client that asks without end does not stop the intake.
const COMMANDS_MAX: usize = 64;
/// Maximum number of incomplete files that `status` counts by route.
const DESCRIBED_MAX: usize = 1_000;

/// Starts the intake's thread. It sends its messages with `tell`, which may block.
///
/// # Errors
/// Fails if the thread cannot be started.
pub fn start(
    setting: IntakeSettings,
    tell: impl Fn(Message) + Send + 'static,
) -> io::Result<(Sender<Command>, std::thread::JoinHandle<()>)> {
    let (commands, received) = unbounded();
    let waker = commands.clone();
    let thread = std::thread::Builder::new().name("intake".to_owned()).spawn(move || {
        Intake::new(setting, received, waker, Box::new(tell)).run();
    })?;
    Ok((commands, thread))
}

struct Intake {
    setting: IntakeSettings,
    commands: Receiver<Command>,
    waker: Sender<Command>,
    tell: Box<dyn Fn(Message) + Send>,
    watch: Watch,
    candidates: Table<u32, Arc<Path>, Candidate>,
    /// Incomplete files of the last listing that did not fit into `candidates`.
    forgotten: usize,
    slots: Slots,
    backlog: Backlog,
    /// Claims that are not reported to the loop yet.
    claimed: Vec<Claim>,
    listing: Listing,
    denials: Denials,
    complaints: Complaints,
    low_water: LowWater,
    /// The counts, and what was reported last. [`Intake::status`] completes it.
    report: IntakeReport,
    /// The first folders that are on another mount than the working folder, as paths below the inbox.
    other_mounts: Vec<PathBuf>,
    /// The fields of the last [`Message::Idle`], and the number of denials at that time.
    idle_reported: Option<(usize, bool, usize)>,
}

impl Intake {
    fn new(
        setting: IntakeSettings,
        commands: Receiver<Command>,
        waker: Sender<Command>,
        tell: Box<dyn Fn(Message) + Send>,
    ) -> Self {
        let watch = new_watch(&setting, &waker);
        let mut slots = Slots::new(setting.config.intake.claims_max as usize);
        for (id, queue) in &setting.recovered {
            slots.take(id, queue.clone());
        }
        let mount = setting.tree.open_folder(&setting.folders.work).and_then(|work| work.mount()).ok();
        let low_water = LowWater::new([setting.folders.work.clone(), setting.folders.staging.clone()]);
        Self {
            setting,
            commands,
            waker,
            tell,
            watch,
            candidates: Table::new(CANDIDATES_MAX),
            forgotten: 0,
            slots,
            backlog: Backlog::default(),
            claimed: Vec::new(),
            listing: Listing::new(mount),
            denials: Denials::default(),
            complaints: Complaints::default(),
            low_water,
            report: IntakeReport::default(),
            other_mounts: Vec::new(),
            idle_reported: None,
        }
    }

    fn run(mut self) {
        self.begin_walk();
        self.watch_all(Path::new(""));
        self.report_trouble();
        (self.tell)(Message::Watching(self.status()));
        while self.handle_commands() {
            self.step();
        }
        // For the last page and the last metrics.
        self.describe();
        (self.tell)(Message::Ended);
    }

    /// Waits for a command or for something to do. Returns false if the intake must stop.
    fn handle_commands(&mut self) -> bool {
        let mut wait = self.wait();
        for _ in 0..COMMANDS_MAX {
            match self.commands.recv_timeout(wait) {
                Ok(Command::Wake) => {}
                Ok(Command::Release(ids)) => ids.iter().for_each(|id| self.slots.release(id)),
                Ok(Command::Look) => {
                    self.idle_reported = None;
                    self.rescan();
                }
                Ok(Command::Reload(config)) => self.reload(config),
                Ok(Command::Ping) => self.describe(),
                Ok(Command::Describe(done)) => {
                    // The last check of the room may be outdated.
                    let _ = self.has_room();
                    self.describe();
                    // The client may have given up.
                    let _ = done.send(());
                }
                Ok(Command::Stop) | Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) => return true,
            }
            wait = Duration::ZERO;
        }
        true
    }

    /// Returns how long to wait for a command before there is something to do.
    fn wait(&self) -> Duration {
        let now = Instant::now();
        if self.slots.is_full() {
            return Duration::from_secs(3600);
        }
        if self.low_water.shortage.is_some() {
            return low_water::CHECK_INTERVAL;
        }
        let may_go_on = self.listing.is_under_way() || self.backlog.may_go_on(&self.slots);
        if may_go_on || self.watch.has_hints() {
            return Duration::ZERO;
        }
        let due = self.candidates.iter().map(|(_, candidate)| candidate.look_again).min();
        due.map_or(self.listing.next, |due| due.min(self.listing.next)).saturating_duration_since(now)
    }

    fn step(&mut self) {
        if self.slots.is_full() || !self.has_room() {
            return;
        }
        self.follow_hints();
        self.look_at_backlog();
        self.look_at_candidates();
        self.report_claimed();
        if self.listing.walk.is_none() && self.listing.is_due() {
            self.begin_walk();
        }
        for _ in 0..STEP_ENTRIES {
            if self.slots.is_full() || !self.walk_on() {
                break;
            }
        }
        self.report_claimed();
        self.report_idle();
    }

    fn reload(&mut self, config: Arc<Config>) {
        let renew_watches = config.intake.watch != self.setting.config.intake.watch;
        self.setting.config = config;
        if renew_watches {
            self.watch = new_watch(&self.setting, &self.waker);
        }
        self.complaints = Complaints::default();
        self.low_water.checked = None;
        self.rescan();
    }

    /// Returns whether the disk has room for results, and reports when that changes.
    fn has_room(&mut self) -> bool {
        if self.low_water.check(&self.setting.config.intake) {
            self.idle_reported = None;
            self.describe();
        }
        self.low_water.shortage.is_none()
    }

    fn follow_hints(&mut self) {
        let hints = self.watch.take_hints();
        if hints.rescan {
            info!(name: kind::EVENTS_LOST.name, "events lost");
            self.report.overflows += 1;
            self.report.last_overflow = Some(stamp(now()));
            self.listing.renew_watches = true;
            self.describe();
            self.rescan();
        }
        for path in hints.paths {
            match path.strip_prefix(&self.setting.folders.inbox) {
                // Something happened to the inbox itself. It may be a new folder with the old one's inode.
                Ok(below) if below.as_os_str().is_empty() => {
                    self.watch.forget_all();
                    self.rescan();
                }
                Ok(below) => self.look_at(below),
                Err(_) => {}
            }
        }
    }

    fn rescan(&mut self) {
        if self.listing.walk.as_ref().is_some_and(|walk| walk.is_whole) {
            self.listing.again = true;
        } else {
            self.listing.next = Instant::now();
        }
    }

    fn ignores_below(&self, below: &Path) -> bool {
        below.iter().any(|part| self.ignores(Path::new(part)))
    }

    fn ignores(&self, name: &Path) -> bool {
        is_own(name) || self.setting.config.intake.ignore.first_match(name.as_os_str()).is_some()
    }

    fn rescan_interval(&self) -> Duration {
        let config::Intake { rescan_interval, poll_interval, .. } = self.setting.config.intake;
        if self.watch.trouble.is_some() { rescan_interval.min(poll_interval) } else { rescan_interval }
    }

    /// Returns whether a file is still open for writing, more than two quiet periods after it was first seen.
    fn is_held_open(&self, candidate: &Candidate) -> bool {
        candidate.busy && candidate.seen.elapsed() > 2 * self.setting.config.intake.quiet_period
    }

    /// Reports the claims to the loop, many at once: waking the loop for each would cost more than claiming the file.
    pub(super) fn report_claimed(&mut self) {
        if !self.claimed.is_empty() {
            (self.tell)(Message::Claimed(std::mem::take(&mut self.claimed)));
        }
    }

    /// Logs once why something in the inbox that belongs to `owner` is not taken.
    pub(super) fn complain(&mut self, below: &Path, owner: u32, reason: Reason, message: &str) {
        if self.complaints.is_new(below, owner, reason, Instant::now()) {
            log_not_taken(below, message);
        }
    }

    /// Logs once why something in the inbox cannot be read, listed or taken: permissions with the remedy, or the error.
    pub(super) fn report(&mut self, below: &Path, owner: u32, reason: Reason, what: &str, error: &io::Error) {
        if self.denials.record(&self.setting.folders.inbox, below, error) {
            self.complaints.has_failure = true;
        } else {
            self.complain(below, owner, reason, &format!("{what}: {error}"));
        }
    }

    pub(super) fn report_trouble(&mut self) {
        let trouble = self.watch.trouble.clone();
        if trouble != self.report.reason {
            if let Some(trouble) = &trouble {
                warn!(name: kind::POLLING.name, interval = ?self.rescan_interval(), reason = trouble, "polling");
            } else {
                info!(name: kind::EVENTS_WORK.name, watches = self.watch.count(), "events work again");
            }
            self.report.reason = trouble;
            self.describe();
        }
    }

    pub(super) fn report_idle(&mut self) {
        if self.listing.is_under_way()
            || self.listing.again
            || self.listing.is_due()
            || !self.backlog.is_empty()
            || self.slots.is_full()
            || self.watch.has_hints()
        {
            return;
        }
        let waiting = self.candidates.iter().filter(|(_, candidate)| !self.is_held_open(candidate)).count();
        let (incomplete, untaken) = (waiting + self.forgotten, self.complaints.has_failure);
        let found = (incomplete, untaken, self.denials.count());
        if self.idle_reported.replace(found) != Some(found) {
            (self.tell)(Message::Idle { incomplete, untaken });
        }
    }

    /// Reports the status.
    pub(super) fn describe(&self) {
        (self.tell)(Message::Alive(self.status()));
    }

    /// Returns the status with every field up to date.
    fn status(&self) -> Box<Status> {
        let config = &self.setting.config;
        let mut incomplete_by_route = BTreeMap::new();
        for (below, _) in self.candidates.iter().take(DESCRIBED_MAX) {
            let route = config.route(below).map_or("", |route| &route.name);
            *incomplete_by_route.entry(route.to_owned()).or_default() += 1;
        }
        let routes = || config.routes().iter().map(|route| route.name.as_str()).chain([""]);
        let is_full = |route: &str, length| !self.slots.allow(&RouteQueue::new(route, length));
        let full = |length| routes().filter(|route| is_full(route, length)).map(str::to_owned).collect();
        let is_polling = self.watch.trouble.is_some();
        let (denied, why_denied) = self.denials.first().into_iter().unzip();
        Box::new(Status {
            report: IntakeReport {
                as_of: stamp(now()),
                backend: if is_polling { Backend::Polling } else { Backend::Events },
                reason: self.watch.trouble.clone(),
                paused: self.low_water.shortage.clone(),
                denied: why_denied,
                watches: self.watch.count() as u64,
                watches_max: os::watches_max(),
                ..self.report.clone()
            },
            other_mounts: self.other_mounts.clone(),
            incomplete: self.candidates.len() + self.forgotten,
            rooms: self.low_water.rooms.clone(),
            incomplete_by_route,
            left_behind: self.backlog.count(),
            full: full(Length::Short),
            full_of_long: full(Length::Long),
            is_listing_held: self.slots.is_full(),
            denied,
        })
    }
}

/// Creates the watch that the setting asks for.
fn new_watch(setting: &IntakeSettings, waker: &Sender<Command>) -> Watch {
    let polling = match setting.config.intake.watch {
        WatchMode::Poll => Some("events are switched off by intake.watch"),
        WatchMode::Auto => None,
    };
    let waker = waker.clone();
    // The intake may have ended.
    Watch::new(polling, &setting.folders.inbox, move || drop(waker.send(Command::Wake)))
}

/// Logs that something in the inbox is not taken.
fn log_not_taken(below: &Path, message: &str) {
    let file = printable(below.as_os_str().as_encoded_bytes(), 300);
    warn!(name: kind::NOT_TAKEN.name, file, reason = message, "not taken");
}

/// A command to the intake.
pub enum Command {
    /// The watch has hints.
    Wake,
    /// The claims with these IDs have ended.
    Release(Vec<String>),
    /// List the inbox, because a file was put back.
    Look,
    /// Use this configuration from now on.
    Reload(Arc<Config>),
    /// Report the status.
    Ping,
    /// Check the room, report the status, and notify the client when that is done.
    Describe(oneshot::Sender<()>),
    /// Claim nothing more, and end.
    Stop,
}

/// A message from the intake.
pub enum Message {
    /// Files were claimed, in this order.
    Claimed(Vec<Claim>),
    /// Every folder is watched or polled. Files dropped from now on are noticed.
    Watching(Box<Status>),
    /// Every file that was found is claimed, except those that are not complete.
    Idle {
        /// Files that are not complete, except those that somebody has had open for writing for long.
        incomplete: usize,
        /// The last listing found something that should have been taken but could not be. The log says what.
        untaken: bool,
    },
    /// The status: on request, when claiming pauses or resumes, when events were lost, and when polling begins or ends.
    Alive(Box<Status>),
    /// Nothing more is claimed.
    Ended,
}

/// How files are found, and whether they are taken, as `tabuleiro status --json` prints it: the field names must not
/// change. Times are RFC 3339 in UTC.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct IntakeReport {
    /// When the intake reported these fields.
    pub as_of: String,
    /// How the intake learns of new files.
    pub backend: Backend,
    /// Why the intake does not rely on events, with the remedy.
    pub reason: Option<String>,
    /// Why no files are taken at the moment.
    pub paused: Option<String>,
    /// The first 20 files and folders that cannot be taken because of their permissions, each with the remedy.
    pub denied: Vec<String>,
    /// The first 10 folders of the inbox on another mount than the working folder. No files are taken from them.
    pub other_mounts: Vec<String>,
    /// How many folders are watched.
    pub watches: u64,
    /// How many watches the system allows each user, over all programs; `None` if the system does not report it.
    pub watches_max: Option<u64>,
    /// How many listings of the whole inbox have ended.
    pub rescans: u64,
    /// When the last listing ended.
    pub last_rescan: Option<String>,
    /// How often events were lost.
    pub overflows: u64,
    /// When events were last lost.
    pub last_overflow: Option<String>,
}

/// How the intake learns of new files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// By events from the system.
    #[default]
    Events,
    /// Only by listings.
    Polling,
}

/// The status of the intake.
#[derive(Debug, Clone, Default)]
pub struct Status {
    /// What snapshots show.
    pub report: IntakeReport,
    /// The first folders that are on another mount than the working folder, as paths below the inbox.
    pub other_mounts: Vec<PathBuf>,
    /// Number of files that are not complete yet.
    pub incomplete: usize,
    /// The free space of each folder that the service writes into.
    pub rooms: Vec<(PathBuf, Room)>,
    /// Files that are not complete yet, by the name of their route. At most `DESCRIBED_MAX` files are counted.
    pub incomplete_by_route: BTreeMap<String, u64>,
    /// A lower bound on the number of files left in the inbox because their queue may claim no more, by route.
    pub left_behind: BTreeMap<String, u64>,
    /// Routes that may claim no short file for now. The empty name stands for files that no route takes.
    pub full: BTreeSet<String>,
    /// Routes that may claim no long file for now.
    pub full_of_long: BTreeSet<String>,
    /// No slot is free, so files that no listing has reached may wait, too.
    pub is_listing_held: bool,
    /// The paths below the inbox of the first files and folders that permissions keep from being taken.
    pub denied: Vec<PathBuf>,
}

/// The folders, the configuration and the services that the intake works with.
pub struct IntakeSettings {
    pub config: Arc<Config>,
    /// Creates the IDs of claims.
    pub ids: JobIds,
    pub folders: Folders,
    /// The folder tree through which files are found and claimed.
    pub tree: Arc<Tree>,
    /// Held while a file is claimed.
    pub gate: Arc<Gate>,
    /// Claims that an earlier run left, with their queues.
    pub recovered: Vec<(String, RouteQueue)>,
}

#[cfg(test)]
mod tests;
