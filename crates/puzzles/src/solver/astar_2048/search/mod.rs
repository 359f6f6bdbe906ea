//! The searches for swipes that reach the goal.

pub(super) mod best_first;
pub(super) mod fewest_moves;
mod layers;
mod trail;
