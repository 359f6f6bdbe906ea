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

/// Who may use an output of a claim: where only owners are to read it, the user whose file is claimed. That is the file as it
/// lies there, whoever wrote into it or moved it.
///
/// # Errors
/// When the group of results is unknown, or the system does not tell whose file it is.
pub fn of_output(claim: &Claim, results: &Results, disk: &dyn Disk) -> io::Result<Access> {
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

/// Who may use the folders that are made in the outbox, by their paths: where only owners are to read outputs, the user lists a
/// folder who owns the inbox's folder of that path.
///
/// # Errors
/// When the group of results is unknown.
pub fn of_folders<'a>(
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

/// The owner of a file as a reader. The service's own user and root need no further right, and who is not known gets none.
fn reader(owner: u32) -> Option<u32> {
    (![0, NOBODY, rustix::process::geteuid().as_raw()].contains(&owner)).then_some(owner)
}
