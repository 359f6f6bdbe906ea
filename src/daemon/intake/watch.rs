//! Hints that something changed below the inbox, from the `notify` crate, one watch a folder.
//!
//! Events are hints, never the truth: they only say where to look again. The callback hands paths over and
//! returns. When hints overflow, here or in the kernel, one flag asks for a full rescan instead. When folders
//! cannot be watched, or lie where changes send no events, the watcher says so and the intake polls. A watch that dies
//! without a word costs time and no file: the inbox is listed every `intake.rescan_interval` in any case.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, bounded};
use notify::event::{EventKind, ModifyKind, RenameMode};
use notify::{Config, Event, EventKindMask, RecommendedWatcher, RecursiveMode, Watcher};
use parking_lot::Mutex;

use crate::daemon::fs::os::remote_file_system;
use crate::daemon::intake::fair_table::{Put, Table};

/// Hints kept apart; more of them become one rescan.
const HINTS_MAX: usize = 4096;
/// Folders watched, which their owners share; those beyond are found by listings alone.
const WATCHES_MAX: usize = 20_000;
/// How long to wait for the end of a watcher, which gives all its watches back to the system.
const END_WAIT_MAX: Duration = Duration::from_secs(10);

/// What is asked of the system. Not that a file is opened or read: each listing opens every folder, so an idle service would wake itself.
/// Nor that it is being written: its close tells, or the quiet period.
const EVENTS: EventKindMask = EventKindMask::CREATE
    .union(EventKindMask::REMOVE)
    .union(EventKindMask::MODIFY_META)
    .union(EventKindMask::MODIFY_NAME)
    .union(EventKindMask::ACCESS_CLOSE);

/// What the watcher saw since it was asked last.
#[derive(Debug, Default)]
pub struct Hints {
    /// Paths to look at, absolute, in order of their names.
    pub paths: BTreeSet<PathBuf>,
    /// Everything must be looked at.
    pub rescan: bool,
}

/// Watches folders and collects hints.
pub struct Watch {
    /// Makes the watcher; it is tried again where that failed. `None` if none is wanted.
    make: Option<Make>,
    watcher: Option<Made>,
    hints: Arc<Mutex<Hints>>,
    folders: Table<u32, Arc<Path>, Watched>,
    /// The path under which each folder is watched: the system has one watch a folder, whatever its names.
    paths: BTreeMap<Identity, Arc<Path>>,
    /// The remote file systems among those met in this round, by device.
    file_systems: BTreeMap<u64, Option<&'static str>>,
    round: u64,
    trouble: Option<String>,
    /// A folder of this round is not watched for want of room, and that was told.
    is_cut: bool,
    is_cut_told: bool,
}

type Make = Box<dyn FnMut() -> notify::Result<Made> + Send>;

/// A watcher, and a channel that is closed when its thread has ended.
type Made = (Box<dyn Watcher + Send>, Receiver<()>);

/// What is known of a watched folder.
struct Watched {
    identity: Identity,
    /// The round in which it was last met.
    round: u64,
}

/// How a [`Watch`] gets its events.
pub enum Source {
    /// From the system.
    System,
    /// Not at all: for file systems that send none, and for tests of polling. Says why.
    Polling(&'static str),
    /// From a watcher that never says anything, and that cannot be made so many times before.
    #[cfg(test)]
    Silent(usize),
}

/// Device and inode: what a path means now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity(u64, u64);

impl Identity {
    /// Of a path, symbolic links not followed.
    ///
    /// # Errors
    /// When there is nothing.
    pub fn of(path: &Path) -> io::Result<Self> {
        fs::symlink_metadata(path).map(|found| Self(found.dev(), found.ino()))
    }
}

impl Watch {
    /// Makes a watcher that calls `wake` (from a thread of its own) when there are new hints about `inbox` or what
    /// lies below it.
    pub fn new(source: &Source, inbox: &Path, wake: impl Fn() + Send + Sync + 'static) -> Self {
        let hints = Arc::new(Mutex::new(Hints::default()));
        let mut watch = Self {
            make: None,
            watcher: None,
            hints: Arc::clone(&hints),
            folders: Table::new(WATCHES_MAX),
            paths: BTreeMap::new(),
            file_systems: BTreeMap::new(),
            round: 0,
            trouble: None,
            is_cut: false,
            is_cut_told: false,
        };
        let (inbox, wake) = (inbox.to_owned(), Arc::new(wake));
        let start = move || {
            let (hints, inbox, wake) = (Arc::clone(&hints), inbox.clone(), Arc::clone(&wake));
            let (works, ended) = bounded(0);
            let hear = move |event: notify::Result<Event>| {
                let _works = &works;
                if collect(&mut hints.lock(), event, &inbox) {
                    wake();
                }
            };
            let watcher = RecommendedWatcher::new(hear, Config::default().with_event_kinds(EVENTS))?;
            Ok((Box::new(watcher) as Box<dyn Watcher + Send>, ended))
        };
        watch.make = match source {
            Source::Polling(why) => {
                watch.trouble = Some((*why).to_owned());
                None
            }
            Source::System => Some(Box::new(start)),
            #[cfg(test)]
            Source::Silent(failures) => {
                let mut failures = *failures;
                Some(Box::new(move || {
                    if failures > 0 {
                        failures -= 1;
                        return Err(notify::Error::io(io::Error::from_raw_os_error(libc::EMFILE)));
                    }
                    Ok((Box::new(notify::NullWatcher) as Box<dyn Watcher + Send>, bounded(0).1))
                }))
            }
        };
        watch.make_watcher();
        watch
    }

    /// Makes the watcher where there is none and one is wanted.
    fn make_watcher(&mut self) {
        if let (None, Some(make)) = (&self.watcher, &mut self.make) {
            match make() {
                Ok(watcher) => self.watcher = Some(watcher),
                Err(error) => self.trouble = Some(explain(&error)),
            }
        }
    }

    /// Returns why events cannot be relied on, with the remedy; `None` while they can.
    #[must_use]
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Folders watched now.
    #[must_use]
    pub fn count(&self) -> usize {
        self.folders.len()
    }

    /// Returns whether there are more folders than are watched, and that is to be told; once.
    pub fn tells_cut(&mut self) -> bool {
        self.is_cut && !std::mem::replace(&mut self.is_cut_told, true)
    }

    /// Returns the hints since the last call.
    pub fn take_hints(&self) -> Hints {
        std::mem::take(&mut *self.hints.lock())
    }

    /// Watches `folder` from now on, if it is not watched already. Watch first, list afterwards.
    pub fn add(&mut self, folder: &Path) {
        let Ok(found) = fs::symlink_metadata(folder) else { return };
        let identity = Identity(found.dev(), found.ino());
        if let Some(name) = self.remote(folder, identity) {
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
        // Another folder may have had this path before, or this folder another path: forgotten later, the old
        // path would take the watch with it.
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
            // It may be gone already.
            let _ = watcher.unwatch(&other);
        }
        self.paths.insert(identity, path);
    }

    /// Returns the name of the remote file system that `folder` is on.
    fn remote(&mut self, folder: &Path, identity: Identity) -> Option<&'static str> {
        *self.file_systems.entry(identity.0).or_insert_with(|| remote_file_system(folder))
    }

    /// Begins a round of [`add`](Self::add) for every folder there is. Where events
    /// were `lost` that may have said that a folder is another one now, this round renews all watches.
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

    /// Ends the round: folders not met in it are watched no longer, `keep` excepted.
    pub fn end_round(&mut self, keep: &Path) {
        let gone: Vec<_> = self
            .folders
            .iter()
            .filter(|(path, watched)| watched.round != self.round && ***path != *keep)
            .map(|(path, _)| Arc::clone(path))
            .collect();
        for path in gone {
            self.forget(&path);
        }
    }

    /// Stops watching `folder`.
    fn forget(&mut self, folder: &Path) {
        let Some(Watched { identity, .. }) = self.folders.remove(folder) else { return };
        self.paths.remove(&identity);
        if let Some((watcher, _)) = &mut self.watcher {
            // It may be gone already.
            let _ = watcher.unwatch(folder);
        }
    }

    /// Stops watching all folders. One by one that would take a minute of a large inbox: each looks at all the others.
    pub fn forget_all(&mut self) {
        self.folders.clear();
        self.paths.clear();
        if let Some((watcher, ended)) = self.watcher.take() {
            drop(watcher);
            // The next one may need the watches of this one. Nothing is ever sent.
            let _ = ended.recv_timeout(END_WAIT_MAX);
            self.make_watcher();
        }
    }

    /// Stops watching `folder` and all below it: they may be other folders now, even with the same inodes.
    pub fn forget_below(&mut self, folder: &Path) {
        let all = self.folders.keys_from(folder);
        for path in all.take_while(|path| path.starts_with(folder)).cloned().collect::<Vec<_>>() {
            self.forget(&path);
        }
    }
}

/// Adds an event to the hints; false when it says nothing new to the intake.
fn collect(hints: &mut Hints, event: notify::Result<Event>, inbox: &Path) -> bool {
    let Ok(event) = event else {
        hints.rescan = true;
        return true;
    };
    // The overflow event has no path, so it is checked first.
    if event.need_rescan() {
        hints.rescan = true;
        return true;
    }
    // A file left, and mostly it was the intake that took it: there is nothing to look at. Only the inbox itself must be
    // missed at once.
    let has_left = event.kind == EventKind::Modify(ModifyKind::Name(RenameMode::From));
    let telling = !has_left || event.paths.iter().any(|path| path == inbox);
    if !telling || hints.rescan {
        return false;
    }
    // The inbox's parent is watched too, for the inbox's own sake.
    let paths: Vec<_> = event.paths.into_iter().filter(|path| path.starts_with(inbox)).collect();
    if paths.is_empty() {
        return false;
    }
    if hints.paths.len() + paths.len() > HINTS_MAX {
        hints.paths.clear();
        hints.rescan = true;
    } else {
        hints.paths.extend(paths);
    }
    true
}

/// An error of the watcher with the remedy where there is one.
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
