//! The loop that owns the service's state.

// What is asked of the service from outside.
mod asked;
// Stop, reload, and when old files are removed.
mod control;
// What becomes of a job in hand.
mod jobs;
// Times of jobs and the textfile, for the metrics.
mod measuring;
// The runs that remove old files.
mod retention;
// The loop, from the start to the end.
mod run;
// What the service is started with.
mod settings;
// How the service is now.
mod snapshot;
// What the loop owns and what can happen.
mod state;
// What systemd is told.
mod systemd;
// The threads that work for the loop.
mod threads;

pub use run::run;
pub use settings::{Control, ServeError, Settings};
