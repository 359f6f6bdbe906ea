//! One answer of a submission: the lines it stands on.

use super::lines::OwnedLine;
use crate::input::{Line, Place};

/// Bytes of an answer at most, with what it takes to tell its lines apart. What a longer one says is not known.
pub const ANSWER_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// The lines of an answer. An answer that was read has one at least.
#[derive(Debug, Default)]
pub struct Answer {
    /// The text of all lines, without anything between them: a line of its own for each would take many times as much
    /// where lines are short.
    text: Vec<u8>,
    lines: Vec<Span>,
    /// Something of it was passed by, because it is too long.
    pub(super) is_cut: bool,
    /// It begins as an answer does.
    pub(super) is_readable: bool,
}

/// A line in the text of an answer; it begins where the one before ends.
#[derive(Debug)]
struct Span {
    number: u64,
    column: u64,
    end: usize,
}

impl Answer {
    /// How many lines it has.
    #[must_use]
    pub fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// Its lines.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let begins = [0].into_iter().chain(self.lines.iter().map(|span| span.end));
        self.lines.iter().zip(begins).map(|(&Span { number, column, end }, begin)| Line {
            number,
            column,
            text: &self.text[begin..end],
        })
    }

    /// Its line of that index, from 0.
    #[must_use]
    pub fn line(&self, index: usize) -> Option<Line<'_>> {
        let &Span { number, column, end } = self.lines.get(index)?;
        Some(Line { number, column, text: &self.text[self.begin(index)..end] })
    }

    /// Its first line.
    #[must_use]
    pub fn first(&self) -> Line<'_> {
        self.line(0).unwrap_or(Line { number: 0, column: 0, text: b"" })
    }

    /// Where it begins.
    #[must_use]
    pub fn place(&self) -> Place {
        let Line { number: line, column, .. } = self.first();
        Place { line, column }
    }

    /// Its tokens, each with its place.
    pub fn tokens(&self) -> impl Iterator<Item = (Place, &[u8])> {
        self.lines().flat_map(|line| line.tokens())
    }

    pub(super) fn push(&mut self, line: &OwnedLine) {
        let Line { number, column, text } = line.line();
        let bytes = self.text.len() + text.len() + (1 + self.lines.len()) * size_of::<Span>();
        self.is_cut |= line.is_cut || bytes as u64 > ANSWER_BYTES_MAX;
        // What is too long is read to its end, and not kept.
        if !self.is_cut || self.lines.is_empty() {
            self.text.extend_from_slice(text);
            self.lines.push(Span { number, column, end: self.text.len() });
        }
    }

    /// Takes the lines from `at` on away, the last one first.
    pub(super) fn split_off(&mut self, at: usize) -> impl Iterator<Item = OwnedLine> {
        let taken: Vec<OwnedLine> = self.lines().skip(at).map(OwnedLine::from).collect();
        self.text.truncate(self.begin(at));
        self.lines.truncate(at);
        taken.into_iter().rev()
    }

    /// Where the text of a line begins.
    fn begin(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |before| self.lines[before].end)
    }
}
