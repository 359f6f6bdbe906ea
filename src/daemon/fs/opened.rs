//! Files and file systems that are open.

use std::fs::{File, Metadata};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;

use rustix::fs::XattrFlags;
use rustix::io::Errno;

use crate::daemon::fs::disk::{FileSystem, NewFile, OpenFile, Stat};
use crate::daemon::fs::os::Platform;

/// The attribute of an output that names its input.
const LABEL: &str = "user.tabuleiro.input";
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
        match rustix::fs::fsetxattr(self, LABEL, input, XattrFlags::empty()) {
            Err(Errno::OPNOTSUPP) => Ok(false),
            labelled => Ok(labelled.map(|()| true)?),
        }
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

/// The file system of a folder. As long as it is open, whatever could not be written is told to it.
pub struct OpenFileSystem {
    folder: OwnedFd,
    device: u64,
    platform: Platform,
}

impl OpenFileSystem {
    /// That of an open folder; `None` where it does not tell what could not be written.
    ///
    /// # Errors
    /// Those of `fstat`.
    pub fn new(folder: OwnedFd, platform: Platform) -> io::Result<Option<Self>> {
        if !platform.tells_write_errors(&folder) {
            return Ok(None);
        }
        let device = rustix::fs::fstat(&folder)?.st_dev;
        Ok(Some(Self { folder, device, platform }))
    }
}

impl FileSystem for OpenFileSystem {
    fn device(&self) -> u64 {
        self.device
    }

    fn sync(&self) -> io::Result<()> {
        Ok(self.platform.sync_file_system(&self.folder)?)
    }
}

/// The input that an open file names as its own; `None` where it names none.
///
/// # Errors
/// Those of `fgetxattr`.
pub fn label(file: &File) -> io::Result<Option<Vec<u8>>> {
    let mut label = vec![0; LABEL_BYTES_MAX];
    match rustix::fs::fgetxattr(file, LABEL, &mut label[..]) {
        Ok(length) => {
            label.truncate(length);
            Ok(Some(label))
        }
        Err(Errno::NODATA | Errno::OPNOTSUPP | Errno::RANGE) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// What is known of a file.
pub fn stat_of(metadata: &Metadata) -> Stat {
    Stat {
        is_file: metadata.is_file(),
        is_folder: metadata.is_dir(),
        is_link: metadata.is_symlink(),
        device: metadata.dev(),
        inode: metadata.ino(),
        bytes: metadata.len(),
        modified: (metadata.mtime(), metadata.mtime_nsec()),
    }
}
