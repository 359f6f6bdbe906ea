//! The text of a file, and of each of its pieces.

use std::sync::Arc;

use tabuleiro_puzzles::input::{Line, Marked, Spot};

/// The text of a file from the first puzzle on.
pub struct FileText<'t> {
    pub name: Arc<str>,
    pub text: Marked<'t>,
    pub lines: Vec<Line<'t>>,
    /// Where the text begins in the file.
    pub offset: u64,
    /// Where each line begins in the text.
    pub begins: Vec<usize>,
}

/// The text of a piece.
pub struct PieceText<'t> {
    pub lines: &'t [Line<'t>],
    pub text: &'t [u8],
    /// The text from the piece to the end of the file.
    pub rest: &'t [u8],
    pub begin: Spot,
    pub end: Spot,
    /// The number of the next line that is neither blank nor a comment.
    pub next: Option<u64>,
}

impl<'t> FileText<'t> {
    /// Creates the text of a file from the line of `begin` on.
    pub fn new(text: Marked<'t>, begin: Spot, name: Arc<str>) -> Self {
        let lines = text.lines_to_end();
        let feeds = text.text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let begins = [0].into_iter().chain(feeds.map(|(at, _)| at + 1)).collect();
        let offset = begin.offset() - begin.bytes_of_line();
        Self { name, text, lines, offset, begins }
    }

    /// Returns the text of `count` lines from line `at` on, which exist.
    pub fn piece(&self, at: usize, count: usize) -> PieceText<'_> {
        let lines = &self.lines[at..at + count];
        let begin_of = |number: u64| {
            let at = (number - self.text.first.line) as usize;
            let bytes = self.begins.get(at).copied().unwrap_or(self.text.text.len());
            (bytes, Spot::at_line(self.offset + bytes as u64, number))
        };
        let (from, begin) = begin_of(lines[0].number);
        let (to, end) = begin_of(lines[count - 1].number + 1);
        let next = self.lines.get(at + count).map(|line| line.number);
        PieceText { lines, text: &self.text.text[from..to], rest: &self.text.text[from..], begin, end, next }
    }
}

impl PieceText<'_> {
    /// Returns whether a reader that stands at `spot` has read exactly this piece.
    pub fn ends_at(&self, spot: Spot) -> bool {
        let read = spot.offset().checked_sub(self.begin.offset());
        let left = read.map_or(self.text, |read| self.text.get(read as usize..).unwrap_or_default());
        let is_before_next = |next| spot.line() < next || spot.line() == next && spot.bytes_of_line() == 0;
        left.iter().all(u8::is_ascii_whitespace) && self.next.is_none_or(is_before_next)
    }
}
