//! A scanner for text made of unsigned numbers: tokens, lines and their places, in bounded memory.
//!
//! The scanner holds one window of the input. A token or a previewed line that does not fit in the
//! window is still consumed correctly, but only its beginning is kept, so a file of gigabytes of digits
//! costs no more memory than an ordinary one. Comment lines (`#`, `//`) and blank lines are skipped
//! everywhere.

use std::io::{self, Read};
use std::sync::Arc;

use super::place::{Place, Warning, printable};
use super::rows::{self, Glance};
use super::token::{
    Lexeme, LineShape, Next, QUOTE_BYTES_MAX, RawLine, Token, classify, digits_value, is_blank, is_comment,
    is_space, shape_of, trim_blanks_start,
};

/// Bytes held at once; also how far [`Scanner::preview`] can see.
const WINDOW_BYTES: usize = 256 * 1024;
/// Bytes at the beginning that tell what kind of file it is.
const HEAD_BYTES: usize = 4096;
/// Warnings kept for one file; later ones are only counted.
const WARNINGS_MAX: usize = 20;

/// Tokens of one input, with places and warnings.
#[allow(clippy::struct_excessive_bools, reason = "independent facts about the input, not one state")]
pub struct Scanner<'a> {
    source: Box<dyn Read + 'a>,
    name: Arc<str>,
    window: Vec<u8>,
    /// The unread part of the window is `window[start..end]`.
    start: usize,
    end: usize,
    source_ended: bool,
    /// Absolute offset of `window[0]` in the input.
    window_offset: u64,
    line: u64,
    /// Absolute offset of the first byte of the current line.
    line_offset: u64,
    /// Nothing but blanks was consumed on the current line so far.
    fresh: bool,
    /// A token was consumed already, so directives are over.
    begun: bool,
    warnings: Vec<Warning>,
    warnings_dropped: u64,
    looks_binary: bool,
}

impl<'a> Scanner<'a> {
    /// A scanner over `source`; `name` is how the file is called in errors and must be printable.
    ///
    /// # Errors
    /// When the first read fails.
    pub fn new(source: impl Read + 'a, name: impl Into<Arc<str>>) -> io::Result<Self> {
        let mut scanner = Self {
            source: Box::new(source),
            name: name.into(),
            window: vec![0; WINDOW_BYTES],
            start: 0,
            end: 0,
            source_ended: false,
            window_offset: 0,
            line: 1,
            line_offset: 0,
            fresh: true,
            begun: false,
            warnings: Vec::new(),
            warnings_dropped: 0,
            looks_binary: false,
        };
        while scanner.end < HEAD_BYTES && scanner.fill()? {}
        scanner.looks_binary = scanner.head().contains(&0);
        if scanner.unread().starts_with(b"\xef\xbb\xbf") {
            scanner.start = 3;
            scanner.line_offset = 3;
        }
        Ok(scanner)
    }

    /// The file's name as errors call it.
    #[must_use]
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The first bytes of the input, before anything was consumed.
    #[must_use]
    pub fn head(&self) -> &[u8] {
        debug_assert!(!self.begun && self.window_offset == 0);
        &self.window[..self.end.min(HEAD_BYTES)]
    }

    /// Whether the beginning of the input holds NUL bytes, which text does not.
    #[must_use]
    pub fn looks_binary(&self) -> bool {
        self.looks_binary
    }

    /// Bytes consumed so far.
    #[must_use]
    pub fn bytes_consumed(&self) -> u64 {
        self.window_offset + self.start as u64
    }

    /// Where the next unread byte stands.
    #[must_use]
    pub fn place(&self) -> Place {
        Place { line: self.line, column: self.bytes_consumed() - self.line_offset + 1 }
    }

    /// Records a warning; after the first few they are only counted.
    pub fn warn(&mut self, place: Place, message: impl Into<String>) {
        if self.warnings.len() < WARNINGS_MAX {
            let message = message.into();
            self.warnings.push(Warning { place, message });
        } else {
            self.warnings_dropped += 1;
        }
    }

    /// The warnings so far and how many more there were; both start anew.
    pub fn take_warnings(&mut self) -> (Vec<Warning>, u64) {
        (std::mem::take(&mut self.warnings), std::mem::take(&mut self.warnings_dropped))
    }

    /// Moves to the first byte of the next token and says where that is.
    ///
    /// # Errors
    /// When reading fails.
    pub fn advance(&mut self) -> io::Result<Next> {
        let line_before = self.line;
        loop {
            match self.peek_byte()? {
                None => return Ok(Next::End),
                Some(b'\n') => self.consume_newline(),
                Some(byte) if is_blank(byte) => self.start += 1,
                Some(b'#' | b'/') if self.fresh && self.at_comment()? => self.skip_comment()?,
                Some(_) if self.line == line_before && !self.fresh => return Ok(Next::SameLine),
                Some(_) => return Ok(Next::NewLine),
            }
        }
    }

    /// Reads the next token, wherever it stands.
    ///
    /// # Errors
    /// When reading fails.
    pub fn next_token(&mut self) -> io::Result<Lexeme> {
        if self.advance()? == Next::End {
            let place = self.place();
            return Ok(Lexeme { token: Token::End, place });
        }
        self.read_token()
    }

    /// Reads the next token of the current line; `None` when the line has no more.
    ///
    /// The end of the line itself is not consumed.
    ///
    /// # Errors
    /// When reading fails.
    pub fn next_on_line(&mut self) -> io::Result<Option<Lexeme>> {
        while let Some(byte) = self.peek_byte()? {
            match byte {
                b'\n' => return Ok(None),
                byte if is_blank(byte) => self.start += 1,
                b'#' | b'/' if self.fresh && self.at_comment()? => return Ok(None),
                _ => return self.read_token().map(Some),
            }
        }
        Ok(None)
    }

    /// Reads numbers of one digit, none above `max`, as long as they follow on the current line with spaces
    /// between; at most `count`. Each goes to `take` with its place. Stops before anything else, and may stop
    /// anywhere: what it leaves is read token by token. A quick way through boards of small numbers.
    pub fn take_digits_on_line(&mut self, max: u8, count: u128, take: impl FnMut(u8, Place)) {
        let end = self.digits_on_line(max, count, take);
        if end > 0 {
            self.start += end;
            self.fresh = false;
            self.begun = true;
        }
    }

    /// Whether the line goes on with at least `count` numbers that [`take_digits_on_line`](Self::take_digits_on_line)
    /// would take. Consumes nothing; false may also mean that they are not all in sight.
    #[must_use]
    pub fn has_digits_on_line(&self, max: u8, count: u32) -> bool {
        let mut seen = 0;
        self.digits_on_line(max, u128::from(count), |_, _| seen += 1);
        seen == count
    }

    /// Shows `take` the numbers of one digit that follow on the line, and says where the last one ends.
    fn digits_on_line(&self, max: u8, count: u128, mut take: impl FnMut(u8, Place)) -> usize {
        let Place { line, column } = self.place();
        let unread = self.unread();
        let (mut end, mut taken) = (0, 0);
        while taken < count {
            let spaces = unread[end..].iter().take_while(|&&byte| byte == b' ').count();
            // The byte behind must be in the window: it tells that the number ends.
            let Some(&[digit, behind]) = unread.get(end + spaces..end + spaces + 2) else { break };
            let value = digit.wrapping_sub(b'0');
            if value > max || !is_space(behind) {
                break;
            }
            take(value, Place { line, column: column + (end + spaces) as u64 });
            end += spaces + 1;
            taken += 1;
        }
        end
    }

    /// The unread bytes, where they begin a line (but for blanks) and there are at least `bytes` of them: a
    /// quick reader may look for what it knows in them, and [`take_lines`](Self::take_lines) consumes it. `None`
    /// in the middle of a line, and where less is left of the input. At most 256 KiB can be asked for.
    ///
    /// # Errors
    /// When reading fails.
    pub fn lines_at_hand(&mut self, bytes: usize) -> io::Result<Option<&[u8]>> {
        while self.end - self.start < bytes && self.fill()? {}
        Ok((self.fresh && self.end - self.start >= bytes).then(|| self.unread()))
    }

    /// Consumes the next `bytes`, which must be `lines` whole lines of numbers.
    pub fn take_lines(&mut self, bytes: usize, lines: u64) {
        debug_assert!(self.fresh && self.unread()[..bytes].ends_with(b"\n"));
        self.start += bytes;
        self.line += lines;
        self.line_offset = self.bytes_consumed();
    }

    /// Reads numbers as long as they follow on the current line, plainly written and with spaces between; at most
    /// `count`. Says how many went to `take`. Stops before anything else, and may stop anywhere: what it leaves is
    /// read token by token. A quick way through large boards.
    pub fn take_numbers_on_line(&mut self, count: u64, take: impl FnMut(u64)) -> u64 {
        let (taken, end) = rows::numbers(self.unread(), count, take);
        if taken > 0 {
            self.consume_plain(end);
        }
        taken
    }

    /// Call it at the first token of a line: reads a line of just two numbers that `accept` takes, behind which a
    /// line of more than one begins. False when there is no such line, or none in sight; nothing is read then.
    pub fn take_pair_line(&mut self, accept: impl FnOnce([u64; 2]) -> bool) -> bool {
        match rows::glance(self.unread()) {
            Glance::Pair(pair) if !pair.one_behind && accept(pair.numbers) => {
                self.consume_plain(pair.end);
                true
            }
            _ => false,
        }
    }

    /// Call it at the first token of a line: whether this line has two numbers and the next one has one. `None`
    /// when only a [`preview`](Self::preview) can tell.
    #[must_use]
    pub fn is_pair_before_one(&self) -> Option<bool> {
        match rows::glance(self.unread()) {
            Glance::Pair(pair) => Some(pair.one_behind),
            Glance::NoPair => Some(false),
            Glance::Unclear => None,
        }
    }

    /// Moves behind plain numbers on the current line.
    fn consume_plain(&mut self, end: usize) {
        self.start += end;
        self.fresh = false;
        self.begun = true;
    }

    /// Drops the rest of the current line, its end included.
    ///
    /// # Errors
    /// When reading fails.
    pub fn skip_line(&mut self) -> io::Result<()> {
        loop {
            if let Some(at) = self.unread().iter().position(|&byte| byte == b'\n') {
                self.start += at;
                self.consume_newline();
                return Ok(());
            }
            self.start = self.end;
            if !self.fill()? {
                return Ok(());
            }
        }
    }

    /// Reads to the end of the input and drops it.
    ///
    /// # Errors
    /// When reading fails.
    pub fn drain(&mut self) -> io::Result<()> {
        while self.peek_byte()?.is_some() {
            self.skip_line()?;
        }
        Ok(())
    }

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
            let complete = self.preview_window(&mut shapes);
            // The end of the input completes a last line without a line feed: look again. A full window does not.
            if complete || !self.fill()? && !self.source_ended {
                return Ok(shapes);
            }
        }
    }

    /// Looks at the two lines behind the next `count` tokens, where these end a line; `None` where they do not,
    /// or reach beyond the window. Consumes nothing.
    ///
    /// So a reader finds out whether a puzzle that looks wrong by its lines is whole by its tokens.
    ///
    /// # Errors
    /// When reading fails.
    pub fn preview_behind(&mut self, count: u128) -> io::Result<Option<[LineShape; 2]>> {
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
        let mut shapes = [LineShape::NONE; 2];
        self.shapes_of(rest, line, fresh, &mut shapes);
        Ok(Some(shapes))
    }

    /// Fills `shapes` from the window; false when more input could change the result.
    fn preview_window(&self, shapes: &mut [LineShape]) -> bool {
        self.shapes_of(self.unread(), self.line, self.fresh, shapes)
    }

    /// Fills `shapes` from the lines of `rest`, the last bytes of the window.
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

    fn unread(&self) -> &[u8] {
        &self.window[self.start..self.end]
    }

    fn peek_byte(&mut self) -> io::Result<Option<u8>> {
        if self.start == self.end && !self.fill()? {
            return Ok(None);
        }
        Ok(Some(self.window[self.start]))
    }

    /// Reads more behind the unread bytes. False when the input has ended or the window is full.
    fn fill(&mut self) -> io::Result<bool> {
        if self.source_ended {
            return Ok(false);
        }
        if self.start > 0 && self.end == self.window.len() || self.start == self.end {
            self.window.copy_within(self.start..self.end, 0);
            self.window_offset += self.start as u64;
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.window.len() {
            return Ok(false);
        }
        loop {
            match self.source.read(&mut self.window[self.end..]) {
                Ok(0) => self.source_ended = true,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            return Ok(!self.source_ended);
        }
    }

    fn consume_newline(&mut self) {
        debug_assert_eq!(self.window[self.start], b'\n');
        self.start += 1;
        self.line += 1;
        self.line_offset = self.bytes_consumed();
        self.fresh = true;
    }

    /// Whether the unread bytes, at the first non-blank of a line, begin a comment.
    fn at_comment(&mut self) -> io::Result<bool> {
        while self.unread().len() < 2 && self.fill()? {}
        Ok(is_comment(self.unread()))
    }

    fn skip_comment(&mut self) -> io::Result<()> {
        while self.unread().len() < 2 && self.fill()? {}
        if self.begun && self.unread().starts_with(b"#:") {
            let place = self.place();
            self.warn(place, "a directive after the first number is only a comment");
        }
        self.skip_line()
    }

    /// Reads the token at which the unread bytes begin.
    fn read_token(&mut self) -> io::Result<Lexeme> {
        let place = self.place();
        self.fresh = false;
        self.begun = true;
        let mut searched = 0;
        loop {
            let unread = self.unread();
            if let Some(length) = unread[searched..].iter().position(|&b| is_space(b)) {
                let token = classify(&unread[..searched + length]);
                self.start += searched + length;
                return Ok(Lexeme { token, place });
            }
            searched = unread.len();
            if !self.fill()? {
                break;
            }
        }
        if self.source_ended {
            let token = classify(self.unread());
            self.start = self.end;
            return Ok(Lexeme { token, place });
        }
        let token = self.read_giant_token()?;
        Ok(Lexeme { token, place })
    }

    /// Reads a token longer than the window, keeping its beginning.
    fn read_giant_token(&mut self) -> io::Result<Token> {
        let beginning = self.unread()[..=QUOTE_BYTES_MAX].to_vec();
        let mut value = Some(0);
        let mut digits = true;
        loop {
            let unread = self.unread();
            let space = unread.iter().position(|&byte| is_space(byte));
            let part = &unread[..space.unwrap_or(unread.len())];
            digits &= part.iter().all(u8::is_ascii_digit);
            value = value.and_then(|value| digits_value(value, part));
            self.start += part.len();
            if space.is_some() || !self.fill()? {
                break;
            }
        }
        Ok(match value {
            Some(value) if digits => Token::Number(value),
            _ if digits => Token::TooLarge(printable(&beginning, QUOTE_BYTES_MAX)),
            _ => Token::Word(printable(&beginning, QUOTE_BYTES_MAX)),
        })
    }
}

#[cfg(test)]
#[path = "scanner_tests.rs"]
mod tests;
