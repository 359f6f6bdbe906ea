//! The board of the deterministic 2048: after every swipe a 2 appears in the right column.
//!
//! A swipe slides and merges as in [`SlidingBoard`](super::sliding::SlidingBoard), with rank r standing for the value
//! 2^r. Then a 2 appears in the uppermost blank square of the right column. A swipe that changes nothing is invalid,
//! and so is one that leaves no blank in the right column.

// The board that the assignment asks for.
mod board;
// Values of ranks, and what a swipe does.
mod rules;
// The two scores of the assignment.
mod scores;
// The board as text.
mod text;

pub use board::{Board, BoardError, OutsideBoard};
pub use rules::{RANK_MAX, Values, rank_of, refill, swiped, value_of};
pub use scores::{distance_weighted, left_weighted};

#[cfg(test)]
mod tests;
