//! What stands on the next lines, without consuming them.

use std::io;

use super::Scanner;
use crate::input::marked::Line;
use crate::input::place::Place;
use crate::input::token::{LineShape, is_comment, is_space, shape_of, trim_blanks_start};

impl Scanner<'_> {
    /// Looks at the next `N` lines that are neither blank nor comments, consuming nothing.
    ///
    /// The first of them is the rest of the current line when that holds a token. A line that does not
    /// fit in the window (256 KiB for all `N`) is never `clean`.
    ///
    /// # Errors
    /// When reading fails.
    pub fn preview<const N: usize>(&mut self) -> io::Result<[LineShape; N]> {
        let mut shapes = [LineShape::NONE; N];
        // Usually the lines are in the window already; fill it only when they are not.
        loop {
            let complete = self.shapes_of(self.unread(), self.line, self.fresh, &mut shapes);
            // The end of the input completes a last line without a line feed: look again. A full window does not.
            if complete || !self.fill()? && !self.source_ended {
                return Ok(shapes);
            }
        }
    }

    /// The rest of the line at hand, as far as it fits in the window, consuming nothing.
    ///
    /// # Errors
    /// When reading fails.
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

    /// Returns the next lines that are neither blank nor comments, as far as they fit in the window. Consumes nothing.
    ///
    /// # Errors
    /// When reading fails.
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
        Ok(lines.filter(move |line| !is_blank(line) && !is_comment(trim_blanks_start(line.text))))
    }

    /// Whether a puzzle that looks wrong by its lines is whole by its tokens: the next `count` of them end a line,
    /// and behind it lines come with which a puzzle `begins`, or nothing. Consumes nothing.
    ///
    /// # Errors
    /// When reading fails.
    pub fn is_whole_with<const N: usize>(
        &mut self,
        count: u128,
        begins: impl FnOnce(&[LineShape; N]) -> bool,
    ) -> io::Result<bool> {
        let behind = self.preview_behind(count)?;
        Ok(behind.is_some_and(|lines| !lines[0].exists() || begins(&lines)))
    }

    /// Looks at the `N` lines behind the next `count` tokens, where these end a line; `None` where they do not,
    /// or reach beyond the window. Consumes nothing.
    pub(super) fn preview_behind<const N: usize>(
        &mut self,
        count: u128,
    ) -> io::Result<Option<[LineShape; N]>> {
        while self.fill()? {}
        let mut rest = self.unread();
        let (mut line, mut fresh) = (self.line, self.fresh);
        let mut left = count;
        while left > 0 {
            let newline = rest.iter().position(|&byte| byte == b'\n');
            let text = &rest[..newline.unwrap_or(rest.len())];
            if !(fresh && is_comment(trim_blanks_start(text))) {
                let tokens = text.split(|&byte| is_space(byte)).filter(|token| !token.is_empty()).count();
                let Some(still_left) = left.checked_sub(tokens as u128) else { return Ok(None) };
                left = still_left;
            }
            match newline {
                Some(at) => rest = &rest[at + 1..],
                None if left == 0 && self.source_ended => rest = &[],
                None => return Ok(None),
            }
            (line, fresh) = (line + 1, true);
        }
        let mut shapes = [LineShape::NONE; N];
        self.shapes_of(rest, line, fresh, &mut shapes);
        Ok(Some(shapes))
    }

    /// Fills `shapes` from the lines of `rest`, the last bytes of the window; false when more input could change the
    /// result.
    fn shapes_of(&self, mut rest: &[u8], mut line: u64, mut fresh: bool, shapes: &mut [LineShape]) -> bool {
        let mut seen = 0;
        while seen < shapes.len() {
            let newline = rest.iter().position(|&byte| byte == b'\n');
            let whole = newline.is_some() || self.source_ended;
            let text = &rest[..newline.unwrap_or(rest.len())];
            let comment = fresh && is_comment(trim_blanks_start(text));
            if !comment && (!trim_blanks_start(text).is_empty() || !whole) {
                shapes[seen] = shape_of(text, line, whole);
                seen += 1;
            }
            if let Some(at) = newline {
                rest = &rest[at + 1..];
            } else {
                shapes[seen..].fill(LineShape::NONE);
                return whole;
            }
            (line, fresh) = (line + 1, true);
        }
        true
    }
}
