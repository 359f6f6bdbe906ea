//! Pauses claiming while a disk is nearly full, so that no result is begun that cannot be written.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::fs::statvfs;
use tracing::{info, warn};

use crate::config::Intake as Rules;
use crate::daemon::fs::os::Room;
use crate::logging::kind;
use tabuleiro_puzzles::solver::format_size;

/// How often the room is checked while there is work, and while claiming pauses.
pub(super) const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// Checks whether the folders that need room have it.
pub(super) struct LowWater {
    folders: [PathBuf; 2],
    looked: Option<Instant>,
    shortage: Option<String>,
    found: Vec<(PathBuf, Room)>,
}

impl LowWater {
    pub(super) fn new(folders: [PathBuf; 2]) -> Self {
        Self { folders, looked: None, shortage: None, found: Vec::new() }
    }

    /// Returns what is short and in which folder; `None` if nothing is.
    pub(super) fn shortage(&self) -> Option<&str> {
        self.shortage.as_deref()
    }

    /// Returns the room in each folder at the last check. A folder that could not be checked is missing.
    pub(super) fn found(&self) -> &[(PathBuf, Room)] {
        &self.found
    }

    /// Makes the next [`look`](Self::look) check again in any case.
    pub(super) fn look_again(&mut self) {
        self.looked = None;
    }

    /// Checks the room unless that was done a moment ago. Returns true if a shortage began or ended.
    pub(super) fn look(&mut self, rules: &Rules) -> bool {
        let now = Instant::now();
        if self.looked.is_some_and(|looked| now < looked + LOOK_INTERVAL) {
            return false;
        }
        self.looked = Some(now);
        // A folder that cannot be checked causes errors where it is used.
        let rooms =
            self.folders.iter().filter_map(|folder| Some((folder.clone(), Room::of(&statvfs(folder).ok()?))));
        self.found = rooms.collect();
        let found = self
            .found
            .iter()
            .find_map(|(folder, room)| Some(format!("{} in {}", lack(*room, rules)?, folder.display())));
        let changed = found.is_some() != self.shortage.is_some();
        match &found {
            Some(shortage) if changed => {
                warn!(name: kind::PAUSED.name, reason = shortage, "paused");
            }
            None if changed => {
                info!(name: kind::RESUMED.name, "resumed");
            }
            _ => {}
        }
        self.shortage = found;
        changed
    }
}

/// Returns what there is too little of; `None` if there is enough of everything.
fn lack(room: Room, rules: &Rules) -> Option<String> {
    let (bytes_min, files_min) = (rules.free_space_min_bytes, rules.free_files_min);
    if room.bytes < bytes_min {
        let [left, least] = [room.bytes, bytes_min].map(format_size);
        return Some(format!("{left} are free, less than {least} (intake.free_space_min)"));
    }
    let files = room.files.filter(|files| *files < files_min)?;
    Some(format!("there is room for {files} files, fewer than {files_min} (intake.free_files_min)"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use tabuleiro_puzzles::solver::SOLVERS;

    fn rules(intake: &str) -> Rules {
        Config::parse(&format!("[intake]\n{intake}"), "test", SOLVERS).unwrap().intake
    }

    #[test]
    fn too_few_bytes_or_files_are_a_lack() {
        let rules = rules("free_space_min = \"1MiB\"\nfree_files_min = 10\n");
        let room = |bytes, files| Room { bytes, files };
        assert_eq!(lack(room(1 << 20, Some(10)), &rules), None);
        assert_eq!(lack(room(1 << 20, None), &rules), None);
        let bytes = lack(room((1 << 20) - 1024, Some(10)), &rules).unwrap();
        assert_eq!(bytes, "1023KiB are free, less than 1MiB (intake.free_space_min)");
        let files = lack(room(1 << 30, Some(9)), &rules).unwrap();
        assert_eq!(files, "there is room for 9 files, fewer than 10 (intake.free_files_min)");
    }

    #[test]
    fn a_change_is_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut water = LowWater::new([folder.path().to_owned(), folder.path().join("missing")]);
        let (full, free) = (rules("free_space_min = \"1024TiB\""), rules("free_space_min = \"1B\""));
        for (rules, changed) in [(&full, true), (&full, false), (&free, true), (&free, false)] {
            water.look_again();
            assert_eq!(water.look(rules), changed);
        }
        assert!(!water.look(&full), "looked a moment ago");
        assert!(water.shortage().is_none());
    }
}
