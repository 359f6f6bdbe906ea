//! Holds one answer of a submission: its lines, and the data to draw from it.

use std::io;

use serde_json::Value;

use super::answer_text::{AnswerLines, Cut, OwnedLine, owned_bytes};
use super::submission::row_and_column;
use crate::input::{Line, Place};

/// The most bytes of an answer, including what is needed to separate its lines. The content of a longer answer is
/// unknown.
pub const ANSWER_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// The most squares, slides, moves or lines of an answer that are drawn.
pub const CLAIMED_MAX: usize = 1 << 16;
/// The most bytes that such a list takes while it is made.
pub const CLAIMED_BYTES_MAX: u64 = 12 * 1024 * 1024;

/// The lines of an answer. An answer that was read has at least one.
#[derive(Debug, Default)]
pub struct Answer {
    /// The text of all lines, without separators. Separate strings would take many times as much memory if lines are
    /// short.
    text: Vec<u8>,
    lines: Vec<Span>,
    /// Why a part of the answer was skipped; `None` if none was.
    pub(super) cut: Option<Cut>,
    pub(super) is_readable: bool,
}

/// A line in the text of an answer; it begins where the previous line ends.
#[derive(Debug)]
struct Span {
    number: u64,
    column: u64,
    end: usize,
}

impl Answer {
    /// Returns the number of lines.
    pub fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// Returns the lines.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        (0..self.lines.len()).filter_map(|index| self.line(index))
    }

    /// Returns the line with this index, from 0.
    pub fn line(&self, index: usize) -> Option<Line<'_>> {
        let &Span { number, column, end } = self.lines.get(index)?;
        Some(Line { number, column, text: &self.text[self.begin(index)..end] })
    }

    /// Returns the first line.
    pub fn first(&self) -> Line<'_> {
        self.line(0).unwrap_or(Line { number: 0, column: 0, text: b"" })
    }

    /// Returns where the answer begins.
    pub fn place(&self) -> Place {
        self.first().place()
    }

    /// Returns the tokens, each with its place.
    pub fn tokens(&self) -> impl Iterator<Item = (Place, &[u8])> {
        self.lines().flat_map(|line| line.tokens())
    }

    /// Returns the bytes of the text.
    pub fn text_bytes(&self) -> usize {
        self.text.len()
    }

    /// Returns whether a part of the answer was skipped because it is too long.
    pub fn is_cut(&self) -> bool {
        self.cut.is_some()
    }

    /// Returns the bytes of memory that the answer takes, including those for checking it: a board takes one byte for
    /// two bytes of text.
    pub(super) fn bytes(&self) -> u64 {
        bytes(self.text.capacity(), self.lines.capacity())
    }

    /// Adds the next line, unless that makes the answer too long. `lines` is the reader that the line was taken from.
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
        // The rest of an answer that is too long is read but not kept.
        if self.cut.is_none() && self.has_room(&line, lines)? {
            let Line { number, column, text } = line.line();
            self.text.extend_from_slice(text);
            self.lines.push(Span { number, column, end: length });
        }
        Ok(())
    }

    /// Makes room for another line; returns false if the budget does not allow the memory.
    fn has_room(&mut self, line: &OwnedLine, lines: &mut AnswerLines<'_>) -> io::Result<bool> {
        let (text, spans) = (self.text.capacity(), self.lines.capacity());
        let grown = |capacity: usize, needed: usize| {
            if needed > capacity { needed.max(2 * capacity) } else { capacity }
        };
        let grown = (grown(text, self.text.len() + line.text.len()), grown(spans, 1 + self.lines.len()));
        if grown != (text, spans) {
            // While the buffers grow, the old and the new ones exist.
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

    /// Returns the bytes that the lines from `at` on take as separate lines.
    pub(super) fn bytes_from(&self, at: usize) -> u64 {
        owned_bytes(self.lines.len() - at, self.text.len() - self.begin(at))
    }

    /// Removes the lines from `at` on, and returns them in reverse order.
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

/// Returns the bytes for an answer with these capacities for text and lines. The text counts twice, because checking it
/// takes memory, too.
fn bytes(text: usize, lines: usize) -> u64 {
    (2 * text + lines * size_of::<Span>()) as u64
}

/// The error if an answer gives more than `CLAIMED_MAX` squares, slides, moves or lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany;

/// Collects what an answer gives to be drawn.
///
/// # Errors
/// Fails if that is more than is drawn.
pub fn claimed<T>(items: impl Iterator<Item = T>) -> Result<Vec<T>, TooMany> {
    let items: Vec<T> = items.take(CLAIMED_MAX + 1).collect();
    if items.len() > CLAIMED_MAX { Err(TooMany) } else { Ok(items) }
}

/// Returns the squares that an answer gives after its first `skipped` tokens, each as a row and a column; `Null` if it
/// gives none. The first `most` squares are enough to show every mistake in them.
///
/// # Errors
/// Fails if there are more squares than are drawn.
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
