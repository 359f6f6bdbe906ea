//! Who may read the outputs of a claim, and list the folders that are made for them (`results.readers`).

use std::io;
use std::path::Path;

use crate::config::{Readers, Results};
use crate::daemon::claims::claim::Claim;
use crate::daemon::fs::disk::{Access, Disk, Restricted};
use crate::daemon::fs::folders::Folders;
use crate::daemon::fs::os::group_id;

/// The user whom Linux shows where it cannot tell the owner, and servers where they do not want to.
const NOBODY: u32 = 65_534;

/// Who may use an output of a claim.
///
/// # Errors
/// When the group of results is unknown, or the system does not tell whose file it is.
pub fn of_output(claim: &Claim, results: &Results, disk: &dyn Disk) -> io::Result<Access> {
    let group = results.group.as_deref().map(|group| group_id("results.group", group)).transpose()?;
    let restricted = match results.readers {
        Readers::Group => None,
        Readers::Owner => Some(Restricted { reader: owner(claim, disk)? }),
    };
    Ok(Access { mode: Some(results.mode), group, restricted })
}

/// Who may use the folders that are made in the outbox for a claim, by their paths: whoever may read its outputs lists a folder
/// where the inbox has one of that path that is theirs.
///
/// # Errors
/// As [`of_output`].
pub fn of_folders<'a>(
    claim: &Claim,
    results: &Results,
    folders: &'a Folders,
    disk: &'a dyn Disk,
) -> io::Result<impl Fn(&Path) -> Access + use<'a>> {
    let output = match results.readers {
        Readers::Group => Access::default(),
        Readers::Owner => of_output(claim, results, disk)?,
    };
    Ok(move |folder: &Path| {
        let is_theirs = |reader: &u32| {
            let below = folder.strip_prefix(&folders.outbox).ok();
            let found = below.and_then(|below| disk.stat(&folders.inbox.join(below)).ok());
            found.is_some_and(|found| found.is_folder && found.owner == *reader)
        };
        let restricted =
            output.restricted.map(|Restricted { reader }| Restricted { reader: reader.filter(is_theirs) });
        Access { restricted, ..output }
    })
}

/// The number of the user whose file is claimed: as it lies there, whoever wrote into it or moved it. `None` where that is the
/// service's own user or root, who need no further right, or is not known.
fn owner(claim: &Claim, disk: &dyn Disk) -> io::Result<Option<u32>> {
    let found = match disk.stat(&claim.input()) {
        // Somebody removed the claimed file. There is a report, perhaps.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        found => found?,
    };
    let is_served = [0, NOBODY, rustix::process::geteuid().as_raw()].contains(&found.owner);
    Ok((!is_served && found.is_file).then_some(found.owner))
}
