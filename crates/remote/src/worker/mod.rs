//! The worker's side: each free thread pulls a batch, solves it, and reports the answers to its dispatcher.

mod delivery;
mod in_flight_file;
#[doc(hidden)]
mod solving;
mod worker_run;
mod worker_state;

pub use in_flight_file::state_folder;
pub use solving::{Extent, Solved, Work};
pub use worker_run::run;
pub use worker_state::Setting;
