//! A file system in memory that keeps durable state apart from visible state.
//!
//! Every change is visible at once and *pending* until a sync covers it. A crash keeps some of the pending changes and
//! loses the others; [`crash`] says which combinations each [`Order`] allows. The rules are:
//!
//! - **Content.** Unsynced content of each file is kept, lost, cut short, or replaced by zeros of the same length.
//!   POSIX promises nothing before `fsync`; ext4 and XFS with delayed allocation leave empty files and files of zeros.
//! - **Names.** Creating, renaming and removing a name is atomic, and pending until `fsync` of its folder. Two changes
//!   of *one* name reach the disk in their order, because they change one directory entry. Changes of different names
//!   are independent, unless `Order::Journal` says otherwise.
//! - **`fsync` of a folder** covers the names in it, but neither the folder's own name nor the content of files.
//!   `fsync` of a file covers its content and none of its names. This is POSIX to the letter; Linux's file systems do
//!   more.
//! - **Connection.** A file is never moved on disk into a folder that is not there: such a move makes the creation of
//!   that folder durable, too. A folder is removed on disk only after the moves out of it. File systems with a journal
//!   or a log guarantee this; on others, `fsck` repairs it. New files have no such guarantee: if the name of their
//!   folder is lost, they are lost, too.
//! - **Write errors.** Content that could not be written stays visible, counts as clean, and is written by no later
//!   sync. The error is reported once to each descriptor that was open when it happened, and to no descriptor that was
//!   opened after the first report (Linux since 4.13, the behaviour that became known as *fsyncgate*).
//! - **Labels** are durable as soon as a name of their file is: attributes and names go through one journal or log.

// Which pending changes survive a crash.
mod crash;
// Open files and file systems.
mod opened;
// The visible and the durable state, and the changes between them.
mod state;
// Folders, names and content.
mod tree;

#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use opened::{OpenFileSystem, Opened, Writing};
use parking_lot::{Mutex, MutexGuard};

use crate::daemon::fs::disk::{Access, Disk, Entry, FileSystem, NewFile, OpenFile, Scratch, Stat};

pub use crash::{Random, crash_states, key};
pub use state::DiskState;
pub use tree::Tree;

/// What a file system promises about the order in which pending changes of names reach the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// In the order in which they were made: ext4, XFS and every other file system with one journal of names.
    Journal,
    /// In any order; a move between two folders shows on both sides or on none. Stricter than btrfs and f2fs, which
    /// write some changes early when a file is synced, and all others together.
    Any,
    /// In any order, and a moved file can show under both names, because the new name is written first. This holds for
    /// file systems without a journal that order their writes (soft updates), and for a link followed by an unlink.
    AnyInHalves,
    /// As `AnyInHalves`, but the removal of the old name can be on disk without the new one: ext2, FAT. A moved file
    /// can be lost whatever the program does afterwards; no program that moves files by `rename` survives this.
    Careless,
}

/// A failure that a test plans.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    /// The number of the operation, counted from 0 since the model was booted.
    pub operation: usize,
    /// What goes wrong at it.
    pub trouble: Trouble,
}

/// What can go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// The operation fails with this error number and does nothing.
    Fails(i32),
    /// Just before the operation, all pending writes fail, and another program's sync has received the error.
    WritesFail,
    /// No operation fails. Instead, the n-th `stat` or `label` of an [older output](is_older) fails with this error
    /// number, where n is the number of the fault.
    LookFails(i32),
}

/// The file system. Clones share it.
#[derive(Clone)]
pub struct Model {
    machine: Arc<Mutex<Machine>>,
    order: Order,
    /// Whether `renameat2`, `syncfs` and attributes are missing.
    posix_only: bool,
}

struct Machine {
    state: DiskState,
    operations: usize,
    /// Calls of `stat` and `label` on older outputs.
    looks: usize,
    fault: Option<Fault>,
    /// A path that nobody can remove.
    stuck: Option<PathBuf>,
    /// A path and the content that another process puts there just before the service uses the name.
    newcomer: Option<(PathBuf, Vec<u8>)>,
    /// The initial state and the state after each operation.
    history: Option<Vec<DiskState>>,
}

/// The kind of an operation, which decides the faults that can hit it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Name,
    Write,
    Sync,
    Remove,
    RemoveOlder,
}

impl Model {
    /// Makes an empty file system.
    pub fn new(order: Order, posix_only: bool) -> Self {
        let machine = Machine {
            state: DiskState::new(Tree::default(), order),
            operations: 0,
            looks: 0,
            fault: None,
            stuck: None,
            newcomer: None,
            history: None,
        };
        Self { machine: Arc::new(Mutex::new(machine)), order, posix_only }
    }

    /// Starts with a durable tree, as after a crash. If `record` is set, records every state from here on.
    pub fn boot(&self, tree: Tree, record: bool, fault: Option<Fault>) {
        let mut machine = self.machine();
        machine.state = DiskState::new(tree, self.order);
        (machine.operations, machine.looks) = (0, 0);
        machine.fault = fault;
        machine.newcomer = None;
        machine.history = record.then(|| vec![machine.state.clone()]);
    }

    /// Returns the recorded states since the start.
    pub fn take_history(&self) -> Vec<DiskState> {
        self.machine().history.take().unwrap_or_default()
    }

    /// Returns how many operations, or looks at older outputs, this trouble could have hit since the start.
    pub fn operations_for(&self, trouble: Trouble) -> usize {
        let machine = self.machine();
        if matches!(trouble, Trouble::LookFails(_)) { machine.looks } else { machine.operations }
    }

    /// Returns how many operations were done since the start.
    pub fn operations(&self) -> usize {
        self.machine().operations
    }

    /// Makes every later removal of this path fail.
    pub fn never_remove(&self, path: &Path) {
        self.machine().stuck = Some(path.to_owned());
    }

    /// Returns what is visible now.
    pub fn visible(&self) -> Tree {
        self.machine().state.visible.clone()
    }

    /// Writes a durable file from outside. This is no operation of the service, and no crash cuts it. Pending changes
    /// of names in its folder become durable with it.
    pub fn put(&self, path: &Path, content: &[u8]) {
        self.put_labelled(path, content, None);
    }

    /// Writes a file as [`put`](Self::put) does, and labels it as an output of an input.
    pub fn put_labelled(&self, path: &Path, content: &[u8], label: Option<&[u8]>) {
        let mut machine = self.machine();
        let file = machine.state.put(path, content);
        if let Some(label) = label {
            machine.state.set_label(file, label);
        }
        let state = machine.state.clone();
        // This is no state of its own; the next operation begins with it.
        if let Some(last) = machine.history.as_mut().and_then(|history| history.last_mut()) {
            *last = state;
        }
    }

    /// Makes another process create a durable file at `path` just before the service renames a file to it.
    pub fn await_newcomer(&self, path: &Path, content: &[u8]) {
        self.machine().newcomer = Some((path.to_owned(), content.to_vec()));
    }

    fn machine(&self) -> MutexGuard<'_, Machine> {
        self.machine.lock()
    }

    /// Does one operation: counts it, fails it if a fault hits it, and records the state after it.
    fn operate<T>(
        &self,
        kind: Kind,
        act: impl FnOnce(&mut DiskState) -> io::Result<T>,
        fail: impl FnOnce(&mut DiskState),
    ) -> io::Result<T> {
        let machine = &mut *self.machine();
        let number = machine.operations;
        machine.operations += 1;
        let hit = machine.fault.filter(|fault| fault.operation == number).map(|fault| fault.trouble);
        let done = match hit {
            Some(Trouble::Fails(errno)) if is_hit(kind, errno) => {
                fail(&mut machine.state);
                Err(io::Error::from_raw_os_error(errno))
            }
            Some(Trouble::WritesFail) => {
                machine.state.fail_writing(true);
                act(&mut machine.state)
            }
            _ => act(&mut machine.state),
        };
        if let Some(history) = &mut machine.history {
            history.push(machine.state.clone());
        }
        done
    }

    /// Counts a look at an older output, and fails it if a fault hits it.
    fn look(&self, path: &Path) -> io::Result<MutexGuard<'_, Machine>> {
        let mut machine = self.machine();
        if is_older(path) {
            let number = machine.looks;
            machine.looks += 1;
            let hit = machine.fault.filter(|fault| fault.operation == number).map(|fault| fault.trouble);
            if let Some(Trouble::LookFails(errno)) = hit {
                return Err(io::Error::from_raw_os_error(errno));
            }
        }
        Ok(machine)
    }

    fn must_be_free(&self, path: &Path) -> io::Result<()> {
        if crate::daemon::fs::disk::exists(self, path) {
            Err(io::Error::from_raw_os_error(libc::EEXIST))
        } else {
            Ok(())
        }
    }

    fn change(&self, kind: Kind, act: impl FnOnce(&mut DiskState) -> io::Result<()>) -> io::Result<()> {
        self.operate(kind, act, |_| {})
    }
}

/// Returns whether a path is that of a report or a page, which a job with a result looks up only to remove it.
fn is_older(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.starts_with("/outbox") && (name.starts_with("erro.") || name.ends_with(".html"))
}

/// Returns whether the error can hit an operation of this kind. A full disk does not prevent the removal of names.
/// Other removals never fail here, because the next start removes whatever stays in the service's own folders.
fn is_hit(kind: Kind, errno: i32) -> bool {
    match kind {
        Kind::Remove => false,
        Kind::RemoveOlder | Kind::Sync => errno == libc::EIO,
        Kind::Name | Kind::Write => true,
    }
}

impl Disk for Model {
    fn stat(&self, path: &Path) -> io::Result<Stat> {
        let state = &self.look(path)?.state;
        let inode = state.visible.find(path)?;
        Ok(state.visible.stat(inode))
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<Entry>> {
        let state = &self.machine().state;
        let names = state.visible.folder(state.visible.find(folder)?)?;
        let entry = |(name, inode): (&std::ffi::OsString, &u32)| Entry {
            name: name.clone(),
            is_folder: state.visible.folder(*inode).is_ok(),
        };
        Ok(names.iter().map(entry).collect())
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn OpenFile>> {
        let state = &self.machine().state;
        let inode = state.visible.find(path)?;
        let content = state.visible.content(inode)?.to_vec();
        Ok(Box::new(Opened { stat: state.visible.stat(inode), content: io::Cursor::new(content) }))
    }

    fn create(&self, path: &Path, _: Access) -> io::Result<Box<dyn NewFile>> {
        if crate::daemon::fs::disk::exists(self, path) {
            self.remove_file(path)?;
        }
        let create = |state: &mut DiskState| state.create_file(path);
        let inode = self.operate(Kind::Name, create, |_| {})?;
        Ok(Box::new(Writing { model: self.clone(), inode }))
    }

    fn scratch(&self, _: &Path) -> io::Result<Box<dyn Scratch>> {
        Ok(Box::new(io::Cursor::new(Vec::new())))
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.change(Kind::Name, |state| state.create_folder(path))
    }

    fn create_folders_for(&self, path: &Path, _: &dyn Fn(&Path) -> Access) -> io::Result<()> {
        for folder in crate::daemon::fs::disk::folders_down(Path::new("/"), path).into_iter().skip(1) {
            let there = self.stat(&folder);
            match there {
                Ok(stat) if stat.is_folder => {}
                Ok(_) => return Err(io::Error::from_raw_os_error(libc::ENOTDIR)),
                Err(_) => self.create_folder(&folder)?,
            }
        }
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.change(Kind::Name, |state| state.rename(from, to))
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        let newcomer = self.machine().newcomer.take_if(|(path, _)| path == to);
        if let Some((path, content)) = newcomer {
            self.put(&path, &content);
        }
        if self.posix_only {
            return crate::daemon::fs::disk::rename_by_link(self, from, to);
        }
        self.stat(from)?;
        self.must_be_free(to)?;
        self.rename(from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.must_be_free(to)?;
        self.change(Kind::Name, |state| state.link(from, to))
    }

    fn copy(&self, from: &Path, to: &Path, _: &dyn Fn() -> bool) -> io::Result<()> {
        let (mut from, mut to) = (self.open(from)?, self.create(to, Access::default())?);
        io::copy(&mut from, &mut to)?;
        to.sync()
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        // Removing a missing file changes nothing, so it is no operation.
        self.machine().state.visible.find(path)?;
        if self.machine().stuck.as_deref() == Some(path) {
            return Err(io::Error::from_raw_os_error(libc::EPERM));
        }
        let kind = if is_older(path) { Kind::RemoveOlder } else { Kind::Remove };
        self.change(kind, |state| state.remove_file(path))
    }

    fn remove_tree(&self, folder: &Path) -> io::Result<()> {
        for entry in self.list(folder)? {
            let path = folder.join(entry.name);
            if entry.is_folder { self.remove_tree(&path) } else { self.remove_file(&path) }?;
        }
        self.change(Kind::Remove, |state| state.remove_folder(folder))
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        let inode = self.machine().state.visible.find(folder)?;
        self.change(Kind::Sync, |state| {
            state.sync(inode);
            Ok(())
        })
    }

    fn file_system(&self, folder: &Path) -> io::Result<Option<Arc<dyn FileSystem>>> {
        self.stat(folder)?;
        if self.posix_only {
            return Ok(None);
        }
        let seen = Mutex::new(self.machine().state.errors_seen());
        Ok(Some(Arc::new(OpenFileSystem { model: self.clone(), seen })))
    }

    fn label(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        let tree = &self.look(path)?.state.visible;
        let inode = tree.find(path)?;
        Ok(tree.label(inode).map(<[u8]>::to_vec))
    }
}
