//! The searches for the fewest slides, and what they are made of.

mod batch;
mod beam;
pub(super) mod comparison;
mod pass;
mod path;
pub(super) mod shortest;
mod store;
