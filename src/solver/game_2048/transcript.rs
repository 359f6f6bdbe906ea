//! The whole game, piece by piece, so that it can be replayed.

use super::rules::game::Piece;
use crate::solver::{Budget, Charge, Stop};

/// Rough bytes of one line in the outcome for machines: a JSON string and its place in a list.
const WITNESS_LINE_BYTES: u64 = 96;
/// Lines for which room is made at once, at first.
const LINES_MIN: usize = 1024;

/// A piece that the game inserted.
#[derive(Debug, Clone, Copy)]
pub struct Line {
    /// `+` for a piece of a new game, else the letter of the move before it.
    pub mark: char,
    /// The piece.
    pub piece: Piece,
}

/// The lines of a game so far.
pub struct Transcript<'b> {
    lines: Vec<Line>,
    charge: Charge<'b>,
    line_bytes: u64,
}

impl<'b> Transcript<'b> {
    /// The transcript of a game that began with `opening`; `for_machines` when it will be given as JSON as well.
    pub fn new(opening: &[Piece], for_machines: bool, budget: &'b Budget) -> Self {
        let witness_bytes = if for_machines { WITNESS_LINE_BYTES } else { 0 };
        let line_bytes = size_of::<Line>() as u64 + witness_bytes;
        let lines = opening.iter().map(|&piece| Line { mark: '+', piece }).collect();
        Self { lines, charge: Charge::none(budget), line_bytes }
    }

    /// Makes room for another line.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn reserve(&mut self) -> Result<(), Stop> {
        if self.lines.len() < self.lines.capacity() {
            return Ok(());
        }
        let room = (2 * self.lines.capacity()).max(LINES_MIN);
        // While the lines are copied, the old and the new place exist together.
        self.charge.grow(room as u64 * self.line_bytes)?;
        self.lines.reserve_exact(room - self.lines.len());
        self.charge.shrink_to(room as u64 * self.line_bytes);
        Ok(())
    }

    /// Adds a line.
    pub fn push(&mut self, line: Line) {
        self.lines.push(line);
    }

    /// The lines.
    pub fn into_lines(self) -> Vec<Line> {
        self.lines
    }
}
