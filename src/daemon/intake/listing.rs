//! The listing of the inbox, a few entries at a time, so that it can pause while nothing may be claimed.

use std::collections::BTreeSet;
use std::fs::{self, ReadDir};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use tracing::info;

use super::{DEPTH_MAX, Intake};
use crate::daemon::watch::Identity;

/// A listing in progress: the open folders from the inbox downwards.
pub(super) struct Walk {
    pub(super) folders: Vec<(PathBuf, ReadDir)>,
    /// Folders that hints named. They are opened one after the other: there may be more of them than descriptors.
    pub(super) later: BTreeSet<PathBuf>,
    /// From the inbox itself; else only a folder that a hint named.
    whole: bool,
}

impl Walk {
    pub(super) fn new(whole: bool) -> Self {
        Self { folders: Vec::new(), later: BTreeSet::new(), whole }
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
        self.watch.begin_round();
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
            info!(inbox = %inbox.display(), "the inbox is a new folder, watching it from here on");
            self.watch.forget_below(&inbox);
        }
        self.identity = Some(identity);
        self.walk = Some(Walk::new(true));
        self.walk_into(PathBuf::new());
        self.watch.send_canary();
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
                let walk = self.walk.get_or_insert_with(|| Walk::new(false));
                walk.folders.push((folder, entries));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                self.complain(&folder, "unreadable", &format!("the folder cannot be listed: {error}"));
            }
        }
    }

    /// Handles one entry of the listing; false when there is no listing (any more).
    pub(super) fn walk_on(&mut self) -> bool {
        let Some(walk) = &mut self.walk else { return false };
        let Some((folder, entries)) = walk.folders.last_mut() else {
            if let Some(folder) = walk.later.pop_first() {
                self.walk_into(folder);
                return true;
            }
            self.end_walk();
            return false;
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
                    return true;
                }
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => self.walk_into(below),
                    Ok(kind) => self.examine(&below, kind),
                    Err(_) => {}
                }
            }
        }
        true
    }

    fn end_walk(&mut self) {
        if self.walk.take().is_some_and(|walk| walk.whole) {
            let inbox = self.setting.inbox.clone();
            self.watch.end_round(inbox.parent().unwrap_or(&inbox));
            self.last_rescan = Some(Instant::now());
            self.next_walk = Instant::now() + self.rescan_interval();
        }
        self.tell_trouble();
        if std::mem::take(&mut self.walk_again) {
            self.next_walk = Instant::now();
        }
    }
}
