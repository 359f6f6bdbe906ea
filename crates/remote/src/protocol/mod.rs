//! What intakes and workers say to each other: subjects, parcels and their results, heartbeats.
//!
//! What comes over the wire is checked like any input. Parcels and reports are postcard, since they only ever meet the same
//! build; the puzzles in them are text as files hold it, and outcomes are JSON. Heartbeats and what `tabuleiro workers` asks are JSON, since other builds read them too.

// Who is there.
mod heartbeat;
// A run of puzzles, and what became of them.
mod parcel;
// Names of subjects, and of the build.
mod subject;

pub use heartbeat::Heartbeat;
pub use parcel::{
    AT_WORK_PARCELS_MAX, Answer, AtWork, Died, Parcel, Part, PuzzleText, Reply, Report, Unwanted, decode,
    encode,
};
pub use subject::{Build, Subjects, WIRE, random};
