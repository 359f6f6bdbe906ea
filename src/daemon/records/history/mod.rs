//! The history: a line of JSON for every job that ended, in a file a day, `var/history/2026-11-21.jsonl`, by the day in UTC.
//!
//! It is written for people and their programs, not for the service: the files in `done` and `failed` are the truth, and
//! nothing that must survive a crash depends on it. Lines are appended in one write a group, after the group was
//! published, and are not synced. So a crash may cost the lines of a group or tear the last one, which readers pass over.

// The file of each day.
mod days;
// Searching it.
mod read;
// What a line says.
mod record;
// Appending to it.
mod write;

pub use read::{Found, Query, find};
pub use record::{Outcome, Record};
pub use write::History;

#[cfg(test)]
mod tests;
