//! Makes claiming and putting back exclude each other, so that no older file goes back into the inbox past a newer claim.
//!
//! The loop decides what goes back, but learns of a claim a moment after it was made. In between, an older file of the same
//! name could be put back, be claimed again, and replace the newer one's result. So a file is put back only after the
//! claims have been listed, while none can be made.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use parking_lot::{Mutex, MutexGuard};

use crate::daemon::claims::file_claim::Claim;
use crate::daemon::claims::find;
use crate::daemon::fs::disk::Disk;
use tabuleiro_jobs::naming::{self, Output};

/// Lets one thread at a time claim a file or put one back.
#[derive(Debug, Default)]
pub struct Gate {
    /// The ID of the youngest claim of each result; `None` if a claim was made since they were listed.
    youngest: Mutex<Option<HashMap<PathBuf, String>>>,
}

/// While it lives, no file is put back.
pub struct Claiming<'a> {
    _youngest: MutexGuard<'a, Option<HashMap<PathBuf, String>>>,
}

impl Gate {
    /// Begins to make a claim.
    pub fn claim(&self) -> Claiming<'_> {
        let mut youngest = self.youngest.lock();
        *youngest = None;
        Claiming { _youngest: youngest }
    }

    /// Puts a file back where it came from. Returns false if a newer file leads to the same result: it lies in the inbox
    /// under that name, or is claimed. The claim then stands.
    ///
    /// # Errors
    /// When the working folder cannot be listed or the file not be moved; the claim then stands, too.
    pub fn put_back(&self, claim: &Claim, work: &Path, inbox: &Path, disk: &dyn Disk) -> io::Result<bool> {
        let mut youngest = self.youngest.lock();
        let result = naming::result_path(&claim.origin, Output::Result, None);
        let may_go = |youngest: &Option<HashMap<PathBuf, String>>| {
            youngest.as_ref().is_some_and(|youngest| youngest.get(&result).is_none_or(|id| *id <= claim.id))
        };
        // A claim listed before may have ended by now.
        if !may_go(&youngest) {
            *youngest = Some(list(work, disk)?);
        }
        if may_go(&youngest) { claim.put_back(inbox, disk) } else { Ok(false) }
    }
}

fn list(work: &Path, disk: &dyn Disk) -> io::Result<HashMap<PathBuf, String>> {
    let mut youngest: HashMap<PathBuf, String> = HashMap::new();
    for (id, origin) in find::standing(work, disk)? {
        let known = youngest.entry(naming::result_path(&origin, Output::Result, None)).or_default();
        if *known < id {
            *known = id;
        }
    }
    Ok(youngest)
}
