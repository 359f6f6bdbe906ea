//! The longest capture on a small board, by bits: sizes up to the published limits and somewhat beyond.

// A half grid on which pieces move, by bits.
mod half_grid;
// The jumps that are left to one piece of a half grid, and the longest way over them.
mod jumps;
// The plain search, for boards on which little can be captured.
mod solve;

pub use solve::solve;
