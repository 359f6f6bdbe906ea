//! The searches for swipes that reach the goal.

// The published algorithms.
pub(super) mod best_first;
// All boards at one depth after the other, or the best of them.
mod layers;
// The fewest moves.
pub(super) mod fewest_moves;
// The swipes that led to a board.
mod trail;
