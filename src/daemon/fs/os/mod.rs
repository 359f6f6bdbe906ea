//! What only Linux has, each with a portable fallback: leases and kinds of file systems; renames that never replace,
//! folders opened without following a link, and syncing a whole file system, which fall back in
//! [`disk`](crate::daemon::fs::disk). The one module with `unsafe`.
//!
//! [`Platform::Portable`] takes the fallbacks on any system, so that tests exercise them too.
#![allow(unsafe_code, reason = "fcntl(F_SETLEASE) has no safe wrapper in a kept-up crate")]

// Access control lists.
pub mod acl;

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::config;

/// Which system calls may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    /// Linux's own.
    Linux,
    /// Those of POSIX only.
    Portable,
}

/// Who has a file open for writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writers {
    /// Nobody.
    None,
    /// Some process, this one included.
    Some,
    /// The system does not tell: not our file, or no leases on this file system.
    Unknown,
}

impl Platform {
    /// Linux's where this is Linux.
    #[must_use]
    pub fn native() -> Self {
        if cfg!(target_os = "linux") { Self::Linux } else { Self::Portable }
    }

    /// Whether anybody has `file` open for writing, by taking a read lease on it and giving it back.
    ///
    /// Whoever opens the file for writing in between waits for that moment, and this process gets SIGIO,
    /// which [`crate::daemon`] ignores.
    #[must_use]
    pub fn writers(self, file: &File) -> Writers {
        match self {
            Self::Linux => lease_test(file),
            Self::Portable => Writers::Unknown,
        }
    }

    /// Renames between open folders, never replacing: `EXIST` when `to` exists, `NOENT` when `from` does not.
    ///
    /// # Errors
    /// Those of the system call; `NOSYS` or `INVAL` where there is none.
    pub fn rename_new_at(
        self,
        from_folder: BorrowedFd<'_>,
        from: &OsStr,
        to_folder: BorrowedFd<'_>,
        to: &OsStr,
    ) -> Result<(), Errno> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Linux => {
                let flags = rustix::fs::RenameFlags::NOREPLACE;
                rustix::fs::renameat_with(from_folder, from, to_folder, to, flags)
            }
            _ => {
                let _ = (from_folder, from, to_folder, to);
                Err(Errno::NOSYS)
            }
        }
    }

    /// Whether [`sync_file_system`](Self::sync_file_system) through `folder` tells every write error of its file system
    /// since the folder was opened. Linux does since 5.8, on file systems that report to it; overlayfs, for one, does not.
    #[must_use]
    pub fn tells_write_errors(self, folder: &OwnedFd) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Self::Linux => {
                use std::sync::LazyLock;
                static KERNEL_TELLS: LazyLock<bool> =
                    LazyLock::new(|| tells_since(&rustix::system::uname().release().to_string_lossy()));
                #[allow(clippy::cast_sign_loss, reason = "a number of 32 bits, which the field may extend")]
                let kind = rustix::fs::fstatfs(folder).map(|found| found.f_type as u32);
                *KERNEL_TELLS && kind.is_ok_and(|magic| TELLING.contains(&magic))
            }
            _ => {
                let _ = folder;
                false
            }
        }
    }

    /// Makes everything on the file system of an open folder survive a crash.
    ///
    /// # Errors
    /// Those of `syncfs`: of every write since `folder` was opened or last synced; `NOSYS` where there is no such call.
    pub fn sync_file_system(self, folder: &OwnedFd) -> Result<(), Errno> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Linux => rustix::fs::syncfs(folder),
            _ => {
                let _ = folder;
                Err(Errno::NOSYS)
            }
        }
    }

    /// Memory that this process may use, in bytes: the machine's, or what the control groups allow it where that is less.
    /// `None` where it cannot be told.
    #[must_use]
    pub fn memory_bytes(self) -> Option<u64> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Linux => {
                // Not from /proc/meminfo, which a hardened unit hides.
                let info = rustix::system::sysinfo();
                #[allow(clippy::useless_conversion, reason = "the field is as wide as the system's words")]
                let machine = u64::from(info.totalram).saturating_mul(u64::from(info.mem_unit));
                let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
                let allowed = control_group_bytes(&groups, Path::new("/sys/fs/cgroup"));
                Some(allowed.map_or(machine, |bytes| bytes.min(machine)))
            }
            _ => None,
        }
    }

    /// The next part of a file of so many bytes that is no hole, from `at` on: its start and its end. `None` behind the last
    /// one. Where holes are not known the rest is one part.
    #[must_use]
    pub fn next_data(self, file: &File, at: u64, bytes: u64) -> Option<(u64, u64)> {
        if at >= bytes {
            return None;
        }
        match self {
            #[cfg(target_os = "linux")]
            Self::Linux => {
                use rustix::fs::{SeekFrom, seek};
                let start = match seek(file, SeekFrom::Data(at)) {
                    Ok(start) => start,
                    Err(Errno::NXIO) => return None,
                    Err(_) => return Some((at, bytes)),
                };
                let end = seek(file, SeekFrom::Hole(start)).unwrap_or(bytes).min(bytes);
                (start < end).then_some((start, end))
            }
            _ => {
                let _ = file;
                Some((at, bytes))
            }
        }
    }

    /// Opens a path that has no link on the way. `None` where that fails or the system has no call for it.
    #[must_use]
    pub fn open_without_links(self, path: &Path, flags: OFlags) -> Option<OwnedFd> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Linux => {
                use rustix::fs::{CWD, Mode, ResolveFlags};
                let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
                rustix::fs::openat2(CWD, path, flags, Mode::empty(), resolve).ok()
            }
            _ => {
                let _ = (path, flags);
                None
            }
        }
    }
}

/// File systems that tell `syncfs` of every error in writing a file's content, by their magic numbers: ext4, XFS, btrfs,
/// f2fs, tmpfs.
#[cfg(target_os = "linux")]
const TELLING: [u32; 5] = [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x0102_1994];

/// Whether a kernel of that release tells write errors to `syncfs`: from 5.8 on.
#[cfg(target_os = "linux")]
fn tells_since(release: &str) -> bool {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else { return false };
    (major, minor) >= (5, 8)
}

/// The least limit from the groups of `groups` (as /proc/self/cgroup has them) up to the `root` of the hierarchies: that of
/// version 2, and that of version 1 for memory.
#[cfg(target_os = "linux")]
fn control_group_bytes(groups: &str, root: &Path) -> Option<u64> {
    let least = |line: &str| {
        let (controllers, group) = line.split_once(':')?.1.split_once(":/")?;
        let (root, file) = match controllers {
            "" => (root.to_owned(), "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                (root.join("memory"), "memory.limit_in_bytes")
            }
            _ => return None,
        };
        let limit = |group: &Path| {
            std::fs::read_to_string(root.join(group).join(file)).ok()?.trim().parse::<u64>().ok()
        };
        Path::new(group).ancestors().filter_map(limit).min()
    };
    groups.lines().filter_map(least).min()
}

/// What tells a mount from others. A file is renamed within one and never into another, even where both show the same file
/// system.
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

/// What a file system has left for whoever may write to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Bytes.
    pub bytes: u64,
    /// Files and folders; `None` where the file system makes room for them as they come.
    pub files: Option<u64>,
}

/// What is left where `path` is.
///
/// # Errors
/// Those of the system call.
pub fn room(path: &Path) -> io::Result<Room> {
    Ok(room_in(&rustix::fs::statvfs(path)?))
}

/// What is left where an open file is.
///
/// # Errors
/// Those of the system call.
pub fn room_of(file: &File) -> io::Result<Room> {
    Ok(room_in(&rustix::fs::fstatvfs(file)?))
}

fn room_in(found: &rustix::fs::StatVfs) -> Room {
    // Some file systems count no files and say 0 of 0.
    let files = (found.f_files > 0).then_some(found.f_favail);
    Room { bytes: found.f_bavail.saturating_mul(found.f_frsize), files }
}

/// Allows this process as many open files as it may have (the hard limit); how many that are. `None` where there is no
/// limit.
pub fn raise_open_files() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        // The limit stays as it was.
        Err(_) => limit.current,
    }
}

/// The number of the group that a key of the configuration gives by name or number.
///
/// # Errors
/// When there is no such group, or the system cannot tell.
pub fn group_id(key: &str, group: &str) -> io::Result<u32> {
    config::group_id(group)?.ok_or_else(|| io::Error::other(format!("there is no group '{group}' ({key})")))
}

/// The inotify watches that one user may have, all programs together. `None` where the system does not tell, as in a
/// service that sees nothing of `/proc/sys`.
#[must_use]
pub fn watches_max() -> Option<u64> {
    std::fs::read_to_string("/proc/sys/fs/inotify/max_user_watches").ok()?.trim().parse().ok()
}

/// The name of a file system on which others may change files without the system here noticing: network and
/// FUSE file systems, folders shared with a virtual machine's host. `None` where every change is seen, or it
/// cannot be told.
#[must_use]
pub fn remote_file_system(path: &Path) -> Option<&'static str> {
    #[cfg(target_os = "linux")]
    {
        let kind = rustix::fs::statfs(path).ok()?.f_type;
        #[allow(
            clippy::cast_sign_loss,
            reason = "a number of 32 bits, which the type of the field may extend"
        )]
        remote_name(kind as u32)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = path;
        None
    }
}

/// The remote file systems by the magic numbers of statfs(2) and the kernel's `magic.h`.
#[cfg(target_os = "linux")]
fn remote_name(magic: u32) -> Option<&'static str> {
    Some(match magic {
        0x0000_6969 => "NFS",
        0x0000_517b | 0xff53_4d42 | 0xfe53_4d42 => "SMB",
        0x6573_5546 => "FUSE",
        0x0102_1997 => "9P",
        0x786f_4256 => "VirtualBox shared folder",
        0x00c3_6400 => "Ceph",
        0x0bd0_0bd0 => "Lustre",
        0x0116_1970 => "GFS2",
        0x7461_636f => "OCFS2",
        0x4750_4653 => "GPFS",
        0x5346_414f | 0x6b41_4653 => "AFS",
        0x7375_7245 => "Coda",
        0x0000_564c => "NCP",
        _ => return None,
    })
}

#[cfg(target_os = "linux")]
fn lease_test(file: &File) -> Writers {
    use std::os::fd::AsRawFd;
    let descriptor = file.as_raw_fd();
    // SAFETY: fcntl with F_SETLEASE takes an int and no pointer; the descriptor is open while `file` is.
    let taken = unsafe { libc::fcntl(descriptor, libc::F_SETLEASE, libc::F_RDLCK) };
    if taken == 0 {
        // SAFETY: as above.
        unsafe { libc::fcntl(descriptor, libc::F_SETLEASE, libc::F_UNLCK) };
        return Writers::None;
    }
    match io::Error::last_os_error().raw_os_error() {
        Some(libc::EAGAIN) => Writers::Some,
        _ => Writers::Unknown,
    }
}

#[cfg(not(target_os = "linux"))]
fn lease_test(_: &File) -> Writers {
    Writers::Unknown
}

#[cfg(test)]
mod tests;
