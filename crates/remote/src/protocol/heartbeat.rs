//! Heartbeats of workers.

use serde::{Deserialize, Serialize};

const NAME_BYTES_MAX: usize = 64;

/// What a worker says about itself every two seconds, and to every client that asks. Unknown fields of other builds are ignored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// The worker's number, another one for each run.
    pub worker: u64,
    /// Its machine and process: `lab-3/812`.
    pub name: String,
    /// The version of the program.
    pub version: String,
    /// The build of the program.
    pub build: String,
    /// The version of the protocol.
    pub wire: u32,
    /// Puzzles that it can solve at a time.
    pub threads: u32,
    /// Puzzles that it is solving.
    pub busy: u32,
    /// Puzzles solved since it started.
    pub solved: u64,
    /// Bytes that a puzzle may use.
    pub memory_bytes: u64,
    /// It takes no batches now.
    pub is_resting: bool,
    /// It is ending.
    pub is_leaving: bool,
}

impl Heartbeat {
    /// Parses a heartbeat; returns `None` if it is malformed.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut read: Self = serde_json::from_slice(bytes).ok()?;
        for text in [&mut read.name, &mut read.version, &mut read.build] {
            *text = tabuleiro_puzzles::input::printable(text.as_bytes(), NAME_BYTES_MAX);
        }
        Some(read)
    }

    /// Writes the heartbeat as it is sent.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        // Numbers and texts can always be written.
        serde_json::to_vec(self).unwrap_or_default()
    }
}
