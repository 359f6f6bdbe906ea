//! What stands in the outbox under the names of a claim's outputs, and who may read these (`results.readers`).

use std::io;
use std::path::{Path, PathBuf};

use crate::config::{Readers, Results};
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::fs::disk::{Access, Disk, Restricted};
use crate::daemon::fs::os::group_id;
use crate::daemon::fs::service_folders::Folders;
use tabuleiro_jobs::naming::{self, Output};

/// What stands under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    Nothing,
    /// An output of the same input.
    Ours,
    /// An output of another input, a person's file, a folder, a link, a device.
    Other,
}

/// Something else has the plain name of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collision {
    /// That name, a path below the outbox.
    pub name: PathBuf,
    /// The path below the inbox of the input whose output has it; `None` if it is no output.
    pub input: Option<PathBuf>,
}

/// Returns what stands at `path` below the outbox. A file is `Ours` if its label names the claim's input; if outputs are not
/// `labelled`, every file is. What cannot be read counts as somebody else's, so that it is not replaced.
#[must_use]
pub fn found(disk: &dyn Disk, outbox: &Path, path: &Path, claim: &Claim, labelled: bool) -> Found {
    look(disk, outbox, path, claim, labelled).unwrap_or(Found::Other)
}

/// Returns the same, or why it is unknown.
///
/// # Errors
/// Those of `lstat`, and of reading the file's attribute.
pub fn look(disk: &dyn Disk, outbox: &Path, path: &Path, claim: &Claim, labelled: bool) -> io::Result<Found> {
    let path = outbox.join(path);
    let is_ours = || {
        let label = disk.label(&path)?;
        Ok::<_, io::Error>(label.is_some_and(|label| label == naming::label(&claim.origin)))
    };
    match disk.stat(&path) {
        Ok(found) if found.is_file && (!labelled || is_ours()?) => Ok(Found::Ours),
        Ok(_) => Ok(Found::Other),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Nothing),
        Err(error) => Err(error),
    }
}

impl Collision {
    /// Returns what else has a plain name of `outputs` for the file at `origin`, the claim's path as mirrored in the
    /// outbox, where outputs are `labelled` or not.
    #[must_use]
    pub fn find(
        disk: &dyn Disk,
        outbox: &Path,
        (claim, origin, labelled): (&Claim, &Path, bool),
        outputs: impl IntoIterator<Item = Output>,
    ) -> Option<Self> {
        let plain = outputs.into_iter().map(|output| naming::result_path(origin, output, None));
        let name =
            plain.into_iter().find(|path| found(disk, outbox, path, claim, labelled) == Found::Other)?;
        let label = disk.label(&outbox.join(&name)).ok().flatten();
        Some(Self { input: label.and_then(|label| naming::labelled(&label)), name })
    }
}

/// The user whom Linux shows if it cannot tell the owner, and file servers if they hide it.
const NOBODY: u32 = 65_534;

/// Returns who may use an output of a claim. If only owners may read it, that is the owner of the claimed file, as the file
/// lies there; who wrote into it or moved it does not matter.
///
/// # Errors
/// When the group of results is unknown, or the system does not tell whose file it is.
pub fn output_access(claim: &Claim, results: &Results, disk: &dyn Disk) -> io::Result<Access> {
    let restricted = match results.readers {
        Readers::Group => None,
        Readers::Owner => Some(Restricted {
            reader: match disk.stat(&claim.input()) {
                Ok(found) => reader(found.owner).filter(|_| found.is_file),
                // Somebody removed the claimed file. There is a report, perhaps.
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                Err(error) => return Err(error),
            },
        }),
    };
    Ok(Access { mode: Some(results.mode), group: group(results)?, restricted })
}

/// Returns who may use the folders that are made in the outbox, by their paths. If only owners may read outputs, a folder can
/// be listed by the user who owns the inbox's folder of that path.
///
/// # Errors
/// When the group of results is unknown.
pub fn folder_access<'a>(
    results: &Results,
    folders: &'a Folders,
    disk: &'a dyn Disk,
) -> io::Result<impl Fn(&Path) -> Access + use<'a>> {
    let is_restricted = results.readers == Readers::Owner;
    let group = if is_restricted { group(results)? } else { None };
    Ok(move |folder: &Path| {
        let found = || disk.stat(&folders.inbox.join(folder.strip_prefix(&folders.outbox).ok()?)).ok();
        let owner = || found().filter(|found| found.is_folder).and_then(|found| reader(found.owner));
        let restricted = is_restricted.then(|| Restricted { reader: owner() });
        Access { mode: None, group, restricted }
    })
}

fn group(results: &Results) -> io::Result<Option<u32>> {
    results.group.as_deref().map(|group| group_id("results.group", group)).transpose()
}

/// Returns the owner of a file as a reader. The service's own user and root need no further right, and an unknown user gets
/// none.
fn reader(owner: u32) -> Option<u32> {
    (![0, NOBODY, rustix::process::geteuid().as_raw()].contains(&owner)).then_some(owner)
}
