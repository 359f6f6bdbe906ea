//! Retention: inputs that were answered or rejected, old logs and the history, removed by age and by size.
//!
//! A run lists each folder once and keeps in mind the oldest files alone, at most [`OLDEST_MAX`] of them, however many
//! there are; it removes those, the oldest first, and lists anew where that was not enough. It runs on a thread of its
//! own, behind all other work, and stops between two files when it is told to.
//!
//! Only what has the name of a kept input, a day of the history or a closed log file is ever removed, and nothing in
//! the outbox, wherever that lies.

mod names;

use std::collections::BinaryHeap;
use std::ffi::OsStr;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tracing::{debug, info, warn};

use names::Kind;

use crate::config::Retention;
use crate::daemon::base::clock;
use crate::daemon::fs::disk::Disk;
use crate::daemon::fs::folders::Folders;
use crate::daemon::fs::os::Platform;
use crate::daemon::fs::tree::Tree;
use crate::input::printable;
use crate::logging::kind;
use crate::solver::format_size;

/// The oldest files that are kept in mind while a folder is listed.
const OLDEST_MAX: usize = 50_000;
/// Folders below a folder of kept inputs that are gone into: more than the inbox may have.
const DEPTH_MAX: usize = 128;
/// How much of a path is logged.
const PATH_BYTES_MAX: usize = 1024;

/// A run over all folders.
pub struct Run<'a> {
    /// What is kept.
    pub retention: &'a Retention,
    /// The service's folders.
    pub folders: &'a Folders,
    /// Ends the run.
    pub stop: &'a AtomicBool,
}

/// What is kept of a folder.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    /// How long a file is kept; `None`: for ever.
    age: Option<Duration>,
    /// How many bytes its files may have together; `None`: any number.
    bytes: Option<u64>,
}

/// A folder of which not everything may be kept.
struct Place<'a> {
    what: &'static str,
    root: &'a Path,
    kind: Kind,
    bounds: Bounds,
}

/// A file that may be removed. The older is the smaller.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Old {
    /// From when on its age counts, in microseconds since 1970.
    time: i64,
    path: PathBuf,
    bytes: u64,
}

/// What a listing found.
struct Listing {
    /// The oldest files that are kept in mind.
    oldest_max: usize,
    /// Bytes of all files that are this service's own.
    bytes: u64,
    /// The oldest files, the youngest of them at the top.
    oldest: BinaryHeap<Old>,
    /// There are more files than could be kept in mind.
    is_cut: bool,
    /// The oldest file that is not too old yet.
    next: Option<i64>,
    trouble: Option<io::Error>,
}

/// What a run removed from a folder.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Removed {
    /// Files.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl Run<'_> {
    /// Goes through all folders once. Gives the time until the next file will be too old; `None` when none will.
    #[must_use]
    pub fn run(&self) -> Option<Duration> {
        let next = self.places().into_iter().filter_map(|place| self.tidy(&place)).min()?;
        Some(Duration::from_micros(u64::try_from(next - now()).unwrap_or(0)))
    }

    fn places(&self) -> Vec<Place<'_>> {
        let Folders { done, failed, history, log, .. } = self.folders;
        let Retention { done: done_bounds, failed: failed_bounds, history: history_bounds, log: log_bounds } =
            self.retention;
        let place = |what, root, kind, age: &Option<Duration>| {
            let bounds = Bounds { age: *age, bytes: None };
            Place { what, root, kind, bounds }
        };
        let mut places = vec![
            place("done", done.as_path(), Kind::Inputs, done_bounds),
            place("failed", failed, Kind::Inputs, failed_bounds),
            place("history", history, Kind::History, history_bounds),
            place("log", log, Kind::Logs, log_bounds),
        ];
        places.retain(|place| place.bounds.age.is_some());
        places
    }

    /// Removes what a folder may not keep, and says so. Gives when the next file will be too old.
    fn tidy(&self, place: &Place<'_>) -> Option<i64> {
        let (next, removed) = self.tidy_in_rounds(place, OLDEST_MAX);
        if removed.files > 0 {
            let (files, bytes) = (removed.files, format_size(removed.bytes));
            info!(name: kind::REMOVED.name, folder = place.what, files, bytes, "removed what is not kept any longer");
        }
        let age = i64::try_from(place.bounds.age?.as_micros()).ok()?;
        next.map(|time| time.saturating_add(age))
    }

    /// Lists and removes until enough is removed. Gives the time of the oldest file that is not too old.
    fn tidy_in_rounds(&self, place: &Place<'_>, oldest_max: usize) -> (Option<i64>, Removed) {
        let tree = Tree::new([place.root], Platform::native());
        let mut removed = Removed::default();
        loop {
            let mut listing = Listing::new(oldest_max);
            if let Err(error) = self.list(place, &tree, Path::new(""), 0, &mut listing) {
                listing.trouble.get_or_insert(error);
            }
            let (next, is_cut, before) = (listing.next, listing.is_cut, removed.files);
            let is_enough = self.remove(place, &tree, listing, &mut removed);
            // Each further round follows one that removed something, so this ends.
            if is_enough || !is_cut || removed.files == before {
                return (next, removed);
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// Lists a folder at a path below the place's root, and those below it.
    fn list(
        &self,
        place: &Place<'_>,
        tree: &Tree,
        below: &Path,
        depth: usize,
        listing: &mut Listing,
    ) -> io::Result<()> {
        let folder = place.root.join(below);
        if self.is_foreign(&folder) || depth > DEPTH_MAX {
            return Ok(());
        }
        tree.visit(&folder, &mut |name, is_folder| {
            if self.is_stopped() {
                return ControlFlow::Break(());
            }
            let below = below.join(name);
            if !is_folder {
                listing.note(place, tree, below, name);
            } else if place.kind == Kind::Inputs
                && let Err(error) = self.list(place, tree, &below, depth + 1, listing)
            {
                listing.trouble.get_or_insert(error);
            }
            ControlFlow::Continue(())
        })
    }

    /// Whether a folder holds results, or files that are on their way.
    fn is_foreign(&self, folder: &Path) -> bool {
        let Folders { inbox, outbox, work, staging, .. } = self.folders;
        [inbox, outbox, work, staging].into_iter().any(|other| other == folder)
    }

    /// Removes files that were found, the oldest first, as long as too much is left. False when all of them are
    /// removed, so that more may have to be.
    fn remove(&self, place: &Place<'_>, tree: &Tree, listing: Listing, removed: &mut Removed) -> bool {
        let Listing { bytes: mut left, oldest, mut trouble, .. } = listing;
        let mut is_enough = false;
        for old in oldest.into_sorted_vec() {
            let is_too_old = place.is_too_old(old.time);
            let is_too_much = place.bounds.bytes.is_some_and(|bytes| left > bytes);
            is_enough = !(is_too_old || is_too_much) || self.is_stopped();
            if is_enough {
                break;
            }
            match place.remove(tree, &old, if is_too_old { "age" } else { "size" }) {
                // Somebody else did it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => left -= old.bytes,
                Err(error) => drop(trouble.get_or_insert(error)),
                Ok(()) => {
                    left -= old.bytes;
                    removed.files += 1;
                    removed.bytes += old.bytes;
                }
            }
        }
        if let Some(error) = trouble {
            warn!(folder = place.what, "cannot remove all that is not kept any longer: {error}");
        }
        is_enough
    }
}

impl Place<'_> {
    /// Removes a file and the folders that it leaves empty.
    fn remove(&self, tree: &Tree, old: &Old, reason: &str) -> io::Result<()> {
        tree.remove_file(&self.root.join(&old.path))?;
        let file = printable(old.path.as_os_str().as_encoded_bytes(), PATH_BYTES_MAX);
        debug!(folder = self.what, file, bytes = old.bytes, reason, "removed");
        remove_empty_folders(self.root, &old.path, tree);
        Ok(())
    }

    fn is_too_old(&self, time: i64) -> bool {
        let age = self.bounds.age.and_then(|age| i64::try_from(age.as_micros()).ok());
        age.is_some_and(|age| time < now() - age)
    }
}

impl Listing {
    fn new(oldest_max: usize) -> Self {
        let oldest = BinaryHeap::new();
        Self { oldest_max, bytes: 0, oldest, is_cut: false, next: None, trouble: None }
    }

    /// Notes a file at a path below the place's root.
    fn note(&mut self, place: &Place<'_>, tree: &Tree, below: PathBuf, name: &OsStr) {
        let Some(time) = place.kind.time(name) else { return };
        let is_too_old = place.is_too_old(time);
        if !is_too_old {
            self.next = Some(self.next.map_or(time, |next| next.min(time)));
            if place.bounds.bytes.is_none() {
                return;
            }
        }
        let Ok(stat) = tree.stat(&place.root.join(&below)) else { return };
        if stat.is_folder || stat.is_link {
            return;
        }
        self.bytes += stat.bytes;
        // The history and the log are written to until their day or hour is over.
        if time > now() {
            return;
        }
        self.oldest.push(Old { time, path: below, bytes: stat.bytes });
        if self.oldest.len() > self.oldest_max {
            self.oldest.pop();
            self.is_cut = true;
        }
    }
}

/// Has the thread that calls this wait for all others. It may be forbidden, and is no more than a courtesy.
pub fn step_back() {
    let _ = rustix::process::setpriority_process(None, 19);
}

/// Removes the folders that a file left empty, up to the root.
fn remove_empty_folders(root: &Path, file: &Path, tree: &Tree) {
    let folders = file.ancestors().skip(1).take_while(|folder| !folder.as_os_str().is_empty());
    for folder in folders {
        // It fails where there is something left.
        if tree.remove_empty_folder(&root.join(folder)).is_err() {
            return;
        }
    }
}

/// Microseconds since 1970.
fn now() -> i64 {
    i64::try_from(clock::now().unix_timestamp_nanos() / 1000).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
