//! What intakes and workers say to each other: subjects, parcels and their results, heartbeats.
//!
//! What comes over the wire is checked like any input. Parcels and results are postcard, since they only ever meet the same
//! build; heartbeats and what `tabuleiro workers` asks are JSON, since other builds read them too.

// Who is there.
mod heartbeat;
// A run of puzzles, and what became of them.
mod parcel;
// Names of subjects, and of the build.
mod subject;

pub use heartbeat::Heartbeat;
pub use parcel::{
    AT_WORK_PARCELS_MAX, Answer, AtWork, Died, Parcel, Part, Reply, Report, Unwanted, decode, encode,
};
pub use subject::{Build, Subjects, WIRE, random};
