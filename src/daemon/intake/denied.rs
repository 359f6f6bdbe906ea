//! What permissions keep from being taken: told once with the remedy, and kept for whoever asks until it is over.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use tracing::warn;

use crate::daemon::fs::access;
use crate::input::printable;
use crate::logging::kind;

/// Folders and files that are remembered; further ones are not told until there is room.
const DENIED_MAX: usize = 1_000;
/// Of those, the ones told to whoever asks.
const DENIED_TOLD_MAX: usize = 20;

/// Folders and files that the service may not take.
#[derive(Debug, Default)]
pub(super) struct Denials {
    /// Rises with every listing of the whole inbox.
    round: u64,
    entries: BTreeMap<PathBuf, Entry>,
}

#[derive(Debug)]
struct Entry {
    why: String,
    /// When it was met last.
    round: u64,
}

impl Denials {
    /// Something cannot be read, listed or taken: says once why, of a folder for all that lies in it. False where that is no
    /// matter of permissions.
    pub(super) fn meet(&mut self, inbox: &Path, below: &Path, error: &io::Error) -> bool {
        if error.kind() != io::ErrorKind::PermissionDenied {
            return false;
        }
        // In a closed folder every file is met; one look in a listing is enough.
        let is_met = |way: &Path| self.entries.get(way).is_some_and(|entry| entry.round == self.round);
        if !self.entries.is_empty() && below.ancestors().any(is_met) {
            return true;
        }
        let Some(denied) = access::denied(inbox, below) else { return false };
        if let Some(entry) = self.entries.get_mut(&denied.below) {
            entry.round = self.round;
        } else if self.entries.len() < DENIED_MAX {
            let file = printable(denied.below.as_os_str().as_encoded_bytes(), 300);
            warn!(name: kind::NOT_TAKEN.name, file, "not taken: {}", denied.why);
            self.entries.insert(denied.below, Entry { why: denied.why, round: self.round });
        }
        true
    }

    /// A file was taken, so nothing on its way is denied any more.
    pub(super) fn permit(&mut self, file: &Path) {
        if !self.entries.is_empty() {
            self.entries.retain(|below, _| !file.starts_with(below));
        }
    }

    /// The whole inbox was listed: what was not met again is mended or gone.
    pub(super) fn end_round(&mut self) {
        self.entries.retain(|_, entry| entry.round == self.round);
        self.round += 1;
    }

    /// Why, and what to do, for each of some.
    pub(super) fn told(&self) -> Vec<String> {
        self.entries.values().take(DENIED_TOLD_MAX).map(|entry| entry.why.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
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
            denials.meet(inbox.path(), file, &io::Error::from(io::ErrorKind::PermissionDenied))
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
        assert!(!denials.meet(inbox.path(), file, &io::Error::from(io::ErrorKind::NotFound)));
    }
}
