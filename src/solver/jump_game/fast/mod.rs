//! The fast search: every square claimed once, in near-linear time.
//!
//! [`search`](search::search) finds the winner and says why that is exact. It takes what a jump reaches from the squares
//! that are [`unclaimed`]: for straight jumps a bit a square, for walks the [`diagonals`] of the board in
//! [`tiles`] of 8 × 8.

// The squares that were claimed, in the order of their claims, and the jumps from them.
mod claims;
// The unclaimed squares of a walk.
mod diagonals;
// The winner by one search from all players at once, in which every square is claimed once.
mod search;
// A tile of 8 × 8 points in a word.
mod tile;
// A set of points in a grid from which rectangles are taken, for sets that only shrink.
mod tiles;
// The squares that no player has reached yet, and the question which of them one jump reaches.
mod unclaimed;

pub(super) use search::search;
