//! Files that change while they are read.
//!
//! Such a file goes back into the inbox, where it waits until it is complete. Somebody who keeps changing it, through another
//! name of it perhaps, would hold a claim for ever that way. So that is done a few times; then the file is copied, and
//! the copy is answered. A file that changes during each of a few copies is rejected.

use std::collections::HashMap;
use std::io;

use parking_lot::Mutex;

use crate::daemon::claims::file_claim::Claim;
use crate::daemon::fs::disk::{Disk, Stat};
use tabuleiro_puzzles::solver::Cancel;

/// Times that a file which changed goes back before it is copied.
const CHANGES_MAX: u32 = 2;
/// Files remembered that changed. With more of them a further one is copied at once.
const CHANGING_MAX: usize = 1024;
/// Copies begun of a file before it is rejected.
const COPIES_MAX: usize = 3;

/// How often each file changed while it was read, by its device and number.
#[derive(Debug, Default)]
pub struct Changing(Mutex<HashMap<(u64, u64), u32>>);

impl Changing {
    /// Notes that a file changed. Returns true if it may go back once more.
    pub fn may_go_back(&self, file: &Stat) -> bool {
        let mut changes = self.0.lock();
        if changes.len() >= CHANGING_MAX && !changes.contains_key(&key(file)) {
            return false;
        }
        let count = changes.entry(key(file)).or_default();
        *count += 1;
        *count <= CHANGES_MAX
    }

    /// A file is over.
    pub fn forget(&self, file: &Stat) {
        self.0.lock().remove(&key(file));
    }
}

fn key(file: &Stat) -> (u64, u64) {
    (file.device, file.inode)
}

/// Returns whether a file is as it was.
pub fn is_unchanged(before: &Stat, after: &Stat) -> bool {
    (before.bytes, before.modified) == (after.bytes, after.modified)
}

/// Puts a copy in the place of the claimed file, durably, so that nobody can change it any more. A file of more than
/// `bytes_max` stays, to be rejected for that. Returns false if the file changed during every copy.
///
/// # Errors
/// Those of reading the file and of writing the copy, and when it was cancelled; the claim then has the file that it had.
pub fn replace_by_copy(claim: &Claim, bytes_max: u64, cancel: &Cancel, disk: &dyn Disk) -> io::Result<bool> {
    for _ in 0..COPIES_MAX {
        let input = disk.open(&claim.input())?;
        let before = input.stat()?;
        if before.bytes > bytes_max {
            return Ok(true);
        }
        disk.copy(&claim.input(), &claim.copy(), &|| !cancel.is_cancelled())?;
        if is_unchanged(&before, &input.stat()?) {
            // Durable before it takes the place of the original, or a power failure could leave neither.
            return disk.rename(&claim.copy(), &claim.input()).map(|()| true);
        }
    }
    // If it stays it is removed at the next start.
    let _ = disk.remove_file(&claim.copy());
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(inode: u64) -> Stat {
        Stat {
            is_file: true,
            is_folder: false,
            is_link: false,
            device: 1,
            inode,
            bytes: 0,
            modified: (0, 0),
            owner: 0,
        }
    }

    #[test]
    fn a_file_goes_back_a_few_times_and_many_files_no_longer() {
        let changing = Changing::default();
        assert_eq!([1, 2, 3, 4].map(|_| changing.may_go_back(&file(1))), [true, true, false, false]);
        changing.forget(&file(1));
        assert!(changing.may_go_back(&file(1)));
        assert!((2..).take(CHANGING_MAX - 1).all(|inode| changing.may_go_back(&file(inode))));
        assert!(!changing.may_go_back(&file(5000)) && changing.may_go_back(&file(2)));
    }
}
