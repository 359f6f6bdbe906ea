//! The file-system operations that must survive a crash.
//!
//! Claiming, answering, publishing, giving back and recovering go through [`Disk`] and through nothing else. The same
//! code therefore runs on the real file system ([`Tree`](super::folder_tree::Tree)) and, in tests, on a model that
//! keeps durable state apart from visible state and can be cut after every operation.

use std::ffi::OsString;
use std::fmt::Debug;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::daemon::fs::service_folders::Folders;

/// The operations of the service on files. Paths are absolute.
///
/// No change is durable on return, except the content of a [`copy`](Self::copy). A name is durable after
/// [`sync_folder`](Self::sync_folder), content after the sync of its file, and both after the sync of their file
/// system. Linux reports a write error once to every descriptor that was open when it happened, and to no later one.
/// Content is therefore synced through the descriptor that wrote it, or through a [`FileSystem`] opened before that.
pub trait Disk: Send + Sync {
    /// Returns the metadata of a path without following symbolic links.
    ///
    /// # Errors
    /// Returns the error of `lstat`.
    fn stat(&self, path: &Path) -> io::Result<Stat>;

    /// Returns the entries of a folder in no particular order.
    ///
    /// # Errors
    /// Fails if the folder cannot be opened or read to the end; it never returns an incomplete listing.
    fn list(&self, folder: &Path) -> io::Result<Vec<Entry>>;

    /// Opens a file for reading.
    ///
    /// # Errors
    /// Returns the error of `open`.
    fn open(&self, path: &Path) -> io::Result<Box<dyn OpenFile>>;

    /// Creates a file. If another file has the name, unlinks that file and never writes into it: after a failed sync
    /// the system marks data that it did not write as clean, so a second sync of the same file would report success.
    ///
    /// # Errors
    /// Returns the error of `unlink`, `open`, `fchown`, `fchmod` or `fsetxattr`.
    fn create(&self, path: &Path, access: Access) -> io::Result<Box<dyn NewFile>>;

    /// Creates a file for temporary data and removes its name at once. The file is gone when it is closed.
    ///
    /// # Errors
    /// Returns the error of `open` or `unlink`.
    fn scratch(&self, path: &Path) -> io::Result<Box<dyn Scratch>>;

    /// Creates a folder, which must not exist yet.
    ///
    /// # Errors
    /// Returns the error of `mkdir`.
    fn create_folder(&self, path: &Path) -> io::Result<()>;

    /// Creates a folder and those above it that are missing. `access` takes the path of a created folder and returns
    /// who may use that folder.
    ///
    /// # Errors
    /// Returns the error of `mkdir`, or `NotADirectory` if something else has one of the names.
    fn create_folders_for(&self, path: &Path, access: &dyn Fn(&Path) -> Access) -> io::Result<()>;

    /// Creates a folder and those above it that are missing, with the default access of the system.
    ///
    /// # Errors
    /// Fails as [`create_folders_for`](Self::create_folders_for) does.
    fn create_folders(&self, path: &Path) -> io::Result<()> {
        self.create_folders_for(path, &|_| Access::default())
    }

    /// Renames a file, replacing a file that has the new name.
    ///
    /// # Errors
    /// Returns the error of `rename`.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Renames a file without replacing another: `AlreadyExists` if `to` exists, `NotFound` if `from` does not.
    ///
    /// On a system without `renameat2`, a crash can leave the file under both names, but never under none.
    ///
    /// # Errors
    /// Returns the error of `renameat2`, or of `link`, `fsync` or `unlink`.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file a second name, which must not exist yet.
    ///
    /// # Errors
    /// Returns the error of `link`.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Copies a file and syncs the content of the copy. Also copies owner, group and permissions, if this process may
    /// set them. Unlinks another file that has the new name, and removes an incomplete copy.
    ///
    /// # Errors
    /// Fails if reading or writing fails; with `StorageFull`, before anything is written, if there is no room; with
    /// `Interrupted` when `goes_on` returns false.
    fn copy(&self, from: &Path, to: &Path, goes_on: &dyn Fn() -> bool) -> io::Result<()>;

    /// Removes the name of a file.
    ///
    /// # Errors
    /// Returns the error of `unlink`.
    fn remove_file(&self, path: &Path) -> io::Result<()>;

    /// Removes a folder and everything in it.
    ///
    /// # Errors
    /// Returns the error of `unlink` or `rmdir`; part of the folder can then be gone.
    fn remove_tree(&self, folder: &Path) -> io::Result<()>;

    /// Makes the names in a folder durable.
    ///
    /// # Errors
    /// Returns the error of `fsync`; the caller must then treat changes since the last sync as lost.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;

    /// Opens the file system of a folder, which can then be synced as a whole. Returns `None` if such a sync would not
    /// report every write error, so that each file must be synced on its own.
    ///
    /// # Errors
    /// Fails if the folder cannot be opened.
    fn file_system(&self, folder: &Path) -> io::Result<Option<Arc<dyn FileSystem>>>;

    /// Returns the input that is named in the [label](NewFile::label) of an output; `None` for a file without a label.
    ///
    /// # Errors
    /// Fails if the file cannot be opened or its attributes cannot be read.
    fn label(&self, path: &Path) -> io::Result<Option<Vec<u8>>>;
}

/// A file being read.
pub trait OpenFile: Read + Seek {
    /// Returns the current metadata of the file.
    ///
    /// # Errors
    /// Returns the error of `fstat`.
    fn stat(&self) -> io::Result<Stat>;

    /// Makes the content of the file durable.
    ///
    /// # Errors
    /// Returns the error of `fsync`, which reports every failed write to the file since it was opened.
    fn sync(&self) -> io::Result<()>;
}

/// A file being written.
pub trait NewFile: Write + Send {
    /// Labels the file as an output of `input`. Returns false if the file system keeps no attributes.
    ///
    /// # Errors
    /// Returns the error of `fsetxattr`.
    fn label(&mut self, input: &[u8]) -> io::Result<bool>;

    /// Makes the content of the file durable.
    ///
    /// # Errors
    /// Returns the error of `fsync`, which reports every failed write to the file. The caller must treat the data as
    /// lost.
    fn sync(&mut self) -> io::Result<()>;
}

/// A file without a name.
pub trait Scratch: Read + Write + Seek {}

impl<F: Read + Write + Seek> Scratch for F {}

/// An open file system.
pub trait FileSystem: Debug + Send + Sync {
    /// Returns the device number of the file system.
    fn device(&self) -> u64;

    /// Makes everything on the file system durable.
    ///
    /// # Errors
    /// Returns the error of `syncfs`, which reports every failed write since the file system was opened or last synced.
    /// The caller must treat data written since then as lost.
    fn sync(&self) -> io::Result<()>;
}

/// The metadata of a file or folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// Whether it is a regular file.
    pub is_file: bool,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// Whether it is a symbolic link.
    pub is_link: bool,
    /// The device number of its file system.
    pub device: u64,
    /// Its inode number on that file system.
    pub inode: u64,
    /// Its size in bytes.
    pub bytes: u64,
    /// When its content last changed: seconds and nanoseconds since 1970.
    pub modified: (i64, i64),
    /// When its content or metadata last changed (`ctime`), which nobody can set: seconds and nanoseconds since 1970.
    pub changed: (i64, i64),
    /// The user ID of its owner.
    pub owner: u32,
}

impl Stat {
    /// Returns whether both describe one file, perhaps under two names.
    pub fn is_same_file(&self, other: &Self) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }
}

/// A name in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub name: OsString,
    /// Whether it names a folder.
    pub is_folder: bool,
}

/// Who may use a new file or folder. If a field is `None`, the system chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Access {
    /// Permission bits of a file.
    pub mode: Option<u32>,
    /// The group ID. For a folder it applies only if `restricted` is set.
    pub group: Option<u32>,
    /// If set, replaces `mode`. It takes effect before anybody else can open the file or folder.
    pub restricted: Option<Restricted>,
}

/// Restricts a file to its owner, who writes it, and the group, which reads it. In a restricted folder the owner makes
/// changes, the group lists names, and everybody may pass through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restricted {
    /// The ID of one more user who may read the file or list the folder, if the file system has access control lists.
    pub reader: Option<u32>,
}

/// Returns whether a path exists.
pub fn exists(disk: &dyn Disk, path: &Path) -> bool {
    disk.stat(path).is_ok()
}

/// Turns the error `NotFound` into `None`.
///
/// # Errors
/// Returns every other error.
pub fn if_found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        other => other.map(Some),
    }
}

/// Implements [`Disk::rename_new`] by a link, for systems without `renameat2`.
pub fn rename_by_link(disk: &dyn Disk, from: &Path, to: &Path) -> io::Result<()> {
    disk.link(from, to)?;
    // Without a sync in between, the removal of the old name could reach the disk alone.
    let synced = to.parent().map_or(Ok(()), |folder| disk.sync_folder(folder));
    let moved = synced.and_then(|()| disk.remove_file(from));
    if moved.is_err() {
        // Otherwise the file would have both names, and count as two files.
        let _ = disk.remove_file(to);
    }
    moved
}

/// Returns the folders from `root` down to `folder`, which lies in it. Syncing them in this order keeps every durable
/// folder reachable.
pub fn folders_down(root: &Path, folder: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<_> =
        folder.ancestors().take_while(|path| path.starts_with(root)).map(Path::to_owned).collect();
    folders.reverse();
    folders
}

/// The one or two file systems that hold results and claims, open while jobs are in progress.
///
/// Linux reports a write error once to each descriptor that was open when it happened. A descriptor opened only for the
/// sync misses an error if another program or another group of jobs synced first. The service therefore opens the file
/// systems before the first byte of a result is written and keeps them open until the job ends. An idle service keeps
/// none open; otherwise its disks could not be unmounted.
#[derive(Debug)]
pub struct FileSystems(Vec<Arc<dyn FileSystem>>);

impl FileSystems {
    /// Opens the file systems of results and claims. Returns `None` if one of them does not report every write error;
    /// each file is then synced on its own.
    ///
    /// # Errors
    /// Fails if a folder cannot be opened.
    pub fn open(disk: &dyn Disk, folders: &Folders) -> io::Result<Option<Self>> {
        let opened = match disk.file_system(&folders.staging) {
            // Somebody deleted the outbox.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                disk.create_folders(&folders.staging)?;
                disk.file_system(&folders.staging)?
            }
            opened => opened?,
        };
        let Some(results) = opened else { return Ok(None) };
        if disk.stat(&folders.work)?.device == results.device() {
            return Ok(Some(Self(vec![results])));
        }
        Ok(disk.file_system(&folders.work)?.map(|claims| Self(vec![results, claims])))
    }

    /// Makes everything on these file systems durable.
    ///
    /// # Errors
    /// Returns the error of `syncfs`, which reports every failed write since the file systems were opened or last
    /// synced. Fails also if a folder is now on another file system.
    pub fn sync(&self, disk: &dyn Disk, folders: &Folders) -> io::Result<()> {
        self.0.iter().try_for_each(|file_system| file_system.sync())?;
        for folder in [&folders.staging, &folders.work] {
            let device = disk.stat(folder)?.device;
            if !self.0.iter().any(|file_system| file_system.device() == device) {
                let folder = folder.display();
                return Err(io::Error::other(format!("{folder} is on another file system than before")));
            }
        }
        Ok(())
    }
}
