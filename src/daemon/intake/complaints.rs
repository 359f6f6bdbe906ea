//! Decides which complaints about the inbox are logged, so that nobody fills the log with files that cannot be taken.
//!
//! For each folder, owner and reason, the first few names are logged once. At the end of a listing one line counts the others.
//! A folder in which nothing of the kind was met for a day starts over.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::daemon::intake::fair_table::{Put, Table};
use crate::daemon::intake::judging::Reason;

/// Names logged in one folder for one reason.
const NAMED_MAX: usize = 10;
/// Folders remembered in which something was complained of, a reason each.
const COMPLAINTS_MAX: usize = 1_000;
/// How long nothing of the kind must be met in a folder before it is logged again.
const TELL_AGAIN_INTERVAL: Duration = Duration::from_secs(86_400);

/// What was complained of.
pub struct Complaints {
    /// By folder, reason and owner.
    folders: Table<u32, (Arc<Path>, Reason, u32), Told>,
    /// If there are more folders than are remembered: whether that was logged.
    cut: Option<bool>,
    is_missing_told: bool,
    /// Since the last listing began something was met that was to be taken and could not be.
    has_failure: bool,
}

/// What was logged of an owner's files in a folder for one reason.
struct Told {
    names: BTreeSet<OsString>,
    /// Files met in this listing that are not named.
    others: u64,
    /// That there are others was logged.
    is_summed_up: bool,
    met: Instant,
}

/// What is to be logged at the end of a listing.
#[derive(Debug, PartialEq, Eq)]
pub enum Rest {
    /// So many more files of that owner in that folder are not taken for that reason.
    InFolder(Arc<Path>, Reason, u32, u64),
    /// There are more folders than are remembered.
    Folders,
}

impl Default for Complaints {
    fn default() -> Self {
        Self { folders: Table::new(COMPLAINTS_MAX), cut: None, is_missing_told: false, has_failure: false }
    }
}

impl Complaints {
    /// Returns whether to log that the `owner`'s file at `below` is not taken for that reason.
    pub fn is_new(&mut self, below: &Path, owner: u32, reason: Reason, now: Instant) -> bool {
        self.has_failure |= reason.is_failure();
        let key = (Arc::from(below.parent().unwrap_or(Path::new(""))), reason, owner);
        let name = below.file_name().unwrap_or_default();
        let Some(told) = self.folders.get_mut(&key) else {
            let told = Told { names: [name.to_owned()].into(), others: 0, is_summed_up: false, met: now };
            let is_kept = !matches!(self.folders.put(owner, key, told), Put::Refused);
            if !is_kept {
                self.cut.get_or_insert(false);
            }
            return is_kept;
        };
        told.met = now;
        if told.names.contains(name) {
            return false;
        }
        if told.names.len() < NAMED_MAX {
            return told.names.insert(name.to_owned());
        }
        told.others += 1;
        false
    }

    /// Notes that something that was to be taken could not be, which is logged elsewhere.
    pub fn note_failure(&mut self) {
        self.has_failure = true;
    }

    /// Notes that the inbox cannot be listed. Returns whether to log that.
    pub fn inbox_is_missing(&mut self) -> bool {
        self.has_failure = true;
        !std::mem::replace(&mut self.is_missing_told, true)
    }

    /// Notes that the inbox can be listed. Returns whether it was logged that it cannot.
    pub fn inbox_is_there(&mut self) -> bool {
        std::mem::take(&mut self.is_missing_told)
    }

    /// Returns whether something that was to be taken could not be, since the last listing began.
    pub fn has_failure(&self) -> bool {
        self.has_failure
    }

    /// Begins a listing of the whole inbox.
    pub fn begin_listing(&mut self) {
        self.has_failure = false;
        self.folders.values_mut().for_each(|told| told.others = 0);
    }

    /// Ends a listing of the whole inbox. Returns what else is to be logged.
    pub fn end_listing(&mut self, now: Instant) -> Vec<Rest> {
        let is_over = |told: &Told| now.duration_since(told.met) >= TELL_AGAIN_INTERVAL;
        let over: Vec<_> =
            self.folders.iter().filter(|(_, told)| is_over(told)).map(|(key, _)| key.clone()).collect();
        for key in over {
            self.folders.remove(&key);
        }
        let untold = |told: &Told| told.others > 0 && !told.is_summed_up;
        let mut rest: Vec<_> = self
            .folders
            .iter()
            .filter(|(_, told)| untold(told))
            .map(|((folder, reason, owner), told)| {
                Rest::InFolder(Arc::clone(folder), *reason, *owner, told.others)
            })
            .collect();
        self.folders.values_mut().for_each(|told| told.is_summed_up |= told.others > 0);
        if let Some(is_told) = &mut self.cut
            && !std::mem::replace(is_told, true)
        {
            rest.push(Rest::Folders);
        }
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_full_of_what_is_not_taken_is_a_few_lines_once() {
        let mut complaints = Complaints::default();
        let now = Instant::now();
        let mut lines = 0;
        for _ in 0..3 {
            complaints.begin_listing();
            for number in 0..20_000 {
                let path = format!("a/{number}");
                lines += u64::from(complaints.is_new(Path::new(&path), 1, Reason::Kind, now));
            }
            let rest = complaints.end_listing(now);
            assert!(
                rest.iter()
                    .all(|rest| *rest == Rest::InFolder(Path::new("a").into(), Reason::Kind, 1, 19_990))
            );
            lines += rest.len() as u64;
        }
        assert_eq!(lines, NAMED_MAX as u64 + 1);
        assert!(complaints.is_new(Path::new("a/0"), 1, Reason::Unreadable, now), "another reason is told");
        assert!(complaints.is_new(Path::new("b/0"), 1, Reason::Kind, now), "another folder, too");
        assert!(complaints.is_new(Path::new("a/x"), 2, Reason::Kind, now), "and another owner");
        complaints.begin_listing();
        assert_eq!(complaints.end_listing(now + TELL_AGAIN_INTERVAL), []);
        assert!(complaints.folders.is_empty(), "mended a day ago");
    }

    #[test]
    fn nobody_s_folders_silence_what_is_told_of_others() {
        let mut complaints = Complaints::default();
        let now = Instant::now();
        let mut tell = |owner: u32, folders: usize| {
            let folders = (0..folders).map(|number| format!("{owner}/{number}/x"));
            folders.filter(|path| complaints.is_new(Path::new(path), owner, Reason::Kind, now)).count()
        };
        assert_eq!(tell(1, 20_000), COMPLAINTS_MAX);
        assert_eq!((tell(2, 3), tell(1, 20_000)), (3, 0));
        assert_eq!(complaints.end_listing(now), [Rest::Folders]);
        assert_eq!(complaints.end_listing(now), [], "told once");
    }
}
