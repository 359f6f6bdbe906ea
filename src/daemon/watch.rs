//! Hints that something changed below the inbox, from the `notify` crate, one watch a folder.
//!
//! Events are hints, never the truth: they only say where to look again. The callback hands paths over and
//! returns. When hints overflow, here or in the kernel, one flag asks for a full rescan instead. When folders
//! cannot be watched, the watcher says so and the intake polls.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

/// Hints kept apart; more of them become one rescan.
const HINTS_MAX: usize = 4096;

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
    watcher: Option<RecommendedWatcher>,
    hints: Arc<Mutex<Hints>>,
    /// Watched folders with their identity and the round in which they were last met.
    folders: BTreeMap<PathBuf, (Identity, u64)>,
    /// The path under which each folder is watched: the system has one watch a folder, whatever its names.
    paths: BTreeMap<Identity, PathBuf>,
    round: u64,
    trouble: Option<String>,
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
        fs::symlink_metadata(path).map(|metadata| Self(metadata.dev(), metadata.ino()))
    }
}

impl Watch {
    /// A watcher that calls `wake` (from a thread of its own) when there are new hints about `inbox` or what
    /// lies below it. Without `events` it watches nothing and says so, for tests of polling.
    pub fn new(events: bool, inbox: &Path, wake: impl Fn() + Send + 'static) -> Self {
        let hints = Arc::new(Mutex::new(Hints::default()));
        let mut watch = Self {
            watcher: None,
            hints,
            folders: BTreeMap::new(),
            paths: BTreeMap::new(),
            round: 0,
            trouble: None,
        };
        if !events {
            watch.trouble = Some("events are switched off".to_owned());
            return watch;
        }
        let hints = Arc::clone(&watch.hints);
        let inbox = inbox.to_owned();
        match notify::recommended_watcher(move |event| {
            if collect(&mut lock(&hints), event, &inbox) {
                wake();
            }
        }) {
            Ok(watcher) => watch.watcher = Some(watcher),
            Err(error) => watch.trouble = Some(explain(&error)),
        }
        watch
    }

    /// Why events cannot be relied on, with the remedy; `None` while they can.
    #[must_use]
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Folders watched now.
    #[must_use]
    pub fn count(&self) -> usize {
        self.folders.len()
    }

    /// The hints since the last call.
    pub fn take_hints(&self) -> Hints {
        std::mem::take(&mut *lock(&self.hints))
    }

    /// Watches `folder` from now on, if it is not watched already. Watch first, list afterwards.
    pub fn add(&mut self, folder: &Path) {
        let Ok(identity) = Identity::of(folder) else { return };
        let known = self.folders.get_mut(folder);
        if let Some((_, round)) = known.filter(|(known, _)| *known == identity) {
            *round = self.round;
            return;
        }
        // Another folder may have had this path before, or this folder another path: forgotten later, the old
        // path would take the watch with it.
        self.forget(folder);
        if let Some(before) = self.paths.get(&identity).cloned() {
            self.forget(&before);
        }
        let Some(watcher) = &mut self.watcher else { return };
        match watcher.watch(folder, RecursiveMode::NonRecursive) {
            Ok(()) => {
                self.folders.insert(folder.to_owned(), (identity, self.round));
                self.paths.insert(identity, folder.to_owned());
            }
            Err(error) => {
                // A folder that has gone meanwhile is no trouble.
                if folder.exists() {
                    self.trouble = Some(explain(&error));
                }
            }
        }
    }

    /// Begins a round of [`add`](Self::add) for every folder there is.
    pub fn begin_round(&mut self) {
        self.round += 1;
        if self.watcher.is_some() {
            self.trouble = None;
        }
    }

    /// Ends the round: folders not met in it are watched no longer, `keep` excepted.
    pub fn end_round(&mut self, keep: &Path) {
        let gone: Vec<_> = self
            .folders
            .iter()
            .filter(|(path, (_, round))| *round != self.round && path.as_path() != keep)
            .map(|(path, _)| path.clone())
            .collect();
        for path in gone {
            self.forget(&path);
        }
    }

    /// Stops watching `folder`.
    fn forget(&mut self, folder: &Path) {
        if let Some((identity, _)) = self.folders.remove(folder) {
            self.paths.remove(&identity);
        }
        if let Some(watcher) = &mut self.watcher {
            // It may be gone already.
            let _ = watcher.unwatch(folder);
        }
    }

    /// Stops watching `folder` and all below it: they may be other folders now, even with the same inodes.
    pub fn forget_below(&mut self, folder: &Path) {
        let all = self.folders.range(folder.to_owned()..).map(|(path, _)| path);
        for path in all.take_while(|path| path.starts_with(folder)).cloned().collect::<Vec<_>>() {
            self.forget(&path);
        }
    }
}

fn lock(hints: &Mutex<Hints>) -> MutexGuard<'_, Hints> {
    hints.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds an event to the hints; false when it says nothing new to the intake.
fn collect(hints: &mut Hints, event: notify::Result<Event>, inbox: &Path) -> bool {
    let Ok(event) = event else {
        hints.rescan = true;
        return true;
    };
    // The overflow event has no path, so it is looked at first.
    if event.need_rescan() {
        hints.rescan = true;
        return true;
    }
    let telling = match event.kind {
        EventKind::Access(kind) => kind == AccessKind::Close(AccessMode::Write),
        // Writing in progress: the close will tell, or the quiet period.
        EventKind::Modify(ModifyKind::Data(_)) => false,
        _ => true,
    };
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
mod tests {
    use super::*;
    use notify::event::{CreateKind, Flag};

    #[test]
    fn an_overflow_event_without_paths_asks_for_a_rescan() {
        let mut hints = Hints::default();
        let overflow = Event::new(EventKind::Other).set_flag(Flag::Rescan);
        assert!(collect(&mut hints, Ok(overflow), Path::new("/inbox")));
        assert!(hints.rescan);
    }

    #[test]
    fn too_many_hints_become_one_rescan() {
        let mut hints = Hints::default();
        for number in 0..=HINTS_MAX {
            let path = PathBuf::from(format!("/inbox/{number}"));
            let event = Event::new(EventKind::Create(CreateKind::File)).add_path(path);
            collect(&mut hints, Ok(event), Path::new("/inbox"));
        }
        assert!(hints.rescan && hints.paths.is_empty());
    }

    #[test]
    fn reading_and_writing_in_progress_say_nothing() {
        let mut hints = Hints::default();
        for kind in [
            EventKind::Access(AccessKind::Read),
            EventKind::Access(AccessKind::Close(AccessMode::Read)),
            EventKind::Modify(ModifyKind::Data(notify::event::DataChange::Any)),
        ] {
            let event = Event::new(kind).add_path("/inbox/a".into());
            assert!(!collect(&mut hints, Ok(event), Path::new("/inbox")));
        }
        let beside = Event::new(EventKind::Create(CreateKind::File)).add_path("/outbox/a".into());
        assert!(!collect(&mut hints, Ok(beside), Path::new("/inbox")));
        assert!(hints.paths.is_empty());
    }

    #[test]
    fn limits_are_explained_with_their_remedy() {
        let error = notify::Error::new(notify::ErrorKind::MaxFilesWatch);
        assert!(explain(&error).contains("sysctl fs.inotify.max_user_watches"));
        let error = notify::Error::io(io::Error::from_raw_os_error(libc::EMFILE));
        assert!(explain(&error).contains("sysctl fs.inotify.max_user_instances"));
    }
}
