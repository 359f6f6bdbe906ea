//! What stands in the outbox under the names of outputs, from the view of the claim that is to get them.

use std::io;
use std::path::{Path, PathBuf};

use crate::daemon::claims::claim::Claim;
use crate::daemon::fs::disk::Disk;
use tabuleiro_jobs::naming::{self, Output};

/// What stands under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
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
    /// The path below the inbox of the input whose output has it; `None` where it is no output.
    pub input: Option<PathBuf>,
}

/// What stands at `path` below the outbox. A file that no output of the same input has made is somebody's; where outputs are
/// not `labelled`, all files count as outputs. What cannot be looked at is nothing that may be replaced.
#[must_use]
pub fn found(disk: &dyn Disk, outbox: &Path, path: &Path, claim: &Claim, labelled: bool) -> Found {
    look(disk, outbox, path, claim, labelled).unwrap_or(Found::Other)
}

/// Returns the same, or why it cannot be told.
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
    /// What else has a plain name of `outputs` for the file at `origin`, the claim's path as mirrored in the outbox, where
    /// outputs are `labelled` or not.
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
