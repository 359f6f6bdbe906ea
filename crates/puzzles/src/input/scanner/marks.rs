//! The text of the puzzle at hand, and what is held before it: it stays in the window while the puzzle is read.

use std::io;

use super::Scanner;
use crate::input::marked::Marked;
use crate::input::place::{Place, Spot};

/// Bytes of a puzzle, or of several, that stay at hand while it is read, so that its lines can be looked at where it is
/// wrong.
const MARKED_BYTES_MAX: usize = 512 * 1024;

impl Scanner<'_> {
    /// Where the reader stands, so that it may go back there while that is still at hand.
    #[must_use]
    pub fn spot(&self) -> Spot {
        let Self { line, line_offset, fresh, begun, .. } = *self;
        Spot { offset: self.bytes_consumed(), line, line_offset, fresh, begun }
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
    pub fn mark_from(&mut self, spot: Spot) {
        self.mark = spot;
    }

    /// Keeps what is behind a spot at hand beside what is marked, from the beginning of its line on, as long as it is
    /// near enough.
    pub fn hold_from(&mut self, spot: Spot) {
        self.held = Some(spot.line_offset);
    }

    /// Has at hand what is behind the next unread byte, as far as a reader sees.
    ///
    /// # Errors
    /// When reading fails.
    pub fn look_ahead(&mut self) -> io::Result<()> {
        while self.fill()? {}
        Ok(())
    }

    /// Bytes of the file up to the last one that was at hand: no reader has seen any behind it.
    #[must_use]
    pub fn bytes_seen(&self) -> u64 {
        self.window_offset + self.end as u64
    }

    /// The text from the mark on, as far as it is at hand; `None` where too much was read since.
    #[must_use]
    pub fn marked(&self) -> Option<Marked<'_>> {
        self.text_from(self.mark)
    }

    /// The text from the beginning of a spot's line on, likewise.
    #[must_use]
    pub fn lines_from(&self, spot: Spot) -> Option<Marked<'_>> {
        self.text_from(Spot { offset: spot.line_offset, ..spot })
    }

    fn text_from(&self, Spot { offset, line, line_offset, .. }: Spot) -> Option<Marked<'_>> {
        let from = offset.checked_sub(self.window_offset)? as usize;
        Some(Marked {
            text: &self.window[from..self.end],
            first: Place { line, column: offset - line_offset + 1 },
            read: self.start - from,
            is_whole: self.source_ended,
        })
    }

    /// Where in the window begins what must stay: what is held, or marked, unless that is too far behind.
    pub(super) fn kept_from(&self) -> usize {
        let places = self.held.into_iter().chain([self.mark.offset]);
        let mut near =
            places.filter_map(|offset| usize::try_from(offset.checked_sub(self.window_offset)?).ok());
        near.find(|&from| self.start - from <= MARKED_BYTES_MAX).unwrap_or(self.start)
    }
}
