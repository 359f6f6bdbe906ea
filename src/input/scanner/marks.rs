//! The text of the puzzle at hand: it stays in the window while the puzzle is read.

use std::io;

use super::Scanner;
use crate::input::marked::Marked;

/// Bytes of a puzzle that stay at hand while it is read, so that its lines can be looked at where it is wrong.
pub const MARKED_BYTES_MAX: usize = 512 * 1024;

impl Scanner<'_> {
    /// Marks the beginning of a puzzle.
    pub fn mark(&mut self) {
        self.mark = self.bytes_consumed();
        self.mark_place = self.place();
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
