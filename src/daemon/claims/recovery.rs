//! What an earlier run left, put in order before anything is watched or answered.

use std::path::{Path, PathBuf};

use crate::daemon::claims::file_claim::Claim;
use crate::daemon::claims::find::find;
use crate::daemon::fs::disk::{Disk, Stat};
use crate::daemon::fs::mirror::Mirror;
use crate::daemon::fs::service_folders::Folders;
use tabuleiro_jobs::naming;

/// A folder in which nothing can be put in order.
#[derive(Debug, thiserror::Error)]
#[error("cannot recover what an earlier run left in {folder}: {source}", folder = folder.display())]
pub struct RecoverError {
    pub folder: PathBuf,
    pub source: std::io::Error,
}

/// Removes temporaries and ended claims, and gives the claims that stand, in the order of arrival.
///
/// A move between two folders that a crash cut in half (on file systems that do it in two steps, and where the system
/// has no rename that never replaces) left its file under both names; here it gets one again.
///
/// # Errors
/// When a folder cannot be listed or something in it not removed; nothing is lost by that.
pub fn recover(folders: &Folders, disk: &dyn Disk) -> Result<Vec<Claim>, RecoverError> {
    let in_folder = |folder: &PathBuf| {
        let folder = folder.clone();
        move |source| RecoverError { folder, source }
    };
    for entry in disk.list(&folders.staging).map_err(in_folder(&folders.staging))? {
        disk.remove_file(&folders.staging.join(entry.name)).map_err(in_folder(&folders.staging))?;
    }
    let claims = find(&folders.work, disk).map_err(in_folder(&folders.work))?;
    let mut standing = Vec::with_capacity(claims.len());
    for claim in claims {
        let archived = naming::archived_path(&claim.origin, &claim.id);
        let is_there = |root: &&PathBuf| {
            let mirror = Mirror { disk, root, path: &archived, job_id: &claim.id };
            is_also(&claim, &root.join(mirror.find()), disk)
        };
        if [&folders.done, &folders.failed].iter().any(is_there) {
            // The move out of the claim: its result was durable before.
            claim.remove(disk);
            continue;
        }
        let home = folders.inbox.join(&claim.origin);
        if is_also(&claim, &home, disk) {
            // The move into the claim, or back. It must not be claimed a second time.
            disk.remove_file(&home).map_err(in_folder(&folders.inbox))?;
        }
        standing.push(claim);
    }
    Ok(standing)
}

/// Returns whether the claimed file also stands at `path`.
fn is_also(claim: &Claim, path: &Path, disk: &dyn Disk) -> bool {
    let same = |there: Stat| disk.stat(&claim.input()).is_ok_and(|here| here.is_same_file(&there));
    disk.stat(path).is_ok_and(same)
}
