//! What permissions keep from being taken: logged once with the remedy, and reported by `status` until it is over.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use tracing::warn;

use crate::daemon::fs::access;
use crate::logging::kind;
use tabuleiro_puzzles::input::printable;

/// Folders and files that are remembered; further ones are not logged until there is room.
const DENIED_MAX: usize = 1_000;
/// Of those, the ones that `status` reports.
const DENIED_TOLD_MAX: usize = 20;
/// Log lines about one of them: a copier may set several permissions before the final ones.
const LINES_MAX: u32 = 3;

/// Folders and files that the service may not take.
#[derive(Debug, Default)]
pub struct Denials {
    /// Rises with every listing of the whole inbox.
    round: u64,
    entries: BTreeMap<PathBuf, Entry>,
}

#[derive(Debug, Default)]
struct Entry {
    why: String,
    /// When the permissions were changed last, as the system tells.
    changed: Option<(i64, i64)>,
    /// When it was met last.
    round: u64,
    /// Lines of the log about it.
    lines: u32,
}

impl Denials {
    /// Records that something cannot be read, listed or taken, and logs why: of a folder once for all that lies in it, and
    /// again when the reason changes. Returns false if permissions are not the reason.
    pub fn record(&mut self, inbox: &Path, below: &Path, error: &io::Error) -> bool {
        if error.kind() != io::ErrorKind::PermissionDenied {
            return false;
        }
        // In a closed folder every file fails; one check in a listing is enough.
        let is_known = |way: &Path| {
            let entry = self.entries.get(way);
            entry.is_some_and(|entry| entry.round == self.round && entry.changed == changed(&inbox.join(way)))
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
        // A reason known for a folder further up is over.
        self.entries.retain(|way, _| !denied.below.starts_with(way) || *way == denied.below);
        let entry = self.entries.entry(denied.below).or_default();
        if entry.why != denied.why && entry.lines < LINES_MAX {
            warn!(name: kind::NOT_TAKEN.name, file, "not taken: {}", denied.why);
            entry.lines += 1;
        }
        *entry = Entry { why: denied.why, changed, round: self.round, lines: entry.lines };
        true
    }

    /// Forgets what was denied on the way to a file that was taken.
    pub fn permit(&mut self, file: &Path) {
        if !self.entries.is_empty() {
            self.entries.retain(|below, _| !file.starts_with(below));
        }
    }

    /// Ends a listing of the whole inbox: what was not met again is repaired or gone.
    pub fn end_round(&mut self) {
        self.entries.retain(|_, entry| entry.round == self.round);
        self.round += 1;
    }

    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// Returns some of them: the path below the inbox, and why, with what to do.
    pub fn told(&self) -> Vec<(PathBuf, String)> {
        let told = |(below, entry): (&PathBuf, &Entry)| (below.clone(), entry.why.clone());
        self.entries.iter().take(DENIED_TOLD_MAX).map(told).collect()
    }
}

fn changed(path: &Path) -> Option<(i64, i64)> {
    fs::symlink_metadata(path).ok().map(|found| (found.ctime(), found.ctime_nsec()))
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn what_is_denied_is_kept_until_it_is_over() {
        if nix::unistd::Uid::effective().is_root() {
            return; // Nothing is denied to root.
        }
        let inbox = tempfile::tempdir().unwrap();
        fs::create_dir(inbox.path().join("a")).unwrap();
        fs::write(inbox.path().join("a/entrada.txt"), "").unwrap();
        fs::set_permissions(inbox.path().join("a"), Permissions::from_mode(0o555)).unwrap();
        let file = Path::new("a/entrada.txt");
        let mut denials = Denials::default();
        let meet = |denials: &mut Denials| {
            denials.record(inbox.path(), file, &io::Error::from(io::ErrorKind::PermissionDenied))
        };
        assert!(meet(&mut denials) && meet(&mut denials));
        assert_eq!(denials.told().len(), 1);
        denials.end_round();
        assert!(meet(&mut denials));
        denials.end_round();
        assert_eq!(denials.told().len(), 1);
        denials.end_round();
        assert_eq!(denials.told().len(), 0);
        assert!(meet(&mut denials));
        denials.permit(file);
        assert_eq!(denials.told().len(), 0);
        assert!(!denials.record(inbox.path(), file, &io::Error::from(io::ErrorKind::NotFound)));
    }
}
