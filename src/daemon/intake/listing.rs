//! Lists the inbox a few entries at a time, so that the listing can pause while nothing may be claimed. Also examines
//! and claims files.
//!
//! A folder is opened without following a link, and listed through its descriptor, whatever its path leads to by then.
//! A listing skips the files of queues that may claim no more. A limited number of them is remembered, and examined
//! when their queue may claim again.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use tracing::{debug, info, warn};

use super::fair_table::Put;
use super::judging::{
    OTHER_MOUNT, Quiet, Readiness, Reason, folder_message, judge, judge_folder, kind_message,
};
use super::slots::MustList;
use super::watch::Identity;
use super::{CANDIDATES_MAX, CLAIMED_MAX, Intake, IntakeSettings, STEP_ENTRIES, log_not_taken};
use crate::daemon::answering::fair::RouteQueue;
use crate::daemon::base::clock::{now, stamp};
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::fs::disk::{Disk, Entry, OpenFile, Stat};
use crate::daemon::fs::opened::OpenFolder;
use crate::daemon::fs::os::{Mount, Writers, writers};
use crate::logging::kind;

/// Maximum number of folders that hints named and that wait to be listed. Beyond it the inbox is listed instead.
const FOLDERS_MAX: usize = 10_000;
/// Maximum number of folders on another mount that are reported.
const MOUNTS_MAX: usize = 10;

/// The listing in progress, and those to come.
pub(super) struct Listing {
    pub(super) walk: Option<Walk>,
    /// Folders that hints named and that are still to be listed.
    folders: BTreeSet<PathBuf>,
    /// The whole inbox must be listed again after this listing.
    pub(super) again: bool,
    /// Events were lost, so the next listing renews all watches.
    pub(super) renew_watches: bool,
    /// When the whole inbox is listed next.
    pub(super) next: Instant,
    /// The identity of the inbox at the last listing, or why it could not be used.
    identity: Option<Result<Identity, io::ErrorKind>>,
    /// The mount of the working folder.
    mount: Option<Mount>,
    /// Folders on other mounts that this listing found.
    other_mounts: BTreeSet<PathBuf>,
}

/// A listing in progress: the open folders, from the one where it began downwards.
pub(super) struct Walk {
    pub(super) folders: Vec<(PathBuf, OpenFolder)>,
    /// Whether it began at the inbox.
    pub(super) is_whole: bool,
}

impl Listing {
    /// Creates the state before the first listing, which is due now. `mount` is the mount of the working folder.
    pub(super) fn new(mount: Option<Mount>) -> Self {
        Self {
            walk: None,
            folders: BTreeSet::new(),
            again: false,
            renew_watches: false,
            next: Instant::now(),
            identity: None,
            mount,
            other_mounts: BTreeSet::new(),
        }
    }

    /// Returns whether a listing is in progress, or folders that hints named wait to be listed.
    pub(super) fn is_under_way(&self) -> bool {
        self.walk.is_some() || !self.folders.is_empty()
    }

    /// Returns whether the whole inbox must be listed once no listing is in progress.
    pub(super) fn is_due(&self) -> bool {
        Instant::now() >= self.next
    }
}

impl Intake {
    /// Watches a folder and all folders in it, before the first file is examined.
    pub(super) fn watch_all(&mut self, folder: &Path) {
        let Ok(entries) = self.enter(folder) else { return };
        for Entry { name, is_folder } in entries.flatten() {
            if is_folder && !self.ignores(Path::new(&name)) {
                self.watch_all(&folder.join(name));
            }
        }
    }

    pub(super) fn begin_walk(&mut self) {
        let inbox = self.setting.folders.inbox.clone();
        self.listing.next = Instant::now() + self.rescan_interval();
        self.watch.begin_round(std::mem::take(&mut self.listing.renew_watches));
        self.complaints.begin_listing();
        self.forgotten = 0;
        self.listing.other_mounts.clear();
        let parent = inbox.parent().unwrap_or(&inbox);
        self.watch.add(parent);
        let identity = match Identity::of(&inbox) {
            Ok(identity) => identity,
            Err(error) => {
                self.complaints.has_failure = true;
                if self.listing.identity.replace(Err(error.kind())) != Some(Err(error.kind())) {
                    log_not_taken(Path::new(""), &format!("the inbox cannot be used: {error}"));
                }
                let interval = self.setting.config.intake.poll_interval.min(self.rescan_interval());
                self.listing.next = Instant::now() + interval;
                return;
            }
        };
        if self.listing.identity.replace(Ok(identity)).is_some_and(|known| known != Ok(identity)) {
            info!(name: kind::INBOX_REPLACED.name, inbox = %inbox.display(), "inbox replaced");
            self.watch.forget_all();
            self.watch.add(parent);
        }
        self.backlog.clear();
        self.listing.walk = Some(Walk { folders: Vec::new(), is_whole: true });
        self.walk_into(PathBuf::new());
    }

    /// Schedules the listing of a folder that a hint named. Such folders are opened one after the other, because there
    /// may be more of them than descriptors.
    pub(super) fn list_folder(&mut self, folder: &Path) {
        if self.listing.folders.len() < FOLDERS_MAX {
            self.listing.folders.insert(folder.to_owned());
        } else {
            self.rescan();
        }
    }

    /// Continues the listing with `folder`.
    fn walk_into(&mut self, folder: PathBuf) {
        match self.enter(&folder) {
            Ok(entries) => {
                if let Some(walk) = &mut self.listing.walk {
                    walk.folders.push((folder, entries));
                }
            }
            Err(Some((reason, message))) => {
                let owner = self.owner(&folder);
                self.complain(&folder, owner, reason, &message);
            }
            Err(None) => {}
        }
    }

    /// Opens a folder and watches it, before the first name in it is read. The error says why the folder is left alone.
    /// It is `None` if the folder is gone or the error is already logged.
    fn enter(&mut self, folder: &Path) -> Result<OpenFolder, Option<(Reason, String)>> {
        if let Some(reason) = judge_folder(folder, None, None) {
            return Err(Some((reason, folder_message(folder, reason))));
        }
        let is_inbox = folder.as_os_str().is_empty();
        let path = self.setting.folders.inbox.join(folder);
        let opened = self.setting.tree.open_folder(&path).and_then(|opened| Ok((opened.mount()?, opened)));
        let (mount, entries) = match opened {
            Ok(opened) => opened,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(None),
            // A folder that became a link is found again as a link.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory && !is_inbox => return Err(None),
            Err(error) => {
                // An event reports if it becomes readable later.
                self.watch.add(&path);
                let owner = self.owner(folder);
                self.report(folder, owner, Reason::Unreadable, "the folder cannot be listed", &error);
                return Err(None);
            }
        };
        if let Some(reason) = judge_folder(folder, Some(mount), self.listing.mount) {
            if self.listing.other_mounts.len() < MOUNTS_MAX {
                self.listing.other_mounts.insert(folder.to_owned());
            }
            // If the inbox itself is on another mount, each of its files is reported instead.
            if !is_inbox {
                return Err(Some((reason, folder_message(folder, reason))));
            }
        }
        self.watch.add(&path);
        Ok(entries)
    }

    /// Handles one entry of the listing. Returns false if there is nothing to list.
    pub(super) fn walk_on(&mut self) -> bool {
        if self.listing.walk.is_none() && !self.listing.is_due() {
            let Some(folder) = self.listing.folders.pop_first() else { return false };
            self.listing.walk = Some(Walk { folders: Vec::new(), is_whole: false });
            self.walk_into(folder);
        }
        let Some(walk) = &mut self.listing.walk else { return false };
        let Some((folder, entries)) = walk.folders.last_mut() else {
            let is_whole = walk.is_whole;
            self.listing.walk = None;
            self.end_walk(is_whole);
            return true;
        };
        match entries.next() {
            None => drop(walk.folders.pop()),
            Some(Err(error)) => {
                let folder = folder.clone();
                walk.folders.pop();
                let owner = self.owner(&folder);
                self.report(&folder, owner, Reason::Unreadable, "the folder cannot be listed", &error);
            }
            Some(Ok(Entry { name, is_folder })) => {
                let below = folder.join(&name);
                let found = (!is_folder).then(|| entries.stat(&name));
                if self.ignores(Path::new(&name)) {
                    return true;
                }
                match found {
                    _ if is_folder => self.walk_into(below),
                    Some(Ok(found)) if found.is_folder => self.walk_into(below),
                    Some(Ok(found)) => self.on_file_found(&below, &found),
                    Some(Err(error)) if error.kind() == io::ErrorKind::PermissionDenied => {
                        let owner = self.owner(&below);
                        self.report(&below, owner, Reason::Unreadable, "the file cannot be reached", &error);
                    }
                    // Somebody removed the entry.
                    _ => {}
                }
            }
        }
        true
    }

    fn end_walk(&mut self, is_whole: bool) {
        if is_whole {
            let inbox = self.setting.folders.inbox.clone();
            self.watch.end_round(inbox.parent().unwrap_or(&inbox));
            self.denials.end_round();
            self.report.rescans += 1;
            self.report.last_rescan = Some(stamp(now()));
            self.listing.next = Instant::now() + self.rescan_interval();
            self.other_mounts = self.listing.other_mounts.iter().cloned().collect();
            let shown = |folder: &PathBuf| inbox.join(folder).display().to_string();
            self.report.other_mounts = self.other_mounts.iter().map(shown).collect();
            for (folder, message) in self.complaints.end_listing(Instant::now()) {
                log_not_taken(&folder, &message);
            }
        }
        // If a folder that a hint named cannot be watched, no event reported the files that were dropped into it after
        // its listing. So list the inbox once more.
        let is_new = self.watch.trouble.is_some() && self.report.reason.is_none();
        self.report_trouble();
        if is_new {
            self.rescan();
        }
        if self.watch.must_log_cut() {
            let (watches, interval) = (self.watch.count(), self.rescan_interval());
            warn!(name: "watches-cut", watches, ?interval, "not all folders are watched");
        }
        if std::mem::take(&mut self.listing.again) {
            self.listing.next = Instant::now();
        }
    }

    /// Examines files that listings left in the inbox, if their queues may claim again.
    pub(super) fn look_at_backlog(&mut self) {
        for _ in 0..STEP_ENTRIES {
            match self.backlog.pop(&self.slots) {
                Some(Ok(below)) => self.look_at(&below),
                Some(Err(MustList)) => self.rescan(),
                None => return,
            }
        }
    }

    /// Returns the owner of the file or folder at `below` the inbox; 0 if it cannot be examined.
    pub(super) fn owner(&self, below: &Path) -> u32 {
        self.setting.tree.stat(&self.setting.folders.inbox.join(below)).map_or(0, |found| found.owner)
    }

    /// Examines a path that a hint named, or that was left in the inbox before.
    pub(super) fn look_at(&mut self, below: &Path) {
        let path = self.setting.folders.inbox.join(below);
        match self.setting.tree.stat(&path) {
            Ok(found) if !found.is_folder && !self.ignores_below(below) => self.on_file_found(below, &found),
            found => {
                // Forget it: a candidate that can never be claimed would be examined again and again without a pause.
                self.candidates.remove(below);
                if found.is_ok_and(|found| found.is_folder) && !self.ignores_below(below) {
                    self.watch.forget_below(&path);
                    self.list_folder(below);
                }
            }
        }
    }

    /// Examines a file if its queue may claim. Otherwise leaves it for later.
    pub(super) fn on_file_found(&mut self, below: &Path, found: &Stat) {
        let queue = RouteQueue::of(below, found.bytes, &self.setting.config);
        if self.slots.allow(&queue) {
            self.examine(below, found, queue);
            return;
        }
        // Keep what is known of the file, but do not check it again before its queue may claim.
        if let Some(candidate) = self.candidates.get_mut(below) {
            candidate.look_again = Instant::now() + self.setting.config.intake.rescan_interval;
        }
        self.backlog.add(queue, found.owner, below);
    }

    pub(super) fn look_at_candidates(&mut self) {
        let now = Instant::now();
        let due = self.candidates.iter().filter(|(_, candidate)| candidate.look_again <= now);
        let due: Vec<_> = due.map(|(below, _)| Arc::clone(below)).collect();
        for below in due {
            if self.slots.is_full() {
                return;
            }
            self.look_at(&below);
        }
        // Incomplete files that were not remembered are found by a listing, once half of the table is free.
        if self.forgotten > 0 && self.candidates.len() <= CANDIDATES_MAX / 2 && self.listing.walk.is_none() {
            self.forgotten = 0;
            self.rescan();
        }
    }

    /// Claims a file of a queue that may claim, if the file is complete.
    fn examine(&mut self, below: &Path, found: &Stat, queue: RouteQueue) {
        let known = self.candidates.remove(below);
        if !found.is_file {
            self.complain(below, found.owner, Reason::Kind, kind_message(found.is_link));
            return;
        }
        let file = self.setting.tree.open_file(&self.setting.folders.inbox.join(below));
        let (state, file) = match file.and_then(|file| Ok((file.stat()?, file))) {
            Ok(opened) => opened,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => {
                self.report(below, found.owner, Reason::Unreadable, "the file cannot be read", &error);
                return;
            }
        };
        if !state.is_file {
            return; // Replaced meanwhile; the next check finds what it is now.
        }
        let now = Instant::now();
        let quiet = Quiet::of(&self.setting.config.intake);
        match judge(state, writers(&file), known, quiet, now) {
            Readiness::Ready(seen) => self.claim(below, queue, seen, &file, &state),
            Readiness::Wait(candidate) => {
                if self.is_held_open(&candidate) {
                    let message = "somebody still has it open for writing";
                    self.complain(below, found.owner, Reason::Busy, message);
                }
                let put = self.candidates.put(state.owner, below.into(), candidate);
                self.forgotten += usize::from(!matches!(put, Put::Kept));
            }
        }
    }

    pub(super) fn claim(
        &mut self,
        below: &Path,
        queue: RouteQueue,
        seen: Instant,
        file: &File,
        judged: &Stat,
    ) {
        let IntakeSettings { ids, folders, tree: disk, gate, .. } = &mut self.setting;
        let claiming = gate.claim();
        let taken = Claim::take(&folders.work, &folders.inbox, below, ids.next(), &**disk);
        drop(claiming);
        let mut claim = match taken {
            Ok(Some(claim)) => claim,
            Ok(None) => return,
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                return self.complain(below, judged.owner, Reason::OtherMount, OTHER_MOUNT);
            }
            Err(error) => {
                return self.report(below, judged.owner, Reason::Claim, "the file cannot be taken", &error);
            }
        };
        // Between the check and the rename, another file may have taken the name, which the worker notices, or somebody
        // may have opened the file for writing. After the rename nobody finds it under its name any more.
        (claim.seen, claim.inode, claim.bytes) = (seen, Some(judged.inode), judged.bytes);
        if writers(file) == Writers::Some {
            if let Ok(true) = claim.put_back(&folders.inbox, &**disk) {
                return self.rescan();
            }
            debug!(id = %claim.id, "a file opened meanwhile is answered all the same");
        }
        self.denials.permit(below);
        self.slots.take(&claim.id, queue);
        self.idle_reported = None;
        self.claimed.push(claim);
        if self.claimed.len() >= CLAIMED_MAX {
            self.report_claimed();
        }
    }
}
