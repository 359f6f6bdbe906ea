//! Mounts: a file is renamed within one and never into another, even where both show the same file system.

use std::io;
use std::os::fd::BorrowedFd;
use std::path::Path;

/// What tells a mount from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mount {
    /// Its number; 0 where the system does not tell (before Linux 5.8).
    id: u64,
    /// The file system's; parts of one that take no renames from each other (subvolumes of btrfs) have numbers of their own.
    device: (u32, u32),
}

impl Mount {
    /// Of what stands under a path in an open folder, or of the folder itself where the path is empty; symbolic links are
    /// not followed.
    ///
    /// # Errors
    /// Those of the system call.
    pub fn of(folder: BorrowedFd<'_>, path: &Path) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{AtFlags, StatxFlags};
            let flags = AtFlags::EMPTY_PATH | AtFlags::SYMLINK_NOFOLLOW;
            let found = rustix::fs::statx(folder, path, flags, StatxFlags::MNT_ID)?;
            let is_told = found.stx_mask & StatxFlags::MNT_ID.bits() != 0;
            let id = if is_told { found.stx_mnt_id } else { 0 };
            Ok(Self { id, device: (found.stx_dev_major, found.stx_dev_minor) })
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = (folder, path);
            Ok(Self { id: 0, device: (0, 0) })
        }
    }
}
