//! The searches for the fewest slides, and what they are made of.

mod beam;
pub(super) mod breadth_first;
pub(super) mod depth_first;
mod pass;
mod path;
mod records;
pub(super) mod shortest;
mod store;
