//! The file system, as far as what must survive a crash depends on it.
//!
//! Claiming, answering, publishing, giving back and recovering go through [`Disk`] and through nothing else. So
//! the same code runs on the real file system ([`Tree`](super::folder_tree::Tree)) and, in tests, on a model that keeps
//! what is durable apart from what is merely visible and can be cut after every operation.

use std::ffi::OsString;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the service does to files. Paths are absolute.
///
/// No operation is durable by itself: names are after [`sync_folder`](Self::sync_folder), content after the sync of
/// its file, both after that of their file system. A write error is told once to every descriptor that was open when it
/// happened, and to no later one: so content is synced through the descriptor that it was written by, or through a
/// [`FileSystem`] that was open before.
pub trait Disk: Send + Sync {
    /// Returns what stands under a name; symbolic links are not followed.
    ///
    /// # Errors
    /// Those of `lstat`.
    fn stat(&self, path: &Path) -> io::Result<Stat>;

    /// Returns what a folder holds, in no order.
    ///
    /// # Errors
    /// Those of opening and reading the folder: an incomplete listing is none.
    fn list(&self, folder: &Path) -> io::Result<Vec<Entry>>;

    /// Opens a file for reading.
    ///
    /// # Errors
    /// Those of `open`.
    fn open(&self, path: &Path) -> io::Result<Box<dyn OpenFile>>;

    /// Makes a new file. One that has the name loses it: after a failed sync nothing may be written into the same
    /// file again, because the system takes for clean what it could not write.
    ///
    /// # Errors
    /// Those of `unlink`, `open`, `fchown`, `fchmod` and `fsetxattr`.
    fn create(&self, path: &Path, access: Access) -> io::Result<Box<dyn NewFile>>;

    /// Makes a new file that loses its name at once, for what is kept meanwhile: it is gone when it is closed.
    ///
    /// # Errors
    /// Those of `open` and `unlink`.
    fn scratch(&self, path: &Path) -> io::Result<Box<dyn Scratch>>;

    /// Makes a folder that must not exist.
    ///
    /// # Errors
    /// Those of `mkdir`.
    fn create_folder(&self, path: &Path) -> io::Result<()>;

    /// Makes a folder and those above it, as far as they are missing. Who may use one that is made, `access` says by its path.
    ///
    /// # Errors
    /// Those of `mkdir`; `NotADirectory` where something else has the name of one of them.
    fn create_folders_for(&self, path: &Path, access: &dyn Fn(&Path) -> Access) -> io::Result<()>;

    /// The same, as the system makes folders.
    ///
    /// # Errors
    /// As [`create_folders_for`](Self::create_folders_for).
    fn create_folders(&self, path: &Path) -> io::Result<()> {
        self.create_folders_for(path, &|_| Access::default())
    }

    /// Renames, over what has the new name.
    ///
    /// # Errors
    /// Those of `rename`.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Renames, never replacing. `AlreadyExists` when `to` exists, `NotFound` when `from` does not.
    ///
    /// Where the system has no such call a crash may leave both names on one file, never none.
    ///
    /// # Errors
    /// Those of `renameat2`, or of `link`, `fsync` and `unlink`.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file another name, which must not exist.
    ///
    /// # Errors
    /// Those of `link`.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Makes a copy of a file that survives a crash, with its owner, group and permissions as far as this process may give
    /// them. What has the new name loses it. What could not be copied is removed.
    ///
    /// # Errors
    /// Those of reading and writing; `StorageFull` before anything is written where there is no room; `Interrupted` when
    /// `goes_on` says no.
    fn copy(&self, from: &Path, to: &Path, goes_on: &dyn Fn() -> bool) -> io::Result<()>;

    /// Removes the name of a file.
    ///
    /// # Errors
    /// Those of `unlink`.
    fn remove_file(&self, path: &Path) -> io::Result<()>;

    /// Removes a folder and all that is in it.
    ///
    /// # Errors
    /// Those of `unlink` and `rmdir`; part of it may then be gone.
    fn remove_tree(&self, folder: &Path) -> io::Result<()>;

    /// Makes the names in a folder survive a crash.
    ///
    /// # Errors
    /// Those of `fsync`; what was changed must then be taken for lost.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;

    /// Opens the file system of a folder, to be synced as a whole. `None` if that would not tell what went wrong, and
    /// each file must be synced by itself.
    ///
    /// # Errors
    /// Those of opening the folder.
    fn file_system(&self, folder: &Path) -> io::Result<Option<Arc<dyn FileSystem>>>;

    /// Returns the input that a file is an output of, as it was [labelled](NewFile::label); `None` for a file without a
    /// label.
    ///
    /// # Errors
    /// Those of opening the file and reading its attributes.
    fn label(&self, path: &Path) -> io::Result<Option<Vec<u8>>>;

    /// Lets go of what was kept open for the next operations: none follows for a while.
    fn close_cached_dirs(&self) {}
}

/// A file being read.
pub trait OpenFile: Read + Seek {
    /// Returns what it is now.
    ///
    /// # Errors
    /// Those of `fstat`.
    fn stat(&self) -> io::Result<Stat>;

    /// Makes its content survive a crash.
    ///
    /// # Errors
    /// Those of `fsync`: of every write to the file since it was opened.
    fn sync(&self) -> io::Result<()>;
}

/// A file being made.
pub trait NewFile: Write + Send {
    /// Names the input that it is an output of. Returns false if the file system keeps no attributes.
    ///
    /// # Errors
    /// Those of `fsetxattr`.
    fn label(&mut self, input: &[u8]) -> io::Result<bool>;

    /// Makes its content survive a crash.
    ///
    /// # Errors
    /// Those of `fsync`: of every write to the file. What was written must then be taken for lost.
    fn sync(&mut self) -> io::Result<()>;
}

/// A file without a name.
pub trait Scratch: Read + Write + Seek {}

impl<F: Read + Write + Seek> Scratch for F {}

/// An open file system.
pub trait FileSystem: Send + Sync {
    /// Its number.
    fn device(&self) -> u64;

    /// Makes everything on it survive a crash.
    ///
    /// # Errors
    /// Those of `syncfs`: of every write since it was opened or last synced. What was written since must be taken for
    /// lost.
    fn sync(&self) -> io::Result<()>;
}

/// What is known of a file or folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// Whether it is a regular file.
    pub is_file: bool,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// Whether it is a symbolic link.
    pub is_link: bool,
    /// Its file system.
    pub device: u64,
    /// Its number there.
    pub inode: u64,
    /// Its size.
    pub bytes: u64,
    /// When its content changed last: seconds and nanoseconds since 1970.
    pub modified: (i64, i64),
    /// The number of its owner.
    pub owner: u32,
}

impl Stat {
    /// Returns whether both are one file, under two names perhaps.
    #[must_use]
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

/// Who may use a new file or folder; what is `None` is left to the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Access {
    /// Permission bits of a file.
    pub mode: Option<u32>,
    /// The number of the group. That of a folder is the system's unless it is restricted.
    pub group: Option<u32>,
    /// In the place of the mode, before anybody else can open it.
    pub restricted: Option<Restricted>,
}

/// A file that its owner writes and the group reads. A folder that its owner changes, the group lists and everybody may pass
/// through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restricted {
    /// The number of one more user, who reads or lists it, where the file system keeps such lists.
    pub reader: Option<u32>,
}

/// Returns whether anything stands under a name.
pub fn exists(disk: &dyn Disk, path: &Path) -> bool {
    disk.stat(path).is_ok()
}

/// [`Disk::rename_new`] where the system has no call for it.
pub fn rename_by_link(disk: &dyn Disk, from: &Path, to: &Path) -> io::Result<()> {
    disk.link(from, to)?;
    // Synced between, or the removal of the old name could reach the disk alone.
    let synced = to.parent().map_or(Ok(()), |folder| disk.sync_folder(folder));
    let moved = synced.and_then(|()| disk.remove_file(from));
    if moved.is_err() {
        // Not moved: a file with both names would be taken for two.
        let _ = disk.remove_file(to);
    }
    moved
}

/// Returns the folders from `root` down to `folder`, which lies in it: to be synced in this order, so that whatever is
/// durable can be reached.
pub fn folders_down(root: &Path, folder: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<_> =
        folder.ancestors().take_while(|path| path.starts_with(root)).map(Path::to_owned).collect();
    folders.reverse();
    folders
}
