//! The squares that no player has reached yet, with the query for those that a jump reaches; and the squares that were
//! claimed.
//!
//! A search from all players at once claims every square once. Its speed depends on [`Unclaimed`], which must find the
//! unclaimed squares in reach without examining those that are already claimed.

use super::super::jump_options::Movement;
use crate::board::jump::Board;
use crate::solver::{Budget, ChargedVec, Pace, Stop};

/// A set of squares from which the squares in reach of a jump are taken.
pub(super) trait Unclaimed<'b>: Sized {
    /// Creates an empty set for a board and a movement.
    fn new(board: &Board, movement: Movement, pace: &mut Pace<'b>) -> Result<Self, Stop>;

    /// Adds all squares to the set.
    ///
    /// # Errors
    /// Returns the limit that was hit; the set is then unusable.
    fn fill(&mut self, pace: &mut Pace<'_>) -> Result<(), Stop>;

    /// Removes a square; returns false if it was not in the set.
    fn remove(&mut self, board: &Board, square: u32) -> bool;

    /// Removes the squares that a jump reaches, and claims them.
    ///
    /// # Errors
    /// Returns the limit that was hit; the set is then unusable.
    fn take_in_reach(
        &mut self,
        board: &Board,
        jump: Jump,
        claims: &mut Claims<'_>,
        pace: &mut Pace<'_>,
    ) -> Result<(), Stop>;
}

/// One bit per square; a jump checks every square in its reach.
///
/// Straight jumps need no more, since they have at most four ends. For walks this is the published search: it tries
/// every square in reach of every visited square, O(N²·M²) in all.
#[derive(Debug)]
pub(super) struct Flags<'b> {
    movement: Movement,
    words: ChargedVec<'b, u64>,
}

impl<'b> Unclaimed<'b> for Flags<'b> {
    fn new(board: &Board, movement: Movement, pace: &mut Pace<'b>) -> Result<Self, Stop> {
        let count = board.squares().div_ceil(64);
        let mut words = ChargedVec::with_capacity(count, pace.budget())?;
        words.resize(count, 0)?;
        Ok(Self { movement, words })
    }

    fn fill(&mut self, _pace: &mut Pace<'_>) -> Result<(), Stop> {
        // Bits after the last square are never read.
        self.words.fill(u64::MAX);
        Ok(())
    }

    fn remove(&mut self, _board: &Board, square: u32) -> bool {
        let word = &mut self.words[square as usize / 64];
        let there = *word >> (square % 64) & 1 == 1;
        *word &= !(1 << (square % 64));
        there
    }

    fn take_in_reach(
        &mut self,
        board: &Board,
        jump: Jump,
        claims: &mut Claims<'_>,
        pace: &mut Pace<'_>,
    ) -> Result<(), Stop> {
        let movement = self.movement;
        let mut claim = |to| {
            pace.count(1)?;
            if self.remove(board, to) { claims.push(to, jump.claim) } else { Ok(()) }
        };
        match movement {
            Movement::Straight => board.straight_jumps(jump.square, jump.length).try_for_each(&mut claim),
            Movement::Walk => board.walks(jump.square, jump.length).try_for_each(&mut claim),
        }
    }
}

/// A jump that is still to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Jump {
    pub(super) square: u32,
    /// At least 1. If it is longer than the longest that matters, it is cut down to the same parity.
    pub(super) length: u32,
    /// The claim of the square.
    pub(super) claim: u32,
}

/// All claims so far. They are numbered from 0.
#[derive(Debug)]
pub(super) struct Claims<'b> {
    pub(super) squares: ChargedVec<'b, u32>,
    /// The claim from whose square each one was reached; a claim of a start is its own parent.
    parents: ChargedVec<'b, u32>,
}

impl<'b> Claims<'b> {
    /// Creates an empty list with room for `squares` claims.
    pub(super) fn new(squares: usize, budget: &'b Budget) -> Result<Self, Stop> {
        let squares_of = || ChargedVec::with_capacity(squares, budget);
        Ok(Self { squares: squares_of()?, parents: squares_of()? })
    }

    /// Claims a square by a jump from the square of the claim `parent`; a start is its own parent.
    pub(super) fn push(&mut self, square: u32, parent: u32) -> Result<(), Stop> {
        self.squares.push(square)?;
        self.parents.push(parent)
    }

    /// Drops all claims from number `len` on.
    pub(super) fn truncate(&mut self, len: usize) {
        self.squares.truncate(len);
        self.parents.truncate(len);
    }

    /// Returns the parent of a claim, or `None` if a player starts there.
    pub(super) fn parent(&self, claim: usize) -> Option<usize> {
        Some(self.parents[claim] as usize).filter(|&parent| parent != claim)
    }
}
