//! What a search asks of its boards.
//!
//! It never sees a won board: a swipe that wins says so, hence every tile of a board in the search is below the
//! goal.

use std::borrow::Cow;

use crate::board::sliding::{Direction, SlidingBoard};

/// What a swipe does.
pub enum Swipe<B> {
    /// It changes nothing, or leaves no blank in the right column.
    Invalid,
    /// It makes a tile of the goal.
    Won,
    /// The board after it.
    Board(B),
}

/// Boards of one size without a tile of the goal.
pub trait Space {
    /// A board. Entries of a queue must be ordered, but no two are alike before it comes to their boards.
    type Board: Clone + Ord;
    /// How good a board looks, the greater the better.
    type Score: Ord + Copy;

    /// Rank of the goal: the goal is 2^`goal_rank`.
    fn goal_rank(&self) -> u8;
    /// The board after a swipe.
    fn swipe(&self, board: &Self::Board, direction: Direction) -> Swipe<Self::Board>;
    /// A well-mixed hash.
    fn hash(&self, board: &Self::Board) -> u64;
    /// How promising a board is, compared with others of the same sum.
    fn beam_score(&self, board: &Self::Board) -> Self::Score;
    /// The board in the form of any size.
    fn to_sliding<'a>(&self, board: &'a Self::Board) -> Cow<'a, SlidingBoard>;
    /// Bytes of memory that one board takes outside of its value.
    fn bytes_elsewhere(&self) -> u64;
    /// Steps of work that a swipe costs.
    fn steps(&self) -> usize;
}

/// The finalizer of `SplitMix64` (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
pub(super) fn mix(bits: u64) -> u64 {
    let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}
