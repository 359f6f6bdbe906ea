//! A scanner for text made of unsigned numbers: tokens, lines and their places, in bounded memory.
//!
//! The scanner holds one window of the input. A token or a previewed line that does not fit in the
//! window is still consumed correctly, but only its beginning is kept, so a file of gigabytes of digits
//! costs no more memory than an ordinary one. Comment lines (`#`, `//`) and blank lines are skipped
//! everywhere.

/// Whole lines.
mod lines;
/// The text of the puzzle at hand.
mod marks;
/// The next lines, not consumed.
mod preview;
/// Many numbers at a time.
mod quick;

use std::io::{self, BufReader, Read};
use std::sync::Arc;

use super::place::{Ignored, Place, Spot, Warning, printable};
use super::token::{
    Lexeme, Next, QUOTE_BYTES_MAX, Token, classify, digits_value, is_blank, is_comment, is_space,
};
use crate::words::{Phrase, messages};

/// Bytes held at once; also how far [`Scanner::preview`] can see.
const WINDOW_BYTES: usize = 256 * 1024;
/// Bytes of the window at most: what is marked and what is ahead, and as much again.
const WINDOW_MAX: usize = 1280 * 1024;
/// Bytes read ahead of the window, which who looks ahead often fills by a few bytes at a time.
const AHEAD_BYTES: usize = 16 * 1024;
/// Bytes at the beginning that tell what kind of file it is.
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
    /// The line whose end was consumed last: its number, and the absolute offset of its first byte.
    line_before: (u64, u64),
    /// Nothing but blanks was consumed on the current line so far.
    fresh: bool,
    /// Where the text begins that stays at hand.
    mark: Spot,
    /// Absolute offset before that from which on the text stays at hand, too.
    held: Option<u64>,
    /// A token was consumed already, so directives are over.
    begun: bool,
    warnings: Vec<Warning>,
    warnings_dropped: u64,
    ignored: Option<Ignored>,
    looks_binary: bool,
}

messages! {
    "input"
    /// What is odd about a file of any kind.
    enum Oddity {
        /// It looks like a directive, and came too late.
        LateDirective = "late-directive" { line: u64 },
    }
}

impl<'a> Scanner<'a> {
    /// A scanner over `source`; `name` is how the file is called in errors and must be printable.
    ///
    /// # Errors
    /// When the first read fails.
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

    /// A scanner over what stands in a file from a spot on, with the places of that file.
    #[must_use]
    pub fn resume(source: impl Read + 'a, name: impl Into<Arc<str>>, spot: Spot) -> Self {
        Self {
            source: BufReader::with_capacity(AHEAD_BYTES, Box::new(source)),
            name: name.into(),
            window: vec![0; WINDOW_BYTES],
            start: 0,
            end: 0,
            source_ended: false,
            window_offset: spot.offset,
            line: spot.line,
            line_offset: spot.line_offset,
            line_before: (spot.line, spot.line_offset),
            fresh: spot.fresh,
            mark: spot,
            held: None,
            begun: spot.begun,
            warnings: Vec::new(),
            warnings_dropped: 0,
            ignored: None,
            looks_binary: false,
        }
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

    /// Where the next unread byte stands; at the end of the input, the end of the last line that there is.
    #[must_use]
    pub fn place(&self) -> Place {
        let column = self.bytes_consumed() - self.line_offset + 1;
        let is_behind_all = column == 1 && self.source_ended && self.start == self.end;
        let (line, begin) = self.line_before;
        if is_behind_all && line + 1 == self.line {
            let is_behind_return = self.window[..self.start].ends_with(b"\r\n");
            return Place { line, column: self.line_offset - begin - u64::from(is_behind_return) };
        }
        Place { line: self.line, column }
    }

    /// Records a warning; after the first few they are only counted.
    pub fn warn(&mut self, place: Place, what: impl Into<Phrase>) {
        self.note(Warning { place, what: what.into(), is_in_result: false });
    }

    /// The same for a warning that stands in the result, too.
    pub fn warn_in_result(&mut self, place: Place, what: impl Into<Phrase>) {
        self.note(Warning { place, what: what.into(), is_in_result: true });
    }

    fn note(&mut self, warning: Warning) {
        // A reader may have gone back.
        if self.warnings.contains(&warning) {
            return;
        }
        if self.warnings.len() < WARNINGS_MAX {
            self.warnings.push(warning);
        } else {
            self.warnings_dropped += 1;
        }
    }

    /// Reads what is left and keeps that it was not read as puzzles: how much it is, and `what`, made of its lines and of
    /// the line where it begins. Nothing is kept where only blanks and comments are left.
    ///
    /// # Errors
    /// When reading fails.
    pub fn ignore_rest<P: Into<Phrase>>(&mut self, what: impl FnOnce(u64, u64) -> P) -> io::Result<()> {
        if self.advance()? == Next::End {
            return Ok(());
        }
        let place = self.place();
        let mut lines = 0;
        while self.advance()? != Next::End {
            self.skip_line()?;
            lines += 1;
        }
        self.ignored = Some(Ignored { place, lines, what: what(lines, place.line).into() });
        Ok(())
    }

    /// What was ignored at the end, if anything was.
    pub fn take_ignored(&mut self) -> Option<Ignored> {
        self.ignored.take()
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
        // A reader that went back has more before it.
        if self.source_ended || self.end - self.start >= WINDOW_BYTES {
            return Ok(false);
        }
        let (kept, length, is_full) = (self.kept_from(), self.window.len(), self.end == self.window.len());
        if kept == self.end || is_full && (self.end - kept <= length / 4 * 3 || length == WINDOW_MAX) {
            self.window.copy_within(kept..self.end, 0);
            self.window_offset += kept as u64;
            self.start -= kept;
            self.end -= kept;
        } else if is_full {
            // A long puzzle, or a reader that looks far ahead of a short one: a move makes room for a part of what it moves.
            self.window.resize((2 * length).min(WINDOW_MAX), 0);
        }
        let room = self.window.len().min(self.start + WINDOW_BYTES);
        loop {
            match self.source.read(&mut self.window[self.end..room]) {
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
        self.line_before = (self.line, self.line_offset);
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
        if self.begun && self.unread().starts_with(b"#:") {
            let place = self.place();
            self.warn_in_result(place, Oddity::LateDirective { line: place.line });
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
