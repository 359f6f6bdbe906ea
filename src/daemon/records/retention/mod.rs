//! Retention by age: removes archived inputs, days of the history and log files that exceed their maximum age.
//!
//! Only files with the name of an archived input, a day of the history or a closed log file are ever removed, and never
//! a file in the outbox, wherever the outbox lies. The age also comes from the name: the file's owner chooses the
//! modification time, and a restored backup has lost the time of the last rename. A thread of the lowest priority
//! removes the files, and stops early on request.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use time::OffsetDateTime;
use tracing::{debug, info, warn};

use crate::config::Retention;
use crate::daemon::base::json_path::show;
use crate::daemon::base::{clock, job_id};
use crate::daemon::fs::disk::{Disk, Entry};
use crate::daemon::fs::folder_tree::Tree;
use crate::daemon::fs::service_folders::Folders;
use crate::daemon::records::file_search;
use crate::logging::kind;
use tabuleiro_puzzles::solver::format_size;

/// How deep the archive is searched, in folders: deeper than the inbox can be.
const DEPTH_MAX: usize = 128;

/// Time between two runs.
const RUN_INTERVAL: Duration = Duration::from_secs(3600);

/// The thread that removes old files: after the start, after a reload, and then once per hour. A service that keeps
/// everything is never woken.
pub struct Cleaner {
    rules: Sender<Retention>,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Cleaner {
    /// Starts the thread, which waits for its first rules. When the thread ends, it drops `held`.
    ///
    /// # Errors
    /// Fails if the thread cannot be started.
    pub fn start(folders: Folders, held: impl Send + 'static) -> io::Result<Self> {
        let (rules, changed) = unbounded();
        let stop = Arc::new(AtomicBool::new(false));
        let is_stopped = Arc::clone(&stop);
        let work = move || {
            let _held = held;
            work(&changed, &folders, &is_stopped);
        };
        let thread = Builder::new().name("retention".to_owned()).spawn(work)?;
        Ok(Self { rules, stop, thread })
    }

    /// Removes old files by these rules: immediately, and then once per hour.
    pub fn follow(&self, rules: &Retention) {
        // Fails only if the thread panicked, which ends the service.
        let _ = self.rules.send(rules.clone());
    }

    /// Ends the thread: after the run that was asked for, or soon.
    pub fn end(self, after_run: bool) {
        self.stop.store(!after_run, Ordering::Release);
        drop(self.rules);
        // A panic is in the log.
        let _ = self.thread.join();
    }
}

fn work(changed: &Receiver<Retention>, folders: &Folders, stop: &AtomicBool) {
    // All other work has priority. If the system forbids the change, the thread just keeps its priority.
    let _ = rustix::process::setpriority_process(None, 19);
    let mut rules = None;
    loop {
        let is_idle = rules.as_ref().is_none_or(Retention::keeps_everything);
        match changed.recv_timeout(if is_idle { Duration::MAX } else { RUN_INTERVAL }) {
            Ok(new) => rules = Some(new),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        if let Some(retention) = &rules {
            run(retention, folders, stop);
        }
    }
}

/// Removes old files from each folder once, until `stop` is set.
fn run(retention: &Retention, folders: &Folders, stop: &AtomicBool) {
    let Folders { done, failed, history, log, .. } = folders;
    for (what, root, kind, age) in [
        ("done", done, FolderContent::Inputs, retention.done),
        ("failed", failed, FolderContent::Inputs, retention.failed),
        ("history", history, FolderContent::History, retention.history),
        ("log", log, FolderContent::Logs, retention.log),
    ] {
        let Some(age) = age else { continue };
        let (tree, limit) = (Tree::new([root.as_path()]), clock::now() - age);
        let mut sweep = Sweep { folders, stop, tree, root, kind, limit, files: 0, bytes: 0, trouble: None };
        sweep.folder(Path::new(""), 0);
        let Sweep { files, bytes, trouble, .. } = sweep;
        if files > 0 {
            let bytes = format_size(bytes);
            info!(name: kind::REMOVED.name, folder = what, files, bytes, "removed");
        }
        if let Some(error) = trouble {
            warn!(name: "not-removed", folder = what, reason = %error, "not removed");
        }
    }
}

/// A run over one folder.
struct Sweep<'a> {
    folders: &'a Folders,
    /// When set, ends the run early.
    stop: &'a AtomicBool,
    tree: Tree,
    root: &'a Path,
    kind: FolderContent,
    /// Older files are removed.
    limit: OffsetDateTime,
    /// Files that were removed, and their bytes.
    files: u64,
    bytes: u64,
    trouble: Option<io::Error>,
}

impl Sweep<'_> {
    /// Removes old files from the folder at `below`, a path below the root, and from its subfolders.
    fn folder(&mut self, below: &Path, depth: usize) {
        let folder = self.root.join(below);
        // These folders hold results, or files in progress.
        let Folders { inbox, outbox, work, staging, .. } = self.folders;
        if [inbox, outbox, work, staging].contains(&&folder) || depth > DEPTH_MAX {
            return;
        }
        let (mut old, mut folders) = (Vec::<PathBuf>::new(), Vec::<PathBuf>::new());
        let (kind, limit, stop) = (self.kind, self.limit, self.stop);
        let listed = self.tree.open_folder(&folder).and_then(|entries| {
            for entry in entries.take_while(|_| !stop.load(Ordering::Acquire)) {
                let Entry { name, is_folder } = entry?;
                if !is_folder && kind.time(&name).is_some_and(|time| time < limit) {
                    old.push(below.join(name));
                } else if is_folder && kind == FolderContent::Inputs {
                    folders.push(below.join(name));
                }
            }
            Ok(())
        });
        self.note(listed);
        let before = self.files;
        for path in old {
            let removed = self.remove(&path);
            self.note(removed);
        }
        for folder in folders {
            self.folder(&folder, depth + 1);
        }
        if self.files > before && depth > 0 {
            // Fails if the folder is not empty.
            let _ = self.tree.remove_empty_folder(&folder);
        }
    }

    fn remove(&mut self, below: &Path) -> io::Result<()> {
        let path = self.root.join(below);
        let stat = self.tree.stat(&path)?;
        if stat.is_folder || stat.is_link || self.stop.load(Ordering::Acquire) {
            return Ok(());
        }
        self.tree.remove_file(&path)?;
        debug!(file = show(below), bytes = stat.bytes, "removed");
        self.files += 1;
        self.bytes += stat.bytes;
        Ok(())
    }

    fn note(&mut self, done: io::Result<()>) {
        // A missing file was removed by somebody else.
        if let Some(error) = done.err().filter(|error| error.kind() != io::ErrorKind::NotFound) {
            self.trouble.get_or_insert(error);
        }
    }
}

/// The kind of the files in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolderContent {
    /// Archived inputs, with the job's ID in the name.
    Inputs,
    /// Days of the history: `2026-11-21.jsonl`.
    History,
    /// Log files: `tabuleiro.2026-11-21.log`, `tabuleiro.2026-11-21-13.log`.
    Logs,
}

impl FolderContent {
    /// Returns the time from which the age of a file with that name counts: when its job began, or when its day or hour
    /// ended. `None` if the name is not of this kind.
    pub fn time(self, name: &OsStr) -> Option<OffsetDateTime> {
        match self {
            Self::Inputs => job_id::time_of(&file_search::parts(name)?.0),
            Self::History => end_of_day(name.to_str()?.strip_suffix(".jsonl")?),
            Self::Logs => {
                let period = name.to_str()?.strip_prefix("tabuleiro.")?.strip_suffix(".log")?;
                end_of_day(period).or_else(|| end_of_hour(period))
            }
        }
    }
}

fn end_of_day(day: &str) -> Option<OffsetDateTime> {
    Some(clock::parse_day(day)?.next_day()?.midnight().assume_utc())
}

fn end_of_hour(period: &str) -> Option<OffsetDateTime> {
    let (day, hour) = period.rsplit_once('-')?;
    clock::parse_stamp(&format!("{day}T{hour}:00:00Z"))?.checked_add(time::Duration::HOUR)
}

#[cfg(test)]
mod tests;
