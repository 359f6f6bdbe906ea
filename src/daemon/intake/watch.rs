//! Hints that something changed below the inbox, from the `notify` crate, with one watch per folder.
//!
//! Events are hints, never the truth: they only say where to look again. The callback stores paths and returns. If
//! hints overflow, here or in the kernel, one flag asks for a full rescan instead. If folders cannot be watched, or are
//! on a file system where changes send no events, the watch reports that and the intake polls. A watch that stops
//! working silently costs time, but no file: the inbox is listed every `intake.rescan_interval` in any case.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};

use crossbeam_channel::{Receiver, bounded};
use notify::event::{EventKind, ModifyKind, RenameMode};
use notify::{Config, Event, EventKindMask, RecommendedWatcher, RecursiveMode, Watcher};
use parking_lot::Mutex;

use crate::daemon::fs::os::remote_file_system;
use crate::daemon::intake::fair_table::{Put, Table};

/// Maximum number of separate hints. More of them become one rescan.
const HINTS_MAX: usize = 4096;
/// Maximum number of watched folders, which their owners share. Changes in the others are found by listings alone.
const WATCHES_MAX: usize = 20_000;
/// Maximum wait for the end of a watcher, which returns all its watches to the system.
const END_WAIT_MAX: Duration = Duration::from_secs(10);

/// The events that the watcher requests. It requests none of opening and reading, because each listing opens every
/// folder and would wake an idle service. It requests none of writing, because the close event or the quiet period
/// shows its end.
const EVENTS: EventKindMask = EventKindMask::CREATE
    .union(EventKindMask::REMOVE)
    .union(EventKindMask::MODIFY_META)
    .union(EventKindMask::MODIFY_NAME)
    .union(EventKindMask::ACCESS_CLOSE);

/// The hints since they were last taken.
#[derive(Debug, Default)]
pub struct Hints {
    /// Absolute paths to look at, in the order of their names.
    pub paths: BTreeSet<PathBuf>,
    /// Everything must be listed.
    pub rescan: bool,
}

impl Hints {
    fn is_empty(&self) -> bool {
        self.paths.is_empty() && !self.rescan
    }
}

/// Watches folders and collects hints.
pub struct Watch {
    /// Creates the watcher. If that fails, it is tried again. `None` if no watcher is wanted.
    make: Option<WatcherFactory>,
    watcher: Option<RunningWatcher>,
    hints: Arc<Mutex<Hints>>,
    folders: Table<u32, Arc<Path>, Watched>,
    /// The path under which each folder is watched. The system has one watch per folder, whatever its names.
    paths: BTreeMap<Identity, Arc<Path>>,
    /// The name of each file system found in this round, by device, if it is remote.
    file_systems: BTreeMap<u64, Option<&'static str>>,
    round: u64,
    /// Why events cannot be relied on, with the remedy; `None` while they can.
    pub trouble: Option<String>,
    /// Whether a folder of this round is not watched because there are too many, and whether that was logged.
    is_cut: bool,
    is_cut_logged: bool,
}

type WatcherFactory = Box<dyn FnMut() -> notify::Result<RunningWatcher> + Send>;

/// A watcher, and a channel that is closed when its thread has ended.
type RunningWatcher = (Box<dyn Watcher + Send>, Receiver<()>);

/// What is known of a watched folder.
struct Watched {
    identity: Identity,
    /// The round in which it was last found.
    round: u64,
}

/// The device and inode number that a path leads to now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity(u64, u64);

impl Identity {
    /// Returns the identity of a path. Symbolic links are not followed.
    ///
    /// # Errors
    /// Fails if there is nothing at the path.
    pub fn of(path: &Path) -> io::Result<Self> {
        fs::symlink_metadata(path).map(|found| Self(found.dev(), found.ino()))
    }
}

impl Watch {
    /// Creates a watch. It calls `wake` from another thread when hints about `inbox` or something below it arrive after
    /// there were none. `polling` says why no events are requested.
    pub fn new(polling: Option<&str>, inbox: &Path, wake: impl Fn() + Send + Sync + 'static) -> Self {
        let hints = Arc::new(Mutex::new(Hints::default()));
        let (all_hints, inbox, wake) = (Arc::clone(&hints), inbox.to_owned(), Arc::new(wake));
        let make = move || {
            let (hints, inbox, wake) = (Arc::clone(&all_hints), inbox.clone(), Arc::clone(&wake));
            let (alive, ended) = bounded(0);
            let on_event = move |event: notify::Result<Event>| {
                let _alive = &alive;
                let mut hints = hints.lock();
                let were_none = hints.is_empty();
                collect(&mut hints, event, &inbox);
                if were_none && !hints.is_empty() {
                    wake();
                }
            };
            let watcher = RecommendedWatcher::new(on_event, Config::default().with_event_kinds(EVENTS))?;
            Ok((Box::new(watcher) as Box<dyn Watcher + Send>, ended))
        };
        let make = polling.is_none().then(|| Box::new(make) as WatcherFactory);
        Self { hints, trouble: polling.map(str::to_owned), ..Self::from_factory(make) }
    }

    fn from_factory(make: Option<WatcherFactory>) -> Self {
        let mut watch = Self {
            make,
            watcher: None,
            hints: Arc::default(),
            folders: Table::new(WATCHES_MAX),
            paths: BTreeMap::new(),
            file_systems: BTreeMap::new(),
            round: 0,
            trouble: None,
            is_cut: false,
            is_cut_logged: false,
        };
        watch.make_watcher();
        watch
    }

    /// Creates the watcher if there is none and one is wanted.
    fn make_watcher(&mut self) {
        if let (None, Some(make)) = (&self.watcher, &mut self.make) {
            match make() {
                Ok(watcher) => self.watcher = Some(watcher),
                Err(error) => self.trouble = Some(explain(&error)),
            }
        }
    }

    /// Returns the number of folders that are watched now.
    pub fn count(&self) -> usize {
        self.folders.len()
    }

    /// Returns true once if not all folders are watched, so that this is logged once.
    pub fn must_log_cut(&mut self) -> bool {
        self.is_cut && !std::mem::replace(&mut self.is_cut_logged, true)
    }

    /// Returns whether there are hints that were not taken.
    pub fn has_hints(&self) -> bool {
        !self.hints.lock().is_empty()
    }

    /// Takes the hints since the last call.
    pub fn take_hints(&self) -> Hints {
        std::mem::take(&mut *self.hints.lock())
    }

    /// Watches `folder` from now on, if it is not watched already. Must be called before the folder is listed.
    pub fn add(&mut self, folder: &Path) {
        let Ok(found) = fs::symlink_metadata(folder) else { return };
        let identity = Identity(found.dev(), found.ino());
        let remote = self.file_systems.entry(found.dev()).or_insert_with(|| remote_file_system(folder));
        if let Some(name) = remote {
            self.trouble.get_or_insert_with(|| {
                format!(
                    "{} is on a remote file system ({name}), where files dropped by others send no events; how \
                     often it is listed is intake.poll_interval",
                    folder.display()
                )
            });
        }
        if let Some(known) = self.folders.get_mut(folder).filter(|known| known.identity == identity) {
            known.round = self.round;
            return;
        }
        // Another folder may have had this path before, or this folder another path. If the old path were forgotten
        // later, that would remove the new watch.
        self.forget(folder);
        if let Some(before) = self.paths.get(&identity).cloned() {
            self.forget(&before);
        }
        let Some((watcher, _)) = &mut self.watcher else { return };
        if !self.folders.takes(&found.uid()) {
            self.is_cut = true;
            return;
        }
        if let Err(error) = watcher.watch(folder, RecursiveMode::NonRecursive) {
            // A folder that has gone meanwhile is no trouble.
            if folder.exists() {
                self.trouble = Some(explain(&error));
            }
            return;
        }
        let path: Arc<Path> = folder.into();
        let watched = Watched { identity, round: self.round };
        if let Put::InPlaceOf(_, other, before) = self.folders.put(found.uid(), Arc::clone(&path), watched) {
            self.is_cut = true;
            self.paths.remove(&before.identity);
            // The watch may be gone already.
            let _ = watcher.unwatch(&other);
        }
        self.paths.insert(identity, path);
    }

    /// Begins a round of [`add`](Self::add) for every folder. If events were `lost`, a folder may have been replaced
    /// unnoticed, so this round renews all watches.
    pub fn begin_round(&mut self, lost: bool) {
        self.round += 1;
        self.file_systems.clear();
        self.is_cut = false;
        if self.make.is_none() {
            return;
        }
        self.trouble = None;
        self.make_watcher();
        if lost {
            self.forget_all();
        }
    }

    /// Ends the round: stops watching the folders that were not found in it, except `keep`.
    pub fn end_round(&mut self, keep: &Path) {
        let is_gone = |path: &Path, watched: &Watched| watched.round != self.round && path != keep;
        let gone = self.folders.iter().filter(|(path, watched)| is_gone(path, watched));
        for path in gone.map(|(path, _)| Arc::clone(path)).collect::<Vec<_>>() {
            self.forget(&path);
        }
    }

    /// Stops watching `folder`.
    fn forget(&mut self, folder: &Path) {
        let Some(Watched { identity, .. }) = self.folders.remove(folder) else { return };
        self.paths.remove(&identity);
        if let Some((watcher, _)) = &mut self.watcher {
            // The watch may be gone already.
            let _ = watcher.unwatch(folder);
        }
    }

    /// Stops watching all folders. One by one that takes a minute for a large inbox: each removal checks all others.
    pub fn forget_all(&mut self) {
        self.folders.clear();
        self.paths.clear();
        if let Some((watcher, ended)) = self.watcher.take() {
            drop(watcher);
            // The next watcher may need the watches of this one. Nothing is ever sent on the channel.
            let _ = ended.recv_timeout(END_WAIT_MAX);
            self.make_watcher();
        }
    }

    /// Stops watching `folder` and all folders below it. They may be other folders now, even with the same inodes.
    pub fn forget_below(&mut self, folder: &Path) {
        let all = self.folders.keys_from(folder);
        for path in all.take_while(|path| path.starts_with(folder)).cloned().collect::<Vec<_>>() {
            self.forget(&path);
        }
    }
}

/// Adds an event to the hints.
fn collect(hints: &mut Hints, event: notify::Result<Event>, inbox: &Path) {
    // An overflow has no path, so it is checked first.
    let Some(event) = event.ok().filter(|event| !event.need_rescan()) else {
        hints.rescan = true;
        return;
    };
    // A file left, usually because the intake took it, so there is nothing to look at. Only the loss of the inbox
    // itself must be noticed at once. The inbox's parent is watched only for events about the inbox itself.
    let has_left = event.kind == EventKind::Modify(ModifyKind::Name(RenameMode::From));
    let is_hint = |path: &PathBuf| if has_left { path == inbox } else { path.starts_with(inbox) };
    if hints.rescan {
        return;
    }
    hints.paths.extend(event.paths.into_iter().filter(is_hint));
    if hints.paths.len() > HINTS_MAX {
        hints.paths.clear();
        hints.rescan = true;
    }
}

/// Describes an error of the watcher, with the remedy if there is one.
fn explain(error: &notify::Error) -> String {
    let code = match &error.kind {
        notify::ErrorKind::Io(error) => error.raw_os_error(),
        _ => None,
    };
    if matches!(error.kind, notify::ErrorKind::MaxFilesWatch) || code == Some(libc::ENOSPC) {
        "the limit of inotify watches is reached; raise it with: sysctl fs.inotify.max_user_watches=1048576"
            .to_owned()
    } else if code == Some(libc::EMFILE) {
        "the limit of inotify instances is reached; raise it with: sysctl fs.inotify.max_user_instances=1024"
            .to_owned()
    } else {
        format!("cannot watch: {error}")
    }
}

#[cfg(test)]
#[path = "watch_tests.rs"]
mod tests;
