//! The intake: finds files in the inbox, waits until they are complete, claims them.
//!
//! One thread owns all of it. A listing of the inbox is the truth and is made again and again; events only say
//! where to look sooner. The queue is the folder: a file is claimed only when a slot for a claim is free, and
//! the listing pauses meanwhile, so a backlog of any length costs no memory. No route may hold all slots.

mod listing;
mod low_water;
mod shares;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use rustix::fs::{Mode, OFlags};
use tracing::{debug, info, warn};

use listing::Walks;
use low_water::LowWater;
use shares::Shares;

use super::claim::{Claim, JobIds};
use super::disk::Disk;
use super::fair::Length;
use super::folders::is_own;
use super::os::{self, Platform, Room, Writers};
use super::ready::{Candidate, Readiness, judge};
use super::watch::{Identity, Source, Watch};
use crate::config::{Config, Globs, Readiness as ReadinessTest, WatchMode};
use crate::input::printable;
use crate::logging::kind;

/// Entries of a listing handled before commands are looked at again.
const STEP_ENTRIES: usize = 256;
/// Files claimed before the others learn of them.
const CLAIMED_MAX: usize = 16;
/// Incomplete files remembered; those beyond are met again by the next listing.
const CANDIDATES_MAX: usize = 10_000;
/// Commands obeyed before files are looked at again: whoever asks without end stops nothing.
const COMMANDS_MAX: usize = 64;
/// Incomplete files whose routes are found out for somebody who asks.
const DESCRIBED_MAX: usize = 1_000;
/// Folders deeper than this below the inbox are left alone.
pub const DEPTH_MAX: usize = 64;
/// Complaints remembered, so that each is made once.
const COMPLAINTS_MAX: usize = 1_000;

/// What the intake is told.
pub enum Command {
    /// There are hints.
    Wake,
    /// The claims of these IDs are over.
    Release(Vec<String>),
    /// List the inbox: a file was put back.
    Look,
    /// New rules.
    Reload(Rules),
    /// Say that you are alive.
    Ping,
    /// Say how you are in every detail, for somebody who asks.
    Describe,
    /// Claim nothing more, and end.
    Stop,
}

/// What the intake says.
#[derive(Debug)]
pub enum Report {
    /// Files were claimed, in this order.
    Claimed(Vec<Claim>),
    /// Every folder is watched (or polled); files dropped from now on are seen.
    Watching(Status),
    /// Everything found was claimed, but for files that are not complete.
    Idle {
        /// Files that still wait to be complete; 0 when they are only being written and time is up.
        waiting: usize,
    },
    /// The answer to a ping or to who asks for details, and what is said when claiming pauses or goes on, when events were
    /// lost, and when polling begins or ends.
    Alive(Status),
    /// Nothing is claimed any more.
    Ended,
}

/// How the intake is.
#[derive(Debug, Clone, Default)]
pub struct Status {
    /// What only [`Command::Describe`] asks for.
    pub details: Option<Details>,
    /// Why events are not relied on.
    pub trouble: Option<String>,
    /// Why nothing is claimed for now.
    pub shortage: Option<String>,
    /// Folders watched.
    pub watches: usize,
    /// Files not complete yet.
    pub waiting: usize,
    /// Listings of the whole inbox that ended.
    pub rescans: u64,
    /// When the last of them did.
    pub last_rescan: Option<Instant>,
    /// Times that events were lost or overflowed, each of which led to a listing.
    pub overflows: u64,
    /// When that was last.
    pub last_overflow: Option<Instant>,
}

/// What takes the intake some work to tell.
#[derive(Debug, Clone, Default)]
pub struct Details {
    /// Watches that the system allows each user, where it tells (`fs.inotify.max_user_watches`).
    pub watches_max: Option<u64>,
    /// The room in the folders that must have some.
    pub rooms: Vec<(PathBuf, Room)>,
    /// Files not complete yet, by the name of their route; of [`DESCRIBED_MAX`] at most.
    pub incomplete: BTreeMap<String, u64>,
    /// Complete files that a listing had to leave in the inbox because their route may hold no more, by route: at
    /// least so many.
    pub left_behind: BTreeMap<String, u64>,
    /// Routes that may claim nothing for now; the empty name for files that none takes.
    pub full: BTreeSet<String>,
    /// Routes that may claim no long file for now.
    pub full_of_long: BTreeSet<String>,
    /// A listing waits for a slot, so files that it has not come to may wait too.
    pub is_listing_held: bool,
}

/// What is taken and when.
#[derive(Debug, Clone)]
pub struct Rules {
    /// Names of files and folders that are left alone.
    pub ignore: Globs,
    /// How long a file must be unchanged where nobody can say whether it is being written.
    pub quiet_period: Duration,
    /// Whether a file must be quiet even where the system can tell that nobody writes it.
    pub readiness: ReadinessTest,
    /// How often the inbox is listed when nothing seems to happen.
    pub rescan_interval: Duration,
    /// How often it is listed where events cannot be relied on.
    pub poll_interval: Duration,
    /// Whether to ask the system for events.
    pub watch: WatchMode,
    /// Bytes that must be free for anything to be claimed.
    pub free_bytes_min: u64,
    /// Files that the file systems must have room for.
    pub free_files_min: u64,
    /// Which file goes where.
    pub config: Arc<Config>,
}

impl Rules {
    /// Those of a configuration.
    #[must_use]
    pub fn of(config: &Arc<Config>) -> Self {
        let intake = &config.intake;
        Self {
            ignore: intake.ignore.clone(),
            quiet_period: intake.quiet_period,
            readiness: intake.readiness,
            rescan_interval: intake.rescan_interval,
            poll_interval: intake.poll_interval,
            watch: intake.watch,
            free_bytes_min: intake.free_space_min_bytes,
            free_files_min: intake.free_files_min,
            config: Arc::clone(config),
        }
    }

    /// The share of every route.
    fn shares(&self) -> impl Iterator<Item = (&str, usize)> {
        self.config.routes().iter().map(|route| (route.name(), route.standing().share))
    }

    /// The names of the routes for which that holds; the empty one stands for files that none takes.
    fn names_where(&self, holds: impl Fn(&str) -> bool) -> BTreeSet<String> {
        let names = self.config.routes().iter().map(|route| route.name()).chain([""]);
        names.filter(|name| holds(name)).map(str::to_owned).collect()
    }

    /// The name of the route that takes a file; empty where none does.
    fn route_of(&self, below: &Path) -> String {
        self.config.route(below).map_or_else(String::new, |route| route.name().to_owned())
    }
}

/// Where the intake works.
#[derive(Clone)]
pub struct Setting {
    /// The inbox.
    pub inbox: PathBuf,
    /// The working folder.
    pub work: PathBuf,
    /// Where results are made; it must have room for them.
    pub making: PathBuf,
    /// Through which files are claimed.
    pub disk: Arc<dyn Disk>,
    /// Which system calls may be used.
    pub platform: Platform,
    /// Whether to ask the system for events.
    pub events: bool,
    /// Claims that may be in hand at once.
    pub slots: usize,
}

/// Starts the intake's thread; reports go to `report`, which may block.
///
/// # Errors
/// When the thread cannot be started.
pub fn start(
    setting: Setting,
    rules: Rules,
    ids: JobIds,
    report: impl Fn(Report) + Send + 'static,
) -> io::Result<(Sender<Command>, std::thread::JoinHandle<()>)> {
    let (commands, received) = unbounded();
    let waker = commands.clone();
    let thread = std::thread::Builder::new().name("intake".to_owned()).spawn(move || {
        Intake::new(setting, rules, ids, received, waker, Box::new(report)).run();
    })?;
    Ok((commands, thread))
}

struct Intake {
    setting: Setting,
    rules: Rules,
    ids: JobIds,
    commands: Receiver<Command>,
    waker: Sender<Command>,
    report: Box<dyn Fn(Report) + Send>,
    watch: Watch,
    /// Hints were announced and not taken yet.
    hinted: Arc<AtomicBool>,
    identity: Option<Identity>,
    candidates: HashMap<PathBuf, Candidate>,
    shares: Shares,
    /// Claims that the loop was not told of yet.
    claimed: Vec<Claim>,
    /// A long file was passed by, because its route has enough of them in hand.
    long_waits: bool,
    walks: Walks,
    walk_again: bool,
    /// Events were lost, so the next listing watches every folder anew.
    watch_anew: bool,
    next_walk: Instant,
    rescans: u64,
    last_rescan: Option<Instant>,
    overflows: u64,
    last_overflow: Option<Instant>,
    complaints: HashSet<(PathBuf, &'static str)>,
    low_water: LowWater,
    trouble_told: Option<String>,
    idle_told: Option<usize>,
}

impl Intake {
    fn new(
        setting: Setting,
        rules: Rules,
        ids: JobIds,
        commands: Receiver<Command>,
        waker: Sender<Command>,
        report: Box<dyn Fn(Report) + Send>,
    ) -> Self {
        let hinted = Arc::new(AtomicBool::new(false));
        let watch = watch(&setting, &rules, &hinted, &waker);
        let mut shares = Shares::new(setting.slots);
        shares.weigh(rules.shares());
        let low_water = LowWater::new([setting.work.clone(), setting.making.clone()]);
        Self {
            setting,
            rules,
            ids,
            commands,
            waker,
            report,
            watch,
            hinted,
            identity: None,
            candidates: HashMap::new(),
            shares,
            claimed: Vec::new(),
            long_waits: false,
            walks: Walks::default(),
            walk_again: false,
            watch_anew: false,
            next_walk: Instant::now(),
            rescans: 0,
            last_rescan: None,
            overflows: 0,
            last_overflow: None,
            complaints: HashSet::new(),
            low_water,
            trouble_told: None,
            idle_told: None,
        }
    }

    fn run(mut self) {
        self.begin_walk();
        self.arm(Path::new(""), 0);
        self.tell_trouble();
        (self.report)(Report::Watching(self.status()));
        while self.obey() {
            self.step();
        }
        (self.report)(Report::Ended);
    }

    /// Waits for a command or for something to do; false when told to stop.
    fn obey(&mut self) -> bool {
        let mut wait = self.wait();
        for _ in 0..COMMANDS_MAX {
            match self.commands.recv_timeout(wait) {
                Ok(Command::Wake) => {}
                Ok(Command::Release(ids)) => ids.iter().for_each(|id| self.release(id)),
                Ok(Command::Look) => {
                    self.idle_told = None;
                    self.rescan();
                }
                Ok(Command::Reload(rules)) => self.reload(rules),
                Ok(Command::Ping) => (self.report)(Report::Alive(self.status())),
                Ok(Command::Describe) => self.describe(),
                Ok(Command::Stop) | Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) => return true,
            }
            wait = Duration::ZERO;
        }
        true
    }

    /// A claim is over; a long file that had to wait for its route's others is looked for again.
    fn release(&mut self, id: &str) {
        if self.shares.release(id) && std::mem::take(&mut self.long_waits) {
            self.rescan();
        }
    }

    /// How long there is nothing to do.
    fn wait(&self) -> Duration {
        let now = Instant::now();
        if self.shares.is_full() {
            return Duration::from_secs(3600);
        }
        if self.low_water.shortage().is_some() {
            return low_water::LOOK_INTERVAL;
        }
        if self.can_walk() || self.hinted.load(Ordering::Acquire) {
            return Duration::ZERO;
        }
        let due = self.candidates.values().map(|candidate| candidate.look_again);
        let walk = (!self.walks.is_whole_under_way()).then_some(self.next_walk);
        due.chain(walk)
            .chain(self.walks.next_scout())
            .min()
            .map_or(Duration::ZERO, |due| due.saturating_duration_since(now))
    }

    fn step(&mut self) {
        if self.shares.is_full() || !self.has_room() {
            return;
        }
        self.follow_hints();
        self.look_at_candidates();
        self.tell_claimed();
        if !self.walks.is_whole_under_way() && Instant::now() >= self.next_walk {
            self.begin_walk();
        }
        for _ in 0..STEP_ENTRIES {
            if self.shares.is_full() || !self.walk_on() {
                break;
            }
        }
        self.tell_claimed();
        self.tell_idle();
    }

    /// Hands over what was claimed, many files together: waking others for each costs more than claiming it.
    fn tell_claimed(&mut self) {
        if !self.claimed.is_empty() {
            (self.report)(Report::Claimed(std::mem::take(&mut self.claimed)));
        }
    }

    fn reload(&mut self, rules: Rules) {
        let watch_anew = rules.watch != self.rules.watch;
        self.rules = rules;
        self.shares.weigh(self.rules.shares());
        if watch_anew {
            self.watch = watch(&self.setting, &self.rules, &self.hinted, &self.waker);
        }
        self.complaints.clear();
        self.low_water.look_again();
        self.rescan();
    }

    /// Whether the disk has room for results; says so when that changes.
    fn has_room(&mut self) -> bool {
        if self.low_water.look(&self.rules) {
            self.idle_told = None;
            (self.report)(Report::Alive(self.status()));
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
            self.overflows += 1;
            self.last_overflow = Some(Instant::now());
            self.watch_anew = true;
            (self.report)(Report::Alive(self.status()));
            self.rescan();
        }
        for path in hints.paths {
            match path.strip_prefix(&self.setting.inbox) {
                // Something happened to the inbox itself, which may be a new folder with the old one's inode.
                Ok(below) if below.as_os_str().is_empty() => {
                    self.watch.forget_below(&self.setting.inbox);
                    self.rescan();
                }
                Ok(below) if !self.shares.is_full() => self.look_at(below),
                Ok(_) => self.rescan(),
                Err(_) => {}
            }
        }
    }

    fn rescan(&mut self) {
        if self.walks.is_whole_under_way() {
            self.walk_again = true;
        } else {
            self.next_walk = Instant::now();
        }
    }

    /// Looks at a path that a hint named.
    fn look_at(&mut self, below: &Path) {
        let path = self.setting.inbox.join(below);
        match fs::symlink_metadata(&path) {
            Ok(metadata) if !metadata.is_dir() && !self.ignores_below(below) => {
                let route = self.rules.route_of(below);
                if self.shares.allow(&route) {
                    self.examine(below, metadata.file_type(), &route);
                } else {
                    // It keeps what is known of it, for the listing that comes to it when its route may claim again. Until
                    // then looking at it again and again would be of no use.
                    if let Some(candidate) = self.candidates.get_mut(below) {
                        candidate.look_again = Instant::now() + self.rules.quiet_period;
                    }
                    self.rescan();
                }
            }
            found => {
                // Whatever stays a candidate is looked at again at once: one that never can be would be for ever.
                self.candidates.remove(below);
                if found.is_ok_and(|metadata| metadata.is_dir()) && !self.ignores_below(below) {
                    self.watch.forget_below(&path);
                    self.run_errand(below);
                }
            }
        }
    }

    fn look_at_candidates(&mut self) {
        let now = Instant::now();
        let due: Vec<_> = self
            .candidates
            .iter()
            .filter(|(_, candidate)| candidate.look_again <= now)
            .map(|(below, _)| below.clone())
            .collect();
        for below in due {
            if self.shares.is_full() {
                return;
            }
            self.look_at(&below);
        }
    }

    /// Looks at a file that a listing waited for.
    fn look_at_file(&mut self, below: &Path, route: &str) {
        // It may be gone, and another listing may have taken it.
        if let Ok(metadata) = fs::symlink_metadata(self.setting.inbox.join(below))
            && !metadata.is_dir()
        {
            self.examine(below, metadata.file_type(), route);
        }
    }

    /// Claims a file of a route that may claim, if the file is complete.
    fn examine(&mut self, below: &Path, kind: fs::FileType, route: &str) {
        let known = self.candidates.remove(below);
        if !kind.is_file() {
            let what = if kind.is_symlink() { "a symbolic link" } else { "no regular file" };
            self.complain(below, "kind", &format!("it is {what} and is left alone"));
            return;
        }
        let (file, metadata) = match open(&self.setting.inbox.join(below)) {
            Ok(opened) => opened,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => {
                self.complain(below, "unreadable", &format!("the file cannot be read: {error}"));
                return;
            }
        };
        if !metadata.is_file() {
            return; // Replaced meanwhile; the next look sees what it is now.
        }
        let now = Instant::now();
        let Rules { quiet_period, readiness, .. } = self.rules;
        let always_quiet = readiness == ReadinessTest::Quiet;
        match judge(&file, &metadata, known, quiet_period, always_quiet, self.setting.platform, now) {
            Readiness::Ready { .. } if is_long(&metadata) && !self.shares.allow_long(route) => {
                self.long_waits = true;
            }
            Readiness::Ready { seen } => self.claim(below, route, seen, &file, &metadata),
            Readiness::Wait(candidate) => {
                if self.is_hopeless(&candidate) {
                    self.complain(below, "busy", "somebody still has it open for writing");
                }
                if self.candidates.len() < CANDIDATES_MAX {
                    self.candidates.insert(below.to_owned(), candidate);
                }
            }
        }
    }

    fn claim(&mut self, below: &Path, route: &str, seen: Instant, file: &File, judged: &fs::Metadata) {
        let Setting { inbox, work, platform, disk, .. } = &self.setting;
        let mut claim = match Claim::take(work, inbox, below, self.ids.next(), seen, &**disk) {
            Ok(Some(claim)) => claim,
            // Nothing may stay open for a claim that there is not.
            Ok(None) => return disk.rest(),
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                disk.rest();
                let message = format!(
                    "its folder is on another file system than the working folder {}, so it cannot be taken by a \
                     rename; mount nothing below the inbox, or serve that folder with its own folders.var",
                    work.display()
                );
                self.complain(below, "device", &message);
                return;
            }
            Err(error) => {
                disk.rest();
                self.complain(below, "claim", &format!("the file cannot be taken: {error}"));
                return;
            }
        };
        // Between the look and the rename the name may have got another file, which the worker sees, or the file a
        // writer; after the rename nobody finds it any more.
        (claim.inode, claim.bytes) = (Some(judged.ino()), judged.len());
        if platform.writers(file) == Writers::Some {
            let put_back = claim.put_back(inbox, &**disk);
            disk.rest();
            match put_back {
                Ok(true) => return self.rescan(),
                Ok(false) | Err(_) => {
                    debug!(id = %claim.id, "a file opened meanwhile is answered all the same");
                }
            }
        }
        if !self.complaints.is_empty() {
            self.complaints.retain(|(path, _)| path != below);
        }
        self.shares.take(&claim.id, route.to_owned(), is_long(judged));
        self.idle_told = None;
        self.claimed.push(claim);
        if self.claimed.len() >= CLAIMED_MAX {
            self.tell_claimed();
        }
    }

    fn ignores_below(&self, below: &Path) -> bool {
        below.iter().any(|part| self.ignores(Path::new(part)))
    }

    fn ignores(&self, name: &Path) -> bool {
        is_own(name) || self.rules.ignore.first_match(name.as_os_str()).is_some()
    }

    fn rescan_interval(&self) -> Duration {
        let interval = self.rules.rescan_interval;
        if self.watch.trouble().is_some() { interval.min(self.rules.poll_interval) } else { interval }
    }

    /// Says once why something in the inbox is not taken.
    fn complain(&mut self, below: &Path, kind: &'static str, message: &str) {
        if self.complaints.len() >= COMPLAINTS_MAX {
            self.complaints.clear();
        }
        if self.complaints.insert((below.to_owned(), kind)) {
            let file = printable(below.as_os_str().as_encoded_bytes(), 300);
            warn!(name: kind::NOT_TAKEN.name, file, "not taken: {message}");
        }
    }

    fn tell_trouble(&mut self) {
        let trouble = self.watch.trouble().map(str::to_owned);
        if trouble != self.trouble_told {
            if let Some(trouble) = &trouble {
                warn!(name: kind::POLLING.name, "polling every {:?} instead of relying on events: {trouble}", self.rescan_interval());
            } else {
                info!(name: kind::EVENTS_WORK.name, watches = self.watch.count(), "events work again");
            }
            self.trouble_told = trouble;
            (self.report)(Report::Alive(self.status()));
        }
    }

    fn tell_idle(&mut self) {
        if !self.walks.are_over()
            || self.walk_again
            || self.next_walk <= Instant::now()
            || self.long_waits
            || self.shares.is_full()
            || self.hinted.load(Ordering::Acquire)
        {
            return;
        }
        let waiting = self.candidates.values().filter(|candidate| !self.is_hopeless(candidate)).count();
        if self.idle_told != Some(waiting) {
            self.idle_told = Some(waiting);
            (self.report)(Report::Idle { waiting });
        }
    }

    /// Somebody has it open for writing, and did not come to an end in a while.
    fn is_hopeless(&self, candidate: &Candidate) -> bool {
        candidate.busy && candidate.seen.elapsed() > 2 * self.rules.quiet_period
    }

    fn status(&self) -> Status {
        Status {
            details: None,
            trouble: self.watch.trouble().map(str::to_owned),
            shortage: self.low_water.shortage().map(str::to_owned),
            watches: self.watch.count(),
            waiting: self.candidates.len(),
            rescans: self.rescans,
            last_rescan: self.last_rescan,
            overflows: self.overflows,
            last_overflow: self.last_overflow,
        }
    }

    /// Says how everything is, for somebody who asks.
    fn describe(&mut self) {
        // What was found a while ago may be wrong by now.
        let _ = self.has_room();
        let mut incomplete = BTreeMap::new();
        for below in self.candidates.keys().take(DESCRIBED_MAX) {
            *incomplete.entry(self.rules.route_of(below)).or_default() += 1;
        }
        let details = Details {
            watches_max: os::watches_max(),
            rooms: self.low_water.found().to_vec(),
            incomplete,
            left_behind: self.walks.left_behind(),
            full: self.rules.names_where(|route| !self.shares.allow(route)),
            full_of_long: self.rules.names_where(|route| !self.shares.allow_long(route)),
            is_listing_held: !self.walks.are_over() && !self.can_walk() || self.shares.is_full(),
        };
        (self.report)(Report::Alive(Status { details: Some(details), ..self.status() }));
    }
}

/// A watch as the setting and the rules want it. It hands hints over by one message until they are taken.
fn watch(setting: &Setting, rules: &Rules, hinted: &Arc<AtomicBool>, waker: &Sender<Command>) -> Watch {
    let source = match rules.watch {
        _ if !setting.events => Source::Polling("events are switched off by --poll"),
        WatchMode::Poll => Source::Polling("events are switched off by intake.watch"),
        WatchMode::Auto => Source::System,
    };
    // The working folder is one daemon's alone.
    let owner = Identity::of(&setting.work).map_or_else(|_| String::new(), |identity| identity.to_string());
    let (flag, waker) = (Arc::clone(hinted), waker.clone());
    Watch::new(&source, &setting.inbox, &owner, move || {
        if !flag.swap(true, Ordering::AcqRel) {
            // The intake may have ended.
            let _ = waker.send(Command::Wake);
        }
    })
}

/// Whether a file may keep a worker for long.
fn is_long(file: &fs::Metadata) -> bool {
    Length::of(file.len()) == Length::Long
}

/// Opens a file for reading without following a link, waiting for a FIFO's writer or becoming a terminal's
/// session.
fn open(path: &Path) -> io::Result<(File, fs::Metadata)> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    let metadata = file.metadata()?;
    Ok((file, metadata))
}

#[cfg(test)]
mod tests;
