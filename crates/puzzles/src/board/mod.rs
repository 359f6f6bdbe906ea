//! Boards: what a square holds and what a move does. No search, no input or output.
//!
//! The boards of the 2048 family are one engine. [`mod@line`] says how a line of tiles slides, whatever it is stored in;
//! [`sliding`] is the board of any size and any tile, which moves its lines so. Boards of up to 4 × 4 squares
//! and tiles up to 32768 fit 64 bits ([`packed`]), with tables of all rows made by [`mod@line`]; [`lane`] has lines
//! without gaps in one word. What does not fit one of them is left to [`sliding`]. [`swipe`] is the board of the
//! deterministic 2048.
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

/// Displays numbers as the rows of a board: so many on each line, each line with its end.
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
