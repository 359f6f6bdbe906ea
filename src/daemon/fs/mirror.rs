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

/// A path that a job mirrors below a folder.
pub struct Mirror<'a> {
    pub disk: &'a dyn Disk,
    /// The folder.
    pub root: &'a Path,
    pub path: &'a Path,
    pub job_id: &'a str,
}

impl Mirror<'_> {
    /// Returns the path below the folder. If the job has a folder of its own there already, that one is used.
    #[must_use]
    pub fn find(&self) -> PathBuf {
        let Self { disk, root, path, job_id } = *self;
        let is_file = |path: &Path| disk.stat(&root.join(path)).is_ok_and(|found| found.is_file);
        naming::mirrored(path, job_id, |plain, own| is_file(plain) || exists(disk, &root.join(own)))
    }

    /// Makes the folders of the path for those whom `access` names, and returns the path below the folder. An earlier try
    /// may have made them if they `may_be_there`.
    ///
    /// # Errors
    /// Those of making folders.
    pub fn make(&self, may_be_there: bool, access: &dyn Fn(&Path) -> Access) -> io::Result<PathBuf> {
        let folder = |path: &Path| self.root.join(path.parent().unwrap_or(Path::new("")));
        let make = |path: &Path| self.disk.create_folders_for(&folder(path), access);
        if !may_be_there {
            match make(self.path) {
                // Usually no file is in the way.
                Err(error) if error.kind() == io::ErrorKind::NotADirectory => {}
                made => return made.map(|()| self.path.to_owned()),
            }
        }
        let path = self.find();
        make(&path).map(|()| path)
    }
}
