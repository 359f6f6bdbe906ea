//! The service: takes files from the inbox, has them answered, publishes the results.
//!
//! One loop owns the state and handles one closed list of events; it never touches a file and never waits for
//! anything but the next event. Four kinds of threads work for it: the intake (finds and claims files), the
//! workers (one file each: route, read, make the result), the pool (solves puzzles), the publisher (makes
//! results durable and visible). Each takes owned input and sends back one message.
//!
//! ARCHITECTURE.md says in which layers the rooms stand.

// The way of one claimed file to its outcome.
pub(crate) mod answering;
// What every room uses: the clock, job IDs, paths in JSON, tallies.
pub(crate) mod base;
// Claims: files taken out of the inbox, the names that they have meanwhile, what a crash left of them.
pub(crate) mod claims;
// The file system: every operation that must survive a crash, the service's folders, what only Linux has.
pub(crate) mod fs;
// What somebody may ask of the service: status, why, retry, metrics.
pub(crate) mod inspect;
// Finds, judges and claims the files of the inbox.
pub(crate) mod intake;
// Makes results durable, then visible.
pub(crate) mod publishing;
// What is remembered of a job: its log lines, the history, the archive of inputs.
pub(crate) mod records;
// The loop that owns the state, and the threads that work for it.
pub(crate) mod service;

#[cfg(test)]
mod crash_matrix;

pub use base::job_tally::Counts;
pub use base::json_path::JsonPath;
pub use fs::os::{Writers, memory_bytes, writers};
pub use fs::service_folders::{FolderError, Folders, WorkLock};
pub use inspect::snapshot::Snapshot;
pub use service::{Control, ServeError, Settings, run};
