//! The numbers behind a header: how many there are, and how they are parted into lines.

use std::io;

use super::ahead::Ahead;
use crate::input::{Next, Scanner};

/// So many lines with a number a column show that all squares were written, though some rows are missing or doubled.
pub const FULL_ROWS: u64 = 3;

/// The numbers behind a header, as they arrive.
#[derive(Default)]
pub struct Tally {
    /// How many there are.
    pub numbers: u128,
    /// Lines that are complete.
    lines: u64,
    /// Numbers on the first line, and on the second one.
    widths: [u128; 2],
    /// Some line has another width than the one before the last.
    is_uneven: bool,
    /// Numbers before the line at hand.
    before: u128,
}

impl Tally {
    /// A line begins, or the board ends.
    pub fn begin_line(&mut self) {
        let width = self.numbers - self.before;
        self.before = self.numbers;
        if width == 0 {
            return;
        }
        match self.widths.get_mut(self.lines as usize) {
            Some(place) => *place = width,
            None => self.is_uneven |= self.widths[(self.lines % 2) as usize] != width,
        }
        self.lines += 1;
    }

    /// Some numbers stand on the header's line.
    pub fn spoil(&mut self) {
        self.is_uneven = true;
    }

    /// How many lines there are, and the numbers on the first one and on the second, where the others are like these in
    /// turn.
    pub fn even(&self) -> Option<(u64, [u128; 2])> {
        (!self.is_uneven && self.lines >= 2).then_some((self.lines, self.widths))
    }

    /// Drops what is left of an invalid board, up to a line that begins something else, and counts it.
    pub fn drop_rest(&mut self, input: &mut Scanner<'_>) -> io::Result<Ahead> {
        loop {
            match input.advance()? {
                Next::End => {
                    self.begin_line();
                    return Ok(Ahead::Other);
                }
                Next::SameLine => {}
                Next::NewLine => {
                    self.begin_line();
                    let ahead = Ahead::within(input)?;
                    if matches!(ahead, Ahead::Header | Ahead::Marker) {
                        return Ok(ahead);
                    }
                }
            }
            while input.next_on_line()?.is_some() {
                self.numbers += 1;
            }
        }
    }
}
