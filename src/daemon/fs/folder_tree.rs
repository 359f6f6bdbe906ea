//! The real file system: the service's folders as trees that no path leads out of.
//!
//! Other users write to the inbox and perhaps to the outbox. A symbolic link in the place of a folder must not lead a
//! result or an input out of the tree, nor a file from elsewhere into it. So a folder below a root is opened from the
//! root without following any link. Files in it are then created, renamed and removed relative to the open folder,
//! which nobody can exchange any more.
//!
//! Usually one `openat2` opens a folder; a name directly below a root needs no open folder. If `openat2` fails, one
//! `openat` per name takes over. This says precisely what is in the way, creates missing folders, and reaches folders
//! whose paths are longer than the system accepts. No folder stays open between two operations.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{AtFlags, CWD, Gid, Mode, OFlags, RenameFlags, ResolveFlags};
use rustix::io::Errno;

use crate::daemon::fs::disk::{
    Access, Disk, Entry, FileSystem, NewFile, OpenFile, Restricted, Scratch, Stat, rename_by_link,
};
use crate::daemon::fs::opened::{self, OpenFileSystem, OpenFolder, PATH_BYTES_MAX, copy, stat_of};
use crate::daemon::fs::os::acl::{Kind, restrict};
use tabuleiro_puzzles::input::printable;

/// Permission bits of a restricted file if the file system keeps no access control lists.
const RESTRICTED: u32 = 0o640;
/// Flags for a folder to be listed or synced: the folder itself, never a link to one.
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// Flags for a folder in which names are looked up; the process need not be able to read it.
const PLACE: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// Flags for reading: do not follow a link, wait for a FIFO, or take over a terminal.
const READ: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);
/// Flags for writing a new file: never open an existing one.
const CREATE: OFlags =
    OFlags::WRONLY.union(OFlags::CREATE).union(OFlags::EXCL).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Some folders and everything below them.
///
/// All operations but [`stat`](Disk::stat) of a root fail with `InvalidInput` for a path outside the trees, and with
/// `NotADirectory` if a link or a file is in the way.
pub struct Tree {
    roots: Vec<PathBuf>,
    /// Whether to use what some kernels and file systems lack: `openat2`, a rename that never replaces, access control
    /// lists, write errors reported to `syncfs`. True except in tests of the fallbacks.
    has_extensions: bool,
}

impl Disk for Tree {
    fn stat(&self, path: &Path) -> io::Result<Stat> {
        if self.is_root(path) {
            return Ok(stat_of(&rustix::fs::lstat(path)?));
        }
        let at = self.parent(path)?;
        opened::stat_at(at.as_fd(), at.name)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<Entry>> {
        self.open_folder(folder)?.collect()
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn OpenFile>> {
        Ok(Box::new(self.open_file(path)?))
    }

    fn create(&self, path: &Path, access: Access) -> io::Result<Box<dyn NewFile>> {
        Ok(Box::new(self.create_file(path, access)?))
    }

    fn scratch(&self, path: &Path) -> io::Result<Box<dyn Scratch>> {
        let at = self.parent(path)?;
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&at, at.name, flags, Mode::from_raw_mode(0o600))?;
        rustix::fs::unlinkat(&at, at.name, AtFlags::empty())?;
        Ok(Box::new(File::from(file)))
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        let at = self.parent(path)?;
        Ok(rustix::fs::mkdirat(&at, at.name, Mode::from_raw_mode(0o777))?)
    }

    fn create_folders_for(&self, path: &Path, access: &dyn Fn(&Path) -> Access) -> io::Result<()> {
        self.folder(path, PLACE, Some(access)).map(drop)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let (from, to) = (self.parent(from)?, self.parent(to)?);
        Ok(rustix::fs::renameat(&from, from.name, &to, to.name)?)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        let (from_at, to_at) = (self.parent(from)?, self.parent(to)?);
        let rename =
            || rustix::fs::renameat_with(&from_at, from_at.name, &to_at, to_at.name, RenameFlags::NOREPLACE);
        match if self.has_extensions { rename() } else { Err(Errno::NOSYS) } {
            // Some kernels and file systems lack the call.
            Err(Errno::INVAL | Errno::NOSYS) => rename_by_link(self, from, to),
            other => Ok(other?),
        }
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        let (from, to) = (self.parent(from)?, self.parent(to)?);
        Ok(rustix::fs::linkat(&from, from.name, &to, to.name, AtFlags::empty())?)
    }

    fn copy(&self, from: &Path, to: &Path, goes_on: &dyn Fn() -> bool) -> io::Result<()> {
        let from = self.open_file(from)?;
        let file = self.create_at(to, 0o666)?;
        let copied = copy(&from, &file, goes_on);
        if copied.is_err() {
            self.remove_file(to)?;
        }
        copied
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        let at = self.parent(path)?;
        Ok(rustix::fs::unlinkat(&at, at.name, AtFlags::empty())?)
    }

    fn remove_tree(&self, folder: &Path) -> io::Result<()> {
        // Only claims are removed this way. Nobody else can put a link into the working folder, which holds them.
        match rustix::fs::rmdir(folder) {
            Err(Errno::NOTEMPTY | Errno::EXIST) => fs::remove_dir_all(folder),
            other => Ok(other?),
        }
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        File::from(self.folder(folder, FOLDER, None)?).sync_all()
    }

    fn file_system(&self, folder: &Path) -> io::Result<Option<Arc<dyn FileSystem>>> {
        let opened = OpenFileSystem::new(self.folder(folder, FOLDER, None)?)?;
        Ok(opened.filter(|_| self.has_extensions).map(|opened| Arc::new(opened) as Arc<dyn FileSystem>))
    }

    fn label(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        opened::attribute(&self.open_file(path)?, opened::LABEL)
    }
}

impl Tree {
    /// Creates the trees below `roots`, which are absolute paths without links.
    pub fn new<'a>(roots: impl IntoIterator<Item = &'a Path>) -> Self {
        let roots = roots.into_iter().map(Path::to_owned).collect();
        Self { roots, has_extensions: true }
    }

    /// Creates a file. If another file has the name, that file loses it.
    ///
    /// # Errors
    /// Fails as [`create`](Disk::create) does.
    pub fn create_file(&self, path: &Path, access: Access) -> io::Result<File> {
        // A process that opens the file before it is restricted could read what is written later.
        let mode = if access.restricted.is_some() { 0o600 } else { 0o666 };
        let file = self.create_at(path, mode)?;
        if let Some(group) = access.group {
            rustix::fs::fchown(&file, None, Some(Gid::from_raw(group)))?;
        }
        let mode = match access.restricted {
            Some(Restricted { reader }) if self.has_extensions && restrict(Kind::File, &file, reader)? => {
                None
            }
            Some(_) => Some(RESTRICTED),
            None => access.mode,
        };
        if let Some(mode) = mode {
            file.set_permissions(Permissions::from_mode(mode))?;
        }
        Ok(file)
    }

    /// Opens a file for reading. Does not follow a link, wait for a FIFO, or take over a terminal.
    ///
    /// # Errors
    /// Returns the error of `open`.
    pub fn open_file(&self, path: &Path) -> io::Result<File> {
        let at = self.parent(path)?;
        Ok(rustix::fs::openat(&at, at.name, READ, Mode::empty())?.into())
    }

    /// Opens a folder for listing.
    ///
    /// # Errors
    /// Returns the error of `open`.
    pub fn open_folder(&self, folder: &Path) -> io::Result<OpenFolder> {
        OpenFolder::new(self.folder(folder, FOLDER, None)?)
    }

    /// Removes an empty folder.
    ///
    /// # Errors
    /// Returns the error of `rmdir`, which is `DirectoryNotEmpty` if something is in the folder.
    pub fn remove_empty_folder(&self, folder: &Path) -> io::Result<()> {
        let at = self.parent(folder)?;
        Ok(rustix::fs::unlinkat(&at, at.name, AtFlags::REMOVEDIR)?)
    }

    /// Creates a file. If another file has the name, that file loses it.
    fn create_at(&self, path: &Path, mode: u32) -> io::Result<File> {
        let at = self.parent(path)?;
        let create = || rustix::fs::openat(&at, at.name, CREATE, Mode::from_raw_mode(mode));
        let file = match create() {
            Err(Errno::EXIST) => {
                rustix::fs::unlinkat(&at, at.name, AtFlags::empty())?;
                create()?
            }
            created => created?,
        };
        Ok(file.into())
    }

    /// Opens the folder in which a path's last name is looked up.
    fn parent<'p>(&self, path: &'p Path) -> io::Result<At<'p>> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Err(outside(path)) };
        // A root's own path holds no links, so a name directly in it needs no open folder. An open folder would keep
        // people from unmounting the root's file system.
        if self.is_root(parent) {
            return Ok(At { folder: None, name: path.as_os_str() });
        }
        Ok(At { folder: Some(self.folder(parent, PLACE, None)?), name })
    }

    fn is_root(&self, path: &Path) -> bool {
        self.roots.iter().any(|root| root.as_os_str() == path.as_os_str())
    }

    /// Opens a folder with `flags`. If `make` is given, creates missing folders; `make` says who may use them.
    fn folder(
        &self,
        folder: &Path,
        flags: OFlags,
        make: Option<&dyn Fn(&Path) -> Access>,
    ) -> io::Result<OwnedFd> {
        let below = |root: &'_ PathBuf| Some((root.clone(), folder.strip_prefix(root).ok()?.to_owned()));
        let (root, below) = self.roots.iter().find_map(below).ok_or_else(|| outside(folder))?;
        let mut names = Vec::new();
        for component in below.components() {
            let Component::Normal(name) = component else { return Err(outside(folder)) };
            names.push(name);
        }
        let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        if self.has_extensions
            && !names.is_empty()
            && let Ok(found) = rustix::fs::openat2(CWD, folder, flags, Mode::empty(), resolve)
        {
            return Ok(found);
        }
        let mut open = match rustix::fs::open(&root, flags, Mode::empty()) {
            Err(Errno::NOENT) if make.is_some() => {
                fs::create_dir_all(&root)?;
                rustix::fs::open(&root, flags, Mode::empty())?
            }
            other => other?,
        };
        let mut path = root;
        for name in names {
            path.push(name);
            let access = || make.map(|access| access(&path));
            open = opened::step(&open, name, flags, access)
                .map_err(|error| opened::in_the_way(&open, name, &path, error))?;
        }
        Ok(open)
    }
}

/// A name in an open folder, or a whole path if there is no folder.
struct At<'p> {
    folder: Option<OwnedFd>,
    name: &'p OsStr,
}

impl AsFd for At<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.folder.as_ref().map_or(CWD, |folder| folder.as_fd())
    }
}

fn outside(path: &Path) -> io::Error {
    let path = printable(path.as_os_str().as_encoded_bytes(), PATH_BYTES_MAX);
    io::Error::new(io::ErrorKind::InvalidInput, format!("{path} is outside the service's folders"))
}

#[cfg(test)]
#[path = "folder_tree_tests.rs"]
mod tests;
