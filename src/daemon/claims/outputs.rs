//! Looks up the outputs of a claim in the outbox, makes the folders that they need, and says who may read them
//! (`results.readers`).

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};

use crate::config::{Readers, Results};
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::fs::disk::{Access, Disk, Restricted, exists, if_found};
use crate::daemon::fs::os::group_id;
use crate::daemon::fs::service_folders::Folders;
use tabuleiro_jobs::naming::{self, Output};

/// What has a given name in the outbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occupant {
    Nothing,
    /// An output of the same input.
    Ours,
    /// An output of another input, a person's file, a folder, a link, a device.
    Other,
}

/// The plain name of an output is taken by something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collision {
    /// The taken name, as a path below the outbox.
    pub name: PathBuf,
    /// The input that the file with that name is an output of, as a path below the inbox; `None` if it is no output.
    pub input: Option<PathBuf>,
}

/// Looks up the names of a claim's outputs in the outbox.
#[derive(Clone, Copy)]
pub struct Lookup<'a> {
    pub disk: &'a dyn Disk,
    pub outbox: &'a Path,
    pub claim: &'a Claim,
    /// Whether outputs are labelled with their input, as far as that is known when a name is looked up.
    pub labelled: &'a Cell<bool>,
}

impl Lookup<'_> {
    /// Returns what has the name `path` below the outbox. A file is `Ours` if its label names the claim's input, or if
    /// outputs are not labelled. A file that cannot be examined counts as `Other`, so it is not replaced.
    pub fn found(&self, path: &Path) -> Occupant {
        self.look(path).unwrap_or(Occupant::Other)
    }

    /// Returns the same as `found`, but reports errors.
    ///
    /// # Errors
    /// Fails if `lstat` fails or the file's attribute cannot be read.
    pub fn look(&self, path: &Path) -> io::Result<Occupant> {
        let path = self.outbox.join(path);
        let is_ours = || {
            let label = self.disk.label(&path)?;
            Ok::<_, io::Error>(label.is_some_and(|label| label == naming::label(&self.claim.origin)))
        };
        Ok(match if_found(self.disk.stat(&path))? {
            Some(found) if found.is_file && (!self.labelled.get() || is_ours()?) => Occupant::Ours,
            Some(_) => Occupant::Other,
            None => Occupant::Nothing,
        })
    }

    /// Returns what else has the plain name of one of `outputs`. `origin` is the path of the claimed file as mirrored
    /// in the outbox.
    pub fn collision(&self, origin: &Path, outputs: &[Output]) -> Option<Collision> {
        let mut plain = outputs.iter().map(|output| naming::result_path(origin, *output, None));
        let name = plain.find(|path| self.found(path) == Occupant::Other)?;
        let label = self.disk.label(&self.outbox.join(&name)).ok().flatten();
        Some(Collision { input: label.and_then(|label| naming::labelled(&label)), name })
    }
}

/// The user that Linux shows if it cannot tell the owner, and that file servers show if they hide the owner.
const NOBODY: u32 = 65_534;

/// Returns who may use an output of a claim. If only owners may read outputs, the reader is the present owner of the
/// claimed file. Who wrote into the file or moved it does not matter.
///
/// # Errors
/// Fails if the group of results is unknown, or if the owner of the file cannot be determined.
pub fn output_access(claim: &Claim, results: &Results, disk: &dyn Disk) -> io::Result<Access> {
    let restricted = match results.readers {
        Readers::Group => None,
        Readers::Owner => Some(Restricted {
            // If somebody removed the claimed file, the job may still get a report.
            reader: if_found(disk.stat(&claim.input()))?
                .filter(|found| found.is_file)
                .and_then(|found| reader(found.owner)),
        }),
    };
    let group = group_id("results.group", results.group.as_deref())?;
    Ok(Access { mode: Some(results.mode), group, restricted })
}

/// Returns who may use a new folder in the outbox, by its path. If only owners may read outputs, the owner of the
/// inbox's folder with the same path may list it.
///
/// # Errors
/// Fails if the group of results is unknown.
pub fn folder_access<'a>(
    results: &Results,
    folders: &'a Folders,
    disk: &'a dyn Disk,
) -> io::Result<impl Fn(&Path) -> Access + use<'a>> {
    let is_restricted = results.readers == Readers::Owner;
    let group = results.group.as_deref().filter(|_| is_restricted);
    let group = group_id("results.group", group)?;
    Ok(move |folder: &Path| {
        let found = || disk.stat(&folders.inbox.join(folder.strip_prefix(&folders.outbox).ok()?)).ok();
        let owner = || found().filter(|found| found.is_folder).and_then(|found| reader(found.owner));
        let restricted = is_restricted.then(|| Restricted { reader: owner() });
        Access { mode: None, group, restricted }
    })
}

/// Returns the owner of a file as the additional reader. The service's own user and root need no entry, and an unknown
/// user gets none.
fn reader(owner: u32) -> Option<u32> {
    (![0, NOBODY, rustix::process::geteuid().as_raw()].contains(&owner)).then_some(owner)
}

/// A path that a job mirrors below a folder: the outbox, `done` or `failed`.
///
/// People choose the names of the folders that they drop. A file `a.txt` has a result `a.saida.txt`, and somebody can
/// drop a folder `a.saida.txt`. If a file has the name of a job's folder, the job makes a folder with its ID in the
/// name; otherwise it would wait for ever and keep its claim. A job does wait for a symbolic link to go, because nobody
/// can put one there from the inbox.
pub struct Mirror<'a> {
    pub disk: &'a dyn Disk,
    /// The folder that the path is mirrored below.
    pub root: &'a Path,
    pub path: &'a Path,
    pub job_id: &'a str,
}

impl Mirror<'_> {
    /// Returns the mirrored path. Keeps to folders with the job's ID in their names if they are there already.
    pub fn find(&self) -> PathBuf {
        let Self { disk, root, path, job_id } = *self;
        let is_file = |path: &Path| disk.stat(&root.join(path)).is_ok_and(|found| found.is_file);
        naming::mirrored(path, job_id, |plain, own| is_file(plain) || exists(disk, &root.join(own)))
    }

    /// Creates the folders of the path with the access that `access` gives, and returns the mirrored path. If an
    /// earlier try can have created folders (`may_be_there`), looks for them first.
    ///
    /// # Errors
    /// Fails if a folder cannot be created.
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
