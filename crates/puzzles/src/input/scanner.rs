//! A scanner for text made of unsigned numbers: tokens, lines and their places, in bounded memory.
//!
//! The scanner holds one window of the input. If a token does not fit in the window, the scanner consumes all of it and
//! keeps only its beginning. So gigabytes of digits take no more memory than an ordinary file. The scanner skips
//! comment lines (`#`, `//`) and blank lines everywhere.

mod lines;
/// The text of the current puzzle.
mod marks;
/// The next lines, without consuming them.
mod preview;
/// Fast paths that read many numbers at once.
mod quick;

use std::cell::Cell;
use std::io::{self, BufReader, Read};
use std::sync::Arc;

use super::place::{Ignored, Notes, Place, Spot, Warning, printable};
use super::token::{
    Lexeme, Next, QUOTE_BYTES_MAX, Token, classify, digits_value, is_blank, is_comment, is_space,
};
use crate::words::{Phrase, messages};

/// Maximum bytes of unread text in the window; also how far [`Scanner::lines_ahead`] can see.
const UNREAD_BYTES_MAX: usize = 256 * 1024;
/// Maximum bytes of the window: the text that was read and is kept, the unread text, and spare room. Without the room,
/// every refill would move the text.
const WINDOW_BYTES_MAX: usize = 1280 * 1024;
/// Bytes read from the source at once. A reader that looks ahead often refills the window by only a few bytes.
const AHEAD_BYTES: usize = 16 * 1024;
/// Bytes at the beginning that show what kind of file it is.
const HEAD_BYTES: usize = 4096;
/// Warnings kept for one file; later ones are only counted.
const WARNINGS_MAX: usize = 20;

/// Tokens of one input, with places and warnings.
#[allow(clippy::struct_excessive_bools, reason = "independent facts about the input, not one state")]
pub struct Scanner<'a> {
    source: BufReader<Box<dyn Read + 'a>>,
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
    /// The line whose end was consumed last: its number and the absolute offset of its first byte.
    last_ended_line: (u64, u64),
    /// Only blanks have been consumed of the current line.
    at_line_start: bool,
    /// The beginning of the marked text, which stays in the window.
    mark: Spot,
    /// An absolute offset before the mark. If set, the text from there on stays in the window, too.
    held: Option<u64>,
    /// A token has been consumed, so no directive can follow.
    has_token: bool,
    notes: Notes,
    /// Bytes of the lines that the reader saw ahead. A line counts each time it is seen.
    bytes_looked: Cell<u64>,
    /// Whether the beginning of the input holds NUL bytes, which text never does.
    pub looks_binary: bool,
}

messages! {
    "input"
    /// Warnings that the scanner itself records.
    enum ScanWarning {
        CtrlZ = "ctrl-z",
        LateDirective = "late-directive" { line: u64 },
    }
}

impl<'a> Scanner<'a> {
    /// Creates a scanner over `source`. Errors call the file `name`, which must be printable.
    ///
    /// # Errors
    /// Fails if the first read fails.
    pub fn new(source: impl Read + 'a, name: impl Into<Arc<str>>) -> io::Result<Self> {
        let mut scanner = Self::resume(source, name, Spot::START);
        while scanner.end < HEAD_BYTES && scanner.fill()? {}
        scanner.looks_binary = scanner.head().contains(&0);
        if scanner.unread().starts_with(b"\xef\xbb\xbf") {
            scanner.start = 3;
            scanner.line_offset = 3;
        }
        scanner.mark();
        Ok(scanner)
    }

    /// Creates a scanner over the content of a file from `spot` on. Places are those of the whole file.
    pub fn resume(source: impl Read + 'a, name: impl Into<Arc<str>>, spot: Spot) -> Self {
        Self {
            source: BufReader::with_capacity(AHEAD_BYTES, Box::new(source)),
            name: name.into(),
            window: vec![0; UNREAD_BYTES_MAX],
            start: 0,
            end: 0,
            source_ended: false,
            window_offset: spot.offset,
            line: spot.line,
            line_offset: spot.line_offset,
            last_ended_line: (spot.line, spot.line_offset),
            at_line_start: spot.at_line_start,
            mark: spot,
            held: None,
            has_token: spot.has_token,
            notes: Notes::default(),
            bytes_looked: Cell::new(0),
            looks_binary: false,
        }
    }

    /// Returns the name of the file in errors.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Returns the first bytes of the input. Call it before anything is consumed.
    pub fn head(&self) -> &[u8] {
        debug_assert!(!self.has_token && self.window_offset == 0);
        &self.window[..self.end.min(HEAD_BYTES)]
    }

    /// Returns the number of bytes consumed so far.
    pub fn bytes_consumed(&self) -> u64 {
        self.window_offset + self.start as u64
    }

    /// Returns the place of the next unread byte; at the end of the input, the end of the last line.
    pub fn place(&self) -> Place {
        let column = self.bytes_consumed() - self.line_offset + 1;
        let is_behind_all = column == 1 && self.source_ended && self.start == self.end;
        let (line, line_offset) = self.last_ended_line;
        if is_behind_all && line + 1 == self.line {
            let is_behind_return = self.window[..self.start].ends_with(b"\r\n");
            return Place { line, column: self.line_offset - line_offset - u64::from(is_behind_return) };
        }
        Place { line: self.line, column }
    }

    /// Records a warning. After the first few, warnings are only counted.
    pub fn warn(&mut self, place: Place, what: impl Into<Phrase>) {
        self.note(Warning { place, what: what.into(), is_in_result: false });
    }

    /// Records a warning that also appears in the result.
    pub fn warn_in_result(&mut self, place: Place, what: impl Into<Phrase>) {
        self.note(Warning { place, what: what.into(), is_in_result: true });
    }

    /// Notes that a valid puzzle has rows that are not lines of their own.
    pub fn note_wrapped(&mut self) {
        self.notes.has_wrapped = true;
    }

    fn note(&mut self, warning: Warning) {
        // A reader that went back records the same warning again.
        if self.notes.warnings.contains(&warning) {
            return;
        }
        if self.notes.warnings.len() < WARNINGS_MAX {
            self.notes.warnings.push(warning);
        } else {
            self.notes.dropped += 1;
        }
    }

    /// Reads the rest of the input and records that it was not read as puzzles. `marker` is the line of the end marker
    /// before it. `what` makes the message from the number of lines. Records nothing if only blanks and comments are
    /// left.
    ///
    /// # Errors
    /// Fails if reading fails.
    pub fn ignore_rest<P: Into<Phrase>>(
        &mut self,
        marker: u64,
        what: impl FnOnce(u64) -> P,
    ) -> io::Result<()> {
        if self.advance()? == Next::End {
            return Ok(());
        }
        let (place, mut lines) = (self.place(), 0);
        while self.advance()? != Next::End {
            self.skip_line()?;
            lines += 1;
        }
        let what = what(lines).into();
        self.notes.ignored = Some(Ignored { place, lines, marker, puzzles: 0, markers: Vec::new(), what });
        Ok(())
    }

    /// Returns what was ignored at the end, if anything.
    pub fn take_ignored(&mut self) -> Option<Ignored> {
        self.notes.ignored.take()
    }

    /// Returns the warnings so far and how many more there were. Clears both.
    pub fn take_warnings(&mut self) -> (Vec<Warning>, u64) {
        (std::mem::take(&mut self.notes.warnings), std::mem::take(&mut self.notes.dropped))
    }

    /// Replaces the notes so far, and returns them.
    pub fn exchange_notes(&mut self, notes: Notes) -> Notes {
        std::mem::replace(&mut self.notes, notes)
    }

    /// Moves to the first byte of the next token and returns where it stands.
    ///
    /// # Errors
    /// Fails if reading fails.
    pub fn advance(&mut self) -> io::Result<Next> {
        let line = self.line;
        loop {
            match self.peek_byte()? {
                None => return Ok(Next::End),
                Some(b'\n') => self.consume_newline(),
                Some(byte) if is_blank(byte) => self.start += 1,
                Some(b'#' | b'/') if self.at_line_start && self.at_comment()? => self.skip_comment()?,
                Some(_) if self.line == line && !self.at_line_start => return Ok(Next::SameLine),
                Some(_) => return Ok(Next::NewLine),
            }
        }
    }

    /// Reads the next token, wherever it stands.
    ///
    /// # Errors
    /// Fails if reading fails.
    pub fn next_token(&mut self) -> io::Result<Lexeme> {
        if self.advance()? == Next::End {
            let place = self.place();
            return Ok(Lexeme { token: Token::End, place });
        }
        self.read_token()
    }

    /// Reads the next token of the current line. Returns `None` at the end of the line.
    ///
    /// The end of the line itself is not consumed.
    ///
    /// # Errors
    /// Fails if reading fails.
    pub fn next_on_line(&mut self) -> io::Result<Option<Lexeme>> {
        while let Some(byte) = self.peek_byte()? {
            match byte {
                b'\n' => return Ok(None),
                byte if is_blank(byte) => self.start += 1,
                b'#' | b'/' if self.at_line_start && self.at_comment()? => return Ok(None),
                _ => return self.read_token().map(Some),
            }
        }
        Ok(None)
    }

    /// Skips the rest of the current line, including its end.
    ///
    /// # Errors
    /// Fails if reading fails.
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

    /// Reads to the end of the input and discards it.
    ///
    /// # Errors
    /// Fails if reading fails.
    pub fn drain(&mut self) -> io::Result<()> {
        while self.peek_byte()?.is_some() {
            self.skip_line()?;
        }
        Ok(())
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

    /// Reads more input behind the unread bytes. Returns false if the input has ended or the window is full.
    fn fill(&mut self) -> io::Result<bool> {
        // A reader that went back can have a full window of unread bytes.
        if self.source_ended || self.end - self.start >= UNREAD_BYTES_MAX {
            return Ok(false);
        }
        let (kept, length, is_full) = (self.kept_from(), self.window.len(), self.end == self.window.len());
        if kept == self.end || is_full && (self.end - kept <= length / 4 * 3 || length == WINDOW_BYTES_MAX) {
            self.window.copy_within(kept..self.end, 0);
            self.window_offset += kept as u64;
            self.start -= kept;
            self.end -= kept;
        } else if is_full {
            // A long puzzle, or a reader that looks far ahead: moving the text would free too little room.
            self.window.resize((2 * length).min(WINDOW_BYTES_MAX), 0);
        }
        let room = self.window.len().min(self.start + UNREAD_BYTES_MAX);
        loop {
            match self.source.read(&mut self.window[self.end..room]) {
                Ok(0) => self.end_source(),
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            return Ok(!self.source_ended);
        }
    }

    /// Notes that the source has ended, and forgets a Ctrl-Z with which an old program marked that.
    fn end_source(&mut self) {
        self.source_ended = true;
        let Some((b'\x1a', before)) = self.unread().trim_ascii_end().split_last() else { return };
        let feeds = before.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let (lines, begin) =
            feeds.fold((0, None), |(lines, _), (feed, _)| (lines + 1, Some(feed as u64 + 1)));
        let (line, end) = (self.line + lines, self.start + before.len());
        let column = begin.map_or_else(
            || self.place().column + before.len() as u64,
            |begin| before.len() as u64 - begin + 1,
        );
        self.end = end;
        self.warn_in_result(Place { line, column }, ScanWarning::CtrlZ);
    }

    fn consume_newline(&mut self) {
        debug_assert_eq!(self.window[self.start], b'\n');
        self.last_ended_line = (self.line, self.line_offset);
        self.start += 1;
        self.line += 1;
        self.line_offset = self.bytes_consumed();
        self.at_line_start = true;
    }

    /// Returns whether the unread bytes, at the first non-blank of a line, begin a comment.
    fn at_comment(&mut self) -> io::Result<bool> {
        while self.unread().len() < 2 && self.fill()? {}
        Ok(is_comment(self.unread()))
    }

    fn skip_comment(&mut self) -> io::Result<()> {
        if self.has_token && self.unread().starts_with(b"#:") {
            let place = self.place();
            self.warn_in_result(place, ScanWarning::LateDirective { line: place.line });
        }
        self.skip_line()
    }

    /// Reads the token at the beginning of the unread bytes.
    fn read_token(&mut self) -> io::Result<Lexeme> {
        let place = self.place();
        self.at_line_start = false;
        self.has_token = true;
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
        let mut is_digits = true;
        loop {
            let unread = self.unread();
            let space = unread.iter().position(|&byte| is_space(byte));
            let part = &unread[..space.unwrap_or(unread.len())];
            is_digits &= part.iter().all(u8::is_ascii_digit);
            value = value.and_then(|value| digits_value(value, part));
            self.start += part.len();
            if space.is_some() || !self.fill()? {
                break;
            }
        }
        Ok(match value {
            Some(value) => Token::Number(value),
            None if is_digits => Token::TooLarge(printable(&beginning, QUOTE_BYTES_MAX)),
            None => Token::Word(printable(&beginning, QUOTE_BYTES_MAX)),
        })
    }
}

#[cfg(test)]
#[path = "scanner_tests.rs"]
mod tests;
