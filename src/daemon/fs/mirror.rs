//! Where a path below the inbox is mirrored: below the outbox, `done` and `failed`.
//!
//! People choose the names of the folders that they drop. A file `a.txt` has a result `a.saida.txt`, and somebody may drop a
//! folder `a.saida.txt`. A job whose folder has the name of a file makes a folder of its own instead: it would wait for
//! ever, and hold a claim meanwhile. A job does wait for a symbolic link to go, because nobody can put one there from the
//! inbox.

use std::io;
use std::path::{Path, PathBuf};

use crate::daemon::fs::disk::{Access, Disk, exists};
use tabuleiro_jobs::naming;

/// The path below `root` for `path`. Where the job has a folder of its own already, that one is used.
pub fn find(disk: &dyn Disk, root: &Path, path: &Path, job_id: &str) -> PathBuf {
    let is_file = |path: &Path| disk.stat(&root.join(path)).is_ok_and(|found| found.is_file);
    naming::mirrored(path, job_id, |plain, own| is_file(plain) || exists(disk, &root.join(own)))
}

/// Makes the folders for `path` below `root`, for whom `access` says, and gives the path that it has there. `may_be_there`
/// when an earlier try may have made them.
///
/// # Errors
/// Those of making folders.
pub fn make(
    disk: &dyn Disk,
    root: &Path,
    path: &Path,
    job_id: &str,
    may_be_there: bool,
    access: &dyn Fn(&Path) -> Access,
) -> io::Result<PathBuf> {
    let folder = |path: &Path| root.join(path.parent().unwrap_or(Path::new("")));
    let make = |path: &Path| disk.create_folders_for(&folder(path), access);
    if !may_be_there {
        match make(path) {
            // Usually no file is in the way.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {}
            made => return made.map(|()| path.to_owned()),
        }
    }
    let path = find(disk, root, path, job_id);
    make(&path).map(|()| path)
}
