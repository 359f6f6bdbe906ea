//! The two published programs, to compare with.

// Algorithm I: every path.
pub mod backtracking;
// Algorithm II: a copy of the board for every capture.
pub mod tree;
