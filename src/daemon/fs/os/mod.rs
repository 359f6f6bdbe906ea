//! Calls of Linux that the standard library lacks: leases, write errors told to `syncfs`, limits of control groups, kinds
//! of file systems. Each answers "unknown" if the kernel or the file system lacks it. The one module with `unsafe`.
#![allow(unsafe_code, reason = "fcntl(F_SETLEASE) has no safe wrapper in a kept-up crate")]

// Access control lists.
pub mod acl;

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::{Arc, LazyLock};

use rustix::fs::{AtFlags, SeekFrom, StatxFlags, seek};
use rustix::io::Errno;

use crate::config;

/// Who has a file open for writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writers {
    /// No process.
    None,
    /// Some process, this one included.
    Some,
    /// The system does not tell: not our file, or no leases on this file system.
    Unknown,
}

/// Returns whether any process has `file` open for writing. It takes a read lease on the file and gives it back.
///
/// A process that opens the file for writing in between waits for that moment, and this process gets SIGIO. That would
/// end it, so the first call installs a handler that does nothing, and no lease is taken without one.
#[must_use]
pub fn writers(file: &File) -> Writers {
    static SURVIVES_SIGIO: LazyLock<bool> =
        LazyLock::new(|| signal_hook::flag::register(signal_hook::consts::SIGIO, Arc::default()).is_ok());
    if !*SURVIVES_SIGIO {
        return Writers::Unknown;
    }
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

/// Returns whether `syncfs` through `folder` reports every write error of its file system since the folder was opened.
/// Linux does since 5.8, on file systems that report to it; overlayfs, for one, does not.
#[must_use]
pub fn tells_write_errors(folder: &OwnedFd) -> bool {
    static KERNEL_TELLS: LazyLock<bool> =
        LazyLock::new(|| tells_since(&rustix::system::uname().release().to_string_lossy()));
    #[allow(clippy::cast_sign_loss, reason = "a number of 32 bits, which the field may extend")]
    let kind = rustix::fs::fstatfs(folder).map(|found| found.f_type as u32);
    *KERNEL_TELLS && kind.is_ok_and(|magic| TELLING.contains(&magic))
}

/// Returns the memory that this process may use, in bytes: the machine's, or what the control groups allow it if that is
/// less.
#[must_use]
pub fn memory_bytes() -> u64 {
    // Not from /proc/meminfo, which a hardened unit hides.
    let info = rustix::system::sysinfo();
    #[allow(clippy::useless_conversion, reason = "the field is as wide as the system's words")]
    let machine = u64::from(info.totalram).saturating_mul(u64::from(info.mem_unit));
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let allowed = control_group_bytes(&groups, Path::new("/sys/fs/cgroup"));
    allowed.map_or(machine, |bytes| bytes.min(machine))
}

/// Returns the next part of a file of so many bytes that is no hole, from `at` on: its start and its end. `None` behind the
/// last one. If the file system does not tell its holes, the rest is one part.
#[must_use]
pub fn next_data(file: &File, at: u64, bytes: u64) -> Option<(u64, u64)> {
    if at >= bytes {
        return None;
    }
    let start = match seek(file, SeekFrom::Data(at)) {
        Ok(start) => start,
        Err(Errno::NXIO) => return None,
        Err(_) => return Some((at, bytes)),
    };
    let end = seek(file, SeekFrom::Hole(start)).unwrap_or(bytes).min(bytes);
    (start < end).then_some((start, end))
}

/// File systems that tell `syncfs` of every error in writing a file's content, by their magic numbers: ext4, XFS, btrfs,
/// f2fs, tmpfs.
const TELLING: [u32; 5] = [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x0102_1994];

/// Returns whether a kernel of that release tells write errors to `syncfs`: from 5.8 on.
fn tells_since(release: &str) -> bool {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else { return false };
    (major, minor) >= (5, 8)
}

/// Returns the least limit from the groups of `groups` (as /proc/self/cgroup has them) up to the `root` of the hierarchies:
/// that of version 2, and that of version 1 for memory.
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

/// Identifies a mount. A file can be renamed within a mount and never into another one, even if both show the same file
/// system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mount {
    /// 0 if the system does not tell (before Linux 5.8).
    id: u64,
    /// The file system's. Parts of one that take no renames from each other (subvolumes of btrfs) differ in it.
    device: (u32, u32),
}

impl Mount {
    /// Returns the mount of a path in an open folder, or of the folder itself if the path is empty. Symbolic links are not
    /// followed.
    ///
    /// # Errors
    /// Those of the system call.
    pub fn of(folder: BorrowedFd<'_>, path: &Path) -> io::Result<Self> {
        let flags = AtFlags::EMPTY_PATH | AtFlags::SYMLINK_NOFOLLOW;
        let found = rustix::fs::statx(folder, path, flags, StatxFlags::MNT_ID)?;
        let is_told = found.stx_mask & StatxFlags::MNT_ID.bits() != 0;
        let id = if is_told { found.stx_mnt_id } else { 0 };
        Ok(Self { id, device: (found.stx_dev_major, found.stx_dev_minor) })
    }
}

/// What a file system has left for this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    pub bytes: u64,
    /// Files and folders; `None` if the file system makes room for them as they come.
    pub files: Option<u64>,
}

/// Returns what is left on the file system of `path`.
///
/// # Errors
/// Those of the system call.
pub fn room(path: &Path) -> io::Result<Room> {
    Ok(room_in(&rustix::fs::statvfs(path)?))
}

/// Returns what is left on the file system of an open file.
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

/// Raises this process's limit of open files to the hard limit and returns it; `None` if there is no limit.
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

/// Returns the number of the group that a key of the configuration gives by name or number.
///
/// # Errors
/// When there is no such group, or the system cannot tell.
pub fn group_id(key: &str, group: &str) -> io::Result<u32> {
    config::group_id(group)?.ok_or_else(|| io::Error::other(format!("there is no group '{group}' ({key})")))
}

/// Returns the inotify watches that one user may have, all programs together. `None` if the system does not tell, as in a
/// service that sees nothing of `/proc/sys`.
#[must_use]
pub fn watches_max() -> Option<u64> {
    std::fs::read_to_string("/proc/sys/fs/inotify/max_user_watches").ok()?.trim().parse().ok()
}

/// Returns the name of a file system on which others may change files unnoticed by this system: network and FUSE file
/// systems, folders shared with a virtual machine's host. `None` if every change is seen, or if that is unknown.
#[must_use]
pub fn remote_file_system(path: &Path) -> Option<&'static str> {
    #[allow(clippy::cast_sign_loss, reason = "a number of 32 bits, which the type of the field may extend")]
    let kind = rustix::fs::statfs(path).ok()?.f_type as u32;
    remote_name(kind)
}

/// Names the remote file systems by the magic numbers of statfs(2) and the kernel's `magic.h`.
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

#[cfg(test)]
mod tests;
