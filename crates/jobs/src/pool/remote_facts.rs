//! What the dispatcher reports about workers on other machines: plain values for the status, the metrics and the page.

use serde::{Deserialize, Serialize};

/// The dispatcher's connection, its workers, and its counts since the start.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteFacts {
    /// The broker's address, without its secrets.
    pub broker: String,
    /// Whether the dispatcher is connected.
    pub is_connected: bool,
    /// Why the dispatcher is not connected, if that is known.
    pub trouble: Option<String>,
    /// The build of this program. Only workers with the same build get puzzles.
    pub build: String,
    /// The workers that are connected.
    pub workers: Vec<WorkerFact>,
    /// Batches that no worker has begun.
    pub waiting: u64,
    /// Batches that a worker has begun.
    pub in_flight: u64,
    /// Counts since the start.
    #[serde(flatten)]
    pub counts: RemoteCounts,
}

/// Counts of the dispatcher since its start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteCounts {
    /// Batches that were sent.
    pub sent: u64,
    /// Batches that workers returned, wholly or in part.
    pub returned: u64,
    /// Puzzles that the dispatcher gave up because too many workers died with them.
    pub poisoned: u64,
    /// Puzzles that workers answered.
    pub solved: u64,
    /// Reports that were malformed, or about batches that were never sent.
    pub refused: u64,
}

impl RemoteFacts {
    /// Counts the workers with the same build; only they get puzzles.
    pub fn help(&self) -> usize {
        self.workers.iter().filter(|worker| worker.is_same_build).count()
    }
}

/// A connected worker, for the status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerFact {
    /// The worker's machine and process.
    pub name: String,
    /// The version of the worker's program.
    pub version: String,
    /// The build of the worker's program.
    pub build: String,
    /// Whether the worker's program is the same build as this one; only then does it get puzzles.
    pub is_same_build: bool,
    /// Puzzles that the worker can solve at once.
    pub threads: u32,
    /// Puzzles that the worker is solving now.
    pub busy: u32,
    /// Puzzles that the worker has solved since it started.
    pub solved: u64,
    /// Whether the worker takes no puzzles for a while, or is stopping.
    pub is_resting: bool,
    /// Seconds since the last message from the worker.
    pub heard_s: u64,
}
