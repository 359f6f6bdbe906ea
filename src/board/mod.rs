//! Boards: what a square holds and what a move does. No search, no input or output.

pub mod checkers;
pub mod sliding;
