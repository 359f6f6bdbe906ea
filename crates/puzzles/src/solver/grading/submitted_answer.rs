//! One answer of a submission: the lines it stands on, and what it gives to be drawn.

use std::io;

use serde_json::Value;

use super::answer_text::{AnswerLines, Cut, OwnedLine, owned_bytes};
use super::submission::row_and_column;
use crate::input::{Line, Place};

/// Bytes of an answer at most, with what it takes to tell its lines apart. What a longer one says is not known.
pub const ANSWER_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Squares, slides, moves or lines of an answer that are drawn.
pub const CLAIMED_MAX: usize = 1 << 16;
/// Bytes that making a list of them takes at most.
pub const CLAIMED_BYTES_MAX: u64 = 12 * 1024 * 1024;

/// The lines of an answer. An answer that was read has one at least.
#[derive(Debug, Default)]
pub struct Answer {
    /// The text of all lines, without anything between them: a line of its own for each would take many times as much
    /// where lines are short.
    text: Vec<u8>,
    lines: Vec<Span>,
    /// Why something of it was passed by.
    pub(super) cut: Option<Cut>,
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
    /// Returns how many lines it has.
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

    /// Returns where it begins.
    #[must_use]
    pub fn place(&self) -> Place {
        let Line { number: line, column, .. } = self.first();
        Place { line, column }
    }

    /// Its tokens, each with its place.
    pub fn tokens(&self) -> impl Iterator<Item = (Place, &[u8])> {
        self.lines().flat_map(|line| line.tokens())
    }

    /// Bytes of its text.
    #[must_use]
    pub fn text_bytes(&self) -> usize {
        self.text.len()
    }

    /// Returns whether something of it was passed by, because it is too long.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.cut.is_some()
    }

    /// Bytes that it takes, and what checking it takes beside it: a board has a byte for two of the text.
    pub(super) fn bytes(&self) -> u64 {
        bytes(self.text.capacity(), self.lines.capacity())
    }

    /// Takes the next line, unless it is too long for that. `lines` are those that it was taken from.
    pub(super) fn push(&mut self, mut line: OwnedLine, lines: &mut AnswerLines<'_>) -> io::Result<()> {
        self.cut = self.cut.or(line.cut);
        if self.lines.is_empty() {
            let refused = lines.need(bytes(line.text.capacity(), 1))?;
            self.cut = self.cut.or(refused);
            if refused.is_some() {
                line.shorten();
            }
            let Line { number, column, text } = line.line();
            self.lines.push(Span { number, column, end: text.len() });
            self.text = line.text;
            return Ok(());
        }
        let length = self.text.len() + line.text.len();
        if (length + (1 + self.lines.len()) * size_of::<Span>()) as u64 > ANSWER_BYTES_MAX {
            self.cut = self.cut.or(Some(Cut::Length));
        }
        // What is too long is read to its end, and not kept.
        if self.cut.is_none() && self.has_room(&line, lines)? {
            let Line { number, column, text } = line.line();
            self.text.extend_from_slice(text);
            self.lines.push(Span { number, column, end: length });
        }
        Ok(())
    }

    /// Makes room for another line; false if its memory does not allow for that.
    fn has_room(&mut self, line: &OwnedLine, lines: &mut AnswerLines<'_>) -> io::Result<bool> {
        let (text, spans) = (self.text.capacity(), self.lines.capacity());
        let grown = |capacity: usize, needed: usize| {
            if needed > capacity { needed.max(2 * capacity) } else { capacity }
        };
        let grown = (grown(text, self.text.len() + line.text.len()), grown(spans, 1 + self.lines.len()));
        if grown != (text, spans) {
            // While it moves there are two of it.
            let moving = bytes(text, spans) + bytes(grown.0, grown.1) + owned_bytes(1, line.text.capacity());
            self.cut = lines.need(moving)?;
            if self.cut.is_some() {
                return Ok(false);
            }
            self.text.reserve_exact(grown.0 - self.text.len());
            self.lines.reserve_exact(grown.1 - self.lines.len());
        }
        Ok(true)
    }

    /// Bytes that the lines from `at` on take as lines of their own.
    pub(super) fn bytes_from(&self, at: usize) -> u64 {
        owned_bytes(self.lines.len() - at, self.text.len() - self.begin(at))
    }

    /// Takes the lines from `at` on away, the last one first.
    pub(super) fn split_off(&mut self, at: usize) -> impl Iterator<Item = OwnedLine> {
        let taken: Vec<OwnedLine> = self.lines().skip(at).map(OwnedLine::from).collect();
        self.text.truncate(self.begin(at));
        self.lines.truncate(at);
        taken.into_iter().rev()
    }

    /// Returns where the text of a line begins.
    fn begin(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |before| self.lines[before].end)
    }
}

/// Bytes of an answer with so much room for text and lines, the text twice.
fn bytes(text: usize, lines: usize) -> u64 {
    (2 * text + lines * size_of::<Span>()) as u64
}

/// An answer gives more than `CLAIMED_MAX` squares, slides, moves or lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany;

/// Collects what an answer gives.
///
/// # Errors
/// When that is more than is drawn.
pub fn claimed<T>(items: impl Iterator<Item = T>) -> Result<Vec<T>, TooMany> {
    let items: Vec<T> = items.take(CLAIMED_MAX + 1).collect();
    if items.len() > CLAIMED_MAX { Err(TooMany) } else { Ok(items) }
}

/// Returns the squares that an answer gives behind its first `skipped` tokens, each a row and a column; `Null` if it
/// gives none. The first `most` tell all that is wrong with them.
///
/// # Errors
/// When these are more than are drawn.
pub fn claimed_squares(answer: &Answer, skipped: usize, most: usize) -> Result<Value, TooMany> {
    let squares = answer.tokens().skip(skipped).map_while(|(_, token)| row_and_column(token));
    let squares = claimed(squares.take(most).map(|(row, column)| Value::from(vec![row, column])))?;
    Ok(if squares.is_empty() { Value::Null } else { Value::from(squares) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_is_not_collected() {
        let mut asked = 0;
        assert_eq!(claimed((0..10 * CLAIMED_MAX).inspect(|_| asked += 1)), Err(TooMany));
        assert_eq!(asked, CLAIMED_MAX + 1);
        assert_eq!(claimed(0..CLAIMED_MAX).map(|items| items.len()), Ok(CLAIMED_MAX));
    }
}
