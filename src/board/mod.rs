//! Boards: what a square holds and what a move does. No search, no input or output.

pub mod checkers;
pub mod four;
pub mod jump;
pub mod packed;
pub mod sliding;
pub mod swipe;
