//! Fast paths for boards: they read many plainly written numbers at once from the window.

use std::io;

use super::Scanner;
use crate::input::rows::{self, Glance};
use crate::input::token::is_blank;

impl Scanner<'_> {
    /// Returns the unread bytes if they begin a line, perhaps after blanks, and if there are at least `bytes` of them.
    /// `bytes` must be at most 256 KiB. A fast reader parses lines in them and consumes these lines with
    /// [`take_lines`](Self::take_lines). Returns `None` in the middle of a line, and if less input is left.
    ///
    /// # Errors
    /// Fails if reading fails.
    pub fn lines_at_hand(&mut self, bytes: usize) -> io::Result<Option<&[u8]>> {
        while self.end - self.start < bytes && self.fill()? {}
        Ok((self.at_line_start && self.end - self.start >= bytes).then(|| self.unread()))
    }

    /// Consumes the next `bytes` bytes, which must be `lines` whole lines of numbers.
    pub fn take_lines(&mut self, bytes: usize, lines: u64) {
        debug_assert!(self.at_line_start && self.unread()[..bytes].ends_with(b"\n"));
        self.start += bytes;
        self.line += lines;
        self.line_offset = self.bytes_consumed();
        self.has_token = true;
    }

    /// Reads at most `count` plainly written numbers, separated by spaces, from the current line. Returns how many it
    /// passed to `take`. Stops before anything else, and may stop earlier. The caller reads on token by token.
    pub fn take_numbers_on_line(&mut self, count: u64, take: impl FnMut(u64)) -> u64 {
        let (taken, end) = rows::numbers(self.unread(), count, take);
        if taken > 0 {
            self.start += end;
            self.at_line_start = false;
            self.has_token = true;
        }
        taken
    }

    /// Reads a line of up to `count` numbers if the window holds it with nothing else on it, and if the next line begins
    /// with a number or a word, or only blank lines follow. Returns how many it passed to `take`, or `None` if it
    /// consumed nothing.
    pub fn take_line(&mut self, count: u64, take: impl FnMut(u64)) -> Option<u64> {
        let text = self.unread();
        let (taken, last) = rows::numbers(text, count, take);
        let end = last + text[last..].iter().take_while(|byte| is_blank(**byte)).count();
        let is_last = || {
            let rest = text.get(end..).filter(|rest| rest.starts_with(b"\n") && self.source_ended);
            rest.is_some_and(|rest| rest.iter().all(u8::is_ascii_whitespace))
        };
        if taken == 0 || !(line_follows(text, end) || is_last()) {
            return None;
        }
        self.start += end;
        self.consume_newline();
        self.has_token = true;
        Some(taken)
    }

    /// Returns how many unread bytes the window holds.
    #[must_use]
    pub fn bytes_at_hand(&self) -> usize {
        self.unread().len()
    }

    /// Returns whether the window holds the rest of the current line and the next line begins with a number or a word.
    #[must_use]
    pub fn line_is_at_hand(&self) -> bool {
        let text = self.unread();
        text.iter().position(|&byte| byte == b'\n').is_some_and(|end| line_follows(text, end))
    }

    /// Returns whether the next byte is a digit. False can also mean that the window is empty.
    pub fn begins_with_digit(&self) -> bool {
        self.unread().first().is_some_and(u8::is_ascii_digit)
    }

    /// Returns whether the next byte is a digit and begins the first token of its line. False can also mean that the
    /// window is empty.
    pub fn begins_line_with_digit(&self) -> bool {
        self.at_line_start && self.begins_with_digit()
    }

    /// Returns what is visible of the current and the next line. Call it at the first token of a line. `None` means
    /// that only [`lines_ahead`](Self::lines_ahead) can tell.
    pub fn glance(&self) -> Option<Glance> {
        rows::glance(self.unread())
    }
}

/// Returns whether a line ends at `end` and the next one begins with a number or a word.
fn line_follows(text: &[u8], end: usize) -> bool {
    matches!(text.get(end..), Some([b'\n', next, ..]) if next.is_ascii_graphic() && !b"#/".contains(next))
}
