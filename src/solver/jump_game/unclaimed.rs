//! The squares that no player has reached yet, and the question which of them one jump reaches.
//!
//! A search from all players at once claims every square once. What decides its speed is this structure:
//! it must give the unclaimed squares in reach without looking at those that are claimed already.

use super::claims::{Claims, Jump};
use crate::board::jump::Board;
use crate::solver::{Pace, Stop};

/// A set of squares from which those in reach of a jump are taken, for one of the movements.
pub(super) trait Unclaimed: Sized {
    /// The empty set for a board; its memory is charged.
    ///
    /// # Errors
    /// The limit that was hit.
    fn new(board: &Board, pace: &mut Pace<'_>) -> Result<Self, Stop>;

    /// Makes the set hold all squares.
    ///
    /// # Errors
    /// The limit that was hit; the set is of no use then.
    fn fill(&mut self, board: &Board, pace: &mut Pace<'_>) -> Result<(), Stop>;

    /// Makes the set hold exactly the squares that are to be kept.
    ///
    /// # Errors
    /// The limit that was hit; the set is of no use then.
    fn fill_with(
        &mut self,
        board: &Board,
        pace: &mut Pace<'_>,
        keep: impl Fn(u32) -> bool,
    ) -> Result<(), Stop>;

    /// Takes a square out; false when it was not there.
    fn remove(&mut self, board: &Board, square: u32) -> bool;

    /// The length of the longest jump that fits the board.
    fn longest(board: &Board) -> u32;

    /// Whether longer jumps end anywhere; then it is on all squares that their parity allows.
    fn longer_jumps_end() -> bool;

    /// Takes out the squares that a jump reaches, and claims them.
    ///
    /// # Errors
    /// The limit that was hit; the set is of no use then.
    fn take_in_reach(
        &mut self,
        board: &Board,
        jump: Jump,
        claims: &mut Claims,
        pace: &mut Pace<'_>,
    ) -> Result<(), Stop>;
}

/// For straight jumps: a bit for every square, since a jump has four ends at most.
#[derive(Debug)]
pub(super) struct Flags(Vec<u64>);

impl Flags {
    fn has(&self, square: u32) -> bool {
        self.0[square as usize / 64] >> (square % 64) & 1 == 1
    }

    fn clear(&mut self, square: u32) {
        self.0[square as usize / 64] &= !(1 << (square % 64));
    }
}

impl Unclaimed for Flags {
    fn new(board: &Board, pace: &mut Pace<'_>) -> Result<Self, Stop> {
        let words = board.squares().div_ceil(64);
        pace.budget().charge(8 * words as u64)?;
        Ok(Self(vec![0; words]))
    }

    fn fill(&mut self, _board: &Board, _pace: &mut Pace<'_>) -> Result<(), Stop> {
        // Bits behind the last square are never asked for.
        self.0.fill(u64::MAX);
        Ok(())
    }

    fn fill_with(
        &mut self,
        board: &Board,
        pace: &mut Pace<'_>,
        keep: impl Fn(u32) -> bool,
    ) -> Result<(), Stop> {
        self.0.fill(0);
        for square in 0..board.squares() as u32 {
            pace.count(1)?;
            self.0[square as usize / 64] |= u64::from(keep(square)) << (square % 64);
        }
        Ok(())
    }

    fn remove(&mut self, _board: &Board, square: u32) -> bool {
        let there = self.has(square);
        self.clear(square);
        there
    }

    fn longest(board: &Board) -> u32 {
        board.rows().max(board.columns()) - 1
    }

    fn longer_jumps_end() -> bool {
        false
    }

    fn take_in_reach(
        &mut self,
        board: &Board,
        jump: Jump,
        claims: &mut Claims,
        pace: &mut Pace<'_>,
    ) -> Result<(), Stop> {
        pace.count(1)?;
        for to in board.straight_jumps(jump.square, jump.length) {
            if self.has(to) {
                self.clear(to);
                claims.push(to, jump.claim);
            }
        }
        Ok(())
    }
}
