//! The service: takes files from the inbox, answers them, and publishes the results.
//!
//! One loop owns the state and handles one closed list of events; it never touches a file and never waits for anything
//! but the next event. Four kinds of threads work for it: the intake (finds and claims files), the workers (one file
//! each: route, read, make the result), the pool (solves puzzles), the publisher (makes results durable and visible).
//! Each takes owned input and sends back one message.
//!
//! ARCHITECTURE.md describes the layers of the modules.

// Takes one claimed file to its outcome.
pub(crate) mod answering;
// Used by all other modules: the clock, job IDs, paths in JSON, tallies.
pub(crate) mod base;
// Claims: files taken out of the inbox, their names while claimed, and their recovery after a crash.
pub(crate) mod claims;
// The file system: operations that must survive a crash, the service's folders, system calls that only Linux has.
pub(crate) mod fs;
// Answers questions about the service: status, why, retry, metrics, page.
pub(crate) mod inspect;
// Finds, judges and claims the files of the inbox.
pub(crate) mod intake;
// Makes results durable, then visible.
pub(crate) mod publishing;
// Records of jobs: log lines, the history, the archive of inputs.
pub(crate) mod records;
// The loop that owns the state, and the threads that work for it.
pub(crate) mod service;

#[cfg(test)]
mod crash_matrix;

pub use base::job_tally::OutcomeCounts;
pub use base::json_path::JsonPath;
#[cfg(all(feature = "workers", target_env = "gnu", target_feature = "crt-static"))]
pub use fs::os::look_up_hosts_without_modules;
pub use fs::os::{Writers, memory_bytes, writers};
pub use fs::service_folders::{FolderError, Folders, WorkLock};
pub use inspect::snapshot::Snapshot;
pub use service::{Control, ServeError, Settings, run};
