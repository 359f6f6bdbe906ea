//! The listing of the inbox, a few entries at a time, so that it can pause while nothing may be claimed.
//!
//! A folder is opened without following a link and listed through what was opened, whatever stands under its path by
//! then. A listing skips the files of queues that may claim no more. They are remembered, up to a number, and examined when
//! their queue may claim again.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use tracing::{info, warn};

use super::judging::{FOLDER_BYTES_MAX, Reason, judge_folder};
use super::{Intake, OTHER_MOUNT, STEP_ENTRIES};
use crate::daemon::fs::disk::{Disk, Entry};
use crate::daemon::fs::opened::OpenFolder;
use crate::daemon::fs::os::Mount;
use crate::daemon::intake::slots::MustList;
use crate::daemon::intake::telling::say;
use crate::daemon::intake::watch::Identity;
use crate::logging::kind;

/// Folders that hints named and that are not listed yet; more of them become one listing of the inbox.
const FOLDERS_MAX: usize = 10_000;
/// Folders of the inbox on another mount that are reported.
const MOUNTS_MAX: usize = 10;

/// Listings: the one under way, and those to come.
pub(super) struct Listing {
    pub(super) walk: Option<Walk>,
    /// Folders that hints named, to be listed.
    folders: BTreeSet<PathBuf>,
    /// The whole inbox is to be listed once more at the end of this listing.
    pub(super) again: bool,
    /// Events were lost, so the next listing renews all watches.
    pub(super) watch_anew: bool,
    /// When the whole inbox is listed next.
    pub(super) next: Instant,
    /// The inbox's identity, unless it cannot be used.
    identity: Option<Identity>,
    /// The mount of the working folder.
    mount: Option<Mount>,
    /// Folders of the inbox on other mounts that this listing met.
    other_mounts: BTreeSet<PathBuf>,
}

/// A listing in progress: the open folders from the one where it began downwards.
pub(super) struct Walk {
    pub(super) folders: Vec<(PathBuf, OpenFolder)>,
    /// It began at the inbox.
    pub(super) is_whole: bool,
}

impl Listing {
    /// Makes listings of which the first is due now. `mount` is that of the working folder.
    pub(super) fn new(mount: Option<Mount>) -> Self {
        Self {
            walk: None,
            folders: BTreeSet::new(),
            again: false,
            watch_anew: false,
            next: Instant::now(),
            identity: None,
            mount,
            other_mounts: BTreeSet::new(),
        }
    }

    /// Returns whether there are folders to list, before the next listing of the whole inbox is due.
    pub(super) fn is_under_way(&self) -> bool {
        self.walk.is_some() || !self.folders.is_empty()
    }

    /// Returns whether the whole inbox is to be listed as soon as no listing is under way.
    pub(super) fn is_due(&self) -> bool {
        Instant::now() >= self.next
    }
}

impl Intake {
    /// Watches every folder before the first file is examined.
    pub(super) fn arm(&mut self, folder: &Path) {
        let Ok(entries) = self.enter(folder) else { return };
        for Entry { name, is_folder } in entries.flatten() {
            if is_folder && !self.ignores(Path::new(&name)) {
                self.arm(&folder.join(name));
            }
        }
    }

    pub(super) fn begin_walk(&mut self) {
        let inbox = self.setting.inbox.clone();
        self.listing.next = Instant::now() + self.rescan_interval();
        self.watch.begin_round(std::mem::take(&mut self.listing.watch_anew));
        self.complaints.begin_listing();
        self.forgotten = 0;
        self.listing.other_mounts.clear();
        if let Some(parent) = inbox.parent() {
            self.watch.add(parent);
        }
        let identity = match Identity::of(&inbox) {
            Ok(identity) => identity,
            Err(error) => {
                if self.complaints.inbox_is_missing() {
                    say(Path::new(""), &format!("the inbox cannot be used: {error}"));
                }
                self.listing.identity = None;
                let interval = self.setting.config.intake.poll_interval.min(self.rescan_interval());
                self.listing.next = Instant::now() + interval;
                return;
            }
        };
        if self.complaints.inbox_is_there() || self.listing.identity.is_some_and(|known| known != identity) {
            info!(name: kind::INBOX_REPLACED.name, inbox = %inbox.display(), "the inbox is a new folder, watching it from here on");
            self.watch.forget_all();
            if let Some(parent) = inbox.parent() {
                self.watch.add(parent);
            }
        }
        self.listing.identity = Some(identity);
        self.backlog.clear();
        self.listing.walk = Some(Walk { folders: Vec::new(), is_whole: true });
        self.walk_into(PathBuf::new());
    }

    /// Has a folder listed that a hint named. Such folders are opened one after the other: there may be more of them than
    /// descriptors.
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
            Err(Some((reason, message))) => self.complain(&folder, reason, &message),
            Err(None) => {}
        }
    }

    /// Opens a folder and watches it, before the first name in it is read. The error says why it is left alone; it is `None` if
    /// the folder was taken away meanwhile.
    fn enter(&mut self, folder: &Path) -> Result<OpenFolder, Option<(Reason, String)>> {
        if let Some(reason) = judge_folder(folder, None, None) {
            return Err(Some((reason, refusal(folder, reason))));
        }
        let is_inbox = folder.as_os_str().is_empty();
        let path = self.setting.inbox.join(folder);
        let opened = self.setting.tree.open_folder(&path).and_then(|opened| Ok((opened.mount()?, opened)));
        let (mount, entries) = match opened {
            Ok(opened) => opened,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(None),
            // What became a link is met as one.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory && !is_inbox => return Err(None),
            Err(error) => {
                // It may be readable later, which events tell.
                self.watch.add(&path);
                let owner = self.owner(folder);
                self.fail(folder, owner, Reason::Unreadable, "the folder cannot be listed", &error);
                return Err(None);
            }
        };
        if let Some(reason) = judge_folder(folder, Some(mount), self.listing.mount) {
            if self.listing.other_mounts.len() < MOUNTS_MAX {
                self.listing.other_mounts.insert(folder.to_owned());
            }
            // If the inbox itself is mounted over, each of its files is reported instead.
            if !is_inbox {
                return Err(Some((reason, refusal(folder, reason))));
            }
        }
        self.watch.add(&path);
        Ok(entries)
    }

    /// Handles one entry of the listing. Returns false if there is none (any more).
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
                self.fail(&folder, owner, Reason::Unreadable, "the folder cannot be listed", &error);
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
                        self.fail(&below, owner, Reason::Unreadable, "the file cannot be reached", &error);
                    }
                    // What is gone meanwhile was taken away.
                    _ => {}
                }
            }
        }
        true
    }

    fn end_walk(&mut self, is_whole: bool) {
        if is_whole {
            let inbox = self.setting.inbox.clone();
            self.watch.end_round(inbox.parent().unwrap_or(&inbox));
            self.denials.end_round();
            self.status.rescans += 1;
            self.status.last_rescan = Some(Instant::now());
            self.listing.next = Instant::now() + self.rescan_interval();
            self.status.other_mounts = self.listing.other_mounts.iter().cloned().collect();
            self.complain_of_rest();
        }
        // A folder that a hint named cannot be watched: what was dropped into it since it was listed sent no event.
        let is_new = self.watch.trouble().is_some() && self.status.trouble.is_none();
        self.tell_trouble();
        if is_new {
            self.rescan();
        }
        if self.watch.tells_cut() {
            let (watches, interval) = (self.watch.count(), self.rescan_interval());
            warn!(
                watches,
                "there are more folders than are watched; files in the others are found by the listing every {interval:?} (intake.rescan_interval)"
            );
        }
        if std::mem::take(&mut self.listing.again) {
            self.listing.next = Instant::now();
        }
    }

    /// Examines files that listings had to leave, as far as their queues may claim again.
    pub(super) fn look_at_backlog(&mut self) {
        for _ in 0..STEP_ENTRIES {
            match self.backlog.pop(&self.slots) {
                Some(Ok(below)) => self.look_at(&below),
                Some(Err(MustList)) => self.rescan(),
                None => return,
            }
        }
    }

    /// Returns the owner of what stands at `below` the inbox.
    pub(super) fn owner(&mut self, below: &Path) -> u32 {
        self.has_cached_dirs = true;
        self.setting.tree.stat(&self.setting.inbox.join(below)).map_or(0, |found| found.owner)
    }
}

/// Says why a folder is left alone with all that is in it.
fn refusal(folder: &Path, reason: Reason) -> String {
    match reason {
        Reason::TooLong => format!(
            "the folder's path below the inbox is {} bytes long and {FOLDER_BYTES_MAX} are allowed, so it is left \
             alone with all that is in it; give the folders shorter names, or move it up",
            folder.as_os_str().len()
        ),
        Reason::OtherMount => OTHER_MOUNT.to_owned(),
        _ => "the folder is too deep below the inbox and is left alone".to_owned(),
    }
}
