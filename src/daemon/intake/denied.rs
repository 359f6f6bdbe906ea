//! What permissions keep from being taken: told once with the remedy, and kept for whoever asks.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::Intake;
use crate::daemon::fs::access;

/// Folders and files that are kept for whoever asks; the log tells of all.
const DENIED_MAX: usize = 32;
/// The kind of the complaint.
const KIND: &str = "denied";

/// Folders and files that the service may not take, as met since the last listing of the whole inbox began.
#[derive(Debug, Default)]
pub(super) struct Denials {
    round: u64,
    entries: BTreeMap<PathBuf, Entry>,
}

#[derive(Debug)]
struct Entry {
    why: String,
    round: u64,
}

impl Denials {
    /// Why, and what to do, for each.
    pub(super) fn told(&self) -> Vec<String> {
        self.entries.values().map(|entry| entry.why.clone()).collect()
    }

    /// Whether that, or a folder that it lies in, was found denied in this round already.
    fn covers(&self, below: &Path) -> bool {
        let is_met = |way: &Path| self.entries.get(way).is_some_and(|entry| entry.round == self.round);
        !self.entries.is_empty() && below.ancestors().any(is_met)
    }
}

impl Intake {
    /// Says once why something cannot be read, listed or taken: permissions with their remedy, a folder's once for all that
    /// lies in it, or the error.
    pub(super) fn complain_of(&mut self, below: &Path, kind: &'static str, what: &str, error: &io::Error) {
        if error.kind() != io::ErrorKind::PermissionDenied {
            self.complain(below, kind, &format!("{what}: {error}"));
            return;
        }
        if self.denials.covers(below) {
            return;
        }
        let Some(denied) = access::denied(&self.setting.inbox, below) else {
            self.complain(below, kind, &format!("{what}: {error}"));
            return;
        };
        self.complain(&denied.below, KIND, &format!("{what}: {}", denied.why));
        let Denials { round, entries } = &mut self.denials;
        if entries.len() < DENIED_MAX || entries.contains_key(&denied.below) {
            entries.insert(denied.below, Entry { why: denied.why, round: *round });
        }
    }

    /// Something was taken, so nothing on its way is denied any more.
    pub(super) fn permit(&mut self, below: &Path) {
        if !self.denials.entries.is_empty() {
            self.forget_denials(|denied, _| below.starts_with(denied));
        }
    }

    /// The whole inbox was listed: what was not met again is mended or gone.
    pub(super) fn end_denials(&mut self) {
        let now = self.denials.round;
        self.forget_denials(|_, round| round != now);
        self.denials.round += 1;
    }

    /// Should it happen again, it is told again.
    fn forget_denials(&mut self, is_over: impl Fn(&Path, u64) -> bool) {
        let complaints = &mut self.complaints;
        self.denials.entries.retain(|below, entry| {
            let is_kept = !is_over(below, entry.round);
            if !is_kept {
                complaints.remove(&(below.clone(), KIND));
            }
            is_kept
        });
    }
}
