//! The loop that owns the service's state.

// Who may ask, and what is answered.
mod asked;
// Stop and reload.
mod control;
// The dispatcher to workers on other machines.
mod dispatcher;
// What becomes of a job in hand.
mod jobs;
// The thread that removes old files.
mod retention;
// The loop, from the start to the end.
mod main_loop;
// How the service is now, and what is known of a file.
mod views;
// What the loop owns, what can happen to it, what it is started with.
mod loop_state;
// What systemd is told.
mod systemd;
// The threads that work for the loop.
mod job_threads;

pub use loop_state::{Control, ServeError, Settings};
pub use main_loop::run;
