//! What the intake is told, what it says, and what it works by.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::oneshot;

use crate::config::Config;
use crate::daemon::answering::fair::{Length, RouteQueue};
use crate::daemon::base::job_id::JobIds;
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::claims::gate::Gate;
use crate::daemon::fs::folder_tree::Tree;
use crate::daemon::fs::os::Room;

/// What the intake is told.
pub enum Command {
    /// There are hints.
    Wake,
    /// The claims of these IDs are over.
    Release(Vec<String>),
    /// List the inbox: a file was put back.
    Look,
    /// Work by this configuration from now on.
    Reload(Arc<Config>),
    /// Say that you are alive.
    Ping,
    /// Say how you are in every detail, for somebody who is told when that is done.
    Describe(oneshot::Sender<()>),
    /// Claim nothing more, and end.
    Stop,
}

/// What the intake says.
#[derive(Debug)]
pub enum Message {
    /// Files were claimed, in this order.
    Claimed(Vec<Claim>),
    /// Every folder is watched (or polled); files dropped from now on are seen.
    Watching(Status),
    /// Everything found was claimed, but for files that are not complete.
    Idle {
        /// Files that are not complete; 0 when they are only being written and time is up.
        incomplete: usize,
        /// The last listing met what was to be taken and could not be, as the log says.
        untaken: bool,
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
    pub details: Option<Box<Details>>,
    /// Why events are not relied on.
    pub trouble: Option<String>,
    /// Why nothing is claimed for now.
    pub shortage: Option<String>,
    /// Folders of the inbox that are on another mount than the working folder, below the inbox: some of them.
    pub other_mounts: Vec<PathBuf>,
    /// Folders watched.
    pub watches: usize,
    /// Files not complete yet.
    pub incomplete: usize,
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
    /// Files not complete yet, by the name of their route; of [`DESCRIBED_MAX`](super::DESCRIBED_MAX) at most.
    pub incomplete: BTreeMap<String, u64>,
    /// Files that had to be left in the inbox because their route may hold no more, by route: at least so many.
    pub left_behind: BTreeMap<String, u64>,
    /// Routes that may claim no short file for now; the empty name for files that none takes.
    pub full: BTreeSet<String>,
    /// Routes that may claim no long file for now.
    pub full_of_long: BTreeSet<String>,
    /// No slot is free, so files that no listing has come to may wait too.
    pub is_listing_held: bool,
    /// What permissions keep from being taken, by its path below the inbox, each with the remedy; not more than can be read.
    pub denied: Vec<(PathBuf, String)>,
}

/// Where the intake works, and by what.
pub struct Setting {
    pub config: Arc<Config>,
    /// Names the claims.
    pub ids: JobIds,
    pub inbox: PathBuf,
    pub work: PathBuf,
    /// Where results are made; it must have room for them.
    pub staging: PathBuf,
    /// Through which files are found and claimed.
    pub tree: Arc<Tree>,
    /// Held while a file is claimed.
    pub gate: Arc<Gate>,
    /// Whether to ask the system for events.
    pub events: bool,
    /// Claims that may be in hand at once.
    pub slots: usize,
    /// The claims in hand that an earlier run left, with their queues.
    pub recovered: Vec<(String, RouteQueue)>,
}

impl Setting {
    /// Returns the names of the routes for which that holds; the empty name stands for files that no route takes.
    pub(super) fn names_where(&self, holds: impl Fn(&str) -> bool) -> BTreeSet<String> {
        let names = self.config.routes().iter().map(|route| route.name.as_str()).chain([""]);
        names.filter(|name| holds(name)).map(str::to_owned).collect()
    }

    /// Returns the queue of a file of so many bytes.
    pub(super) fn queue_of(&self, below: &Path, bytes: u64) -> RouteQueue {
        RouteQueue { route: self.route_of(below), length: Length::of(bytes) }
    }

    /// Returns the name of the route that takes a file; empty if none does.
    pub(super) fn route_of(&self, below: &Path) -> String {
        self.config.route(below).map_or_else(String::new, |route| route.name.clone())
    }
}
