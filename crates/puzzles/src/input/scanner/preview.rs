//! Looks at the next lines without consuming them.

use std::io;

use super::Scanner;
use crate::input::marked::Line;
use crate::input::place::Place;
use crate::input::token::{digits_value, is_comment, is_space, trim_blanks_start};

/// How many bytes a reader can look at ahead before it sees less: so many, and so many times what it consumed.
const LOOKED_MAX: u64 = 32 << 20;
const LOOKED_TIMES_MAX: u64 = 16;
/// The lines that a reader can see in any case.
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

    /// Returns the next `N` numbers if they are near and no other word precedes them. Consumes nothing.
    ///
    /// # Errors
    /// Fails if reading fails.
    pub fn numbers_ahead<const N: usize>(&mut self) -> io::Result<Option<[u64; N]>> {
        // Numbers that do not end within these bytes are not small.
        const BYTES: usize = 256;
        while self.unread().len() < BYTES && self.fill()? {}
        let text = &self.unread()[..self.unread().len().min(BYTES)];
        let mut tokens = text.split(|&byte| is_space(byte)).filter(|token| !token.is_empty());
        let mut numbers = [0; N];
        for number in &mut numbers {
            let Some(value) = tokens.next().and_then(|token| digits_value(0, token)) else { return Ok(None) };
            *number = value;
        }
        Ok(Some(numbers))
    }

    /// Returns the next lines that are neither blank nor comments, as far as they fit in the window. Consumes nothing.
    /// If a file makes its reader look at the same lines again and again, only a few lines can be seen.
    ///
    /// # Errors
    /// Fails if reading fails.
    pub fn lines_ahead(&mut self) -> io::Result<impl Iterator<Item = Line<'_>>> {
        self.look_ahead()?;
        let Place { line, column } = self.place();
        let text = self.unread();
        let whole = if self.source_ended {
            text
        } else {
            &text[..text.iter().rposition(|&byte| byte == b'\n').unwrap_or(0)]
        };
        let lines = (line..).zip(whole.split(|&byte| byte == b'\n')).map(move |(number, text)| {
            let column = if number == line { column } else { 1 };
            Line { number, column, text: text.strip_suffix(b"\r").unwrap_or(text) }
        });
        let is_blank = |line: &Line<'_>| trim_blanks_start(line.text).is_empty();
        let is_worn = self.looked.get() > LOOKED_MAX + LOOKED_TIMES_MAX * self.bytes_consumed();
        let lines = lines.take(if is_worn { LINES_SEEN_MIN } else { usize::MAX });
        let lines = lines.inspect(|line| self.looked.set(self.looked.get() + line.text.len() as u64 + 1));
        Ok(lines.filter(move |line| !is_blank(line) && !is_comment(trim_blanks_start(line.text))))
    }

    /// Returns how many bytes were looked at ahead of the reader, those of a line as often as it was seen.
    pub fn bytes_looked(&self) -> u64 {
        self.looked.get()
    }
}
