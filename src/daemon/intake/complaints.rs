//! Decides which complaints about the inbox are logged, so that files that cannot be taken do not fill the log.
//!
//! For each folder, owner and reason, the first ten names are logged once. At the end of a listing one line counts the
//! others. A complaint that recurs after a day without it is logged again.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fs, io};

use tracing::warn;

use crate::daemon::fs::access;
use crate::daemon::intake::fair_table::{Put, Table};
use crate::daemon::intake::judging::Reason;
use crate::logging::kind;
use tabuleiro_puzzles::input::printable;

/// Maximum number of names logged for one folder, owner and reason.
const NAMED_MAX: usize = 10;
/// Maximum number of remembered entries. A folder has one entry for each reason and owner.
const COMPLAINTS_MAX: usize = 1_000;
/// Ends a message that counts files without naming them.
const EXPLAINED: &str = "tabuleiro why FILE explains each";
/// How long a complaint must not recur before it is logged again.
const LOG_AGAIN_INTERVAL: Duration = Duration::from_secs(86_400);

/// The complaints so far.
pub struct Complaints {
    /// By folder, reason and owner.
    folders: Table<u32, (Arc<Path>, Reason, u32), Logged>,
    /// Whether some entries did not fit, and whether that was logged.
    is_cut: bool,
    is_cut_logged: bool,
    /// Whether, since the last listing began, a file could not be taken that should have been.
    pub has_failure: bool,
}

/// What was logged about the files of one owner in one folder for one reason.
struct Logged {
    names: BTreeSet<OsString>,
    /// Number of files found in this listing that the log does not name.
    others: u64,
    /// Whether the log has a line that counts the others.
    is_summed_up: bool,
    last_found: Instant,
}

impl Default for Complaints {
    fn default() -> Self {
        Self { folders: Table::new(COMPLAINTS_MAX), is_cut: false, is_cut_logged: false, has_failure: false }
    }
}

impl Complaints {
    /// Returns whether to log that the file of `owner` at `below` is not taken for this reason.
    pub fn is_new(&mut self, below: &Path, owner: u32, reason: Reason, now: Instant) -> bool {
        self.has_failure |= !matches!(reason, Reason::Kind | Reason::Busy);
        let key = (Arc::from(below.parent().unwrap_or(Path::new(""))), reason, owner);
        let name = below.file_name().unwrap_or_default();
        let Some(logged) = self.folders.get_mut(&key) else {
            let names = [name.to_owned()].into();
            let logged = Logged { names, others: 0, is_summed_up: false, last_found: now };
            if let Put::Refused = self.folders.put(owner, key, logged) {
                self.is_cut = true;
                return false;
            }
            return true;
        };
        logged.last_found = now;
        if logged.names.contains(name) {
            return false;
        }
        if logged.names.len() < NAMED_MAX {
            return logged.names.insert(name.to_owned());
        }
        logged.others += 1;
        false
    }

    /// Begins a listing of the whole inbox.
    pub fn begin_listing(&mut self) {
        self.has_failure = false;
        self.folders.values_mut().for_each(|logged| logged.others = 0);
    }

    /// Ends a listing of the whole inbox. Returns further messages to log, each with its folder.
    pub fn end_listing(&mut self, now: Instant) -> Vec<(Arc<Path>, String)> {
        let is_over = |logged: &Logged| now.duration_since(logged.last_found) >= LOG_AGAIN_INTERVAL;
        let over = self.folders.iter().filter(|(_, logged)| is_over(logged)).map(|(key, _)| key.clone());
        for key in over.collect::<Vec<_>>() {
            self.folders.remove(&key);
        }
        let mut rest = Vec::new();
        for ((folder, reason, owner), Logged { others, is_summed_up, .. }) in self.folders.iter() {
            if *others > 0 && !is_summed_up {
                let files =
                    format!("about {others} more of user {owner} in this folder, because {}", reason.words());
                rest.push((Arc::clone(folder), format!("{files}; {EXPLAINED}")));
            }
        }
        self.folders.values_mut().for_each(|logged| logged.is_summed_up |= logged.others > 0);
        if self.is_cut && !std::mem::replace(&mut self.is_cut_logged, true) {
            let files = "more folders than the service remembers have such files";
            rest.push((Path::new("").into(), format!("{files}; {EXPLAINED}")));
        }
        rest
    }
}

/// Maximum number of denied folders and files that are remembered. Others are not logged until there is room.
const DENIED_MAX: usize = 1_000;
/// Maximum number of denied folders and files that `status` reports.
const DENIED_SHOWN_MAX: usize = 20;
/// Maximum number of log lines about one of them: a copying program may change the permissions several times.
const LINES_MAX: u32 = 3;

/// Folders and files that the service cannot take because of their permissions. Each is logged with the remedy, once
/// per reason. `status` reports it until the permissions are right.
#[derive(Debug, Default)]
pub struct Denials {
    /// Number of listings of the whole inbox that ended.
    round: u64,
    entries: BTreeMap<PathBuf, Entry>,
}

#[derive(Debug, Default)]
struct Entry {
    why: String,
    /// The change time of the inode: seconds and nanoseconds since 1970.
    changed: Option<(i64, i64)>,
    /// The round in which it was last found.
    round: u64,
    /// Number of log lines about it.
    lines: u32,
}

impl Denials {
    /// Records that something cannot be read, listed or taken. Logs the reason, and logs it again when it changes. If
    /// the reason is a folder, logs it once for everything in that folder. Returns false if permissions are not the
    /// reason.
    pub fn record(&mut self, inbox: &Path, below: &Path, error: &io::Error) -> bool {
        if error.kind() != io::ErrorKind::PermissionDenied {
            return false;
        }
        // If a folder is closed to the service, every file in it fails. One check per listing is enough.
        let is_known = |path: &Path| {
            let entry = self.entries.get(path);
            entry
                .is_some_and(|entry| entry.round == self.round && entry.changed == changed(&inbox.join(path)))
        };
        if !self.entries.is_empty() && below.ancestors().any(is_known) {
            return true;
        }
        let Some(denied) = access::denied(inbox, below) else { return false };
        if self.entries.len() >= DENIED_MAX && !self.entries.contains_key(&denied.below) {
            return true;
        }
        let file = printable(denied.below.as_os_str().as_encoded_bytes(), 300);
        let changed = changed(&inbox.join(&denied.below));
        // The folders above can be used now, so older reasons for them no longer hold.
        self.entries.retain(|path, _| !denied.below.starts_with(path) || *path == denied.below);
        let entry = self.entries.entry(denied.below).or_default();
        if entry.why != denied.why && entry.lines < LINES_MAX {
            warn!(name: kind::NOT_TAKEN.name, file, reason = denied.why, "not taken");
            entry.lines += 1;
        }
        *entry = Entry { why: denied.why, changed, round: self.round, lines: entry.lines };
        true
    }

    /// Forgets what was denied about a file that was taken, and about the folders above it.
    pub fn permit(&mut self, file: &Path) {
        if !self.entries.is_empty() {
            self.entries.retain(|below, _| !file.starts_with(below));
        }
    }

    /// Ends a listing of the whole inbox. Forgets what it did not find again, which is repaired or gone.
    pub fn end_round(&mut self) {
        self.entries.retain(|_, entry| entry.round == self.round);
        self.round += 1;
    }

    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// Returns the first entries: the path below the inbox, and the reason with the remedy.
    pub fn first(&self) -> Vec<(PathBuf, String)> {
        let shown = |(below, entry): (&PathBuf, &Entry)| (below.clone(), entry.why.clone());
        self.entries.iter().take(DENIED_SHOWN_MAX).map(shown).collect()
    }
}

fn changed(path: &Path) -> Option<(i64, i64)> {
    fs::symlink_metadata(path).ok().map(|found| (found.ctime(), found.ctime_nsec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

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
            let is_sum = |(folder, sum): &(Arc<Path>, String)| {
                **folder == *Path::new("a") && sum.starts_with("about 19990 more of user 1 in this folder")
            };
            assert!(rest.iter().all(is_sum), "{rest:?}");
            lines += rest.len() as u64;
        }
        assert_eq!(lines, NAMED_MAX as u64 + 1);
        assert!(complaints.is_new(Path::new("a/0"), 1, Reason::Unreadable, now), "another reason is told");
        assert!(complaints.is_new(Path::new("b/0"), 1, Reason::Kind, now), "another folder, too");
        assert!(complaints.is_new(Path::new("a/x"), 2, Reason::Kind, now), "and another owner");
        complaints.begin_listing();
        assert_eq!(complaints.end_listing(now + LOG_AGAIN_INTERVAL), []);
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
        let rest = complaints.end_listing(now);
        assert!(rest.len() == 1 && rest[0].1.contains("more folders than the service remembers"), "{rest:?}");
        assert_eq!(complaints.end_listing(now), [], "told once");
    }

    #[test]
    fn what_is_denied_is_kept_until_it_is_over() {
        if rustix::process::geteuid().is_root() {
            return; // Nothing is denied to root.
        }
        let inbox = tempfile::tempdir().unwrap();
        fs::create_dir(inbox.path().join("a")).unwrap();
        fs::write(inbox.path().join("a/entrada.txt"), "").unwrap();
        fs::set_permissions(inbox.path().join("a"), Permissions::from_mode(0o555)).unwrap();
        let file = Path::new("a/entrada.txt");
        let mut denials = Denials::default();
        let record = |denials: &mut Denials| {
            denials.record(inbox.path(), file, &io::Error::from(io::ErrorKind::PermissionDenied))
        };
        assert!(record(&mut denials) && record(&mut denials));
        assert_eq!(denials.first().len(), 1);
        denials.end_round();
        assert!(record(&mut denials));
        denials.end_round();
        assert_eq!(denials.first().len(), 1);
        denials.end_round();
        assert_eq!(denials.first().len(), 0);
        assert!(record(&mut denials));
        denials.permit(file);
        assert_eq!(denials.first().len(), 0);
        assert!(!denials.record(inbox.path(), file, &io::Error::from(io::ErrorKind::NotFound)));
    }
}
