//! Pauses claiming while a disk is nearly full, because results could not be written.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::fs::statvfs;
use tracing::{info, warn};

use crate::config::Intake as Rules;
use crate::daemon::fs::os::Room;
use crate::logging::kind;
use tabuleiro_puzzles::solver::format_size;

/// How often the room is checked while there is work, and while claiming pauses.
pub(super) const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Checks whether the folders that need room have it.
pub(super) struct LowWater {
    folders: [PathBuf; 2],
    /// When the room was last checked; `None` if the next check must not be skipped.
    pub(super) checked: Option<Instant>,
    /// What is short and in which folder; `None` if nothing is.
    pub(super) shortage: Option<String>,
    /// The room in each folder at the last check. A folder that could not be checked is missing.
    pub(super) rooms: Vec<(PathBuf, Room)>,
}

impl LowWater {
    pub(super) fn new(folders: [PathBuf; 2]) -> Self {
        Self { folders, checked: None, shortage: None, rooms: Vec::new() }
    }

    /// Checks the room if the last check is [`CHECK_INTERVAL`] old. Returns true if a shortage began or ended.
    pub(super) fn check(&mut self, rules: &Rules) -> bool {
        let now = Instant::now();
        if self.checked.is_some_and(|checked| now < checked + CHECK_INTERVAL) {
            return false;
        }
        self.checked = Some(now);
        // A folder that cannot be checked causes errors where it is used.
        let rooms =
            self.folders.iter().filter_map(|folder| Some((folder.clone(), Room::of(&statvfs(folder).ok()?))));
        self.rooms = rooms.collect();
        let short = |(folder, room): &(PathBuf, Room)| {
            Some(format!("{} in {}", shortage_of(*room, rules)?, folder.display()))
        };
        let before = std::mem::replace(&mut self.shortage, self.rooms.iter().find_map(short));
        match &self.shortage {
            Some(shortage) if before.is_none() => warn!(name: kind::PAUSED.name, reason = shortage, "paused"),
            None if before.is_some() => info!(name: kind::RESUMED.name, "resumed"),
            _ => return false,
        }
        true
    }
}

/// Returns what is short; `None` if nothing is.
fn shortage_of(room: Room, rules: &Rules) -> Option<String> {
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
        assert_eq!(shortage_of(room(1 << 20, Some(10)), &rules), None);
        assert_eq!(shortage_of(room(1 << 20, None), &rules), None);
        let bytes = shortage_of(room((1 << 20) - 1024, Some(10)), &rules).unwrap();
        assert_eq!(bytes, "1023KiB are free, less than 1MiB (intake.free_space_min)");
        let files = shortage_of(room(1 << 30, Some(9)), &rules).unwrap();
        assert_eq!(files, "there is room for 9 files, fewer than 10 (intake.free_files_min)");
    }

    #[test]
    fn a_change_is_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut water = LowWater::new([folder.path().to_owned(), folder.path().join("missing")]);
        let (full, free) = (rules("free_space_min = \"1024TiB\""), rules("free_space_min = \"1B\""));
        for (rules, changed) in [(&full, true), (&full, false), (&free, true), (&free, false)] {
            water.checked = None;
            assert_eq!(water.check(rules), changed);
        }
        assert!(!water.check(&full), "checked a moment ago");
        assert!(water.shortage.is_none());
    }
}
