//! Files, folders and file systems that are open.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Permissions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{AtFlags, Dir, FileType, Gid, Mode, OFlags, Uid, XattrFlags};
use rustix::io::Errno;

use crate::daemon::fs::disk::{Access, Entry, FileSystem, NewFile, OpenFile, Restricted, Stat};
use crate::daemon::fs::os::acl::{Kind, restrict};
use crate::daemon::fs::os::{Mount, Room, next_data, reports_write_errors};
use tabuleiro_puzzles::input::printable;

/// Bytes of a path that an error shows.
pub const PATH_BYTES_MAX: usize = 300;
/// The attribute of an output that names its input.
pub const LABEL: &str = "user.tabuleiro.input";
/// The attribute that marks the page of a service.
pub const PAGE: &str = "user.tabuleiro.page";
/// Bytes of an attribute that are read. The service writes no label that is longer.
const LABEL_BYTES_MAX: usize = 1024;

impl OpenFile for File {
    fn stat(&self) -> io::Result<Stat> {
        Ok(stat_of(&rustix::fs::fstat(self)?))
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }
}

impl NewFile for File {
    fn label(&mut self, input: &[u8]) -> io::Result<bool> {
        set_attribute(self, LABEL, input)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

/// A folder that is being listed, in no particular order. It stays the same folder even if its path now leads
/// elsewhere. Only one part of the listing is in memory, however large the folder is.
pub struct OpenFolder(Dir);

impl OpenFolder {
    /// Begins the listing of a folder that is open for reading.
    ///
    /// # Errors
    /// Returns the error of the system call.
    pub fn new(folder: OwnedFd) -> io::Result<Self> {
        Ok(Self(Dir::new(folder)?))
    }

    /// Returns the metadata of a name in the folder without following symbolic links.
    ///
    /// # Errors
    /// Returns the error of `fstatat`.
    pub fn stat(&self, name: &OsStr) -> io::Result<Stat> {
        stat_at(self.0.fd()?, name)
    }

    /// Returns the mount that the folder is on.
    ///
    /// # Errors
    /// Returns the error of `statx`.
    pub fn mount(&self) -> io::Result<Mount> {
        Mount::of(self.0.fd()?, Path::new(""))
    }
}

impl Iterator for OpenFolder {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let entry = match self.0.read()? {
                Ok(entry) => entry,
                Err(error) => return Some(Err(error.into())),
            };
            let name = OsString::from_vec(entry.file_name().to_bytes().to_owned());
            if name == "." || name == ".." {
                continue;
            }
            let is_folder = match entry.file_type() {
                // Some file systems do not report the type.
                FileType::Unknown => self.stat(&name).is_ok_and(|found| found.is_folder),
                known => known == FileType::Directory,
            };
            return Some(Ok(Entry { name, is_folder }));
        }
    }
}

/// The file system of a folder. While it is open, the system reports every write error to it.
#[derive(Debug)]
pub struct OpenFileSystem {
    folder: OwnedFd,
    device: u64,
}

impl OpenFileSystem {
    /// Opens the file system of an open folder. Returns `None` if it does not report every write error.
    ///
    /// # Errors
    /// Returns the error of `fstat`.
    pub fn new(folder: OwnedFd) -> io::Result<Option<Self>> {
        if !reports_write_errors(&folder) {
            return Ok(None);
        }
        let device = rustix::fs::fstat(&folder)?.st_dev;
        Ok(Some(Self { folder, device }))
    }
}

impl FileSystem for OpenFileSystem {
    fn device(&self) -> u64 {
        self.device
    }

    fn sync(&self) -> io::Result<()> {
        Ok(rustix::fs::syncfs(&self.folder)?)
    }
}

/// Sets an attribute of an open file. Returns false if the file system keeps no attributes.
///
/// # Errors
/// Returns the error of `fsetxattr`.
pub fn set_attribute(file: &File, name: &str, value: &[u8]) -> io::Result<bool> {
    match rustix::fs::fsetxattr(file, name, value, XattrFlags::empty()) {
        Err(Errno::OPNOTSUPP) => Ok(false),
        set => Ok(set.map(|()| true)?),
    }
}

/// Returns an attribute of an open file; `None` if the file has none of that name.
///
/// # Errors
/// Returns the error of `fgetxattr`.
pub fn attribute(file: &File, name: &str) -> io::Result<Option<Vec<u8>>> {
    let mut value = vec![0; LABEL_BYTES_MAX];
    match rustix::fs::fgetxattr(file, name, &mut value[..]) {
        Ok(length) => {
            value.truncate(length);
            Ok(Some(value))
        }
        Err(Errno::NODATA | Errno::OPNOTSUPP | Errno::RANGE) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Converts the metadata of a file.
pub fn stat_of(stat: &rustix::fs::Stat) -> Stat {
    let kind = FileType::from_raw_mode(stat.st_mode);
    Stat {
        is_file: kind == FileType::RegularFile,
        is_folder: kind == FileType::Directory,
        is_link: kind == FileType::Symlink,
        device: stat.st_dev,
        inode: stat.st_ino,
        bytes: stat.st_size.unsigned_abs(),
        modified: (stat.st_mtime, i64::try_from(stat.st_mtime_nsec).unwrap_or(0)),
        changed: (stat.st_ctime, i64::try_from(stat.st_ctime_nsec).unwrap_or(0)),
        owner: stat.st_uid,
    }
}

/// Returns the metadata of a name in an open folder without following symbolic links.
///
/// # Errors
/// Returns the error of `fstatat`.
pub fn stat_at(folder: BorrowedFd<'_>, name: &OsStr) -> io::Result<Stat> {
    Ok(stat_of(&rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?))
}

/// Opens the folder `name` in an open folder. If it is missing and `access` returns some access, creates it with that.
///
/// # Errors
/// Returns the error of the system call.
pub fn step(
    folder: &OwnedFd,
    name: &OsStr,
    flags: OFlags,
    access: impl FnOnce() -> Option<Access>,
) -> Result<OwnedFd, Errno> {
    let open = || rustix::fs::openat(folder, name, flags, Mode::empty());
    let found = open();
    let Some(access) = found.as_ref().is_err_and(|error| *error == Errno::NOENT).then(access).flatten()
    else {
        return found;
    };
    let made = match access.restricted {
        None => rustix::fs::mkdirat(folder, name, Mode::from_raw_mode(0o777)),
        Some(restricted) => make_restricted(folder, name, access.group, restricted),
    };
    match made {
        // Another process created it first.
        Ok(()) | Err(Errno::EXIST | Errno::NOTEMPTY) => open(),
        Err(error) => Err(error),
    }
}

/// Creates a folder under a temporary name and restricts it before the rename: a crash leaves none unrestricted.
fn make_restricted(
    parent: &OwnedFd,
    name: &OsStr,
    group: Option<u32>,
    Restricted { reader }: Restricted,
) -> Result<(), Errno> {
    // Services that share an outbox can create folders in one parent at the same time, for different readers.
    let unfinished = format!(".tabuleiro-{:016x}", RandomState::new().build_hasher().finish());
    // If the file system keeps no access control lists, only the group can read the folder.
    rustix::fs::mkdirat(parent, &unfinished, Mode::from_raw_mode(0o751))?;
    let make = || {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = rustix::fs::openat(parent, &unfinished, flags, Mode::empty())?;
        if let Some(group) = group {
            rustix::fs::fchown(&folder, None, Some(Gid::from_raw(group)))?;
        }
        restrict(Kind::Folder, &folder, reader)?;
        // This can replace an empty folder, but no other.
        rustix::fs::renameat(parent, &unfinished, parent, name)
    };
    let made = make();
    if made.is_err() {
        // If the removal fails, the folder that stays is empty.
        let _ = rustix::fs::unlinkat(parent, &unfinished, AtFlags::REMOVEDIR);
    }
    made
}

/// Converts an error of `step`. The message says so if a link or a file is in the way.
pub fn in_the_way(folder: &OwnedFd, name: &OsStr, path: &Path, error: Errno) -> io::Error {
    if !matches!(error, Errno::LOOP | Errno::NOTDIR) {
        return error.into();
    }
    let is_link = stat_at(folder.as_fd(), name).is_ok_and(|found| found.is_link);
    let what = if is_link { "a symbolic link, which is not followed" } else { "no folder" };
    let path = printable(path.as_os_str().as_encoded_bytes(), PATH_BYTES_MAX);
    io::Error::new(io::ErrorKind::NotADirectory, format!("{path} is {what}"))
}

/// Bytes copied between two calls of `goes_on`.
const PART_BYTES: usize = 1 << 20;

/// Copies the current content of `from` durably into `to`, which is empty. Sets its owner, group and permissions as far
/// as this process may. The holes of a file stay holes.
///
/// # Errors
/// Fails if reading or writing fails; with `StorageFull`, before anything is written, if there is no room; with
/// `Interrupted` when `goes_on` returns false.
pub fn copy(from: &File, to: &File, goes_on: &dyn Fn() -> bool) -> io::Result<()> {
    let found = from.metadata()?;
    // Blocks are 512 bytes on every system.
    if found.blocks().saturating_mul(512).min(found.len()) > Room::of(&rustix::fs::fstatvfs(to)?).bytes {
        return Err(io::ErrorKind::StorageFull.into());
    }
    to.set_len(found.len())?;
    let mut buffer = vec![0; PART_BYTES];
    let mut at = 0;
    while let Some((start, end)) = next_data(from, at, found.len()) {
        at = start;
        while at < end {
            if !goes_on() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let most = PART_BYTES.min(usize::try_from(end - at).unwrap_or(PART_BYTES));
            let count = from.read_at(&mut buffer[..most], at)?;
            if count == 0 {
                break;
            }
            to.write_all_at(&buffer[..count], at)?;
            at += count as u64;
        }
    }
    let (owner, group) = (Uid::from_raw(found.uid()), Gid::from_raw(found.gid()));
    // A process without further rights may set a group that it belongs to, but no other owner.
    if rustix::fs::fchown(to, Some(owner), Some(group)).is_err() {
        let _ = rustix::fs::fchown(to, None, Some(group));
    }
    let _ = to.set_permissions(Permissions::from_mode(found.mode() & 0o7777));
    to.sync_all()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_copy_has_the_content_and_the_holes() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
        let source = File::create(&from).unwrap();
        source.set_len(1 << 40).unwrap();
        let content: Vec<u8> = (0..3 * PART_BYTES).map(|at| (at % 251) as u8).collect();
        source.write_all_at(&content, 5 << 30).unwrap();
        source.write_all_at(b"end", (1 << 40) - 3).unwrap();
        let source = File::open(&from).unwrap();
        let target = File::options().read(true).write(true).create_new(true).open(&to).unwrap();
        copy(&source, &target, &|| true).unwrap();
        let found = fs::metadata(&to).unwrap();
        assert_eq!(found.len(), 1 << 40);
        assert!(found.blocks() * 512 < 64 << 20, "{} blocks", found.blocks());
        let mut copied = vec![0; content.len()];
        target.read_exact_at(&mut copied, 5 << 30).unwrap();
        assert!(copied == content);
        target.read_exact_at(&mut copied[..3], (1 << 40) - 3).unwrap();
        assert_eq!(&copied[..3], b"end");
    }

    #[test]
    fn without_holes_known_everything_is_read_and_who_is_told_to_end_ends() {
        let pipe = File::from(std::os::fd::OwnedFd::from(std::io::pipe().unwrap().0));
        assert_eq!([0, 2, 7].map(|at| next_data(&pipe, at, 7)), [Some((0, 7)), Some((2, 7)), None]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "some text").unwrap();
        let from = File::open(&path).unwrap();
        let to = |name: &str| File::create(folder.path().join(name)).unwrap();
        copy(&from, &to("b"), &|| true).unwrap();
        assert_eq!(fs::read(folder.path().join("b")).unwrap(), b"some text");
        let error = copy(&from, &to("c"), &|| false).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::Interrupted);
    }
}
