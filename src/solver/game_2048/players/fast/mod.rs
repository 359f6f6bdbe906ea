//! The player on the 4 × 4 board: expectimax over the values of a trained network, on boards of 64 bits
//! ([`crate::board::packed`]; when a second 32768 arises in what it looks ahead to, the two lie side by side unmerged:
//! no game is played there), with a memory of what was found.

// The weights in few bytes.
mod coded;
// What was found already.
mod memo;
// The trained network.
mod network;
// How far to look ahead, and at which new pieces.
mod reach;
// Expectimax with the memory.
mod search;
// What thinks about the moves of one game.
pub mod thinker;

pub use network::SHARED_BYTES;
