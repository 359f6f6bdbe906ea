//! The loop that owns the service's state.

// Who may ask, and what is answered.
mod asked;
// Stop and reload.
mod control;
// The dispatcher to workers on other machines.
mod dispatcher;
// What can happen.
mod events;
// What becomes of a job in hand.
mod jobs;
// The thread that removes old files.
mod retention;
// The loop, from the start to the end.
mod run;
// What the service is started with.
mod settings;
// How the service is now, and what is known of a file.
mod snapshot;
// What the loop owns.
mod state;
// What systemd is told.
mod systemd;
// The threads that work for the loop.
mod threads;

pub use run::run;
pub use settings::{Control, ServeError, Settings};
