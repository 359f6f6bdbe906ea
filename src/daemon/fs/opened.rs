//! Files, folders and file systems that are open.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{AtFlags, Dir, FileType, Gid, Mode, OFlags, XattrFlags};
use rustix::io::Errno;

use crate::daemon::fs::disk::{Access, Entry, FileSystem, NewFile, OpenFile, Restricted, Stat};
use crate::daemon::fs::os::acl::{Kind, restrict};
use crate::daemon::fs::os::{Mount, tells_write_errors};
use tabuleiro_puzzles::input::printable;

/// How much of a path an error shows.
pub const PATH_BYTES_MAX: usize = 300;
/// The attribute of an output that names its input.
const LABEL: &str = "user.tabuleiro.input";
/// The attribute of the page of a service.
const PAGE: &str = "user.tabuleiro.page";
/// Bytes of such a name that are read. A longer one is none of ours.
const LABEL_BYTES_MAX: usize = 1024;

impl OpenFile for File {
    fn stat(&self) -> io::Result<Stat> {
        self.metadata().map(|metadata| stat_of(&metadata))
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }
}

impl NewFile for File {
    fn label(&mut self, input: &[u8]) -> io::Result<bool> {
        set(self, LABEL, input)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

/// A new file that has lost its name.
///
/// # Errors
/// Those of `openat` and `unlinkat`.
pub fn scratch_at(folder: BorrowedFd<'_>, name: &OsStr) -> io::Result<File> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = rustix::fs::openat(folder, name, flags, Mode::from_raw_mode(0o600))?;
    rustix::fs::unlinkat(folder, name, AtFlags::empty())?;
    Ok(file.into())
}

/// A folder that is being listed: its names in no order, whatever stands under its path by now. Holds one part of the
/// listing at a time, whatever the folder's size.
pub struct OpenFolder(Dir);

impl OpenFolder {
    /// Of a folder that is open for reading.
    ///
    /// # Errors
    /// Those of the system.
    pub fn new(folder: OwnedFd) -> io::Result<Self> {
        Ok(Self(Dir::new(folder)?))
    }

    /// Returns what stands under a name in it; symbolic links are not followed.
    ///
    /// # Errors
    /// Those of `fstatat`.
    pub fn stat(&self, name: &OsStr) -> io::Result<Stat> {
        stat_at(self.0.fd()?, name)
    }

    /// Returns the mount that it is on.
    ///
    /// # Errors
    /// Those of `statx`.
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
                // Some file systems do not say.
                FileType::Unknown => self.stat(&name).is_ok_and(|found| found.is_folder),
                known => known == FileType::Directory,
            };
            return Some(Ok(Entry { name, is_folder }));
        }
    }
}

/// The file system of a folder. As long as it is open, whatever could not be written is told to it.
pub struct OpenFileSystem {
    folder: OwnedFd,
    device: u64,
}

impl OpenFileSystem {
    /// That of an open folder; `None` if it does not tell what could not be written.
    ///
    /// # Errors
    /// Those of `fstat`.
    pub fn new(folder: OwnedFd) -> io::Result<Option<Self>> {
        if !tells_write_errors(&folder) {
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

/// Returns the input that an open file names as its own; `None` if it names none.
///
/// # Errors
/// Those of `fgetxattr`.
pub fn label(file: &File) -> io::Result<Option<Vec<u8>>> {
    get(file, LABEL)
}

/// Marks an open file as the page of a service. Returns false if the file system keeps no attributes.
///
/// # Errors
/// Those of `fsetxattr`.
pub fn mark_page(file: &File) -> io::Result<bool> {
    set(file, PAGE, b"1")
}

/// Returns whether an open file is marked so.
///
/// # Errors
/// Those of `fgetxattr`.
pub fn is_page(file: &File) -> io::Result<bool> {
    Ok(get(file, PAGE)?.is_some())
}

fn set(file: &File, attribute: &str, value: &[u8]) -> io::Result<bool> {
    match rustix::fs::fsetxattr(file, attribute, value, XattrFlags::empty()) {
        Err(Errno::OPNOTSUPP) => Ok(false),
        set => Ok(set.map(|()| true)?),
    }
}

fn get(file: &File, attribute: &str) -> io::Result<Option<Vec<u8>>> {
    let mut value = vec![0; LABEL_BYTES_MAX];
    match rustix::fs::fgetxattr(file, attribute, &mut value[..]) {
        Ok(length) => {
            value.truncate(length);
            Ok(Some(value))
        }
        Err(Errno::NODATA | Errno::OPNOTSUPP | Errno::RANGE) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Returns what is known of a file.
pub fn stat_of(metadata: &Metadata) -> Stat {
    Stat {
        is_file: metadata.is_file(),
        is_folder: metadata.is_dir(),
        is_link: metadata.is_symlink(),
        device: metadata.dev(),
        inode: metadata.ino(),
        bytes: metadata.len(),
        modified: (metadata.mtime(), metadata.mtime_nsec()),
        owner: metadata.uid(),
    }
}

/// Returns what stands under a name in an open folder; symbolic links are not followed.
///
/// # Errors
/// Those of `fstatat`.
pub fn stat_at(folder: BorrowedFd<'_>, name: &OsStr) -> io::Result<Stat> {
    let stat = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    let kind = FileType::from_raw_mode(stat.st_mode);
    Ok(Stat {
        is_file: kind == FileType::RegularFile,
        is_folder: kind == FileType::Directory,
        is_link: kind == FileType::Symlink,
        device: stat.st_dev,
        inode: stat.st_ino,
        bytes: stat.st_size.unsigned_abs(),
        modified: (stat.st_mtime, i64::try_from(stat.st_mtime_nsec).unwrap_or(0)),
        owner: stat.st_uid,
    })
}

/// From an open folder into the one of that name, which is made where it is missing and `access` says for whom.
///
/// # Errors
/// Those of the system.
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
        // Somebody else made it.
        Ok(()) | Err(Errno::EXIST | Errno::NOTEMPTY) => open(),
        Err(error) => Err(error),
    }
}

/// Makes a folder under a name of its own, which is renamed once it is restricted: a crash leaves none that is not.
fn make_restricted(
    parent: &OwnedFd,
    name: &OsStr,
    group: Option<u32>,
    Restricted { reader }: Restricted,
) -> Result<(), Errno> {
    // Services that share an outbox make folders in one at the same time, for different readers.
    let unfinished = format!(".tabuleiro-{:016x}", RandomState::new().build_hasher().finish());
    // Where the file system keeps no lists, only the group can read anything in it.
    rustix::fs::mkdirat(parent, &unfinished, Mode::from_raw_mode(0o751))?;
    let make = || {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = rustix::fs::openat(parent, &unfinished, flags, Mode::empty())?;
        if let Some(group) = group {
            rustix::fs::fchown(&folder, None, Some(Gid::from_raw(group)))?;
        }
        restrict(Kind::Folder, &folder, reader)?;
        // Over an empty folder at most.
        rustix::fs::renameat(parent, &unfinished, parent, name)
    };
    let made = make();
    if made.is_err() {
        // If it stays it is empty.
        let _ = rustix::fs::unlinkat(parent, &unfinished, AtFlags::REMOVEDIR);
    }
    made
}

/// Returns the error of a step. It says so when a link or a file stands there.
pub fn in_the_way(folder: &OwnedFd, name: &OsStr, path: &Path, error: Errno) -> io::Error {
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
