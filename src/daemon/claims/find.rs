//! Finds claims in the working folder, either to recover them at the start or only to list them.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use parking_lot::{Mutex, MutexGuard};

use crate::daemon::claims::file_claim::{Claim, Layout};
use crate::daemon::claims::name::{self, Named};
use crate::daemon::claims::outputs::Mirror;
use crate::daemon::fs::disk::{Disk, Entry, Stat, if_found};
use crate::daemon::fs::service_folders::Folders;
use tabuleiro_jobs::naming::{self, Output};

/// Returns the claims in the working folder, in the order of arrival. Removes the remains of ended claims and copies of
/// claimed files.
///
/// # Errors
/// Fails if the working folder or a claim in it cannot be listed. Removes only claims that have certainly ended.
pub fn find(work: &Path, disk: &dyn Disk) -> io::Result<Vec<Claim>> {
    let mut claims: BTreeMap<String, Claim> = BTreeMap::new();
    for Entry { name, is_folder } in disk.list(work)? {
        // An entry whose name no claim can have belongs to somebody else.
        let Some(Named { id, tries, origin }) = name::parse(&name) else {
            if !is_folder && name::is_copy(&name) {
                disk.remove_file(&work.join(name))?;
            }
            continue;
        };
        // The origin in a name can belong to a folder, too: one that took the file's name just before the rename.
        let (origin, layout) = match origin {
            Some(origin) => (origin, Layout::Name),
            None if !is_folder => continue,
            None => {
                let Some(origin) = only_file(&work.join(&name), disk)? else {
                    disk.remove_tree(&work.join(name))?;
                    continue;
                };
                (origin, Layout::Folder)
            }
        };
        let mut claim = Claim::new(work, id, origin, layout);
        claim.tries = tries;
        if let Some(other) = claims.remove(&claim.id) {
            // A crash in the middle of a rename left both names. Keeping the one with more marks is safer.
            let (before, after) = if other.tries < claim.tries { (other, claim) } else { (claim, other) };
            if disk.stat(&before.input())?.is_same_file(&disk.stat(&after.input())?) {
                disk.remove_file(&before.input())?;
            }
            claim = after;
        }
        claims.insert(claim.id.clone(), claim);
    }
    for claim in claims.values_mut() {
        claim.may_be_named = true;
        claim.bytes = disk.stat(&claim.input()).map_or(0, |stat| stat.bytes);
    }
    Ok(claims.into_values().collect())
}

/// Returns the paths below the inbox of all claimed files, by the IDs of their jobs. Changes nothing. A missing working
/// folder counts as empty.
///
/// # Errors
/// Fails if the working folder cannot be listed.
pub fn claimed_paths(work: &Path, disk: &dyn Disk) -> io::Result<HashMap<String, PathBuf>> {
    let mut claimed = HashMap::new();
    for Entry { name, is_folder } in if_found(disk.list(work))?.unwrap_or_default() {
        let Some(named) = name::parse(&name) else { continue };
        let origin = match named.origin {
            None if is_folder => only_file(&work.join(&name), disk)?,
            origin => origin,
        };
        claimed.extend(origin.map(|origin| (named.id, origin)));
    }
    Ok(claimed)
}

/// Returns the path, below `folder`, of the only file in it; `None` if there is no file.
pub(super) fn only_file(folder: &Path, disk: &dyn Disk) -> io::Result<Option<PathBuf>> {
    let mut below = PathBuf::new();
    loop {
        // An error must not count as "empty", because empty folders are removed.
        let entries = if_found(disk.list(&folder.join(&below)))?.unwrap_or_default();
        let Some(entry) = entries.into_iter().next() else { return Ok(None) };
        below.push(entry.name);
        if !entry.is_folder {
            return Ok(Some(below));
        }
    }
}

/// Removes temporary files and ended claims, and returns the remaining claims in the order of arrival.
///
/// Some file systems move a file between folders in two steps, and so does the service if the system has no rename that
/// never replaces. A crash in between leaves the file under both names; recovery removes one of them.
///
/// # Errors
/// Fails if a folder cannot be listed, or if something in it cannot be removed. No file is lost by that.
pub fn recover(folders: &Folders, disk: &dyn Disk) -> Result<Vec<Claim>, String> {
    let in_folder = |folder: &PathBuf| {
        let folder = folder.display().to_string();
        move |error: io::Error| format!("cannot recover what an earlier run left in {folder}: {error}")
    };
    for entry in disk.list(&folders.staging).map_err(in_folder(&folders.staging))? {
        disk.remove_file(&folders.staging.join(entry.name)).map_err(in_folder(&folders.staging))?;
    }
    let claims = find(&folders.work, disk).map_err(in_folder(&folders.work))?;
    let mut remaining = Vec::with_capacity(claims.len());
    for claim in claims {
        let archived = naming::archived_path(&claim.origin, &claim.id);
        let is_there = |root: &&PathBuf| {
            let mirror = Mirror { disk, root, path: &archived, job_id: &claim.id };
            is_also(&claim, &root.join(mirror.find()), disk)
        };
        if [&folders.done, &folders.failed].iter().any(is_there) {
            // The crash interrupted the move into the archive. The result was durable before that move began.
            claim.remove(disk);
            continue;
        }
        let home = folders.inbox.join(&claim.origin);
        if is_also(&claim, &home, disk) {
            // The crash interrupted the claim, or the return to the inbox. The file must not be claimed a second time.
            disk.remove_file(&home).map_err(in_folder(&folders.inbox))?;
        }
        remaining.push(claim);
    }
    Ok(remaining)
}

/// Returns whether the claimed file also has the name `path`.
fn is_also(claim: &Claim, path: &Path, disk: &dyn Disk) -> bool {
    let same = |there: Stat| disk.stat(&claim.input()).is_ok_and(|here| here.is_same_file(&there));
    disk.stat(path).is_ok_and(same)
}

/// Lets one thread at a time claim a file or put one back, so that no older file goes back into the inbox past a newer
/// claim.
///
/// The loop decides which files go back, but learns of a claim a moment after it was made. In between, an older file of
/// the same name could be put back, be claimed again, and replace the newer file's result. So a file is put back only
/// after the claims have been listed, and no claim can be made meanwhile.
#[derive(Debug, Default)]
pub struct Gate {
    /// The ID of the youngest claim for each result; `None` if a claim was made since they were listed.
    youngest: Mutex<Option<HashMap<PathBuf, String>>>,
}

impl Gate {
    /// Lets the caller make a claim. While the returned guard lives, no file is put back.
    pub fn claim(&self) -> MutexGuard<'_, impl Sized + use<>> {
        let mut youngest = self.youngest.lock();
        *youngest = None;
        youngest
    }

    /// Puts a file back where it came from. Returns false, and the claim stays, if a newer file that leads to the same
    /// result lies in the inbox under that name or is claimed.
    ///
    /// # Errors
    /// Fails if the working folder cannot be listed or the file cannot be moved; the claim stays then, too.
    pub fn put_back(&self, claim: &Claim, work: &Path, inbox: &Path, disk: &dyn Disk) -> io::Result<bool> {
        let mut youngest = self.youngest.lock();
        let result = naming::result_path(&claim.origin, Output::Result, None);
        let may_go = |youngest: &Option<HashMap<PathBuf, String>>| {
            youngest.as_ref().is_some_and(|youngest| youngest.get(&result).is_none_or(|id| *id <= claim.id))
        };
        // A claim in the cached list may have ended, so list the claims again before refusing.
        if !may_go(&youngest) {
            *youngest = Some(youngest_claims(work, disk)?);
        }
        if may_go(&youngest) { claim.put_back(inbox, disk) } else { Ok(false) }
    }
}

/// Returns the ID of the youngest claim for each result.
fn youngest_claims(work: &Path, disk: &dyn Disk) -> io::Result<HashMap<PathBuf, String>> {
    let mut youngest: HashMap<PathBuf, String> = HashMap::new();
    for (id, origin) in claimed_paths(work, disk)? {
        let known = youngest.entry(naming::result_path(&origin, Output::Result, None)).or_default();
        if *known < id {
            *known = id;
        }
    }
    Ok(youngest)
}
