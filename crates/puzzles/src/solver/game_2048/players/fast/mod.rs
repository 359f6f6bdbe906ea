//! The player on the 4 × 4 board: expectimax over the values of a trained network, on boards of 64 bits
//! ([`crate::board::packed`]), with a memory of what was found. The network knows tiles up to 8192; boards with larger
//! ones are thought about as boards with smaller ones.

// The weights in few bytes.
mod coded;
// Boards with tiles that are too large for the network.
mod downgrade;
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
