//! Records in-flight batches on disk so that, after a crash, the next start can report them lost.
//!
//! Nothing is synced: the file must outlive the process, not the machine. A file from before the machine's last start
//! says nothing about puzzles.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use rustix::fs::{FlockOperation, flock};
use tokio::sync::Notify;

use crate::protocol::{AT_WORK_BATCHES_MAX, AtWork};

/// Bytes of a line: dispatcher, blank, batch, line feed.
const LINE_BYTES: usize = 34;
const FILE_BYTES_MAX: u64 = 1 << 20;
const FILES_MAX: usize = 1_000;
const ENDING: &str = "hands";

/// The in-flight batches of this process, one line per puller.
#[derive(Debug, Default)]
pub struct InFlightFile {
    file: Option<(File, PathBuf)>,
}

/// The record of a process that died.
pub struct LostWorker {
    pub worker: u64,
    /// The batches that were in flight, as pairs of dispatcher and batch number.
    pub batches: Vec<(u64, u64)>,
    path: PathBuf,
    /// Locked, so that only one start reports it.
    _file: File,
}

/// Returns the folder for these records: the one that the service manager gives, or else the user's.
pub fn state_folder() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let user = || {
        let home = || variable("HOME").map(|home| home.join(".local/state"));
        variable("XDG_STATE_HOME").or_else(home).map(|folder| folder.join("tabuleiro"))
    };
    variable("STATE_DIRECTORY").or_else(user)
}

impl InFlightFile {
    /// Creates the file of `worker` in `folder`, with a line for each of `threads` pullers.
    ///
    /// # Errors
    /// Fails if the file cannot be created.
    pub fn open(folder: &Path, worker: u64, threads: usize) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let path = folder.join(format!("{worker:016x}.{ENDING}"));
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
        flock(&file, FlockOperation::NonBlockingLockExclusive)?;
        file.write_all_at((line_of_boot() + &blank_line().repeat(threads)).as_bytes(), 0)?;
        Ok(Self { file: Some((file, path)) })
    }

    /// Records that puller `index` has a batch.
    pub fn record(&self, index: usize, dispatcher: u64, batch: u64) {
        self.write(index, &format!("{dispatcher:016x} {batch:016x}\n"));
    }

    /// Records that puller `index` has no batch.
    pub fn clear(&self, index: usize) {
        self.write(index, &blank_line());
    }

    /// Ignores errors: without the record, the dispatcher takes back a dead worker's batches by its deadlines.
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
    /// Returns the records of dead processes in `folder`.
    pub fn find(folder: &Path) -> Vec<Self> {
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let paths = entries.take(FILES_MAX).flatten().map(|entry| entry.path());
        paths.filter_map(Self::read).collect()
    }

    /// Reads a record. Returns `None` if its process lives, had no batches, or ran before the machine's last start.
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

    /// Removes the record, once every dispatcher knows of the death.
    pub fn acknowledge(self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// The batches that this process is solving, by dispatcher and number. Each dispatcher gets one message per second
/// about all of its batches.
#[derive(Debug, Default)]
pub struct ActiveBatches(Mutex<HashMap<(u64, u64), Delivered>>);

#[derive(Debug)]
struct Delivered {
    token: u64,
    unwanted: Arc<Notify>,
}

impl ActiveBatches {
    /// Adds a delivery of a batch. The returned `Notify` is notified when the batch is no longer needed.
    pub fn add(&self, batch: (u64, u64), token: u64) -> Arc<Notify> {
        let unwanted = Arc::new(Notify::new());
        self.0.lock().insert(batch, Delivered { token, unwanted: Arc::clone(&unwanted) });
        unwanted
    }

    /// Removes a delivery, but not a later one of the same batch.
    pub fn remove(&self, batch: (u64, u64), token: u64) {
        let mut held = self.0.lock();
        if held.get(&batch).is_some_and(|delivered| delivered.token == token) {
            held.remove(&batch);
        }
    }

    /// Returns how many batches are being solved. One puzzle of each is in progress.
    pub fn count(&self) -> usize {
        self.0.lock().len()
    }

    /// Returns the `AtWork` messages of `worker`, each with the dispatcher that gets it.
    pub fn at_work_messages(&self, worker: u64) -> Vec<(u64, AtWork)> {
        let mut of_dispatchers: HashMap<u64, Vec<(u64, u64)>> = HashMap::new();
        for (&(dispatcher, number), delivered) in &*self.0.lock() {
            of_dispatchers.entry(dispatcher).or_default().push((number, delivered.token));
        }
        let mut messages = Vec::new();
        for (dispatcher, batches) in of_dispatchers {
            let parts = batches.chunks(AT_WORK_BATCHES_MAX);
            messages.extend(parts.map(|part| (dispatcher, AtWork { worker, batches: part.to_vec() })));
        }
        messages
    }

    /// Ends these batches of a dispatcher, which are no longer needed.
    pub fn notify_unwanted(&self, dispatcher: u64, batches: &[u64]) {
        let held = self.0.lock();
        for delivered in batches.iter().filter_map(|&number| held.get(&(dispatcher, number))) {
            delivered.unwanted.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use futures_util::FutureExt as _;

    #[test]
    fn what_a_process_had_in_hand_is_found_when_it_is_dead() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("state");
        let in_flight = InFlightFile::open(&folder, 7, 4).unwrap();
        in_flight.record(1, 0xabc, 12);
        in_flight.record(0, 0xabc, 11);
        in_flight.record(3, 0xdef, 1);
        in_flight.clear(0);
        assert!(LostWorker::find(&folder).is_empty(), "it lives");
        // As after a kill: nobody holds the lock, and the file still exists.
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

    #[test]
    fn each_dispatcher_hears_of_its_own_batches_in_words_of_bounded_length() {
        let held = ActiveBatches::default();
        assert_eq!(held.at_work_messages(7).len(), 0);
        let many = AT_WORK_BATCHES_MAX as u64 + 1;
        for number in 0..many {
            held.add((1, number), number + 100);
        }
        held.add((2, 5), 55);
        held.add((2, 6), 66);
        held.remove((2, 6), 66);
        held.remove((2, 5), 54);
        let words = held.at_work_messages(7);
        let of = |dispatcher| words.iter().filter(move |(to, _)| *to == dispatcher).map(|(_, word)| word);
        assert_eq!(of(2).collect::<Vec<_>>(), [&AtWork { worker: 7, batches: vec![(5, 55)] }]);
        assert!(of(1).all(|word| word.worker == 7 && word.batches.len() <= AT_WORK_BATCHES_MAX));
        let mut told: Vec<_> = of(1).flat_map(|word| word.batches.clone()).collect();
        told.sort_unstable();
        assert!(told.into_iter().eq((0..many).map(|number| (number, number + 100))));
    }

    #[test]
    fn who_solves_what_nobody_wants_is_told() {
        let held = ActiveBatches::default();
        let [wanted, unwanted] = [1, 2].map(|number| held.add((1, number), 0));
        held.notify_unwanted(1, &[2, 3]);
        held.notify_unwanted(2, &[1]);
        let is_told = |notify: &Notify| notify.notified().now_or_never().is_some();
        assert_eq!((is_told(&wanted), is_told(&unwanted)), (false, true));
    }
}
