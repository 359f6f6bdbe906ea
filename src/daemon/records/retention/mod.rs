//! Retention by age: inputs that were answered or rejected, days of the history and log files are removed when they are
//! older than they may become.
//!
//! Only what has the name of an archived input, a day of the history or a closed log file is ever removed, and nothing in
//! the outbox, wherever that lies. The name also tells the age: the time of the last change comes from the file's owner, and
//! that of the last renaming is lost in a restored backup. A run has a thread of its own, behind all other work, and stops when it is told to.

use std::ffi::OsStr;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use time::OffsetDateTime;
use tracing::{debug, info, warn};

use crate::config::Retention;
use crate::daemon::base::json_path::JsonPath;
use crate::daemon::base::{clock, job_id};
use crate::daemon::fs::disk::Disk;
use crate::daemon::fs::folder_tree::Tree;
use crate::daemon::fs::service_folders::Folders;
use crate::daemon::records::kept_inputs;
use crate::logging::kind;
use tabuleiro_puzzles::solver::format_size;

/// Folders below a folder of the archive that are gone into: more than the inbox may have.
const DEPTH_MAX: usize = 128;

/// A run over all folders.
pub struct Run<'a> {
    /// How old what may become.
    pub retention: &'a Retention,
    /// The service's folders.
    pub folders: &'a Folders,
    /// Ends the run.
    pub stop: &'a AtomicBool,
}

/// A run over one folder.
struct Sweep<'a> {
    run: &'a Run<'a>,
    tree: Tree,
    root: &'a Path,
    kind: Kind,
    /// What is older goes.
    limit: OffsetDateTime,
    /// Files that were removed, and their bytes.
    files: u64,
    bytes: u64,
    trouble: Option<io::Error>,
}

impl Run<'_> {
    /// Goes through all folders once.
    pub fn run(&self) {
        let (Folders { done, failed, history, log, .. }, retention) = (self.folders, self.retention);
        let folders = [
            ("done", done, Kind::Inputs, retention.done),
            ("failed", failed, Kind::Inputs, retention.failed),
            ("history", history, Kind::History, retention.history),
            ("log", log, Kind::Logs, retention.log),
        ];
        for (what, root, kind, age) in folders {
            if let Some(age) = age {
                self.sweep(what, root, kind, age);
            }
        }
    }

    /// Removes what is too old in a folder, and says so.
    fn sweep(&self, what: &str, root: &Path, kind: Kind, age: Duration) {
        let (tree, limit) = (Tree::new([root]), clock::now() - age);
        let mut sweep = Sweep { run: self, tree, root, kind, limit, files: 0, bytes: 0, trouble: None };
        sweep.folder(Path::new(""), 0);
        let Sweep { files, bytes, trouble, .. } = sweep;
        if files > 0 {
            let bytes = format_size(bytes);
            info!(name: kind::REMOVED.name, folder = what, files, bytes, "removed what is not kept any longer");
        }
        if let Some(error) = trouble {
            warn!(folder = what, "cannot remove all that is not kept any longer: {error}");
        }
    }

    /// Returns whether a folder holds results, or files that are on their way.
    fn is_foreign(&self, folder: &Path) -> bool {
        let Folders { inbox, outbox, work, staging, .. } = self.folders;
        [inbox, outbox, work, staging].into_iter().any(|other| other == folder)
    }
}

impl Sweep<'_> {
    /// Removes what is too old in the folder at a path below the root, and in those below it.
    fn folder(&mut self, below: &Path, depth: usize) {
        let folder = self.root.join(below);
        if self.run.is_foreign(&folder) || depth > DEPTH_MAX {
            return;
        }
        let (mut old, mut folders) = (Vec::<PathBuf>::new(), Vec::<PathBuf>::new());
        let (kind, limit, stop) = (self.kind, self.limit, self.run.stop);
        let visited = self.tree.visit(&folder, &mut |name, is_folder| {
            if !is_folder && kind.time(name).is_some_and(|time| time < limit) {
                old.push(below.join(name));
            } else if is_folder && kind == Kind::Inputs {
                folders.push(below.join(name));
            }
            if stop.load(Ordering::Acquire) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        self.note(visited);
        let before = self.files;
        for path in old {
            let removed = self.remove(&path);
            self.note(removed);
        }
        for folder in folders {
            self.folder(&folder, depth + 1);
        }
        if self.files > before && depth > 0 {
            // It fails where there is something left.
            let _ = self.tree.remove_empty_folder(&folder);
        }
    }

    fn remove(&mut self, below: &Path) -> io::Result<()> {
        let path = self.root.join(below);
        let stat = self.tree.stat(&path)?;
        if stat.is_folder || stat.is_link || self.run.stop.load(Ordering::Acquire) {
            return Ok(());
        }
        self.tree.remove_file(&path)?;
        debug!(file = JsonPath::from(below).printable(), bytes = stat.bytes, "removed");
        self.files += 1;
        self.bytes += stat.bytes;
        Ok(())
    }

    fn note(&mut self, done: io::Result<()>) {
        // What is not there any more somebody else removed.
        if let Some(error) = done.err().filter(|error| error.kind() != io::ErrorKind::NotFound) {
            self.trouble.get_or_insert(error);
        }
    }
}

/// Has the thread that calls this wait for all others. It may be forbidden, and is no more than a courtesy.
pub fn step_back() {
    let _ = rustix::process::setpriority_process(None, 19);
}

/// What the files of a folder are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Archived inputs, with the ID of their job in the name.
    Inputs,
    /// Days of the history: `2026-11-21.jsonl`.
    History,
    /// Log files: `tabuleiro.2026-11-21.log`, `tabuleiro.2026-11-21-13.log`.
    Logs,
}

impl Kind {
    /// From when on the age of the file of that name counts: when its job began, or when its day or hour was over. `None`
    /// for what is no such file.
    #[must_use]
    pub fn time(self, name: &OsStr) -> Option<OffsetDateTime> {
        match self {
            Self::Inputs => job_id::time_of(&kept_inputs::parts(name)?.0),
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
