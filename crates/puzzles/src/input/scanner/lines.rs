//! Reads whole lines, for directives and moves.

use std::io;

use super::Scanner;
use crate::input::token::{Next, RawLine, is_blank};

impl Scanner<'_> {
    /// Reads the next line that is neither blank nor a comment. Keeps at most `bytes_max` bytes of it.
    ///
    /// Call this at the beginning of a line. In the middle of a line, it reads the rest of that line.
    ///
    /// # Errors
    /// Fails if reading fails.
    pub fn next_line(&mut self, bytes_max: usize) -> io::Result<Option<RawLine>> {
        if self.advance()? == Next::End {
            return Ok(None);
        }
        self.has_token = true;
        let raw = self.capture_line(bytes_max)?;
        if self.peek_byte()?.is_some() {
            self.consume_newline();
        }
        Ok(Some(raw))
    }

    /// Reads the next line that is not blank, if it is a comment. Callers collect directives from comments. Returns
    /// `None` before a token and at the end of the input. Keeps at most `bytes_max` bytes.
    ///
    /// # Errors
    /// Fails if reading fails.
    pub fn next_leading_comment(&mut self, bytes_max: usize) -> io::Result<Option<RawLine>> {
        while let Some(byte) = self.peek_byte()? {
            match byte {
                b'\n' => self.consume_newline(),
                byte if is_blank(byte) => self.start += 1,
                b'#' | b'/' if self.at_line_start && self.at_comment()? => {
                    return self.capture_line(bytes_max).map(Some);
                }
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Consumes the rest of the line, without its end. Keeps the first `bytes_max` bytes of the line.
    fn capture_line(&mut self, bytes_max: usize) -> io::Result<RawLine> {
        // Blanks replace the part of the line that was consumed before, so columns stay right.
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
            self.at_line_start = false;
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
