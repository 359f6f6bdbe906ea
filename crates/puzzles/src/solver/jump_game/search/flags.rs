//! The unclaimed squares as flags, of which every one in reach of a jump is looked at.
//!
//! That is all that straight jumps need, which have four ends at most. For walks it is what the published search
//! does: it tries every square in reach of every visited square, O(N²·M²) in all.

use super::claims::{Claims, Jump};
use super::unclaimed::Unclaimed;
use crate::board::jump::Board;
use crate::solver::jump_game::options::Movement;
use crate::solver::{ChargedVec, Pace, Stop};

/// A bit for every square.
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
        // Bits behind the last square are never asked for.
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
