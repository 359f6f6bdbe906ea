//! The longest capture on a small board, by bits: sizes up to the published limits and somewhat beyond.

mod bounded;
mod half_grid;
mod jumps;
mod solve;

pub use solve::solve;
