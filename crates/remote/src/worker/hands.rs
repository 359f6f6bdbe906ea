//! What this process has in hand, kept in a file: the next start tells the intakes what a process had that died.
//!
//! Nothing is synced: the file is to outlive the process, not the machine. A file from before the machine started says nothing
//! about puzzles.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

/// Bytes of a line: the intake, the parcel, and the ends.
const LINE_BYTES: usize = 34;
/// The largest file that is read.
const FILE_BYTES_MAX: u64 = 1 << 20;
/// Files of processes that died, read at a start.
const FILES_MAX: usize = 1_000;
/// The ending of their names.
const ENDING: &str = "hands";

/// What this process has in hand.
#[derive(Debug, Default)]
pub struct Hands {
    file: Option<(File, PathBuf)>,
}

/// What a process had in hand that died.
#[derive(Debug)]
pub struct Dead {
    /// The worker.
    pub worker: u64,
    /// The parcels, each with its intake.
    pub parcels: Vec<(u64, u64)>,
    path: PathBuf,
    /// Locked, so that one start alone tells of it.
    _file: File,
}

/// Where such files are kept: the service manager's folder for it, or the user's.
#[must_use]
pub fn state_folder() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let user = || {
        let home = || variable("HOME").map(|home| home.join(".local/state"));
        variable("XDG_STATE_HOME").or_else(home).map(|folder| folder.join("tabuleiro"))
    };
    variable("STATE_DIRECTORY").or_else(user)
}

impl Hands {
    /// Empty hands of `worker` for so many threads, in a file below `folder`.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn open(folder: &Path, worker: u64, threads: usize) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let path = folder.join(format!("{worker:016x}.{ENDING}"));
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
        flock(&file, FlockOperation::NonBlockingLockExclusive)?;
        file.write_all_at((line_of_boot() + &blank_line().repeat(threads)).as_bytes(), 0)?;
        Ok(Self { file: Some((file, path)) })
    }

    /// Thread `index` takes a parcel.
    pub fn take(&self, index: usize, intake: u64, parcel: u64) {
        self.write(index, &format!("{intake:016x} {parcel:016x}\n"));
    }

    /// Thread `index` has nothing in hand any more.
    pub fn put_down(&self, index: usize) {
        self.write(index, &blank_line());
    }

    /// A disk that takes nothing costs no answer: after a death the intake's own deadlines hold.
    fn write(&self, index: usize, line: &str) {
        if let Some((file, _)) = &self.file {
            let _ = file.write_all_at(line.as_bytes(), ((index + 1) * LINE_BYTES) as u64);
        }
    }
}

/// It ends in order.
impl Drop for Hands {
    fn drop(&mut self) {
        if let Some((_, path)) = &self.file {
            let _ = fs::remove_file(path);
        }
    }
}

fn blank_line() -> String {
    format!("{:width$}\n", "", width = LINE_BYTES - 1)
}

/// The first line: which start of the machine this is.
fn line_of_boot() -> String {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let digits: String = boot.chars().filter(char::is_ascii_hexdigit).take(LINE_BYTES - 1).collect();
    format!("{digits:width$}\n", width = LINE_BYTES - 1)
}

impl Dead {
    /// The processes that died, by what they left below `folder`.
    #[must_use]
    pub fn find(folder: &Path) -> Vec<Self> {
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let paths = entries.take(FILES_MAX).flatten().map(|entry| entry.path());
        paths.filter_map(Self::read).collect()
    }

    /// What a process left; `None` where it lives, or left nothing.
    fn read(path: PathBuf) -> Option<Self> {
        let name = path.file_name()?.to_str()?.strip_suffix(ENDING)?.strip_suffix('.')?;
        let worker = u64::from_str_radix(name, 16).ok()?;
        let file = OpenOptions::new().read(true).write(true).open(&path).ok()?;
        flock(&file, FlockOperation::NonBlockingLockExclusive).ok()?;
        let mut text = String::new();
        let read = (&file).take(FILE_BYTES_MAX).read_to_string(&mut text);
        let mut lines = text.lines();
        let is_of_now = read.is_ok() && lines.next() == line_of_boot().lines().next();
        let parcel = |line: &str| {
            let (intake, parcel) = line.split_once(' ')?;
            Some((u64::from_str_radix(intake, 16).ok()?, u64::from_str_radix(parcel, 16).ok()?))
        };
        let parcels: Vec<_> = lines.filter_map(parcel).collect();
        if !is_of_now || parcels.is_empty() {
            let _ = fs::remove_file(&path);
            return None;
        }
        Some(Self { worker, parcels, path, _file: file })
    }

    /// Everybody knows.
    pub fn bury(self) {
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_process_had_in_hand_is_found_when_it_is_dead() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("state");
        let hands = Hands::open(&folder, 7, 4).unwrap();
        hands.take(1, 0xabc, 12);
        hands.take(0, 0xabc, 11);
        hands.take(3, 0xdef, 1);
        hands.put_down(0);
        assert!(Dead::find(&folder).is_empty(), "it lives");
        // As after a kill: the lock is gone, and the file is there.
        let kept = fs::read(folder.join("0000000000000007.hands")).unwrap();
        drop(hands);
        assert!(fs::read_dir(&folder).unwrap().next().is_none(), "an end in order leaves nothing");
        fs::write(folder.join("0000000000000007.hands"), kept).unwrap();
        let dead = Dead::find(&folder);
        assert_eq!((dead[0].worker, &*dead[0].parcels), (7, &[(0xabc, 12), (0xdef, 1)][..]));
        assert!(Dead::find(&folder).is_empty(), "one alone tells of it");
        dead.into_iter().for_each(Dead::bury);
        assert!(Dead::find(&folder).is_empty());
    }

    #[test]
    fn files_from_before_the_machine_started_say_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("0000000000000007.hands");
        fs::write(&path, format!("{:33}\n{:016x} {:016x}\n", "another boot", 1, 2)).unwrap();
        assert!(Dead::find(folder.path()).is_empty());
        assert!(!path.exists());
        fs::write(folder.path().join("notes.txt"), "mine").unwrap();
        assert!(Dead::find(folder.path()).is_empty());
        assert!(folder.path().join("notes.txt").exists());
    }
}
