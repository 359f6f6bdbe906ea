//! The text of the puzzle at hand: it stays in the window while the puzzle is read.

use std::io;

use super::Scanner;
use crate::input::marked::Marked;
use crate::input::place::Place;

/// Bytes of a puzzle that stay at hand while it is read, so that its lines can be looked at where it is wrong.
const MARKED_BYTES_MAX: usize = 512 * 1024;

/// A place to which a reader may go back.
#[derive(Debug, Clone, Copy)]
pub struct Spot {
    offset: u64,
    line: u64,
    line_offset: u64,
    fresh: bool,
}

impl Scanner<'_> {
    /// Where the reader stands, so that it may go back there while that is still at hand.
    #[must_use]
    pub fn spot(&self) -> Spot {
        let Self { line, line_offset, fresh, .. } = *self;
        Spot { offset: self.bytes_consumed(), line, line_offset, fresh }
    }

    /// Goes back to a spot behind the mark, to read on from there once more. False where too much was read since:
    /// the reader stands where it stood then.
    pub fn go_back(&mut self, spot: Spot) -> bool {
        let Some(start) = spot.offset.checked_sub(self.window_offset) else { return false };
        self.start = start as usize;
        (self.line, self.line_offset, self.fresh) = (spot.line, spot.line_offset, spot.fresh);
        true
    }

    /// Marks the beginning of a puzzle.
    pub fn mark(&mut self) {
        self.mark_from(self.spot());
    }

    /// Marks a spot behind the mark that there is.
    pub fn mark_from(&mut self, Spot { offset, line, line_offset, .. }: Spot) {
        self.mark = offset;
        self.mark_place = Place { line, column: offset - line_offset + 1 };
    }

    /// The text from the mark on, as far as it is at hand; `None` where too much was read since. What is behind the next
    /// unread byte is looked at, too.
    ///
    /// # Errors
    /// When reading fails.
    pub fn marked(&mut self) -> io::Result<Option<Marked<'_>>> {
        while self.fill()? {}
        let Some(from) = self.mark.checked_sub(self.window_offset) else { return Ok(None) };
        let text = &self.window[from as usize..self.end];
        Ok(Some(Marked {
            text,
            first: self.mark_place,
            read: self.start - from as usize,
            is_whole: self.source_ended,
        }))
    }

    /// Where in the window begins what must stay: at the mark, unless that is too far behind.
    pub(super) fn kept_from(&self) -> usize {
        let consumed = self.bytes_consumed() - self.mark.max(self.window_offset);
        if self.mark < self.window_offset || consumed > MARKED_BYTES_MAX as u64 {
            self.start
        } else {
            self.start - consumed as usize
        }
    }
}
