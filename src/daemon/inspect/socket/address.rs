//! Addresses of sockets at paths of any length.
//!
//! The system takes 107 bytes at most. A longer path is reached through the descriptor of its open folder.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

/// The longest path that the system takes for a socket, in bytes.
const ADDRESS_BYTES_MAX: usize = 107;

/// The folder of a socket, as the system takes it.
pub(super) struct SocketFolder {
    folder: PathBuf,
    /// Held open while its descriptor is part of the path.
    _open: Option<File>,
}

impl SocketFolder {
    /// The folder of a socket, for names as long as `names_bytes_max` in it.
    ///
    /// # Errors
    /// When a folder with a long path cannot be opened.
    pub(super) fn of(folder: &Path, names_bytes_max: usize) -> io::Result<Self> {
        if folder.as_os_str().len() + 1 + names_bytes_max <= ADDRESS_BYTES_MAX {
            return Ok(Self { folder: folder.to_owned(), _open: None });
        }
        let open = File::open(folder)?;
        Ok(Self { folder: format!("/proc/self/fd/{}", open.as_raw_fd()).into(), _open: Some(open) })
    }

    /// The path of a name.
    pub(super) fn at(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.join(name)
    }
}
