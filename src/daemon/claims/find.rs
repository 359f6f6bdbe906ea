//! Finding claims in the working folder: to go on with them, or only to look.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::daemon::base::job_id::is_id;
use crate::daemon::claims::file_claim::{Claim, Form, MARK};
use crate::daemon::claims::name;
use crate::daemon::fs::disk::Disk;

/// Returns the claims in the working folder, in the order of arrival; what is left of others is removed, and so are copies
/// of their files and what earlier versions recorded.
///
/// # Errors
/// When the working folder or a claim in it cannot be listed; nothing is removed that was not seen to be over.
pub fn find(work: &Path, disk: &dyn Disk) -> io::Result<Vec<Claim>> {
    let mut claims: BTreeMap<String, Claim> = BTreeMap::new();
    for entry in disk.list(work)? {
        // A folder, too, may have got the name of a file that was about to be claimed.
        if let Some(named) = name::parse(&entry.name) {
            let mut claim = Claim::new(work, named.id, named.origin, Form::Name);
            claim.tries = named.tries;
            if let Some(other) = claims.remove(&claim.id) {
                // A rename cut in half left both names; more marks are the safer reading.
                let (before, after) = if other.tries < claim.tries { (other, claim) } else { (claim, other) };
                if disk.stat(&before.input())?.is_same_file(&disk.stat(&after.input())?) {
                    disk.remove_file(&before.input())?;
                }
                claim = after;
            }
            claims.insert(claim.id.clone(), claim);
        } else if !entry.is_folder && name::is_left(&entry.name) {
            disk.remove_file(&work.join(entry.name))?;
        } else if entry.is_folder {
            let id = entry.name.to_string_lossy().into_owned();
            // What no claim's folder is called is somebody else's.
            if is_id(id.as_bytes())
                && let Some(claim) = find_in_folder(work, id, disk)?
            {
                claims.insert(claim.id.clone(), claim);
            }
        }
    }
    for claim in claims.values_mut() {
        claim.may_be_named = true;
        claim.bytes = disk.stat(&claim.input()).map_or(0, |stat| stat.bytes);
    }
    Ok(claims.into_values().collect())
}

/// Returns the paths below the inbox of the files that are claimed, by the IDs of their jobs, for those who only look. No
/// working folder holds none.
///
/// # Errors
/// When the working folder cannot be listed.
pub fn standing(work: &Path, disk: &dyn Disk) -> io::Result<HashMap<String, PathBuf>> {
    let entries = match disk.list(work) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(HashMap::new()),
        entries => entries?,
    };
    let mut standing = HashMap::new();
    for entry in entries {
        if let Some(named) = name::parse(&entry.name) {
            standing.insert(named.id, named.origin);
        } else if entry.is_folder {
            let origin = only_file(&work.join(&entry.name).join("input"), disk)?;
            standing.extend(origin.map(|origin| (entry.name.to_string_lossy().into_owned(), origin)));
        }
    }
    Ok(standing)
}

/// Returns the paths below the inbox of the files that are claimed.
///
/// # Errors
/// When the working folder cannot be listed.
pub fn origins(work: &Path, disk: &dyn Disk) -> io::Result<HashSet<PathBuf>> {
    Ok(standing(work, disk)?.into_values().collect())
}

/// Returns the claim whose folder has that name; one without a file is removed.
fn find_in_folder(work: &Path, id: String, disk: &dyn Disk) -> io::Result<Option<Claim>> {
    let folder = work.join(&id);
    let Some(origin) = only_file(&folder.join("input"), disk)? else {
        disk.remove_tree(&folder)?;
        return Ok(None);
    };
    let mut claim = Claim::new(work, id, origin, Form::Folder);
    // Counted, because a crash may leave a later mark without an earlier one.
    let is_mark = |name: &OsStr| name.as_bytes().starts_with(MARK.as_bytes());
    claim.tries = disk.list(&folder)?.iter().filter(|entry| is_mark(&entry.name)).count() as u32;
    Ok(Some(claim))
}

/// Returns the path below `input` of the one file in it.
fn only_file(input: &Path, disk: &dyn Disk) -> io::Result<Option<PathBuf>> {
    let mut below = PathBuf::new();
    loop {
        let entries = match disk.list(&input.join(&below)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            // An error is not "empty": what is empty is removed.
            Err(error) => return Err(error),
        };
        let Some(entry) = entries.into_iter().next() else { return Ok(None) };
        below.push(entry.name);
        if !entry.is_folder {
            return Ok(Some(below));
        }
    }
}
