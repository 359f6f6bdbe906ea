//! The listing of the inbox, a few entries at a time, so that it can pause while nothing may be claimed.
//!
//! A listing passes by the files of queues that may claim no more. They are remembered, up to a number, and looked at
//! when their queue may claim again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use tracing::info;

use super::{DEPTH_MAX, Intake, STEP_ENTRIES};
use crate::daemon::intake::backlog::{MustList, Walk};
use crate::daemon::intake::watch::Identity;
use crate::logging::kind;

/// Folders that hints named and that are not listed yet; more of them become one listing of the inbox.
const FOLDERS_MAX: usize = 10_000;

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
        self.backlog.clear();
        self.walk = Some(Walk { folders: Vec::new(), is_whole: true });
        self.walk_into(PathBuf::new());
    }

    /// Has a folder listed that a hint named. Such folders are opened one after the other: there may be more of them than
    /// descriptors.
    pub(super) fn list_folder(&mut self, folder: &Path) {
        if self.folders.len() < FOLDERS_MAX {
            self.folders.insert(folder.to_owned());
        } else {
            self.rescan();
        }
    }

    /// Continues the listing with `folder`, watching it first.
    fn walk_into(&mut self, folder: PathBuf) {
        let path = self.setting.inbox.join(&folder);
        if folder.components().count() > DEPTH_MAX {
            self.complain(&folder, "depth", "the folder is too deep below the inbox and is left alone");
            return;
        }
        self.watch.add(&path);
        match fs::read_dir(&path) {
            Ok(entries) => {
                if let Some(walk) = &mut self.walk {
                    walk.folders.push((folder, entries));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                self.complain_of(&folder, "unreadable", "the folder cannot be listed", &error);
            }
        }
    }

    /// Handles one entry of the listing; false when there is none (any more).
    pub(super) fn walk_on(&mut self) -> bool {
        if self.walk.is_none() && !self.is_walk_due() {
            let Some(folder) = self.folders.pop_first() else { return false };
            self.walk = Some(Walk { folders: Vec::new(), is_whole: false });
            self.walk_into(folder);
        }
        let Some(walk) = &mut self.walk else { return false };
        let Some((folder, entries)) = walk.folders.last_mut() else {
            let is_whole = walk.is_whole;
            self.walk = None;
            self.end_walk(is_whole);
            return true;
        };
        match entries.next() {
            None => drop(walk.folders.pop()),
            Some(Err(error)) => {
                let folder = folder.clone();
                walk.folders.pop();
                self.complain_of(&folder, "unreadable", "the folder cannot be listed", &error);
            }
            Some(Ok(entry)) => {
                let below = folder.join(entry.file_name());
                if self.ignores(Path::new(&entry.file_name())) {
                    return true;
                }
                // What is gone meanwhile was taken away.
                match entry.metadata() {
                    Ok(metadata) if metadata.is_dir() => self.walk_into(below),
                    Ok(metadata) => self.meet(&below, &metadata),
                    Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                        self.complain_of(&below, "unreadable", "the file cannot be reached", &error);
                    }
                    Err(_) => {}
                }
            }
        }
        true
    }

    /// Whether the whole inbox is to be listed as soon as no listing is under way.
    pub(super) fn is_walk_due(&self) -> bool {
        Instant::now() >= self.next_walk
    }

    fn end_walk(&mut self, is_whole: bool) {
        if is_whole {
            let inbox = self.setting.inbox.clone();
            self.watch.end_round(inbox.parent().unwrap_or(&inbox));
            self.denials.end_round();
            self.rescans += 1;
            self.last_rescan = Some(Instant::now());
            self.next_walk = Instant::now() + self.rescan_interval();
        }
        self.tell_trouble();
        if std::mem::take(&mut self.walk_again) {
            self.next_walk = Instant::now();
        }
    }

    /// Looks at files that listings had to leave, as far as their queues may claim again.
    pub(super) fn look_at_backlog(&mut self) {
        for _ in 0..STEP_ENTRIES {
            match self.backlog.pop(&self.slots) {
                Some(Ok(below)) => self.look_at(&below),
                Some(Err(MustList)) => self.rescan(),
                None => return,
            }
        }
    }
}
