//! The worker's side: parcels are pulled one a free thread, solved, and reported to their intakes.

// What is asked of an intake.
mod asking;
// What is said of the parcels in hand.
mod at_work;
// One parcel, from the pull to the acknowledgement.
mod delivery;
// What this process has in hand, for its next start.
mod hands;
// The memory that puzzles share.
mod memory;
// A connection at work, and the tasks that use it.
mod run;
// Threads that solve.
mod solving;
// A parcel that is solved here and now.
pub mod trial;
// What all tasks share.
mod state;

pub use hands::state_folder;
pub use run::{WorkError, run};
pub use state::Setting;
