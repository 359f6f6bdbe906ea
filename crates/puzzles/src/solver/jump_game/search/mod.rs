//! The search for the winner: every square claimed once.
//!
//! [`layers::search`] finds the winner and says why that is exact. It takes what a jump reaches from the
//! squares that are [`unclaimed`]: for walks, in near-linear time, from the [`diagonals`] of the board in [`tiles`] of
//! 8 × 8; for straight jumps and the published search from [`flags`].

// The squares that were claimed, in the order of their claims, and the jumps from them.
mod claims;
// The unclaimed squares of a walk.
mod diagonals;
// The unclaimed squares as flags, of which every one in reach of a jump is looked at.
mod flags;
// The winner by one search from all players at once, in which every square is claimed once.
mod layers;
// A stable sort that can be interrupted.
mod order;
// A set of points in a grid from which rectangles are taken, for sets that only shrink.
mod tiles;
// The squares that no player has reached yet, and the question which of them one jump reaches.
mod unclaimed;

pub(super) use layers::search;
