//! The fast search: every square claimed once, in near-linear time.
//!
//! [`search`](search::search) finds the winner and says why that is exact. It takes what a jump reaches from the squares
//! that are [`unclaimed`]: for straight jumps a bit a square, for walks the [`diagonals`] of the board in
//! [`tiles`] of 8 × 8.

mod claims;
mod diagonals;
mod search;
mod tile;
mod tiles;
mod unclaimed;

pub(super) use search::search;
