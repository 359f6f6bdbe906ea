//! The squares that no player has reached yet, and the question which of them one jump reaches.
//!
//! A search from all players at once claims every square once. What decides its speed is this structure:
//! it must give the unclaimed squares in reach without looking at those that are claimed already.

use super::claims::{Claims, Jump};
use crate::board::jump::Board;
use crate::solver::jump_game::options::Movement;
use crate::solver::{Pace, Stop};

/// A set of squares from which those in reach of a jump are taken.
pub(super) trait Unclaimed<'b>: Sized {
    /// A set for a board and a movement, which is empty.
    ///
    /// # Errors
    /// The limit that was hit.
    fn new(board: &Board, movement: Movement, pace: &mut Pace<'b>) -> Result<Self, Stop>;

    /// Makes the set hold all squares.
    ///
    /// # Errors
    /// The limit that was hit; the set is of no use then.
    fn fill(&mut self, pace: &mut Pace<'_>) -> Result<(), Stop>;

    /// Takes a square out; false when it was not there.
    fn remove(&mut self, board: &Board, square: u32) -> bool;

    /// Takes out the squares that a jump reaches, and claims them.
    ///
    /// # Errors
    /// The limit that was hit; the set is of no use then.
    fn take_in_reach(
        &mut self,
        board: &Board,
        jump: Jump,
        claims: &mut Claims<'_>,
        pace: &mut Pace<'_>,
    ) -> Result<(), Stop>;
}
