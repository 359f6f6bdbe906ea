//! Looking at a file: whether it is complete, and claiming it.

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use tracing::debug;

use super::{CANDIDATES_MAX, CLAIMED_MAX, Intake, OTHER_MOUNT, Setting};
use crate::daemon::answering::fair::RouteQueue;
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::fs::disk::{Disk, Stat};
use crate::daemon::fs::os::{Writers, writers};
use crate::daemon::intake::fair_table::Put;
use crate::daemon::intake::judging::{Quiet, Readiness, Reason, judge, judge_kind};

impl Intake {
    /// Examines a path that a hint named, or that was left before.
    pub(super) fn look_at(&mut self, below: &Path) {
        let path = self.setting.inbox.join(below);
        self.has_cached_dirs = true;
        match self.setting.tree.look(&path) {
            Ok(found) if !found.is_folder && !self.ignores_below(below) => self.on_file_found(below, &found),
            found => {
                // A candidate that can never be claimed would be examined again and again without a pause.
                self.candidates.remove(below);
                if found.is_ok_and(|found| found.is_folder) && !self.ignores_below(below) {
                    self.watch.forget_below(&path);
                    self.list_folder(below);
                }
            }
        }
    }

    /// Examines a file whose queue may claim, and leaves it for later where not.
    pub(super) fn on_file_found(&mut self, below: &Path, found: &Stat) {
        let queue = self.setting.queue_of(below, found.bytes);
        if self.slots.allow(&queue) {
            self.examine(below, found, queue);
            return;
        }
        // It keeps what is known of it. Until its queue may claim, looking again would be of no use.
        if let Some(candidate) = self.candidates.get_mut(below) {
            candidate.look_again = Instant::now() + self.setting.config.intake.rescan_interval;
        }
        self.backlog.add(queue, found.owner, below);
    }

    pub(super) fn look_at_candidates(&mut self) {
        let now = Instant::now();
        let due: Vec<_> = self
            .candidates
            .iter()
            .filter(|(_, candidate)| candidate.look_again <= now)
            .map(|(below, _)| Arc::clone(below))
            .collect();
        for below in due {
            if self.slots.is_full() {
                return;
            }
            self.look_at(&below);
        }
        // Those that did not fit in are found by a listing, as soon as many would.
        if self.forgotten > 0 && self.candidates.len() <= CANDIDATES_MAX / 2 && self.listing.walk.is_none() {
            self.forgotten = 0;
            self.rescan();
        }
    }

    /// Claims a file of a queue that may claim, if the file is complete.
    fn examine(&mut self, below: &Path, found: &Stat, queue: RouteQueue) {
        let known = self.candidates.remove(below);
        if let Some(reason) = judge_kind(found) {
            let what = if found.is_link { "a symbolic link" } else { "no regular file" };
            self.complain_of(below, found.owner, reason, &format!("it is {what} and is left alone"));
            return;
        }
        self.has_cached_dirs = true;
        let file = self.setting.tree.open_file(&self.setting.inbox.join(below));
        let (file, metadata) = match file.and_then(|file| Ok((file.metadata()?, file))) {
            Ok((metadata, file)) => (file, metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => {
                self.fail(below, found.owner, Reason::Unreadable, "the file cannot be read", &error);
                return;
            }
        };
        if !metadata.is_file() {
            return; // Replaced meanwhile; the next look sees what it is now.
        }
        let now = Instant::now();
        let quiet = Quiet::of(&self.setting.config.intake);
        match judge(&metadata, writers(&file), known, quiet, now) {
            Readiness::Ready { seen } => self.claim(below, queue, seen, &file, &metadata),
            Readiness::Wait(candidate) => {
                if self.is_hopeless(&candidate) {
                    let message = "somebody still has it open for writing";
                    self.complain_of(below, found.owner, Reason::Busy, message);
                }
                let put = self.candidates.put(metadata.uid(), below.into(), candidate);
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
        judged: &Metadata,
    ) {
        let Setting { ids, inbox, work, tree: disk, gate, .. } = &mut self.setting;
        let claiming = gate.claim();
        let taken = Claim::take(work, inbox, below, ids.next(), &**disk);
        drop(claiming);
        let mut claim = match taken {
            Ok(Some(claim)) => claim,
            // Nothing may stay open for a claim that there is not.
            Ok(None) => return disk.close_cached_dirs(),
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                disk.close_cached_dirs();
                return self.complain_of(below, judged.uid(), Reason::OtherMount, OTHER_MOUNT);
            }
            Err(error) => {
                disk.close_cached_dirs();
                return self.fail(below, judged.uid(), Reason::Claim, "the file cannot be taken", &error);
            }
        };
        // Between the look and the rename the name may have got another file, which the worker sees, or the file a
        // writer; after the rename nobody finds it any more.
        (claim.seen, claim.inode, claim.bytes) = (seen, Some(judged.ino()), judged.len());
        if writers(file) == Writers::Some {
            let put_back = claim.put_back(inbox, &**disk);
            disk.close_cached_dirs();
            match put_back {
                Ok(true) => return self.rescan(),
                Ok(false) | Err(_) => {
                    debug!(id = %claim.id, "a file opened meanwhile is answered all the same");
                }
            }
        }
        self.denials.permit(below);
        // The folders kept open are of use for what follows, and are closed after it.
        self.has_cached_dirs = false;
        self.slots.take(&claim.id, queue);
        self.idle_told = None;
        self.claimed.push(claim);
        if self.claimed.len() >= CLAIMED_MAX {
            self.tell_claimed();
        }
    }
}
