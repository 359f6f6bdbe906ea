//! Claims: files taken out of the inbox, each under the name of its job in the working folder.
//!
//! ```text
//! work/20261121T121744.123456Z=turma2%2Fentrada.txt       the file, under its path below the inbox: the claim's one rename
//! work/20261121T121744.123456Z!1=turma2%2Fentrada.txt     the same while an answer is tried for the first time
//! ```
//!
//! The job's name comes first: names sort in the order of arrival. A path that makes a longer name than a folder takes
//! has a folder of its own instead, which is also what earlier versions left:
//!
//! ```text
//! work/20261121T121744.123456Z/input/turma2/entrada.txt   the file
//! work/20261121T121744.123456Z/try-1                      a mark for every time an answer was begun
//! ```
//!
//! The names are the whole state: nothing else knows of a claim, so nothing can disagree. A folder without a file is
//! what is left of a claim that is over (or never was), and is removed.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::daemon::claims::name;
use crate::daemon::fs::disk::{Access, Disk, exists, folders_down};

/// Begins the name of a mark; its number follows.
pub(super) const MARK: &str = "try-";

/// A file taken out of the inbox.
#[derive(Debug)]
pub struct Claim {
    /// The job's name.
    pub id: String,
    /// The file's path below the inbox.
    pub origin: PathBuf,
    /// When the file was first seen; its claim, unless the intake knows better.
    pub seen: Instant,
    /// How often an answer was begun, this time not counted.
    pub tries: u32,
    /// The file's length when it was claimed, by which it gets its turn.
    pub bytes: u64,
    /// The number that the file had when it was judged to be complete: another file may have got its name before it was
    /// taken. `None` if nobody judged it, in what an earlier run left.
    pub inode: Option<u64>,
    /// Times that reading it failed for reasons that may pass, in this run.
    pub failed_reads: u32,
    /// An output may have its final name already: an earlier run left the claim, or its group began to rename. Such a
    /// claim never goes back into the inbox, where it would get another ID.
    pub may_be_named: bool,
    work: PathBuf,
    form: Form,
}

/// How a claim lies in the working folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As a file with a name that says it all.
    Name,
    /// As a folder.
    Folder,
}

impl Claim {
    /// Claims `origin` by one rename. `None` if the file is gone: somebody else took it, which is normal.
    ///
    /// # Errors
    /// When the file cannot be renamed, or a claim's folder not be made; the file is then still in the inbox.
    pub fn take(
        work: &Path,
        inbox: &Path,
        origin: &Path,
        id: String,
        disk: &dyn Disk,
    ) -> io::Result<Option<Self>> {
        let form = if name::fits(&id, origin) { Form::Name } else { Form::Folder };
        let mut claim = Self::new(work, id, origin.to_owned(), form);
        let home = inbox.join(origin);
        // The name is new and this claim's alone: there is nothing that could be replaced.
        let mut taken = match form {
            Form::Name => disk.rename(&home, &claim.input()),
            Form::Folder => claim.take_into_folder(&home, disk),
        };
        if form == Form::Name && taken.as_ref().is_err_and(is_too_long) {
            claim.form = Form::Folder;
            taken = claim.take_into_folder(&home, disk);
        }
        match taken {
            Ok(()) => Ok(Some(claim)),
            // The working folder may be what is missing.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !exists(disk, &home) => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(super) fn new(work: &Path, id: String, origin: PathBuf, form: Form) -> Self {
        let work = work.to_owned();
        Self {
            id,
            origin,
            seen: Instant::now(),
            tries: 0,
            bytes: 0,
            inode: None,
            failed_reads: 0,
            may_be_named: false,
            work,
            form,
        }
    }

    fn take_into_folder(&self, home: &Path, disk: &dyn Disk) -> io::Result<()> {
        let input = self.input();
        disk.create_folder(&self.folder())?;
        let taken = input
            .parent()
            .map_or(Ok(()), |parent| disk.create_folders(parent))
            .and_then(|()| disk.rename(home, &input));
        if taken.is_err() {
            self.end(disk);
        }
        taken
    }

    /// Returns where the claimed file lies.
    #[must_use]
    pub fn input(&self) -> PathBuf {
        match self.form {
            Form::Name => self.work.join(name::of(&self.id, self.tries, &self.origin)),
            Form::Folder => self.folder().join("input").join(&self.origin),
        }
    }

    /// Returns where a copy of it is made. What a crash leaves there is removed at the next start.
    #[must_use]
    pub fn copy(&self) -> PathBuf {
        self.work.join(format!("{}{}", self.id, name::COPY))
    }

    fn folder(&self) -> PathBuf {
        self.work.join(&self.id)
    }

    /// Marks that an answer is being tried, so that a file that kills the process is known again.
    ///
    /// # Errors
    /// When the mark cannot be made.
    pub fn begin_try(&mut self, disk: &dyn Disk) -> io::Result<()> {
        let next = self.tries + 1;
        match self.form {
            Form::Name => {
                let to = self.work.join(name::of(&self.id, next, &self.origin));
                match disk.rename(&self.input(), &to) {
                    // Somebody removed the claimed file. Reading it will fail and say so.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                    // On a file system with shorter names than usual there may be no room for a mark. Better tried
                    // without one than never.
                    Err(error) if is_too_long(&error) => return Ok(()),
                    renamed => renamed?,
                }
            }
            Form::Folder => drop(disk.create(&self.mark(next), Access::default())?),
        }
        // Only now: a full disk is nothing that the file did.
        self.tries = next;
        Ok(())
    }

    /// Takes all marks back: the try came to an orderly end, so the file is not what killed the process before.
    pub fn end_try(&mut self, disk: &dyn Disk) {
        // If a mark stays, the file has one try less; nothing is lost.
        match self.form {
            Form::Name if self.tries > 0 => {
                let to = self.work.join(name::of(&self.id, 0, &self.origin));
                if disk.rename(&self.input(), &to).is_ok() {
                    self.tries = 0;
                }
            }
            Form::Name => {}
            Form::Folder => {
                for number in (1..=self.tries).rev() {
                    let _ = disk.remove_file(&self.mark(number));
                }
                self.tries = 0;
            }
        }
    }

    fn mark(&self, number: u32) -> PathBuf {
        self.folder().join(format!("{MARK}{number}"))
    }

    /// Returns the folders whose names must survive a crash before the result may appear, in the order in which it is to be
    /// synced: the file can be reached under its new name before its old one goes.
    #[must_use]
    pub fn folders_to_sync(&self, work: &Path, inbox: &Path, disk: &dyn Disk) -> Vec<PathBuf> {
        let left = inbox.join(self.origin.parent().unwrap_or(Path::new("")));
        let left = Some(left).filter(|path| exists(disk, path));
        let input = self.input();
        let chain = input.parent().map(|folder| folders_down(work, folder)).unwrap_or_default();
        chain.into_iter().chain(left).collect()
    }

    /// Moves the file to its final place. What else there is of the claim stays until it is [ended](Self::end).
    ///
    /// # Errors
    /// When the file cannot be moved, `CrossesDevices` where it must be copied; the claim then stands.
    pub fn archive(&self, to: &Path, disk: &dyn Disk) -> io::Result<()> {
        let input = self.input();
        let rename = || {
            to.parent().map_or(Ok(()), |parent| disk.create_folders(parent))?;
            disk.rename(&input, to)
        };
        let renamed = match rename() {
            // A folder left empty may be tidied away just when it is needed again.
            Err(error) if error.kind() == io::ErrorKind::NotFound && exists(disk, &input) => rename(),
            other => other,
        };
        match renamed {
            // Somebody removed the claimed file: there is nothing left to archive, and trying again would not help.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !exists(disk, &input) => Ok(()),
            other => other,
        }
    }

    /// Copies the file to its final place, which is on another file system, and removes it here once the copy is durable.
    ///
    /// # Errors
    /// Those of [`Disk::copy`]; the claim then stands.
    pub fn archive_by_copy(&self, to: &Path, disk: &dyn Disk, goes_on: &dyn Fn() -> bool) -> io::Result<()> {
        disk.copy(&self.input(), to, goes_on)?;
        if let Some(parent) = to.parent() {
            disk.sync_folder(parent)?;
        }
        disk.remove_file(&self.input())
    }

    /// Puts the file back where it came from. Returns false if a newer file has that name by now: the claim then
    /// stands, and the next start answers it before the newer one.
    ///
    /// # Errors
    /// When the file cannot be moved; the claim then stands too.
    pub fn put_back(&self, inbox: &Path, disk: &dyn Disk) -> io::Result<bool> {
        let home = inbox.join(&self.origin);
        if let Some(parent) = home.parent() {
            disk.create_folders(parent)?;
        }
        match disk.rename_new(&self.input(), &home) {
            Ok(()) => {
                self.end(disk);
                Ok(true)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Removes the claim with the name that its file has in it, because the file has its final name, too.
    pub fn remove(&self, disk: &dyn Disk) {
        // What cannot be removed now is met again at the next start.
        if self.form == Form::Folder || disk.remove_file(&self.input()).is_ok() {
            self.end(disk);
        }
    }

    /// Ends the claim, once its file is elsewhere.
    pub fn end(&self, disk: &dyn Disk) {
        // What cannot be removed now is removed at the next start.
        if self.form == Form::Folder {
            // Usually both are empty.
            let _ = disk.remove_tree(&self.folder().join("input"));
            let _ = disk.remove_tree(&self.folder());
        }
    }
}

/// Returns whether a name is too long for the file system. Each has its own limit.
fn is_too_long(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::ENAMETOOLONG)
}

#[cfg(test)]
#[path = "file_claim_tests.rs"]
mod tests;
