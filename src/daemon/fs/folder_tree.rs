//! The real file system: the service's folders as trees that nothing leads out of.
//!
//! Others write to the inbox and perhaps to the outbox. A symbolic link in the place of a folder must not lead a result or
//! an input out of the tree, nor a file from elsewhere into it. So a folder below a root is opened from the root on
//! without following any link. What is made, renamed or removed in it is named relative to the open folder, which
//! nobody can exchange any more.
//!
//! Usually one `openat2` opens a folder; a name directly below a root needs none. Where that fails, one `openat` a name
//! does: it says precisely what is in the way, makes what is missing, and reaches folders whose path is longer than the
//! system takes. A folder that was opened a moment ago is used again ([`Recent`]), but not to list or to sync it. If a name
//! is missing in such a folder, the folder is opened again and the name looked up once more.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io;
use std::ops::ControlFlow;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{AtFlags, CWD, Gid, Mode, OFlags, RenameFlags, ResolveFlags};
use rustix::io::Errno;

use crate::daemon::fs::copy;
use crate::daemon::fs::disk::{
    Access, Disk, Entry, FileSystem, NewFile, OpenFile, Restricted, Scratch, Stat, rename_by_link,
};
use crate::daemon::fs::opened::{self, OpenFileSystem, OpenFolder, PATH_BYTES_MAX, stat_of};
use crate::daemon::fs::os::acl::{Kind, restrict};
use crate::daemon::fs::recent::Recent;
use tabuleiro_puzzles::input::printable;

/// Permission bits of a restricted file where the file system keeps no lists.
const RESTRICTED: u32 = 0o640;
/// A folder to be listed or synced, itself and no link to one.
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// A folder in which names are looked up: it need not be one that may be read.
const PLACE: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// For reading, a link not followed, a FIFO not waited for, a terminal not taken over.
const READ: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);
/// For writing, never what is there already.
const CREATE: OFlags =
    OFlags::WRONLY.union(OFlags::CREATE).union(OFlags::EXCL).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Some folders, each of them with all that lies below it.
///
/// All operations but [`stat`](Disk::stat) of a root fail with `InvalidInput` for a path outside the trees, and with
/// `NotADirectory` where a link or a file is in the way.
#[derive(Debug)]
pub struct Tree {
    roots: Vec<PathBuf>,
    /// Whether to use what some kernels and file systems lack: `openat2`, a rename that never replaces, access control
    /// lists, write errors told to `syncfs`. True except in tests of the fallbacks.
    has_extensions: bool,
    recent: Recent,
}

impl Disk for Tree {
    fn stat(&self, path: &Path) -> io::Result<Stat> {
        if self.is_root(path) {
            return fs::symlink_metadata(path).map(|metadata| stat_of(&metadata));
        }
        // What is missing usually is: a name is looked for before it is given. So it is not looked for once more.
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
        Ok(Box::new(opened::scratch_at(at.as_fd(), at.name)?))
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.looking_again([path], || {
            let at = self.parent(path)?;
            Ok(rustix::fs::mkdirat(&at, at.name, Mode::from_raw_mode(0o777))?)
        })
    }

    fn create_folders_for(&self, path: &Path, access: &dyn Fn(&Path) -> Access) -> io::Result<()> {
        // Usually it exists.
        if self.is_root(path) {
            if fs::symlink_metadata(path).is_ok_and(|found| found.is_dir()) {
                return Ok(());
            }
            return self.folder(path, PLACE, Some(access)).map(drop);
        }
        if self.recent.get(path).is_some() {
            return Ok(());
        }
        let folder = Arc::new(self.folder(path, PLACE, Some(access))?);
        self.recent.put(path, &folder);
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.looking_again([from, to], || {
            let (from, to) = (self.parent(from)?, self.parent(to)?);
            Ok(rustix::fs::renameat(&from, from.name, &to, to.name)?)
        })
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        let renamed = self.looking_again([from, to], || {
            if !self.has_extensions {
                return Err(Errno::NOSYS.into());
            }
            let (from, to) = (self.parent(from)?, self.parent(to)?);
            let flags = RenameFlags::NOREPLACE;
            Ok(rustix::fs::renameat_with(&from, from.name, &to, to.name, flags)?)
        });
        match renamed {
            // Some file systems lack the call.
            Err(error) if is_lacking(&error) => rename_by_link(self, from, to),
            other => other,
        }
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.looking_again([from, to], || {
            let (from, to) = (self.parent(from)?, self.parent(to)?);
            Ok(rustix::fs::linkat(&from, from.name, &to, to.name, AtFlags::empty())?)
        })
    }

    fn copy(&self, from: &Path, to: &Path, goes_on: &dyn Fn() -> bool) -> io::Result<()> {
        let from = self.looking_again([from], || self.open_at(from))?;
        let file = self.looking_again([to], || self.create_at(to, 0o666))?;
        let copied = copy::copy(&from, &file, goes_on);
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
        // Of the folders that it lies in nobody else can make a link: a claim is removed, in the working folder.
        match rustix::fs::rmdir(folder) {
            Err(Errno::NOTEMPTY | Errno::EXIST) => fs::remove_dir_all(folder),
            other => Ok(other?),
        }
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        // Not through a folder opened earlier: what counts is what can be reached now.
        File::from(self.folder(folder, FOLDER, None)?).sync_all()
    }

    fn file_system(&self, folder: &Path) -> io::Result<Option<Arc<dyn FileSystem>>> {
        let opened = OpenFileSystem::new(self.folder(folder, FOLDER, None)?)?;
        Ok(opened.filter(|_| self.has_extensions).map(|opened| Arc::new(opened) as Arc<dyn FileSystem>))
    }

    fn label(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        opened::label(&self.open_at(path)?)
    }

    fn close_cached_dirs(&self) {
        self.recent.forget();
    }
}

impl Tree {
    /// Makes the trees below `roots`, which are absolute and without links.
    pub fn new<'a>(roots: impl IntoIterator<Item = &'a Path>) -> Self {
        let roots = roots.into_iter().map(Path::to_owned).collect();
        Self { roots, has_extensions: true, recent: Recent::default() }
    }

    /// Uses the fallbacks alone, as on a kernel and a file system without extensions.
    #[cfg(test)]
    pub fn without_extensions(self) -> Self {
        Self { has_extensions: false, ..self }
    }

    /// Makes a new file; one that has the name loses it.
    ///
    /// # Errors
    /// As [`create`](Disk::create).
    pub fn create_file(&self, path: &Path, access: Access) -> io::Result<File> {
        // A process that opens it before it is restricted could read what is written later.
        let mode = if access.restricted.is_some() { 0o600 } else { 0o666 };
        let file = self.looking_again([path], || self.create_at(path, mode))?;
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

    /// Opens a file for reading. A link is not followed, a FIFO not waited for, a terminal not taken over.
    ///
    /// # Errors
    /// Those of `open`.
    pub fn open_file(&self, path: &Path) -> io::Result<File> {
        let open = || {
            let at = self.parent(path)?;
            Ok(rustix::fs::openat(&at, at.name, READ, Mode::empty())?)
        };
        Ok(File::from(self.looking_again([path], open)?))
    }

    /// Opens a folder to be listed.
    ///
    /// # Errors
    /// Those of `open`.
    pub fn open_folder(&self, folder: &Path) -> io::Result<OpenFolder> {
        OpenFolder::new(self.folder(folder, FOLDER, None)?)
    }

    /// Shows every name in a folder and whether it is a folder's, in no order, until `each` breaks off.
    ///
    /// # Errors
    /// Those of opening and reading the folder.
    pub fn visit(
        &self,
        folder: &Path,
        each: &mut dyn FnMut(&OsStr, bool) -> ControlFlow<()>,
    ) -> io::Result<()> {
        for entry in self.open_folder(folder)? {
            let Entry { name, is_folder } = entry?;
            if each(&name, is_folder).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Removes a folder that is empty.
    ///
    /// # Errors
    /// Those of `rmdir`; `DirectoryNotEmpty` where something is in it.
    pub fn remove_empty_folder(&self, folder: &Path) -> io::Result<()> {
        let at = self.parent(folder)?;
        Ok(rustix::fs::unlinkat(&at, at.name, AtFlags::REMOVEDIR)?)
    }

    fn open_at(&self, path: &Path) -> io::Result<File> {
        let at = self.parent(path)?;
        Ok(rustix::fs::openat(&at, at.name, READ, Mode::empty())?.into())
    }

    /// Makes a new file; one that has the name loses it.
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

    /// Returns the [`stat`](Disk::stat) of something that was just found. If it is missing, looks once more in the folder that
    /// has that path now.
    ///
    /// # Errors
    /// Those of `lstat`.
    pub fn look(&self, path: &Path) -> io::Result<Stat> {
        self.looking_again([path], || self.stat(path))
    }

    /// Opens the folder in which a path's last name is looked up.
    fn parent<'p>(&self, path: &'p Path) -> io::Result<At<'p>> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Err(outside(path)) };
        // A root's own path holds no links, and a name directly in it needs no open folder. An open one would keep people
        // from unmounting what the root lies on.
        if self.is_root(parent) {
            return Ok(At { folder: None, name: path.as_os_str() });
        }
        if let Some(folder) = self.recent.get(parent) {
            return Ok(At { folder: Some(folder), name });
        }
        let folder = Arc::new(self.folder(parent, PLACE, None)?);
        self.recent.put(parent, &folder);
        Ok(At { folder: Some(folder), name })
    }

    /// Does something in the folders of `paths`. If something is missing, opens the folders again and does it once more: a
    /// folder may have been removed and made again since it was opened.
    fn looking_again<'p, T>(
        &self,
        paths: impl IntoIterator<Item = &'p Path>,
        act: impl Fn() -> io::Result<T>,
    ) -> io::Result<T> {
        match act() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let parents = paths.into_iter().filter_map(Path::parent);
                let dropped = parents.filter(|folder| self.recent.drop(folder)).count();
                if dropped > 0 { act() } else { Err(error) }
            }
            done => done,
        }
    }

    fn is_root(&self, path: &Path) -> bool {
        self.roots.iter().any(|root| root.as_os_str() == path.as_os_str())
    }

    /// Opens a folder with `flags`. Makes what is missing if `make` says who may use it.
    fn folder(
        &self,
        folder: &Path,
        flags: OFlags,
        make: Option<&dyn Fn(&Path) -> Access>,
    ) -> io::Result<OwnedFd> {
        let below = |root: &'_ PathBuf| Some((root.clone(), folder.strip_prefix(root).ok()?.to_owned()));
        let (root, below) = self.roots.iter().find_map(below).ok_or_else(|| outside(folder))?;
        let names: Option<Vec<_>> = below.components().map(name_of).collect();
        let names = names.ok_or_else(|| outside(folder))?;
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

/// A name and the open folder that it is in; without one it is a whole path.
struct At<'p> {
    folder: Option<Arc<OwnedFd>>,
    name: &'p OsStr,
}

impl AsFd for At<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.folder.as_ref().map_or(CWD, |folder| folder.as_fd())
    }
}

/// Returns whether the system or the file system lacks the call.
fn is_lacking(error: &io::Error) -> bool {
    let is = |errno: Errno| error.raw_os_error() == Some(errno.raw_os_error());
    is(Errno::INVAL) || is(Errno::NOSYS)
}

fn name_of(component: Component<'_>) -> Option<&OsStr> {
    match component {
        Component::Normal(name) => Some(name),
        _ => None,
    }
}

fn outside(path: &Path) -> io::Error {
    let path = printable(path.as_os_str().as_encoded_bytes(), PATH_BYTES_MAX);
    io::Error::new(io::ErrorKind::InvalidInput, format!("{path} is outside the service's folders"))
}

#[cfg(test)]
#[path = "folder_tree_tests.rs"]
mod tests;
