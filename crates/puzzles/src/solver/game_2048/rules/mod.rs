//! The game itself.

// A game in progress.
pub mod game;
// What a move makes of a board.
pub mod moved;
// New pieces.
pub mod pieces;
