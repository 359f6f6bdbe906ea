//! Records in-flight batches on disk so that, after a crash, the next start can report them lost.
//!
//! Nothing is synced: the file must outlive the process, not the machine. A file from before the machine's last start says nothing
//! about puzzles.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

/// Bytes of a line: dispatcher, blank, batch, line feed.
const LINE_BYTES: usize = 34;
const FILE_BYTES_MAX: u64 = 1 << 20;
const FILES_MAX: usize = 1_000;
const ENDING: &str = "hands";

/// The in-flight batches of this process, a line for each puller.
#[derive(Debug, Default)]
pub struct InFlightFile {
    file: Option<(File, PathBuf)>,
}

/// What a process left that died.
#[derive(Debug)]
pub struct LostWorker {
    pub worker: u64,
    /// The batches, each with its dispatcher.
    pub batches: Vec<(u64, u64)>,
    path: PathBuf,
    /// Locked, so that only one start reports it.
    _file: File,
}

/// Returns the folder for such files: the service manager's, or the user's.
#[must_use]
pub fn state_folder() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let user = || {
        let home = || variable("HOME").map(|home| home.join(".local/state"));
        variable("XDG_STATE_HOME").or_else(home).map(|folder| folder.join("tabuleiro"))
    };
    variable("STATE_DIRECTORY").or_else(user)
}

impl InFlightFile {
    /// Creates the file of `worker` for so many pullers below `folder`.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn open(folder: &Path, worker: u64, threads: usize) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let path = folder.join(format!("{worker:016x}.{ENDING}"));
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
        flock(&file, FlockOperation::NonBlockingLockExclusive)?;
        file.write_all_at((line_of_boot() + &blank_line().repeat(threads)).as_bytes(), 0)?;
        Ok(Self { file: Some((file, path)) })
    }

    /// Records that puller `index` has a batch.
    pub fn take(&self, index: usize, dispatcher: u64, batch: u64) {
        self.write(index, &format!("{dispatcher:016x} {batch:016x}\n"));
    }

    /// Records that puller `index` has none.
    pub fn put_down(&self, index: usize) {
        self.write(index, &blank_line());
    }

    /// Ignores errors: without the record, the dispatcher's own deadlines hold after a death.
    fn write(&self, index: usize, line: &str) {
        if let Some((file, _)) = &self.file {
            let _ = file.write_all_at(line.as_bytes(), ((index + 1) * LINE_BYTES) as u64);
        }
    }
}

impl Drop for InFlightFile {
    fn drop(&mut self) {
        if let Some((_, path)) = &self.file {
            let _ = fs::remove_file(path);
        }
    }
}

fn blank_line() -> String {
    format!("{:width$}\n", "", width = LINE_BYTES - 1)
}

/// Returns the first line, which identifies the machine's last start.
fn line_of_boot() -> String {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let digits: String = boot.chars().filter(char::is_ascii_hexdigit).take(LINE_BYTES - 1).collect();
    format!("{digits:width$}\n", width = LINE_BYTES - 1)
}

impl LostWorker {
    /// Returns what processes that died left below `folder`.
    #[must_use]
    pub fn find(folder: &Path) -> Vec<Self> {
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let paths = entries.take(FILES_MAX).flatten().map(|entry| entry.path());
        paths.filter_map(Self::read).collect()
    }

    /// Returns what a process left; `None` if it lives, or had no batches.
    fn read(path: PathBuf) -> Option<Self> {
        let name = path.file_name()?.to_str()?.strip_suffix(ENDING)?.strip_suffix('.')?;
        let worker = u64::from_str_radix(name, 16).ok()?;
        let file = OpenOptions::new().read(true).write(true).open(&path).ok()?;
        flock(&file, FlockOperation::NonBlockingLockExclusive).ok()?;
        let mut text = String::new();
        let read = (&file).take(FILE_BYTES_MAX).read_to_string(&mut text);
        let mut lines = text.lines();
        let is_of_now = read.is_ok() && lines.next() == line_of_boot().lines().next();
        let batch = |line: &str| {
            let (dispatcher, batch) = line.split_once(' ')?;
            Some((u64::from_str_radix(dispatcher, 16).ok()?, u64::from_str_radix(batch, 16).ok()?))
        };
        let batches: Vec<_> = lines.filter_map(batch).collect();
        if !is_of_now || batches.is_empty() {
            let _ = fs::remove_file(&path);
            return None;
        }
        Some(Self { worker, batches, path, _file: file })
    }

    /// Removes the file, once every dispatcher knows.
    pub fn acknowledge(self) {
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
        let in_flight = InFlightFile::open(&folder, 7, 4).unwrap();
        in_flight.take(1, 0xabc, 12);
        in_flight.take(0, 0xabc, 11);
        in_flight.take(3, 0xdef, 1);
        in_flight.put_down(0);
        assert!(LostWorker::find(&folder).is_empty(), "it lives");
        // As after a kill: the lock is gone, and the file is there.
        let kept = fs::read(folder.join("0000000000000007.hands")).unwrap();
        drop(in_flight);
        assert!(fs::read_dir(&folder).unwrap().next().is_none(), "an end in order leaves nothing");
        fs::write(folder.join("0000000000000007.hands"), kept).unwrap();
        let dead = LostWorker::find(&folder);
        assert_eq!((dead[0].worker, &*dead[0].batches), (7, &[(0xabc, 12), (0xdef, 1)][..]));
        assert!(LostWorker::find(&folder).is_empty(), "one alone tells of it");
        dead.into_iter().for_each(LostWorker::acknowledge);
        assert!(LostWorker::find(&folder).is_empty());
    }

    #[test]
    fn files_from_before_the_machine_started_say_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("0000000000000007.hands");
        fs::write(&path, format!("{:33}\n{:016x} {:016x}\n", "another boot", 1, 2)).unwrap();
        assert!(LostWorker::find(folder.path()).is_empty());
        assert!(!path.exists());
        fs::write(folder.path().join("notes.txt"), "mine").unwrap();
        assert!(LostWorker::find(folder.path()).is_empty());
        assert!(folder.path().join("notes.txt").exists());
    }
}
