//! Keeps claims and givings back apart, so that no older file goes back into the inbox past a newer claim.
//!
//! The loop decides what goes back, but learns of a claim a moment after it was made. In between an older file of its
//! name could be put back, be claimed anew, and replace the newer one's result. So a file is put back only after a look
//! at the claims that stand, during which none is made.

use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::daemon::claims::claim::Claim;
use crate::daemon::claims::find;
use crate::daemon::fs::disk::Disk;
use crate::naming::{self, Output};

/// Held by whoever claims, or puts a file back.
#[derive(Debug, Default)]
pub struct Gate {
    /// No claim follows: the loop knows of them all.
    is_shut: Mutex<bool>,
}

impl Gate {
    /// Keeps files from being put back as long as this is held.
    pub fn hold(&self) -> MutexGuard<'_, bool> {
        self.is_shut.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// No claim follows.
    pub fn shut(&self) {
        *self.hold() = true;
    }

    /// Puts a file back where it came from. False when a newer file leads to the same result: it lies in the inbox under
    /// that name, or is claimed. The claim then stands.
    ///
    /// # Errors
    /// When the working folder cannot be listed or the file not be moved; the claim then stands, too.
    pub fn put_back(&self, claim: &Claim, work: &Path, inbox: &Path, disk: &dyn Disk) -> io::Result<bool> {
        let is_shut = self.hold();
        let result = |origin: &Path| naming::result_path(origin, Output::Result, None);
        let own = result(&claim.origin);
        let is_newer = |id: &str, origin: &Path| id > claim.id.as_str() && result(origin) == own;
        if !*is_shut && find::standing(work, disk)?.iter().any(|(id, origin)| is_newer(id, origin)) {
            return Ok(false);
        }
        claim.put_back(inbox, disk)
    }
}
