//! The searches for the fewest slides, and what they are made of.

// Many positions at once, by all threads that are idle.
mod batch;
// A quick solution that need not be the shortest.
mod beam;
// Plain breadth-first search over the positions of the board, symmetric ones taken as one.
pub(super) mod breadth_first;
// The published algorithm.
pub(super) mod depth_first;
// One pass.
mod pass;
// The slides of a solution.
mod path;
// Positions one behind the other, each as its key, in the order of their arrival.
mod records;
// The fewest slides.
pub(super) mod shortest;
// The positions of one pass, each stored once.
mod store;
