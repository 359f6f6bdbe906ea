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
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind, RenameMode};
use notify::{Event, RecursiveMode, Watcher};

use crate::daemon::fs::os::remote_file_system;

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
    watcher: Option<Box<dyn Watcher + Send>>,
    hints: Arc<Mutex<Hints>>,
    /// Watched folders with their identity and the round in which they were last met.
    folders: BTreeMap<PathBuf, (Identity, u64)>,
    /// The path under which each folder is watched: the system has one watch a folder, whatever its names.
    paths: BTreeMap<Identity, PathBuf>,
    /// The remote file systems among those met in this round, by device.
    file_systems: BTreeMap<u64, Option<&'static str>>,
    round: u64,
    trouble: Option<String>,
}

/// How a [`Watch`] gets its events.
pub enum Source {
    /// From the system.
    System,
    /// Not at all: for file systems that send none, and for tests of polling. Says why.
    Polling(&'static str),
    /// From a watcher that never says anything.
    #[cfg(test)]
    Silent,
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
    /// lies below it.
    pub fn new(source: &Source, inbox: &Path, wake: impl Fn() + Send + 'static) -> Self {
        let hints = Arc::new(Mutex::new(Hints::default()));
        let mut watch = Self {
            watcher: None,
            hints: Arc::clone(&hints),
            folders: BTreeMap::new(),
            paths: BTreeMap::new(),
            file_systems: BTreeMap::new(),
            round: 0,
            trouble: None,
        };
        let inbox = inbox.to_owned();
        let hear = move |event: notify::Result<Event>| {
            if collect(&mut lock(&hints), event, &inbox) {
                wake();
            }
        };
        match source {
            Source::Polling(why) => watch.trouble = Some((*why).to_owned()),
            Source::System => match notify::recommended_watcher(hear) {
                Ok(watcher) => watch.watcher = Some(Box::new(watcher)),
                Err(error) => watch.trouble = Some(explain(&error)),
            },
            #[cfg(test)]
            Source::Silent => watch.watcher = Some(Box::new(notify::NullWatcher)),
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
        if let Some(name) = self.remote(folder, identity) {
            self.trouble.get_or_insert_with(|| {
                format!(
                    "{} is on a remote file system ({name}), where files dropped by others send no events; how \
                     often it is listed is intake.poll_interval",
                    folder.display()
                )
            });
        }
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

    /// The name of the remote file system that `folder` is on.
    fn remote(&mut self, folder: &Path, identity: Identity) -> Option<&'static str> {
        *self.file_systems.entry(identity.0).or_insert_with(|| remote_file_system(folder))
    }

    /// Begins a round of [`add`](Self::add) for every folder there is. Where events
    /// were `lost` that may have said that a folder is another one now, this round makes all watches anew.
    pub fn begin_round(&mut self, lost: bool) {
        self.round += 1;
        self.file_systems.clear();
        if self.watcher.is_none() {
            return;
        }
        self.trouble = None;
        if lost {
            for folder in self.folders.keys().cloned().collect::<Vec<_>>() {
                self.forget(&folder);
            }
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
        // A file left, and mostly it was the intake that took it: there is nothing to look at. Only the inbox itself must
        // be missed at once.
        EventKind::Modify(ModifyKind::Name(RenameMode::From)) => event.paths.iter().any(|path| path == inbox),
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
    fn what_left_says_nothing_unless_it_is_the_inbox() {
        let mut hints = Hints::default();
        let left = |path: &str| {
            Event::new(EventKind::Modify(ModifyKind::Name(RenameMode::From))).add_path(path.into())
        };
        assert!(!collect(&mut hints, Ok(left("/inbox/a")), Path::new("/inbox")));
        assert!(hints.paths.is_empty());
        assert!(collect(&mut hints, Ok(left("/inbox")), Path::new("/inbox")));
        let came =
            Event::new(EventKind::Modify(ModifyKind::Name(RenameMode::To))).add_path("/inbox/b".into());
        assert!(collect(&mut hints, Ok(came), Path::new("/inbox")));
        assert_eq!(hints.paths.len(), 2);
    }

    fn watch(source: &Source, inbox: &Path) -> Watch {
        Watch::new(source, inbox, || {})
    }

    #[test]
    fn lost_events_make_all_watches_anew() {
        let inbox = tempfile::tempdir().unwrap();
        let mut watch = watch(&Source::Silent, inbox.path());
        watch.begin_round(false);
        watch.add(inbox.path());
        watch.begin_round(false);
        assert_eq!(watch.count(), 1);
        watch.begin_round(true);
        assert_eq!(watch.count(), 0, "lost events may have told of other folders");
    }

    #[test]
    fn a_remote_file_system_is_trouble_for_as_long_as_it_is_met() {
        let inbox = tempfile::tempdir().unwrap();
        let mut watch = watch(&Source::Silent, inbox.path());
        let identity = Identity::of(inbox.path()).unwrap();
        for _ in 0..2 {
            watch.begin_round(false);
            watch.file_systems.insert(identity.0, Some("NFS"));
            watch.add(inbox.path());
            let trouble = watch.trouble().unwrap();
            assert!(trouble.contains("remote file system (NFS)") && trouble.contains("intake.poll_interval"));
            assert_eq!(watch.count(), 1, "what is done here still sends events");
        }
        watch.begin_round(false);
        watch.add(inbox.path());
        assert_eq!(watch.trouble(), None);
    }

    #[test]
    fn limits_are_explained_with_their_remedy() {
        let error = notify::Error::new(notify::ErrorKind::MaxFilesWatch);
        assert!(explain(&error).contains("sysctl fs.inotify.max_user_watches"));
        let error = notify::Error::io(io::Error::from_raw_os_error(libc::EMFILE));
        assert!(explain(&error).contains("sysctl fs.inotify.max_user_instances"));
    }
}
