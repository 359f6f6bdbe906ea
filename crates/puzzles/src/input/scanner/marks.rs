//! Keeps the text of the current puzzle, and text held before it, in the window while the puzzle is read.

use std::io;

use super::Scanner;
use crate::input::marked::Marked;
use crate::input::place::{Place, Spot};

/// Maximum bytes before the next unread byte that stay in the window, so that the lines of an invalid puzzle can be
/// examined again.
const KEPT_BYTES_MAX: usize = 512 * 1024;

impl Scanner<'_> {
    /// Returns the current position. The reader can go back to it as long as the window holds it.
    pub fn spot(&self) -> Spot {
        let Self { line, line_offset, at_line_start, has_token, .. } = *self;
        Spot { offset: self.bytes_consumed(), line, line_offset, at_line_start, has_token }
    }

    /// Goes back to a spot after the mark; reading resumes there. Returns false, and keeps the position, if the window
    /// no longer holds the spot.
    pub fn go_back(&mut self, spot: Spot) -> bool {
        let Some(start) = spot.offset.checked_sub(self.window_offset) else { return false };
        self.start = start as usize;
        (self.line, self.line_offset, self.at_line_start) = (spot.line, spot.line_offset, spot.at_line_start);
        true
    }

    /// Marks the current position as the beginning of a puzzle.
    pub fn mark(&mut self) {
        self.mark_from(self.spot());
    }

    /// Moves the mark forward to a spot.
    pub fn mark_from(&mut self, spot: Spot) {
        self.mark = spot;
    }

    /// Holds the text from the beginning of the spot's line on in the window, in addition to the marked text. A spot
    /// that is too far back has no effect.
    pub fn hold_from(&mut self, spot: Spot) {
        self.held = Some(spot.line_offset);
    }

    /// Reads ahead until the window is full or the file ends.
    ///
    /// # Errors
    /// Fails if reading fails.
    pub fn look_ahead(&mut self) -> io::Result<()> {
        while self.fill()? {}
        Ok(())
    }

    /// Returns whether the window holds the rest of the file.
    ///
    /// # Errors
    /// Fails if reading fails.
    pub fn holds_rest(&mut self) -> io::Result<bool> {
        self.look_ahead()?;
        Ok(self.source_ended)
    }

    /// Returns the number of bytes of the file that the window has held so far. No reader has seen a later byte.
    pub fn bytes_seen(&self) -> u64 {
        self.window_offset + self.end as u64
    }

    /// Returns the text from the mark on. `None` if the window no longer holds it.
    pub fn marked(&self) -> Option<Marked<'_>> {
        self.text_from(self.mark)
    }

    /// Returns the text from the beginning of a spot's line on. `None` if the window no longer holds it.
    pub fn lines_from(&self, spot: Spot) -> Option<Marked<'_>> {
        self.text_from(Spot { offset: spot.line_offset, ..spot })
    }

    fn text_from(&self, Spot { offset, line, line_offset, .. }: Spot) -> Option<Marked<'_>> {
        let from = offset.checked_sub(self.window_offset)? as usize;
        Some(Marked {
            text: &self.window[from..self.end],
            first: Place { line, column: offset - line_offset + 1 },
            read: self.start.saturating_sub(from),
            is_whole: self.source_ended,
        })
    }

    /// Returns the index in the window from which text must stay: the beginning of the held text, or else of the marked
    /// text. A beginning that is too far back does not count.
    pub(super) fn kept_from(&self) -> usize {
        let places = self.held.into_iter().chain([self.mark.offset]);
        let mut near =
            places.filter_map(|offset| usize::try_from(offset.checked_sub(self.window_offset)?).ok());
        near.find(|&from| self.start - from <= KEPT_BYTES_MAX).unwrap_or(self.start)
    }
}
