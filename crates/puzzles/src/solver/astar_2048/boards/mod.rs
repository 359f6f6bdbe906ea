//! The boards that a search walks through, as it sees them.

// The lower bound on the number of swipes.
pub(super) mod bound;
// Boards of at most 4 × 4 squares in 64 bits.
pub(super) mod packed;
// The snake along which beams want the tiles.
mod snake;
// What a search asks of its boards.
pub(super) mod space;
// Boards of any size.
pub(super) mod wide;
