//! Open files of the model, and open descriptors of its file system.

use std::io::{self, Read, Seek, Write};

use parking_lot::Mutex;

use super::state::DiskState;
use super::tree::Change;
use super::{Kind, Model};
use crate::daemon::fs::disk::{FileSystem, NewFile, OpenFile, Stat};

/// An open descriptor of the file system.
pub struct OpenFileSystem {
    pub model: Model,
    /// The number of write errors that this descriptor has reported or need not report.
    pub seen: Mutex<u64>,
}

impl std::fmt::Debug for OpenFileSystem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OpenFileSystem")
    }
}

impl FileSystem for OpenFileSystem {
    fn device(&self) -> u64 {
        1
    }

    fn sync(&self) -> io::Result<()> {
        let mut seen = self.seen.lock();
        let sync = |state: &mut DiskState| state.sync_all(&mut seen);
        let synced = self.model.operate(Kind::Sync, sync, |state| state.fail_writing(true));
        if synced.is_err() {
            *seen = self.model.machine().state.errors_seen();
        }
        synced
    }
}

/// A file being read. It keeps the content that it had when it was opened, because no test writes into a claimed file.
pub struct Opened {
    pub stat: Stat,
    pub content: io::Cursor<Vec<u8>>,
}

impl Read for Opened {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.content.read(buffer)
    }
}

impl Seek for Opened {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.content.seek(to)
    }
}

impl OpenFile for Opened {
    fn stat(&self) -> io::Result<Stat> {
        Ok(self.stat)
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

/// A file being written.
pub struct Writing {
    pub model: Model,
    pub inode: u32,
}

impl Write for Writing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let write = |state: &mut DiskState, bytes: &[u8]| {
            state.make(Change::Write { file: self.inode, bytes: bytes.to_vec() });
        };
        let all = |state: &mut DiskState| {
            write(state, bytes);
            Ok(bytes.len())
        };
        // If the disk is full, a part is written nevertheless.
        self.model.operate(Kind::Write, all, |state| write(state, &bytes[..bytes.len() / 2]))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl NewFile for Writing {
    fn label(&mut self, input: &[u8]) -> io::Result<bool> {
        let has_attributes = !self.model.posix_only;
        if has_attributes {
            self.model.machine().state.set_label(self.inode, input);
        }
        Ok(has_attributes)
    }

    fn sync(&mut self) -> io::Result<()> {
        let inode = self.inode;
        let sync = |state: &mut DiskState| {
            state.sync(inode);
            if state.is_doomed(inode) { Err(io::Error::from_raw_os_error(libc::EIO)) } else { Ok(()) }
        };
        self.model.operate(Kind::Sync, sync, |state| state.fail_writing(true))
    }
}
