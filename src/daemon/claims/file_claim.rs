//! Claims: files taken out of the inbox. Each lies in the working folder under a name that begins with its job's ID.
//!
//! ```text
//! work/20261121T121744.123456Z=turma2%2Fentrada.txt       the file, renamed once, with its path below the inbox
//! work/20261121T121744.123456Z!1=turma2%2Fentrada.txt     the same during the first try to answer it
//! ```
//!
//! The ID comes first, so names sort in the order of arrival. If a name would be longer than the file system accepts,
//! the claim is a folder that holds the path. A try renames the folder as it would rename the file:
//!
//! ```text
//! work/20261121T121744.123456Z/turma2/entrada.txt
//! work/20261121T121744.123456Z!1/turma2/entrada.txt
//! ```
//!
//! The names are the whole state: nothing else records a claim, so nothing can disagree. A folder without a file is
//! what remains of a claim that has ended or was never completed, and is removed.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::daemon::claims::name;
use crate::daemon::fs::disk::{Disk, exists, folders_down};

/// A file taken out of the inbox.
#[derive(Debug)]
pub struct Claim {
    /// The ID of the job.
    pub id: String,
    /// The file's path below the inbox.
    pub origin: PathBuf,
    /// When the file was first seen, or when it was claimed if the intake does not know.
    pub seen: Instant,
    /// How often an answer was begun, not counting the try in progress.
    pub tries: u32,
    /// The file's length in bytes when it was claimed, which decides its turn.
    pub bytes: u64,
    /// The inode of the file when the intake judged it complete. Another file can have taken its name before the claim.
    /// `None` if nobody judged the file, as for a claim that an earlier run left.
    pub inode: Option<u64>,
    /// How often reading the file failed in this run for reasons that can pass.
    pub failed_reads: u32,
    /// Whether an output can have its final name already: an earlier run left the claim, or its group began to rename.
    /// Such a claim never goes back into the inbox, where it would get another ID.
    pub may_be_named: bool,
    work: PathBuf,
    layout: Layout,
}

/// How a claim is stored in the working folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// As a file whose name holds the whole path.
    Name,
    /// As a folder that holds the path.
    Folder,
}

impl Claim {
    /// Claims `origin` by one rename. Returns `None` if the file is gone, which is normal: its owner may remove it.
    ///
    /// # Errors
    /// Fails if the file cannot be renamed or a claim's folder cannot be created. The file then stays in the inbox.
    pub fn take(
        work: &Path,
        inbox: &Path,
        origin: &Path,
        id: String,
        disk: &dyn Disk,
    ) -> io::Result<Option<Self>> {
        let mut claim = Self::new(work, id, origin.to_owned(), Layout::Name);
        let home = inbox.join(origin);
        // No other claim has this new name, so the rename replaces nothing.
        let renamed = name::fits(&claim.id, origin).then(|| disk.rename(&home, &claim.input()));
        let taken =
            renamed.filter(|renamed| !renamed.as_ref().is_err_and(is_too_long)).unwrap_or_else(|| {
                claim.layout = Layout::Folder;
                claim.take_into_folder(&home, disk)
            });
        match taken {
            Ok(()) => Ok(Some(claim)),
            // NotFound can also mean that the working folder is missing.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !exists(disk, &home) => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(super) fn new(work: &Path, id: String, origin: PathBuf, layout: Layout) -> Self {
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
            layout,
        }
    }

    fn take_into_folder(&self, home: &Path, disk: &dyn Disk) -> io::Result<()> {
        let input = self.input();
        disk.create_folder(&self.place(0))?;
        let folders = input.parent().map_or(Ok(()), |parent| disk.create_folders(parent));
        let taken = folders.and_then(|()| disk.rename(home, &input));
        if taken.is_err() {
            self.end(disk);
        }
        taken
    }

    /// Returns the claim's path in the working folder after `tries` begun tries.
    fn place(&self, tries: u32) -> PathBuf {
        let origin = (self.layout == Layout::Name).then_some(&*self.origin);
        self.work.join(name::of(&self.id, tries, origin))
    }

    /// Returns the path of the claimed file.
    pub fn input(&self) -> PathBuf {
        let place = self.place(self.tries);
        match self.layout {
            Layout::Name => place,
            Layout::Folder => place.join(&self.origin),
        }
    }

    /// Returns the path for a copy of the file. The next start removes a copy that a crash leaves there.
    pub fn copy(&self) -> PathBuf {
        self.work.join(format!("{}{}", self.id, name::COPY))
    }

    /// Marks that an answer has begun. If the file kills the process, the next start sees the mark.
    ///
    /// # Errors
    /// Fails if the mark cannot be made.
    pub fn begin_try(&mut self, disk: &dyn Disk) -> io::Result<()> {
        match disk.rename(&self.place(self.tries), &self.place(self.tries + 1)) {
            // Somebody removed the claimed file. Reading it will fail and report that.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            // On a file system with shorter names than usual there may be no room for a mark. Trying without one is
            // better than never trying.
            Err(error) if is_too_long(&error) => Ok(()),
            // Count the try only after the rename: a full disk is not the file's fault.
            renamed => renamed.map(|()| self.tries += 1),
        }
    }

    /// Removes all marks: the try ended in order, so the file is not what killed the process before.
    pub fn end_try(&mut self, disk: &dyn Disk) {
        // If a mark stays, the file has one try less, but nothing is lost.
        if self.tries > 0 && disk.rename(&self.place(self.tries), &self.place(0)).is_ok() {
            self.tries = 0;
        }
    }

    /// Returns the folders to sync before the result appears, in order: the file's new name is durable before its old
    /// one is removed.
    pub fn folders_to_sync(&self, work: &Path, inbox: &Path, disk: &dyn Disk) -> Vec<PathBuf> {
        let left = inbox.join(self.origin.parent().unwrap_or(Path::new("")));
        let left = Some(left).filter(|path| exists(disk, path));
        let input = self.input();
        let chain = input.parent().map(|folder| folders_down(work, folder)).unwrap_or_default();
        chain.into_iter().chain(left).collect()
    }

    /// Moves the file to its final place. The rest of the claim stays until [`end`](Self::end).
    ///
    /// # Errors
    /// Fails if the file cannot be moved, with `CrossesDevices` if it must be copied. The claim then stays.
    pub fn archive(&self, to: &Path, disk: &dyn Disk) -> io::Result<()> {
        let input = self.input();
        let rename = || {
            to.parent().map_or(Ok(()), |parent| disk.create_folders(parent))?;
            disk.rename(&input, to)
        };
        let renamed = match rename() {
            // An empty folder can be tidied away just before the rename. Create it again.
            Err(error) if error.kind() == io::ErrorKind::NotFound && exists(disk, &input) => rename(),
            other => other,
        };
        match renamed {
            // Somebody removed the claimed file: nothing is left to archive, and another try would not help.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !exists(disk, &input) => Ok(()),
            other => other,
        }
    }

    /// Copies the file to its final place on another file system. Removes the claimed file once the copy is durable.
    ///
    /// # Errors
    /// Fails if [`Disk::copy`], the sync or the removal fails. The claim then stays.
    pub fn archive_by_copy(&self, to: &Path, disk: &dyn Disk, goes_on: &dyn Fn() -> bool) -> io::Result<()> {
        disk.copy(&self.input(), to, goes_on)?;
        if let Some(parent) = to.parent() {
            disk.sync_folder(parent)?;
        }
        disk.remove_file(&self.input())
    }

    /// Puts the file back where it came from. Returns false if a newer file has that name: the claim then stays, and
    /// the next start answers it before the newer file.
    ///
    /// # Errors
    /// Fails if the file cannot be moved. The claim then stays.
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

    /// Removes the claim and its name for the file, which has its final name, too.
    pub fn remove(&self, disk: &dyn Disk) {
        // The next start finds again what cannot be removed now.
        if self.layout == Layout::Folder || disk.remove_file(&self.input()).is_ok() {
            self.end(disk);
        }
    }

    /// Ends the claim after its file was moved elsewhere.
    pub fn end(&self, disk: &dyn Disk) {
        // The next start removes what cannot be removed now.
        if self.layout == Layout::Folder {
            let _ = disk.remove_tree(&self.place(self.tries));
        }
    }
}

/// Returns whether the error says that a name is too long. Each file system has its own limit.
fn is_too_long(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::ENAMETOOLONG)
}

#[cfg(test)]
#[path = "file_claim_tests.rs"]
mod tests;
