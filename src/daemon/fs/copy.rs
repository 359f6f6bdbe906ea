//! Copies of files, holes left out: for a folder on another file system, and for files that somebody keeps changing.

use std::fs::{File, Permissions};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};

use rustix::fs::{Gid, Uid};

use crate::daemon::fs::os::{next_data, room_of};

/// Bytes copied between two looks whether to go on.
const PART_BYTES: usize = 1 << 20;

/// Copies what `from` holds now into `to`, which is empty, durably, with its owner, group and permissions as far as this
/// process may give them. A file with holes takes no more room than before.
///
/// # Errors
/// Those of reading and writing; `StorageFull` before anything is written where there is no room; `Interrupted` when
/// `goes_on` says no.
pub fn copy(from: &File, to: &File, goes_on: &dyn Fn() -> bool) -> io::Result<()> {
    let found = from.metadata()?;
    // Blocks are 512 bytes on every system.
    if found.blocks().saturating_mul(512).min(found.len()) > room_of(to)?.bytes {
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
    // A group that this process is in may be given without further rights, an owner not.
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
