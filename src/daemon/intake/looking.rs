//! Looking at a file: whether it is complete, and claiming it.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Instant;

use rustix::fs::{Mode, OFlags};
use tracing::debug;

use super::{CANDIDATES_MAX, CLAIMED_MAX, Intake, Rules, Setting};
use crate::config::Readiness as ReadinessTest;
use crate::daemon::answering::fair::RouteQueue;
use crate::daemon::claims::claim::Claim;
use crate::daemon::fs::os::Writers;
use crate::daemon::intake::ready::{Readiness, judge};

impl Intake {
    /// Looks at a path that a hint named, or that was left before.
    pub(super) fn look_at(&mut self, below: &Path) {
        let path = self.setting.inbox.join(below);
        match fs::symlink_metadata(&path) {
            Ok(metadata) if !metadata.is_dir() && !self.ignores_below(below) => self.meet(below, &metadata),
            found => {
                // Whatever stays a candidate is looked at again at once: one that never can be would be for ever.
                self.candidates.remove(below);
                if found.is_ok_and(|metadata| metadata.is_dir()) && !self.ignores_below(below) {
                    self.watch.forget_below(&path);
                    self.list_folder(below);
                }
            }
        }
    }

    /// Examines a file whose queue may claim, and leaves it for later where not.
    pub(super) fn meet(&mut self, below: &Path, metadata: &fs::Metadata) {
        let queue = self.rules.queue_of(below, metadata.len());
        if self.slots.allow(&queue) {
            self.examine(below, metadata.file_type(), queue);
            return;
        }
        // It keeps what is known of it. Until its queue may claim, looking again would be of no use.
        if let Some(candidate) = self.candidates.get_mut(below) {
            candidate.look_again = Instant::now() + self.rules.rescan_interval;
        }
        self.backlog.add(queue, below.to_owned());
    }

    pub(super) fn look_at_candidates(&mut self) {
        let now = Instant::now();
        let due: Vec<_> = self
            .candidates
            .iter()
            .filter(|(_, candidate)| candidate.look_again <= now)
            .map(|(below, _)| below.clone())
            .collect();
        for below in due {
            if self.slots.is_full() {
                return;
            }
            self.look_at(&below);
        }
    }

    /// Claims a file of a queue that may claim, if the file is complete.
    fn examine(&mut self, below: &Path, kind: fs::FileType, queue: RouteQueue) {
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
                self.complain_of(below, "unreadable", "the file cannot be read", &error);
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
            Readiness::Ready { seen } => self.claim(below, queue, seen, &file, &metadata),
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

    pub(super) fn claim(
        &mut self,
        below: &Path,
        queue: RouteQueue,
        seen: Instant,
        file: &File,
        judged: &fs::Metadata,
    ) {
        let Setting { inbox, work, platform, disk, gate, .. } = &self.setting;
        let claiming = gate.claim();
        let taken = Claim::take(work, inbox, below, self.ids.next(), seen, &**disk);
        drop(claiming);
        let mut claim = match taken {
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
                self.complain_of(below, "claim", "the file cannot be taken", &error);
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
        self.denials.permit(below);
        self.slots.take(&claim.id, queue);
        self.idle_told = None;
        self.claimed.push(claim);
        if self.claimed.len() >= CLAIMED_MAX {
            self.tell_claimed();
        }
    }
}

/// Opens a file for reading without following a link, waiting for a FIFO's writer or becoming a terminal's
/// session.
pub(super) fn open(path: &Path) -> io::Result<(File, fs::Metadata)> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    let metadata = file.metadata()?;
    Ok((file, metadata))
}
