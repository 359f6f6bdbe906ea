//! The squares that no player has reached yet, and the question which of them one jump reaches.
//!
//! A search from all players at once claims every square once. What decides its speed is this structure:
//! it must give the unclaimed squares in reach without looking at those that are claimed already.

use super::bits::Bits;
use super::pace::Pace;
use crate::board::jump::Board;
use crate::solver::Stop;

/// A set of squares from which those in reach of a jump are taken, for one of the movements.
pub(super) trait Unclaimed: Sized {
    /// The empty set for a board; its memory is charged.
    ///
    /// # Errors
    /// The limit that was hit.
    fn new(board: &Board, pace: &mut Pace<'_>) -> Result<Self, Stop>;

    /// Makes the set hold exactly the squares that are to be kept.
    ///
    /// # Errors
    /// The limit that was hit; the set is of no use then.
    fn fill(&mut self, board: &Board, pace: &mut Pace<'_>, keep: impl Fn(u32) -> bool) -> Result<(), Stop>;

    /// Takes a square out; false when it was not there.
    fn remove(&mut self, board: &Board, square: u32) -> bool;

    /// Takes out, one by one, the squares that one jump from `from` reaches, until there are no more or
    /// `each` does not want to go on.
    ///
    /// # Errors
    /// Those of `each`.
    fn take_in_reach<E>(
        &mut self,
        board: &Board,
        from: u32,
        each: impl FnMut(u32) -> Result<(), E>,
    ) -> Result<(), E>;
}

/// For straight jumps: a bit for every square, since a jump has four ends at most.
#[derive(Debug)]
pub(super) struct Flags(Bits);

impl Unclaimed for Flags {
    fn new(board: &Board, pace: &mut Pace<'_>) -> Result<Self, Stop> {
        pace.budget().charge(Bits::bytes(board.squares() as u64))?;
        Ok(Self(Bits::new(board.squares())))
    }

    fn fill(&mut self, board: &Board, pace: &mut Pace<'_>, keep: impl Fn(u32) -> bool) -> Result<(), Stop> {
        self.0.clear();
        for square in 0..board.squares() as u32 {
            pace.count(1)?;
            if keep(square) {
                self.0.insert(square as usize);
            }
        }
        Ok(())
    }

    fn remove(&mut self, _board: &Board, square: u32) -> bool {
        let there = self.0.contains(square as usize);
        self.0.remove(square as usize);
        there
    }

    fn take_in_reach<E>(
        &mut self,
        board: &Board,
        from: u32,
        mut each: impl FnMut(u32) -> Result<(), E>,
    ) -> Result<(), E> {
        for to in board.straight_jumps(from) {
            if self.remove(board, to) {
                each(to)?;
            }
        }
        Ok(())
    }
}
