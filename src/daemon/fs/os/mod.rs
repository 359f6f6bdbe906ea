//! Linux calls that the standard library lacks: leases, write errors in `syncfs`, limits of control groups, types of
//! file systems. Each returns "unknown" if the kernel or file system lacks it. The one module with `unsafe`.
#![allow(unsafe_code, reason = "these calls have no safe wrapper in a kept-up crate")]

// Access control lists.
pub mod acl;

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::{Arc, LazyLock, Once};

use rustix::fs::{AtFlags, SeekFrom, StatVfs, StatxFlags, seek};
use rustix::io::Errno;

use crate::config::accounts;

/// Whether a file is open for writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writers {
    /// No process has it open.
    None,
    /// Some process has it open, perhaps this one.
    Some,
    /// The system does not say: another user owns the file, or this file system has no leases.
    Unknown,
}

/// Returns whether this process survives SIGIO. The first call installs a handler that does nothing.
pub fn survives_sigio() -> bool {
    static IS_INSTALLED: LazyLock<bool> =
        LazyLock::new(|| signal_hook::flag::register(signal_hook::consts::SIGIO, Arc::default()).is_ok());
    *IS_INSTALLED
}

/// Returns whether any process has `file` open for writing. Takes a read lease on the file and gives it back.
///
/// A process that opens the file for writing meanwhile waits until then, and this process gets SIGIO, which would end
/// it. So no lease is taken unless this process survives SIGIO (`survives_sigio`).
pub fn writers(file: &File) -> Writers {
    static IS_LOGGED: Once = Once::new();
    if !survives_sigio() {
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
    if io::Error::last_os_error().raw_os_error() == Some(libc::EAGAIN) {
        return Writers::Some;
    }
    IS_LOGGED.call_once(|| {
        tracing::info!(
            "the system does not say who still writes files of other users: these are taken when they have not changed \
             for intake.quiet_period"
        );
    });
    Writers::Unknown
}

/// Makes glibc look up host names in /etc/hosts and by DNS alone. Any other source in /etc/nsswitch.conf is a module,
/// which the static program could load only if it were built with exactly this machine's C library.
#[cfg(all(feature = "workers", target_env = "gnu", target_feature = "crt-static"))]
pub fn look_up_hosts_without_modules() {
    unsafe extern "C" {
        fn __nss_configure_lookup(database: *const libc::c_char, sources: *const libc::c_char)
        -> libc::c_int;
    }
    // SAFETY: glibc copies both strings, and no other thread runs yet.
    unsafe { __nss_configure_lookup(c"hosts".as_ptr(), c"files dns".as_ptr()) };
}

/// Returns whether `syncfs` through `folder` reports every write error of its file system since the folder was opened.
/// Linux does so since 5.8 for file systems that pass their errors on; overlayfs, for one, does not.
pub fn reports_write_errors(folder: &OwnedFd) -> bool {
    static KERNEL_REPORTS: LazyLock<bool> =
        LazyLock::new(|| reports_since(&rustix::system::uname().release().to_string_lossy()));
    #[allow(clippy::cast_sign_loss, reason = "a number of 32 bits, which the field may extend")]
    let kind = rustix::fs::fstatfs(folder).map(|found| found.f_type as u32);
    *KERNEL_REPORTS && kind.is_ok_and(|magic| REPORTING.contains(&magic))
}

/// Returns the memory that this process may use, in bytes: that of the machine, or the limit of its control groups if
/// that is lower.
pub fn memory_bytes() -> u64 {
    // Not from /proc/meminfo, which a hardened unit hides.
    let info = rustix::system::sysinfo();
    #[allow(clippy::useless_conversion, reason = "the field is as wide as the system's words")]
    let machine = u64::from(info.totalram).saturating_mul(u64::from(info.mem_unit));
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let allowed = control_group_bytes(&groups, Path::new("/sys/fs/cgroup"));
    allowed.map_or(machine, |bytes| bytes.min(machine))
}

/// Returns the start and end of the next part at or after `at` that is no hole, in a file of `bytes` bytes. `None`
/// after the last part. If the file system does not report holes, the rest is one part.
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

/// Magic numbers of file systems that report every error in writing content to `syncfs`: ext4, XFS, btrfs, f2fs, tmpfs.
const REPORTING: [u32; 5] = [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x0102_1994];

/// Returns whether a kernel of this release reports write errors to `syncfs`, which kernels do from 5.8 on.
fn reports_since(release: &str) -> bool {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else { return false };
    (major, minor) >= (5, 8)
}

/// Returns the lowest memory limit, in bytes, of the groups in `groups` (as in /proc/self/cgroup) and of their
/// ancestors, in the hierarchies under `root`: that of version 2, and that of version 1 for memory.
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

/// Identifies a mount. A file can be renamed within a mount but never into another, even if both show the same file
/// system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mount {
    /// 0 if the system does not report it (before Linux 5.8).
    id: u64,
    /// The device number, which differs between btrfs subvolumes: they take no renames from each other.
    device: (u32, u32),
}

impl Mount {
    /// Returns the mount of a path in an open folder, or of the folder itself if the path is empty. Does not follow
    /// symbolic links.
    ///
    /// # Errors
    /// Returns the error of `statx`.
    pub fn of(folder: BorrowedFd<'_>, path: &Path) -> io::Result<Self> {
        let flags = AtFlags::EMPTY_PATH | AtFlags::SYMLINK_NOFOLLOW;
        let found = rustix::fs::statx(folder, path, flags, StatxFlags::MNT_ID)?;
        let is_known = found.stx_mask & StatxFlags::MNT_ID.bits() != 0;
        let id = if is_known { found.stx_mnt_id } else { 0 };
        Ok(Self { id, device: (found.stx_dev_major, found.stx_dev_minor) })
    }
}

/// The free space of a file system for this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    pub bytes: u64,
    /// Files and folders that can still be created; `None` if the file system has no fixed number of them.
    pub files: Option<u64>,
}

impl Room {
    /// Converts what `statvfs` reports.
    pub fn of(found: &StatVfs) -> Self {
        // Some file systems do not count files and report 0 of 0.
        let files = (found.f_files > 0).then_some(found.f_favail);
        Self { bytes: found.f_bavail.saturating_mul(found.f_frsize), files }
    }
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

/// Returns the ID of the group that the configuration key `key` gives by name or number; `None` if it gives none.
///
/// # Errors
/// Fails if there is no such group, or if the system cannot look it up.
pub fn group_id(key: &str, group: Option<&str>) -> io::Result<Option<u32>> {
    let Some(group) = group else { return Ok(None) };
    match accounts::group_id(group)? {
        None => Err(io::Error::other(format!("there is no group '{group}' ({key})"))),
        id => Ok(id),
    }
}

/// Returns how many inotify watches one user may have, over all programs. `None` if the system does not say, as in a
/// service that cannot see `/proc/sys`.
pub fn watches_max() -> Option<u64> {
    std::fs::read_to_string("/proc/sys/fs/inotify/max_user_watches").ok()?.trim().parse().ok()
}

/// Returns the name of a file system that others can change unnoticed by this system: network and FUSE file systems,
/// and folders shared with a virtual machine's host. `None` if every change is seen, or if that is unknown.
pub fn remote_file_system(path: &Path) -> Option<&'static str> {
    #[allow(clippy::cast_sign_loss, reason = "a number of 32 bits, which the type of the field may extend")]
    let kind = rustix::fs::statfs(path).ok()?.f_type as u32;
    remote_name(kind)
}

/// Names a remote file system by its magic number, from statfs(2) and the kernel's `magic.h`.
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
