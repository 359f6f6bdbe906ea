//! Who is there: what a worker tells of itself.

use serde::{Deserialize, Serialize};

/// The longest name of a machine that is shown.
const NAME_BYTES_MAX: usize = 64;

/// What a worker tells of itself, again and again and to whoever asks. Unknown fields of other builds are passed over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// The worker: a number of its own for each run.
    pub worker: u64,
    /// Its machine and process: `lab-3/812`.
    pub name: String,
    /// The version of the program.
    pub version: String,
    /// The build of the program.
    pub build: String,
    /// The version of the wire form.
    pub wire: u32,
    /// Puzzles that it solves at a time.
    pub threads: u32,
    /// Those that it is solving.
    pub busy: u32,
    /// Puzzles that it has solved since it began.
    pub solved: u64,
    /// Bytes that a puzzle may use there.
    pub memory_bytes: u64,
    /// It takes nothing for a while, or no more.
    pub is_resting: bool,
    /// It ends.
    pub is_leaving: bool,
}

impl Heartbeat {
    /// Reads one; `None` where it is none.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut read: Self = serde_json::from_slice(bytes).ok()?;
        for text in [&mut read.name, &mut read.version, &mut read.build] {
            *text = tabuleiro_puzzles::input::printable(text.as_bytes(), NAME_BYTES_MAX);
        }
        Some(read)
    }

    /// As it is sent.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        // Numbers and texts can always be written.
        serde_json::to_vec(self).unwrap_or_default()
    }
}
