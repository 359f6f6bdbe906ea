//! Whole lines, as directives and moves are written.

use std::io;

use super::Scanner;
use crate::input::token::{Next, RawLine, is_blank};

impl Scanner<'_> {
    /// Reads the next line that is neither blank nor a comment; at most `bytes_max` bytes of it are kept.
    ///
    /// Call it at the beginning of a line; in the middle of one it reads that line's rest.
    ///
    /// # Errors
    /// When reading fails.
    pub fn next_line(&mut self, bytes_max: usize) -> io::Result<Option<RawLine>> {
        if self.advance()? == Next::End {
            return Ok(None);
        }
        self.begun = true;
        let raw = self.capture_line(bytes_max)?;
        if self.peek_byte()?.is_some() {
            self.consume_newline();
        }
        Ok(Some(raw))
    }

    /// Reads the next line if it is a comment, so that a caller can collect directives; `None` once a token
    /// comes next, or the input ends. At most `bytes_max` bytes are kept.
    ///
    /// # Errors
    /// When reading fails.
    pub fn next_leading_comment(&mut self, bytes_max: usize) -> io::Result<Option<RawLine>> {
        while let Some(byte) = self.peek_byte()? {
            match byte {
                b'\n' => self.consume_newline(),
                byte if is_blank(byte) => self.start += 1,
                b'#' | b'/' if self.fresh && self.at_comment()? => {
                    return self.capture_line(bytes_max).map(Some);
                }
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Consumes the rest of the line, but not its end, and keeps the first `bytes_max` bytes of the line.
    fn capture_line(&mut self, bytes_max: usize) -> io::Result<RawLine> {
        // Columns stay true: what was consumed of the line already is put back as blanks.
        let indent = (self.place().column - 1) as usize;
        let mut raw = RawLine {
            line: self.line,
            bytes: vec![b' '; indent.min(bytes_max)],
            truncated: indent > bytes_max,
        };
        loop {
            let unread = &self.window[self.start..self.end];
            let newline = unread.iter().position(|&byte| byte == b'\n');
            let part = &unread[..newline.unwrap_or(unread.len())];
            let kept = part.len().min(bytes_max - raw.bytes.len());
            raw.truncated |= kept < part.len();
            raw.bytes.extend_from_slice(&part[..kept]);
            self.start += part.len();
            self.fresh = false;
            if newline.is_some() || !self.fill()? {
                break;
            }
        }
        if raw.bytes.last() == Some(&b'\r') {
            raw.bytes.pop();
        }
        Ok(raw)
    }
}
