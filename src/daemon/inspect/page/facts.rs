//! What the loop knows of the service that everybody may know.

use std::sync::Arc;

use crate::config::{Config, Readers};
use crate::daemon::answering::progress::JobProgress;
use crate::daemon::inspect::snapshot::Snapshot;

/// The service at one moment, without the jobs that ended. Names are in it where everybody may know them alone.
#[derive(Debug, Clone)]
pub struct Facts {
    /// Counts and the like.
    pub snapshot: Snapshot,
    /// The configuration in force.
    pub config: Arc<Config>,
    /// Some of the files in hand, those first that are being answered.
    pub in_hand: Vec<InHand>,
    /// Some of what was not taken.
    pub not_taken: Vec<NotTaken>,
}

/// A file in hand.
#[derive(Debug, Clone)]
pub struct InHand {
    /// Its printable path below the inbox.
    pub file: String,
    /// How far it is; `None` where nobody works on it.
    pub progress: Option<JobProgress>,
}

/// What was not taken.
#[derive(Debug, Clone)]
pub enum NotTaken {
    /// Permissions keep this from being taken: a printable path below the inbox.
    Denied(String),
    /// A folder on another mount, likewise.
    OtherMount(String),
}

impl Facts {
    /// Whether names of files and what became of them are told at all.
    #[must_use]
    pub fn has_names(&self) -> bool {
        self.config.results.readers == Readers::Group
    }
}
