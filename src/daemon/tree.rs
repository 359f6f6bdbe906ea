//! The service's folders as trees that nothing leads out of.
//!
//! Others write to the inbox and perhaps to the outbox. A symbolic link that somebody puts in the place of a folder
//! must not lead a result, a kept input or a file that is put back elsewhere, nor make the service take a file from
//! elsewhere. So a folder below a root is opened from the root on without following any link, and what is made,
//! renamed or removed in it is named relative to the open folder, which nobody can exchange any more. The system
//! sees paths below the root alone, so one that is too long with the root before it works too.
//!
//! On Linux that is one `openat2` a folder; elsewhere, and where that fails, one `openat` a name, which says
//! precisely what is in the way.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Component, Path};

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::os::Platform;
use crate::input::printable;

/// How much of a path an error shows.
const PATH_BYTES_MAX: usize = 300;
/// A folder, itself and no link to one.
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Some folders, each of them with all that lies below it.
#[derive(Debug, Clone)]
pub struct Tree<'a> {
    roots: Vec<&'a Path>,
    platform: Platform,
}

impl<'a> Tree<'a> {
    /// The trees below `roots`, which are absolute and without links.
    pub fn new(roots: impl IntoIterator<Item = &'a Path>, platform: Platform) -> Self {
        Self { roots: roots.into_iter().collect(), platform }
    }

    /// Makes a folder with those above it, as far as they are missing, the root included.
    ///
    /// # Errors
    /// Those of the system, `InvalidInput` for a path outside the trees, and `NotADirectory` where a link or a file
    /// is in the way.
    pub fn make_folders(&self, folder: &Path) -> io::Result<()> {
        self.folder(folder, true).map(drop)
    }

    /// Makes a new file.
    ///
    /// # Errors
    /// As [`make_folders`](Self::make_folders); `AlreadyExists` when the name is taken, be it by a link.
    pub fn create_new(&self, file: &Path) -> io::Result<File> {
        let (folder, name) = self.parent(file)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(rustix::fs::openat(&folder, name, flags, Mode::from_raw_mode(0o666))?))
    }

    /// Renames, over what has the name `to` unless that is a folder.
    ///
    /// # Errors
    /// As [`make_folders`](Self::make_folders), but nothing is made.
    pub fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let ((from_folder, from), (to_folder, to)) = (self.parent(from)?, self.parent(to)?);
        Ok(rustix::fs::renameat(&from_folder, from, &to_folder, to)?)
    }

    /// Renames, never replacing. `AlreadyExists` when `to` exists, `NotFound` when `from` does not.
    ///
    /// The fallback makes a hard link and removes the old name, so a crash in between leaves both names on one
    /// file, never none.
    ///
    /// # Errors
    /// As [`rename`](Self::rename).
    pub fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        let ((from_folder, from), (to_folder, to)) = (self.parent(from)?, self.parent(to)?);
        match self.platform.rename_new_at(&from_folder, from, &to_folder, to) {
            // Some file systems lack the call.
            Err(Errno::INVAL | Errno::NOSYS) => {}
            other => return Ok(other?),
        }
        rustix::fs::linkat(&from_folder, from, &to_folder, to, AtFlags::empty())?;
        Ok(rustix::fs::unlinkat(&from_folder, from, AtFlags::empty())?)
    }

    /// Removes a name that is no folder's.
    ///
    /// # Errors
    /// As [`rename`](Self::rename).
    pub fn remove_file(&self, file: &Path) -> io::Result<()> {
        let (folder, name) = self.parent(file)?;
        Ok(rustix::fs::unlinkat(&folder, name, AtFlags::empty())?)
    }

    /// Syncs a folder, so that the names in it survive a crash.
    ///
    /// # Errors
    /// As [`rename`](Self::rename).
    pub fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        File::from(self.folder(folder, false)?).sync_all()
    }

    /// Whether that name is a folder's; false where it cannot be known.
    #[must_use]
    pub fn is_folder(&self, path: &Path) -> bool {
        self.parent(path).is_ok_and(|(folder, name)| kind(&folder, name) == Some(FileType::Directory))
    }

    /// Whether that name is a file's, neither a folder's nor a link's; false where it cannot be known.
    #[must_use]
    pub fn is_file(&self, path: &Path) -> bool {
        let found = self.parent(path).ok().and_then(|(folder, name)| kind(&folder, name));
        found.is_some_and(|kind| !matches!(kind, FileType::Directory | FileType::Symlink))
    }

    /// The open folder in which a path's last name lies, and that name.
    fn parent<'p>(&self, path: &'p Path) -> io::Result<(OwnedFd, &'p OsStr)> {
        match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => Ok((self.folder(parent, false)?, name)),
            _ => Err(outside(path)),
        }
    }

    /// Opens a folder, making what is missing if asked to.
    fn folder(&self, folder: &Path, make: bool) -> io::Result<OwnedFd> {
        let below = |root: &&'a Path| Some((*root, folder.strip_prefix(root).ok()?));
        let (root, below) = self.roots.iter().find_map(below).ok_or_else(|| outside(folder))?;
        let names: Option<Vec<_>> = below.components().map(name_of).collect();
        let names = names.ok_or_else(|| outside(folder))?;
        let mut open = match rustix::fs::open(root, FOLDER, Mode::empty()) {
            Err(Errno::NOENT) if make => {
                fs::create_dir_all(root)?;
                rustix::fs::open(root, FOLDER, Mode::empty())?
            }
            other => other?,
        };
        if names.is_empty() {
            return Ok(open);
        }
        if let Some(found) = self.platform.open_beneath(&open, below, FOLDER) {
            return Ok(found);
        }
        for (index, name) in names.iter().enumerate() {
            open = step(&open, name, make).map_err(|error| {
                let so_far: std::path::PathBuf = names[..=index].iter().collect();
                in_the_way(&open, name, &root.join(so_far), error)
            })?;
        }
        Ok(open)
    }
}

/// From an open folder into the one of that name.
fn step(folder: &OwnedFd, name: &OsStr, make: bool) -> Result<OwnedFd, Errno> {
    match rustix::fs::openat(folder, name, FOLDER, Mode::empty()) {
        Err(Errno::NOENT) if make => {
            match rustix::fs::mkdirat(folder, name, Mode::from_raw_mode(0o777)) {
                // Somebody else made it.
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error),
            }
            rustix::fs::openat(folder, name, FOLDER, Mode::empty())
        }
        other => other,
    }
}

/// The error of a step, which says so when a link or a file is what stands there.
fn in_the_way(folder: &OwnedFd, name: &OsStr, path: &Path, error: Errno) -> io::Error {
    if !matches!(error, Errno::LOOP | Errno::NOTDIR) {
        return error.into();
    }
    let what = match kind(folder, name) {
        Some(FileType::Symlink) => "a symbolic link, which is not followed",
        _ => "no folder",
    };
    let path = printable(path.as_os_str().as_encoded_bytes(), PATH_BYTES_MAX);
    io::Error::new(io::ErrorKind::NotADirectory, format!("{path} is {what}"))
}

fn kind(folder: &OwnedFd, name: &OsStr) -> Option<FileType> {
    let stat = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    Some(FileType::from_raw_mode(stat.st_mode))
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
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    const PLATFORMS: [Platform; 2] = [Platform::Linux, Platform::Portable];

    #[test]
    fn renames_never_replace_on_any_platform() {
        for platform in PLATFORMS {
            let root = tempfile::tempdir().unwrap();
            let tree = Tree::new([root.path()], platform);
            let path = |name| root.path().join(name);
            fs::write(path("a"), "a").unwrap();
            fs::write(path("b"), "b").unwrap();
            let error = tree.rename_new(&path("a"), &path("b")).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
            tree.rename_new(&path("a"), &path("c")).unwrap();
            assert_eq!(fs::read_to_string(path("c")).unwrap(), "a");
            assert_eq!(fs::read_to_string(path("b")).unwrap(), "b");
            let error = tree.rename_new(&path("a"), &path("d")).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::NotFound);
            tree.rename(&path("c"), &path("b")).unwrap();
            assert_eq!(fs::read_to_string(path("b")).unwrap(), "a");
        }
    }

    #[test]
    fn nothing_leads_out_of_a_tree_on_any_platform() {
        for platform in PLATFORMS {
            let root = tempfile::tempdir().unwrap();
            for folder in ["in/real", "out/sub"] {
                fs::create_dir_all(root.path().join(folder)).unwrap();
            }
            fs::write(root.path().join("out/file"), "mine").unwrap();
            fs::write(root.path().join("in/new"), "new").unwrap();
            let inside = root.path().join("in");
            symlink("../out", inside.join("link")).unwrap();
            symlink("../../out", inside.join("real/link")).unwrap();
            let tree = Tree::new([inside.as_path()], platform);
            for link in ["link", "real/link", "link/sub", "real/link/made"] {
                let folder = inside.join(link);
                for error in [
                    tree.make_folders(&folder).unwrap_err(),
                    tree.create_new(&folder.join("x")).unwrap_err(),
                    tree.rename(&inside.join("new"), &folder.join("file")).unwrap_err(),
                    tree.rename(&folder.join("file"), &inside.join("taken")).unwrap_err(),
                    tree.rename_new(&folder.join("file"), &inside.join("taken")).unwrap_err(),
                    tree.remove_file(&folder.join("file")).unwrap_err(),
                    tree.sync_folder(&folder).unwrap_err(),
                ] {
                    assert!(error.to_string().contains("link is a symbolic link"), "{link}: {error}");
                }
                assert!(!tree.is_folder(&folder.join("sub")));
            }
            for outside in ["out", "in/../out", "elsewhere"] {
                let error = tree.make_folders(&root.path().join(outside)).unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{outside}");
            }
            assert_eq!(fs::read_to_string(root.path().join("out/file")).unwrap(), "mine");
            assert_eq!(fs::read_dir(root.path().join("out")).unwrap().count(), 2);
            // A link itself is a name like any other.
            tree.rename(&inside.join("new"), &inside.join("link")).unwrap();
            tree.remove_file(&inside.join("real/link")).unwrap();
            assert!(root.path().join("out/sub").is_dir());
        }
    }

    #[test]
    fn folders_are_made_and_paths_of_any_length_reached_on_any_platform() {
        for platform in PLATFORMS {
            let root = tempfile::tempdir().unwrap();
            let inside = root.path().join("made");
            let tree = Tree::new([inside.as_path()], platform);
            let deep = inside.join(vec!["d".repeat(200); 40].join("/"));
            tree.make_folders(&deep).unwrap();
            tree.make_folders(&deep).unwrap();
            assert!(tree.is_folder(&deep));
            drop(tree.create_new(&deep.join("file")).unwrap());
            let error = tree.create_new(&deep.join("file")).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
            let error = tree.make_folders(&deep.join("file/sub")).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
            tree.sync_folder(&deep).unwrap();
            tree.rename(&deep.join("file"), &inside.join("file")).unwrap();
            assert!(inside.join("file").exists());
            let error = tree.sync_folder(&inside.join("missing")).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::NotFound);
        }
    }
}
