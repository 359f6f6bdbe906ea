//! The intake's side: puzzles that wait are drawn from the lists of the pool and sent, and what comes back is put into its place.

// The workers that are there.
mod crew;
// The parcels that are under way.
mod ledger;
#[cfg(test)]
mod ledger_tests;
// Draws puzzles and makes parcels of them.
mod packing;
// A parcel that is under way.
mod sent;
// What is said to the broker while it is there.
mod session;
// What outlives a connection.
mod state;
// The thread that does all this.
mod thread;
// A ledger that takes reports here and now.
pub mod trial;

pub use thread::{Remote, Setting};
