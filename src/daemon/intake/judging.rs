//! Judges what is found in the inbox: whether it may ever be taken, and whether it is complete. The intake and
//! `tabuleiro why` call the same functions, which do no I/O.
//!
//! A file is complete when nobody writes it any more. If the system can say whether a program has a file open for
//! writing (by a lease on a file of the service's own user, or with `CAP_LEASE`), that decides. Otherwise, and always
//! for an empty file, a file is complete when it has not changed for the quiet period. The period is measured on the
//! monotonic clock from the last change *seen*, because a copy can have any modification time.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::config;
use crate::daemon::fs::disk::Stat;
use crate::daemon::fs::os::{Mount, Writers};

/// Folders deeper than this below the inbox are left alone.
pub const DEPTH_MAX: usize = 64;
/// Folders whose path below the inbox has more bytes are left alone, because each path is kept in memory.
pub const FOLDER_BYTES_MAX: usize = 1_024;

/// Why nothing is taken from another mount, and what to do.
pub const OTHER_MOUNT: &str = "it is on another file system than the working folder, or on another mount of the same one, so it \
    cannot be taken by a rename; mount nothing below the inbox, or serve that folder with its own folders.var";

/// Why something is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It is no regular file.
    Kind,
    /// Somebody has it open for writing.
    Busy,
    /// It cannot be read or listed.
    Unreadable,
    /// The folder is too deep below the inbox.
    TooDeep,
    /// The folder's path is too long.
    TooLong,
    /// The folder is on another mount than the working folder.
    OtherMount,
    /// It cannot be renamed into the working folder.
    Claim,
}

impl Reason {
    /// Returns why several files in a folder are not taken.
    pub fn words(self) -> &'static str {
        match self {
            Self::Kind => "they are not regular files",
            Self::Busy => "somebody still has them open for writing",
            Self::Unreadable => "they cannot be read",
            Self::TooDeep => "they are too deep below the inbox",
            Self::TooLong => "their paths below the inbox are too long",
            Self::OtherMount => "they are on another mount",
            Self::Claim => "they cannot be renamed into the working folder",
        }
    }
}

/// Returns why everything in a folder at `below` the inbox is left alone. `mount` is the mount of the folder and `work`
/// that of the working folder, if they are known.
pub fn judge_folder(below: &Path, mount: Option<Mount>, work: Option<Mount>) -> Option<Reason> {
    if below.components().count() > DEPTH_MAX {
        return Some(Reason::TooDeep);
    }
    if below.as_os_str().len() > FOLDER_BYTES_MAX {
        return Some(Reason::TooLong);
    }
    mount.zip(work).is_some_and(|(mount, work)| mount != work).then_some(Reason::OtherMount)
}

/// Returns the message that says why everything in a folder at `below` the inbox is left alone, and what to do.
pub fn folder_message(below: &Path, reason: Reason) -> String {
    match reason {
        Reason::TooDeep => {
            let depth = below.components().count();
            format!(
                "the folder is too deep below the inbox: {depth} folders deep, and {DEPTH_MAX} are allowed; move it up"
            )
        }
        Reason::TooLong => format!(
            "the folder's path below the inbox is {} bytes long and {FOLDER_BYTES_MAX} are allowed; give the folders \
             shorter names, or move it up",
            below.as_os_str().len()
        ),
        _ => OTHER_MOUNT.to_owned(),
    }
}

/// Returns why something that is neither a file nor a folder is left alone, whatever permissions allow.
pub fn kind_message(is_link: bool) -> &'static str {
    if is_link {
        "it is a symbolic link, which is not followed; copy the file itself"
    } else {
        "it is not a regular file but a FIFO, a socket or a device"
    }
}

/// A file in the inbox that is not complete yet.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// When the file was first seen.
    pub seen: Instant,
    state: Stat,
    unchanged_since: Instant,
    /// When to check it again.
    pub look_again: Instant,
    /// Somebody is known to have it open for writing.
    pub busy: bool,
}

/// Whether a file is complete.
pub enum Readiness {
    /// The file is complete. It was first seen at this instant.
    Ready(Instant),
    Wait(Candidate),
}

/// How long a file must stay unchanged.
#[derive(Debug, Clone, Copy)]
pub struct Quiet {
    /// The quiet period.
    pub period: Duration,
    /// Whether a file that nobody has open must be quiet, too: some programs open, extend and close a file repeatedly.
    pub always: bool,
}

impl Quiet {
    /// Returns what the configuration asks for.
    pub fn of(intake: &config::Intake) -> Self {
        Self { period: intake.quiet_period, always: intake.readiness == config::Readiness::Quiet }
    }

    /// Returns whether a file of `bytes` bytes must be quiet before it is complete.
    pub fn is_needed(self, writers: Writers, bytes: u64) -> bool {
        writers != Writers::None || bytes == 0 || self.always
    }
}

/// Judges an open file by its `state` and by what was known of it before.
pub fn judge(
    state: Stat,
    writers: Writers,
    known: Option<Candidate>,
    quiet: Quiet,
    now: Instant,
) -> Readiness {
    let seen = known.as_ref().map_or(now, |known| known.seen);
    if !quiet.is_needed(writers, state.bytes) {
        return Readiness::Ready(seen);
    }
    let unchanged_since = match known {
        Some(known) if known.state == state && writers != Writers::Some => known.unchanged_since,
        _ => now,
    };
    if now.duration_since(unchanged_since) >= quiet.period {
        return Readiness::Ready(seen);
    }
    let look_again = unchanged_since + quiet.period;
    let busy = writers == Writers::Some;
    Readiness::Wait(Candidate { seen, state, unchanged_since, look_again, busy })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daemon::fs::disk::OpenFile;
    use crate::daemon::fs::os::writers;
    use std::fs::File;
    use std::io::Write;

    const QUIET: Duration = Duration::from_secs(2);

    fn look(file: &File, known: Option<Candidate>, writers: Writers, now: Instant) -> Readiness {
        let quiet = Quiet { period: QUIET, always: false };
        judge(file.stat().unwrap(), writers, known, quiet, now)
    }

    fn wait(readiness: Readiness) -> Candidate {
        match readiness {
            Readiness::Wait(candidate) => candidate,
            Readiness::Ready(_) => panic!("ready too early"),
        }
    }

    #[test]
    fn without_leases_a_file_must_be_quiet() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut writer = File::create(&path).unwrap();
        writer.write_all(b"1").unwrap();
        let file = File::open(&path).unwrap();
        let start = Instant::now();
        let first = wait(look(&file, None, Writers::Unknown, start));
        assert_eq!(first.look_again, start + QUIET);
        let second = wait(look(&file, Some(first), Writers::Unknown, start + QUIET / 2));
        writer.write_all(b"2").unwrap();
        let third = wait(look(&file, Some(second), Writers::Unknown, start + QUIET));
        assert_eq!(third.look_again, start + 2 * QUIET, "it changed, so the period begins anew");
        let ready = look(&file, Some(third), Writers::Unknown, start + 2 * QUIET);
        assert!(matches!(ready, Readiness::Ready(seen) if seen == start));
    }

    #[test]
    fn an_old_modification_time_does_not_make_a_file_quiet() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "1").unwrap();
        let file = File::options().write(true).read(true).open(&path).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
        wait(look(&file, None, Writers::Unknown, Instant::now()));
    }

    #[test]
    fn an_empty_file_always_waits() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "").unwrap();
        let file = File::open(&path).unwrap();
        let start = Instant::now();
        let candidate = wait(look(&file, None, writers(&file), start));
        assert!(matches!(look(&file, Some(candidate), writers(&file), start + QUIET), Readiness::Ready(_)));
    }

    #[test]
    fn where_it_is_asked_for_a_closed_file_must_be_quiet_as_well() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "1").unwrap();
        let file = File::open(&path).unwrap();
        let start = Instant::now();
        let look = |known, now| {
            judge(file.stat().unwrap(), writers(&file), known, Quiet { period: QUIET, always: true }, now)
        };
        let first = wait(look(None, start));
        // Opened, appended to and closed once more.
        File::options().append(true).open(&path).unwrap().write_all(b"2").unwrap();
        let second = wait(look(Some(first), start + QUIET));
        assert!(matches!(look(Some(second), start + 2 * QUIET), Readiness::Ready(_)));
    }

    #[test]
    fn a_known_writer_keeps_a_file_waiting_however_quiet() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut writer = File::create(&path).unwrap();
        writer.write_all(b"1").unwrap();
        let file = File::open(&path).unwrap();
        if writers(&file) != Writers::Some {
            return; // No leases here; the quiet period is tested above.
        }
        let start = Instant::now();
        let first = wait(look(&file, None, writers(&file), start));
        let second = wait(look(&file, Some(first), writers(&file), start + 10 * QUIET));
        assert!(second.busy);
        drop(writer);
        assert!(matches!(look(&file, Some(second), writers(&file), start), Readiness::Ready(_)));
    }
}
