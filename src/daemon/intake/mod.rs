//! The intake: finds files in the inbox, waits until they are complete, claims them.
//!
//! One thread owns all of it. A listing of the inbox is the truth and is made again and again; events only say where to
//! look sooner. The inbox itself is the queue: a file is claimed only when a slot for a claim is free, and the listing
//! pauses meanwhile, so a backlog of any length costs little memory. No route may hold all slots.

// Which complaints are made.
mod complaints;
// What permissions keep from being taken.
mod denied;
// Whether something may be taken, and is complete.
pub mod judging;
// Listings of the inbox and of folders in it.
mod listing;
// Examines a file and claims it.
mod looking;
// Whether the disks have room.
mod low_water;
// Commands to the intake, and its messages.
mod messages;
// Which file may be claimed.
mod slots;
// What people's files fill, with a bound that they share.
mod fair_table;
// Logs and reports of the intake.
mod telling;
// Events of the file system.
mod watch;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use tracing::info;

pub use messages::{Command, Details, Message, Setting, Status};

use complaints::Complaints;
use denied::Denials;
use fair_table::Table;
use judging::Candidate;
use listing::Listing;
use low_water::LowWater;
use slots::{Backlog, Slots};

use crate::config::{self, Config, WatchMode};
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::fs::disk::Disk;
use crate::daemon::fs::service_folders::is_own;
use crate::daemon::intake::watch::{Source, Watch};
use crate::logging::kind;

/// Entries of a listing, or files of the backlog, handled between two looks at the commands.
const STEP_ENTRIES: usize = 256;
/// Files claimed before the loop learns of them.
const CLAIMED_MAX: usize = 16;
/// Incomplete files remembered, shared evenly among their owners; the next listing finds the others.
const CANDIDATES_MAX: usize = 10_000;
/// Commands obeyed between two looks at files: a client that asks without end stops nothing.
const COMMANDS_MAX: usize = 64;
/// Incomplete files whose routes `status` counts.
const DESCRIBED_MAX: usize = 1_000;

/// Why nothing is taken from another mount.
const OTHER_MOUNT: &str = "it is on another file system than the working folder, or on another mount of the same one, so it \
    cannot be taken by a rename; mount nothing below the inbox, or serve that folder with its own folders.var";

/// Starts the intake's thread; its messages go to `tell`, which may block.
///
/// # Errors
/// When the thread cannot be started.
pub fn start(
    setting: Setting,
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
    setting: Setting,
    commands: Receiver<Command>,
    waker: Sender<Command>,
    tell: Box<dyn Fn(Message) + Send>,
    watch: Watch,
    /// Hints were announced and not taken yet.
    hinted: Arc<AtomicBool>,
    candidates: Table<u32, Arc<Path>, Candidate>,
    /// Incomplete files of the last listing that are not remembered.
    forgotten: usize,
    slots: Slots,
    backlog: Backlog,
    /// Claims that the loop has not learnt of yet.
    claimed: Vec<Claim>,
    listing: Listing,
    denials: Denials,
    complaints: Complaints,
    /// Folders were opened for a look that led to no claim, and may still be open.
    has_cached_dirs: bool,
    low_water: LowWater,
    /// What was counted, and whether events were relied on when that was logged last. [`Intake::status`] completes it.
    status: Status,
    idle_told: Option<(usize, bool, usize)>,
}

impl Intake {
    fn new(
        setting: Setting,
        commands: Receiver<Command>,
        waker: Sender<Command>,
        tell: Box<dyn Fn(Message) + Send>,
    ) -> Self {
        let hinted = Arc::new(AtomicBool::new(false));
        let watch = watch(&setting, &hinted, &waker);
        let mut slots = Slots::new(setting.slots);
        for (id, queue) in &setting.recovered {
            slots.take(id, queue.clone());
        }
        let mount = setting.tree.open_folder(&setting.work).and_then(|work| work.mount()).ok();
        let low_water = LowWater::new([setting.work.clone(), setting.staging.clone()]);
        Self {
            setting,
            commands,
            waker,
            tell,
            watch,
            hinted,
            candidates: Table::new(CANDIDATES_MAX),
            forgotten: 0,
            slots,
            backlog: Backlog::default(),
            claimed: Vec::new(),
            listing: Listing::new(mount),
            denials: Denials::default(),
            complaints: Complaints::default(),
            has_cached_dirs: false,
            low_water,
            status: Status::default(),
            idle_told: None,
        }
    }

    fn run(mut self) {
        self.begin_walk();
        self.arm(Path::new(""));
        self.tell_trouble();
        (self.tell)(Message::Watching(self.status()));
        while self.obey() {
            self.step();
        }
        // For the last page and the last metrics.
        self.describe();
        (self.tell)(Message::Ended);
    }

    /// Waits for a command or for something to do. Returns false at a stop.
    fn obey(&mut self) -> bool {
        let mut wait = self.wait();
        if !wait.is_zero() && std::mem::take(&mut self.has_cached_dirs) {
            self.setting.tree.close_cached_dirs();
        }
        for _ in 0..COMMANDS_MAX {
            match self.commands.recv_timeout(wait) {
                Ok(Command::Wake) => {}
                Ok(Command::Release(ids)) => ids.iter().for_each(|id| self.slots.release(id)),
                Ok(Command::Look) => {
                    self.idle_told = None;
                    self.rescan();
                }
                Ok(Command::Reload(config)) => self.reload(config),
                Ok(Command::Ping) => (self.tell)(Message::Alive(self.status())),
                Ok(Command::Describe(done)) => {
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

    /// Returns how long there is nothing to do.
    fn wait(&self) -> Duration {
        let now = Instant::now();
        if self.slots.is_full() {
            return Duration::from_secs(3600);
        }
        if self.low_water.shortage().is_some() {
            return low_water::LOOK_INTERVAL;
        }
        let may_go_on = self.listing.is_under_way() || self.backlog.may_go_on(&self.slots);
        if may_go_on || self.hinted.load(Ordering::Acquire) {
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
        self.tell_claimed();
        if self.listing.walk.is_none() && self.listing.is_due() {
            self.begin_walk();
        }
        for _ in 0..STEP_ENTRIES {
            if self.slots.is_full() || !self.walk_on() {
                break;
            }
        }
        self.tell_claimed();
        self.tell_idle();
    }

    fn reload(&mut self, config: Arc<Config>) {
        let watch_anew = config.intake.watch != self.setting.config.intake.watch;
        self.setting.config = config;
        if watch_anew {
            self.watch = watch(&self.setting, &self.hinted, &self.waker);
        }
        self.complaints = Complaints::default();
        self.low_water.look_again();
        self.rescan();
    }

    /// Returns whether the disk has room for results, and reports when that changes.
    fn has_room(&mut self) -> bool {
        if self.low_water.look(&self.setting.config.intake) {
            self.idle_told = None;
            (self.tell)(Message::Alive(self.status()));
        }
        self.low_water.shortage().is_none()
    }

    fn follow_hints(&mut self) {
        if !self.hinted.swap(false, Ordering::AcqRel) {
            return;
        }
        let hints = self.watch.take_hints();
        if hints.rescan {
            info!(name: kind::EVENTS_LOST.name, "events were lost or overflowed, listing the whole inbox");
            self.status.overflows += 1;
            self.status.last_overflow = Some(Instant::now());
            self.listing.watch_anew = true;
            (self.tell)(Message::Alive(self.status()));
            self.rescan();
        }
        for path in hints.paths {
            match path.strip_prefix(&self.setting.inbox) {
                // Something happened to the inbox itself, which may be a new folder with the old one's inode.
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
        is_own(name) || self.setting.config.intake.ignored_by(name.as_os_str()).is_some()
    }

    fn rescan_interval(&self) -> Duration {
        let config::Intake { rescan_interval, poll_interval, .. } = self.setting.config.intake;
        if self.watch.trouble().is_some() { rescan_interval.min(poll_interval) } else { rescan_interval }
    }

    /// Returns whether somebody has had it open for writing for long.
    fn is_hopeless(&self, candidate: &Candidate) -> bool {
        candidate.busy && candidate.seen.elapsed() > 2 * self.setting.config.intake.quiet_period
    }
}

/// Makes a watch as the setting wants it. It hands hints over by one message until they are taken.
fn watch(setting: &Setting, hinted: &Arc<AtomicBool>, waker: &Sender<Command>) -> Watch {
    let source = match setting.config.intake.watch {
        _ if !setting.events => Source::Polling("events are switched off by --poll"),
        WatchMode::Poll => Source::Polling("events are switched off by intake.watch"),
        WatchMode::Auto => Source::System,
    };
    let (flag, waker) = (Arc::clone(hinted), waker.clone());
    Watch::new(&source, &setting.inbox, move || {
        if !flag.swap(true, Ordering::AcqRel) {
            // The intake may have ended.
            let _ = waker.send(Command::Wake);
        }
    })
}

#[cfg(test)]
mod tests;
