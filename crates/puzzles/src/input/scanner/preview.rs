//! Looks at the next lines without consuming them.

use std::io;

use super::Scanner;
use crate::input::marked::{Line, lines_in};
use crate::input::place::Place;
use crate::input::token::{digits_value, is_space};

/// A reader may look ahead at this many bytes, plus [`LOOKED_TIMES_MAX`] for each byte that it has consumed. Beyond
/// that, it sees at most [`LINES_SEEN_MIN`] lines at once.
const LOOKED_BYTES_MAX: u64 = 32 << 20;
const LOOKED_TIMES_MAX: u64 = 16;
const LINES_SEEN_MIN: usize = 256;

impl Scanner<'_> {
    /// Returns the rest of the current line, as far as it fits in the window. Consumes nothing.
    ///
    /// # Errors
    /// Fails if reading fails.
    pub fn line_ahead(&mut self) -> io::Result<Line<'_>> {
        let mut seen = 0;
        let length = loop {
            let unread = self.unread();
            if let Some(at) = unread[seen..].iter().position(|&byte| byte == b'\n') {
                break seen + at;
            }
            seen = unread.len();
            if !self.fill()? {
                break seen;
            }
        };
        let Place { line: number, column } = self.place();
        Ok(Line { number, column, text: &self.unread()[..length] })
    }

    /// Returns the next `count` tokens if all of them are numbers and end within the next 256 bytes. Consumes nothing.
    ///
    /// # Errors
    /// Fails if reading fails.
    pub fn numbers_ahead(&mut self, count: usize) -> io::Result<Option<Vec<u64>>> {
        const BYTES: usize = 256;
        while self.unread().len() < BYTES && self.fill()? {}
        let unread = self.unread();
        // Do not take a number that these bytes cut off for a shorter one.
        let text = match unread.get(..BYTES) {
            Some(near) if unread.len() > BYTES => {
                &near[..near.iter().rposition(|&b| is_space(b)).unwrap_or(0)]
            }
            _ => unread,
        };
        let tokens = text.split(|&byte| is_space(byte)).filter(|token| !token.is_empty());
        let numbers: Option<Vec<_>> = tokens.take(count).map(|token| digits_value(0, token)).collect();
        Ok(numbers.filter(|numbers| numbers.len() == count))
    }

    /// Returns the next lines that are neither blank nor comments, as far as they fit in the window. Consumes nothing.
    /// If a file makes its reader look at the same lines again and again, returns at most the next 256 lines.
    ///
    /// # Errors
    /// Fails if reading fails.
    pub fn lines_ahead(&mut self) -> io::Result<impl Iterator<Item = Line<'_>>> {
        self.look_ahead()?;
        let text = self.unread();
        let whole = if self.source_ended {
            text
        } else {
            &text[..text.iter().rposition(|&byte| byte == b'\n').unwrap_or(0)]
        };
        let looked_max = LOOKED_BYTES_MAX + LOOKED_TIMES_MAX * self.bytes_consumed();
        let lines_max = if self.bytes_looked.get() > looked_max { LINES_SEEN_MIN } else { usize::MAX };
        let count =
            |line: &Line<'_>| self.bytes_looked.set(self.bytes_looked.get() + line.text.len() as u64 + 1);
        let lines = lines_in(whole, self.place()).take(lines_max).inspect(count);
        Ok(lines.filter(|line| !line.is_blank_or_comment()))
    }

    /// Returns how many bytes the reader has looked ahead at. A line counts each time it is seen.
    pub fn bytes_looked(&self) -> u64 {
        self.bytes_looked.get()
    }
}
