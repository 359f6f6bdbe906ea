//! The whole game, piece by piece, so that it can be replayed.

use super::rules::game::Piece;
use crate::solver::{Budget, Charge, Stop};

/// Bytes of one step in the outcome for machines: a JSON string of a few letters and its place in a list.
const WITNESS_STEP_BYTES: u64 = 64;
/// Steps for which room is made at once, at first.
const STEPS_MIN: usize = 1024;

/// A piece that the game inserted, and what it came after.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// `+` for a piece of a new game, else the letter of the move before it.
    pub mark: char,
    /// The piece.
    pub piece: Piece,
}

/// The steps of a game so far.
pub struct Transcript<'b> {
    steps: Vec<Step>,
    charge: Charge<'b>,
    step_bytes: u64,
}

impl<'b> Transcript<'b> {
    /// The transcript of a game that began with `opening`; `for_machines` when it will be given as JSON as well.
    pub fn new(opening: &[Piece], for_machines: bool, budget: &'b Budget) -> Self {
        let witness_bytes = if for_machines { WITNESS_STEP_BYTES } else { 0 };
        let step_bytes = size_of::<Step>() as u64 + witness_bytes;
        let steps = opening.iter().map(|&piece| Step { mark: '+', piece }).collect();
        Self { steps, charge: Charge::none(budget), step_bytes }
    }

    /// Makes room for another step.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn reserve(&mut self) -> Result<(), Stop> {
        if self.steps.len() < self.steps.capacity() {
            return Ok(());
        }
        let room = (2 * self.steps.capacity()).max(STEPS_MIN);
        // While the steps are copied, the old and the new place exist together; what machines get is made at the end.
        let made_later = self.steps.capacity() as u64 * (self.step_bytes - size_of::<Step>() as u64);
        self.charge.grow(room as u64 * self.step_bytes - made_later)?;
        self.steps.reserve_exact(room - self.steps.len());
        self.charge.shrink_to(room as u64 * self.step_bytes);
        Ok(())
    }

    /// Adds a step.
    pub fn push(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// The steps.
    pub fn into_steps(self) -> Vec<Step> {
        self.steps
    }
}
