//! The longest capture on a small board, by bits: sizes up to the published limits and somewhat beyond.

// The longest trail on a [`HalfGrid`] by branch and bound.
mod bounded;
// A half grid on which pieces move, by bits.
mod half_grid;
// The jumps that are left to one piece of a half grid, and what their parities tell.
mod jumps;
// Which search a small board gets.
mod solve;

pub use solve::solve;
