//! The listing of the inbox, a few entries at a time, so that it can pause while nothing may be claimed.
//!
//! A listing that comes to a file whose route may claim nothing for now waits there: what lies behind it is not
//! remembered, however much it is. So that files of other routes do not wait with it, *scouts* list the inbox as
//! well, past the files of all routes that a listing waits for. There is at most one listing a route.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, ReadDir};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use tracing::info;

use super::{DEPTH_MAX, Intake};
use crate::daemon::intake::watch::Identity;
use crate::logging::kind;

/// Listings at a time.
const WALKS_MAX: usize = 16;
/// Folders that hints named and that are not listed yet; more of them become one listing of the inbox.
const ERRANDS_MAX: usize = 10_000;

/// A listing in progress: the open folders from the one where it began downwards.
pub(super) struct Walk {
    pub(super) folders: Vec<(PathBuf, ReadDir)>,
    purpose: Purpose,
    /// The file at which it waits, and its route.
    held: Option<(PathBuf, String)>,
    /// Files that it had to leave, by route, the one at which it waits not counted.
    passed: BTreeMap<String, u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// To find every file there is.
    Whole,
    /// To find files of routes that no other listing waits for.
    Scout,
    /// To list a folder that a hint named.
    Errand,
}

/// All listings in progress.
#[derive(Default)]
pub(super) struct Walks {
    pub(super) list: Vec<Walk>,
    /// Folders that hints named. They are opened one after the other: there may be more of them than descriptors.
    pub(super) errands: BTreeSet<PathBuf>,
    /// The routes that listings waited for when the last scout set out.
    scouted: BTreeSet<String>,
    next_scout: Option<Instant>,
    /// What the listing that ended last had to leave.
    left: BTreeMap<String, u64>,
}

impl Walks {
    /// Nothing is left to list.
    pub(super) fn are_over(&self) -> bool {
        self.list.is_empty() && self.errands.is_empty()
    }

    pub(super) fn is_whole_under_way(&self) -> bool {
        self.list.iter().any(|walk| walk.purpose == Purpose::Whole)
    }

    /// When a scout is due, where all listings wait.
    pub(super) fn next_scout(&self) -> Option<Instant> {
        self.next_scout.filter(|_| !self.list.is_empty())
    }

    /// Files that listings had to leave in the inbox, by route: at least so many were there when they came by.
    pub(super) fn left_behind(&self) -> BTreeMap<String, u64> {
        let mut left = if self.are_over() { BTreeMap::new() } else { self.left.clone() };
        for walk in &self.list {
            let mut seen = walk.passed.clone();
            if let Some((_, route)) = &walk.held {
                *seen.entry(route.clone()).or_default() += 1;
            }
            // Several listings meet the same files.
            for (route, count) in seen {
                let known = left.entry(route).or_default();
                *known = count.max(*known);
            }
        }
        left
    }

    /// Whether a listing waits for `route`.
    fn waits_for(&self, route: &str) -> bool {
        self.list.iter().any(|walk| walk.held.as_ref().is_some_and(|(_, held)| held == route))
    }
}

impl Intake {
    /// Watches every folder there is before the first file is looked at.
    pub(super) fn arm(&mut self, folder: &Path, depth: usize) {
        self.watch.add(&self.setting.inbox.join(folder));
        let Ok(entries) = fs::read_dir(self.setting.inbox.join(folder)) else { return };
        for entry in entries.flatten() {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder && depth < DEPTH_MAX && !self.ignores(Path::new(&entry.file_name())) {
                self.arm(&folder.join(entry.file_name()), depth + 1);
            }
        }
    }

    pub(super) fn begin_walk(&mut self) {
        let inbox = self.setting.inbox.clone();
        self.next_walk = Instant::now() + self.rescan_interval();
        self.watch.begin_round(std::mem::take(&mut self.watch_anew));
        if let Some(parent) = inbox.parent() {
            self.watch.add(parent);
        }
        let identity = match Identity::of(&inbox) {
            Ok(identity) => identity,
            Err(error) => {
                self.complain(Path::new(""), "missing", &format!("the inbox cannot be used: {error}"));
                self.identity = None;
                self.next_walk = Instant::now() + self.rules.poll_interval.min(self.rescan_interval());
                return;
            }
        };
        if self.identity.is_some_and(|known| known != identity)
            || self.complaints.remove(&(PathBuf::new(), "missing"))
        {
            info!(name: kind::INBOX_REPLACED.name, inbox = %inbox.display(), "the inbox is a new folder, watching it from here on");
            self.watch.forget_below(&inbox);
        }
        self.identity = Some(identity);
        let inbox_walk = self.begin(Purpose::Whole);
        self.walk_into(inbox_walk, PathBuf::new());
    }

    /// Begins a listing; gives its place in the list.
    fn begin(&mut self, purpose: Purpose) -> usize {
        self.walks.list.push(Walk { folders: Vec::new(), purpose, held: None, passed: BTreeMap::new() });
        self.walks.list.len() - 1
    }

    /// Has a folder listed that a hint named.
    pub(super) fn run_errand(&mut self, folder: &Path) {
        if self.walks.errands.len() < ERRANDS_MAX {
            self.walks.errands.insert(folder.to_owned());
        } else {
            self.rescan();
        }
    }

    /// Continues a listing with `folder`, watching it first.
    fn walk_into(&mut self, index: usize, folder: PathBuf) {
        let path = self.setting.inbox.join(&folder);
        if folder.components().count() > DEPTH_MAX {
            self.complain(&folder, "depth", "the folder is too deep below the inbox and is left alone");
            return;
        }
        self.watch.add(&path);
        match fs::read_dir(&path) {
            Ok(entries) => {
                self.walks.list[index].folders.push((folder, entries));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                self.complain(&folder, "unreadable", &format!("the folder cannot be listed: {error}"));
            }
        }
    }

    /// Handles one entry of a listing; false when there is no listing (any more), or all of them wait.
    pub(super) fn walk_on(&mut self) -> bool {
        let errand_under_way = self.walks.list.iter().any(|walk| walk.purpose == Purpose::Errand);
        if !errand_under_way && let Some(folder) = self.walks.errands.pop_first() {
            let errand = self.begin(Purpose::Errand);
            self.walk_into(errand, folder);
        }
        for index in 0..self.walks.list.len() {
            let Some((_, route)) = &self.walks.list[index].held else {
                self.handle_entry(index);
                return true;
            };
            if self.shares.allow(route) {
                if let Some((below, route)) = self.walks.list[index].held.take() {
                    self.look_at_file(&below, &route);
                }
                return true;
            }
        }
        self.send_scout()
    }

    /// Whether a listing can go on.
    pub(super) fn can_walk(&self) -> bool {
        let can = |walk: &Walk| walk.held.as_ref().is_none_or(|(_, route)| self.shares.allow(route));
        !self.walks.errands.is_empty() || self.walks.list.iter().any(can)
    }

    /// Where every listing waits: looks past the files they wait for, when a route has come to be waited for or some
    /// time has gone.
    fn send_scout(&mut self) -> bool {
        let waited_for: BTreeSet<String> =
            self.walks.list.iter().filter_map(|walk| Some(walk.held.as_ref()?.1.clone())).collect();
        let due = self.walks.next_scout.is_none_or(|due| Instant::now() >= due);
        let new = !waited_for.is_subset(&self.walks.scouted);
        if waited_for.is_empty() || !(due || new) || self.walks.list.len() >= WALKS_MAX {
            return false;
        }
        self.walks.scouted = waited_for;
        self.walks.next_scout = Some(Instant::now() + self.rescan_interval());
        let scout = self.begin(Purpose::Scout);
        self.walk_into(scout, PathBuf::new());
        true
    }

    fn handle_entry(&mut self, index: usize) {
        let walk = &mut self.walks.list[index];
        let Some((folder, entries)) = walk.folders.last_mut() else {
            self.end_walk(index);
            return;
        };
        match entries.next() {
            None => {
                walk.folders.pop();
            }
            Some(Err(error)) => {
                let folder = folder.clone();
                walk.folders.pop();
                self.complain(&folder, "unreadable", &format!("the folder cannot be listed: {error}"));
            }
            Some(Ok(entry)) => {
                let below = folder.join(entry.file_name());
                if self.ignores(Path::new(&entry.file_name())) {
                    return;
                }
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => self.walk_into(index, below),
                    Ok(kind) => self.meet(index, below, kind),
                    Err(_) => {}
                }
            }
        }
    }

    /// A listing comes to a file.
    fn meet(&mut self, index: usize, below: PathBuf, kind: fs::FileType) {
        let route = self.rules.route_of(&below);
        if self.shares.allow(&route) {
            self.examine(&below, kind, &route);
        } else if self.walks.list[index].purpose == Purpose::Errand {
            self.rescan();
        } else if !self.walks.waits_for(&route) {
            self.walks.list[index].held = Some((below, route));
        } else {
            *self.walks.list[index].passed.entry(route).or_default() += 1;
        }
    }

    fn end_walk(&mut self, index: usize) {
        let Walk { purpose, passed, .. } = self.walks.list.remove(index);
        if purpose != Purpose::Errand {
            self.walks.left = passed;
        }
        if purpose == Purpose::Whole {
            let inbox = self.setting.inbox.clone();
            self.watch.end_round(inbox.parent().unwrap_or(&inbox));
            self.rescans += 1;
            self.last_rescan = Some(Instant::now());
            self.next_walk = Instant::now() + self.rescan_interval();
        }
        if self.walks.list.is_empty() {
            (self.walks.scouted, self.walks.next_scout) = (BTreeSet::new(), None);
        }
        self.tell_trouble();
        if !self.walks.is_whole_under_way() && std::mem::take(&mut self.walk_again) {
            self.next_walk = Instant::now();
        }
    }
}
