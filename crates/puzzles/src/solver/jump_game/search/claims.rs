//! The squares that were claimed, in the order of their claims, and the jumps from them.

use crate::solver::{Budget, ChargedVec, Stop};

/// A jump that is to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Jump {
    pub(super) square: u32,
    /// At least 1; beyond the longest that matters it is cut down, its parity kept.
    pub(super) length: u32,
    /// The claim of its square.
    pub(super) claim: u32,
}

/// All claims so far. They are numbered from 0.
#[derive(Debug)]
pub(super) struct Claims<'b> {
    squares: ChargedVec<'b, u32>,
    /// The claim from whose square each was reached; itself where a player starts.
    parents: ChargedVec<'b, u32>,
}

impl<'b> Claims<'b> {
    /// No claim, and room for `squares`.
    ///
    /// # Errors
    /// The limit that was hit, here as below.
    pub(super) fn new(squares: usize, budget: &'b Budget) -> Result<Self, Stop> {
        let squares_of = || ChargedVec::with_capacity(squares, budget);
        Ok(Self { squares: squares_of()?, parents: squares_of()? })
    }

    pub(super) fn len(&self) -> usize {
        self.squares.len()
    }

    /// Claims a square where a player starts.
    pub(super) fn push_start(&mut self, square: u32) -> Result<(), Stop> {
        self.push(square, self.squares.len() as u32)
    }

    /// Claims a square by a jump from that of the claim `parent`.
    pub(super) fn push(&mut self, square: u32, parent: u32) -> Result<(), Stop> {
        self.squares.push(square)?;
        self.parents.push(parent)
    }

    /// Forgets all claims from number `len` on.
    pub(super) fn truncate(&mut self, len: usize) {
        self.squares.truncate(len);
        self.parents.truncate(len);
    }

    /// The squares of some claims.
    pub(super) fn squares(&self, claims: std::ops::Range<usize>) -> &[u32] {
        &self.squares[claims]
    }

    /// The square of a claim.
    pub(super) fn square(&self, claim: usize) -> u32 {
        self.squares[claim]
    }

    /// The claim before; `None` where a player starts.
    pub(super) fn parent(&self, claim: usize) -> Option<usize> {
        Some(self.parents[claim] as usize).filter(|&parent| parent != claim)
    }
}
