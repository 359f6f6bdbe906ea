//! The automatic players.

// Expectimax on boards of any size.
mod expectimax;
// Expectimax on the 4 × 4 board.
mod fast;
// The player that the options ask for.
pub mod player;
// How good a board is, for expectimax on boards of any size.
mod value;

pub use fast::SHARED_BYTES;
