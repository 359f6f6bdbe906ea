//! How the intake's side is, for whoever asks.

use serde::{Deserialize, Serialize};

use super::crew::WorkerFact;

/// How the intake's side is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteFacts {
    /// The broker's address, without what is secret in it.
    pub broker: String,
    /// Whether it is connected.
    pub is_connected: bool,
    /// Why it is not, where that is known.
    pub trouble: Option<String>,
    /// The program that workers must be to get puzzles.
    pub build: String,
    /// Those that are there.
    pub workers: Vec<WorkerFact>,
    /// Parcels that no worker has begun.
    pub waiting: u64,
    /// Parcels that one has.
    pub in_flight: u64,
    /// Parcels sent since the start.
    pub sent: u64,
    /// Parcels that were taken back, wholly or in part.
    pub returned: u64,
    /// Puzzles with which too many workers died.
    pub poisoned: u64,
    /// Puzzles that workers answered.
    pub solved: u64,
    /// Reports that could not be read.
    pub refused: u64,
}

impl RemoteFacts {
    /// The workers that may get puzzles.
    #[must_use]
    pub fn help(&self) -> usize {
        self.workers.iter().filter(|worker| worker.is_same_build).count()
    }
}
