//! What the dispatcher to workers on other machines reports: plain values for the status, the metrics and the page.

use serde::{Deserialize, Serialize};

/// The dispatcher's connection, its workers, and what it sent since the start.
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

/// A worker as the status tells of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerFact {
    /// Its machine and process.
    pub name: String,
    /// The version of its program.
    pub version: String,
    /// The build of its program.
    pub build: String,
    /// Whether it is the same program as this one, so that it gets puzzles.
    pub is_same_build: bool,
    /// Puzzles that it solves at a time.
    pub threads: u32,
    /// Those that it is solving.
    pub busy: u32,
    /// Puzzles that it has solved since it began.
    pub solved: u64,
    /// It takes nothing for a while, or no more.
    pub is_resting: bool,
    /// Seconds since it was heard.
    pub heard_s: u64,
}
