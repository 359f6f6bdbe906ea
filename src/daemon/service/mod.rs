//! The loop that owns the service's state.

// Answers clients, and takes snapshots of the service.
mod query_servers;
// The dispatcher to workers on other machines.
mod dispatcher;
// Takes jobs from their claim to their end; stops and reloads the service.
mod jobs;
// The loop: its start, its events and its end.
mod main_loop;
// The loop's state, its events and its settings.
mod loop_state;
// Reports to systemd.
pub mod systemd;
// The threads that work for the loop.
mod job_threads;

pub use loop_state::{Control, ServeError, Settings};
pub use main_loop::run;
