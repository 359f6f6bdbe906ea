//! Boards: what a square holds and what a move does. Boards do not search and do no I/O.
//!
//! The boards of the 2048 family share one rule. [`mod@line`] defines how a line of tiles slides, however it is stored.
//! [`sliding`] is the board of any size and any tile, and slides its lines by that rule. [`packed`] holds boards of up
//! to 4 × 4 squares and tiles up to 32768 in 64 bits; [`mod@line`] computes its tables of all slid rows. [`lane`] holds
//! a line without gaps in one word. [`swipe`] is the board of the deterministic 2048.
//!
//! [`checkers`] and [`jump`] are the boards of the checkers capture and of the jump game.

pub mod checkers;
pub mod jump;
pub mod lane;
pub mod line;
pub mod packed;
pub mod sliding;
pub mod swipe;

use std::fmt;

/// Displays numbers as the rows of a board: `.0` numbers per line, with a line feed after every line.
#[derive(Debug, Clone)]
pub struct Rows<I>(pub usize, pub I);

impl<I: Iterator<Item: fmt::Display> + Clone> fmt::Display for Rows<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, column) in self.1.clone().zip((1..=self.0).cycle()) {
            write!(f, "{number}{}", if column == self.0 { '\n' } else { ' ' })?;
        }
        Ok(())
    }
}
