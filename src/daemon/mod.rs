//! The service: takes files from the inbox, has them answered, publishes the results.
//!
//! One loop owns the state and handles one closed list of events; it never touches a file and never waits for
//! anything but the next event. Four kinds of threads work for it: the intake (finds and claims files), the
//! workers (one file each: route, read, make the result), the pool (solves puzzles), the publisher (makes
//! results durable and visible). Each takes owned input and sends back one message.

mod answer;
mod canary;
mod claim;
pub mod clock;
#[cfg(test)]
mod crash_matrix;
mod disk;
mod fair;
mod folders;
pub mod gaps;
pub mod history;
mod intake;
mod json_path;
pub mod kept;
mod memory;
mod metrics;
mod neighbour;
mod os;
mod progress;
mod publish;
mod ready;
mod recovery;
mod reload;
mod report;
mod retention;
pub mod retry;
mod service;
pub mod socket;
mod systemd;
mod threads;
mod watch;
pub mod why;

pub use claim::job_of;
pub use folders::{FolderError, Folders, WorkLock};
pub use json_path::JsonPath;
pub use os::{Platform, Writers};
pub use progress::JobProgress;
pub use recovery::RecoverError;
pub use service::{Control, Counts, ServeError, Settings, Snapshot, run, snapshot};
