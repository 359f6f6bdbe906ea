//! What the dispatcher and workers say to each other: subjects, batches, reports, heartbeats.
//!
//! What comes over the wire is checked like any input. Batches and reports are postcard, since they only ever meet the same
//! build; the puzzles in them are text as files hold it, and outcomes are JSON. Heartbeats are JSON, since other builds read them too.

mod batch_messages;
mod heartbeat;
mod subject;

pub use batch_messages::{
    AT_WORK_BATCHES_MAX, Answer, AtWork, Batch, Died, Part, PuzzleText, Reply, Report, Unwanted, decode,
    encode,
};
pub use heartbeat::Heartbeat;
pub use subject::{Build, Subjects, WIRE, random};
