//! What only Linux has, each with a portable fallback: leases here; renames that never replace and syncing a whole
//! file system in [`disk`](super::disk). The one module with `unsafe`.
//!
//! [`Platform::Portable`] takes the fallbacks on any system, so that tests exercise them too.
#![allow(unsafe_code, reason = "fcntl(F_SETLEASE) has no safe wrapper in a kept-up crate")]

use std::fs::File;
use std::io;

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
mod tests {
    use super::*;

    #[test]
    fn a_lease_tells_whether_somebody_writes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let writer = File::create(&path).unwrap();
        let reader = File::open(&path).unwrap();
        let busy = Platform::native().writers(&reader);
        drop(writer);
        let free = Platform::native().writers(&reader);
        // File systems without leases answer Unknown to both.
        assert!(matches!(
            (busy, free),
            (Writers::Some, Writers::None) | (Writers::Unknown, Writers::Unknown)
        ));
        assert_eq!(Platform::Portable.writers(&reader), Writers::Unknown);
    }
}
