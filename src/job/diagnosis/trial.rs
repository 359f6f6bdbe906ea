//! Whether a change makes a puzzle valid: it is made in a copy, and that is read anew.

use std::io;

use crate::input::{Marked, Next, Scanner};
use crate::solver::{Proposal, PuzzleReader, Work};

/// A puzzle that is wrong, and what reads it.
pub struct Trial<'a> {
    pub marked: &'a Marked<'a>,
    pub reader: &'a dyn PuzzleReader,
    /// The puzzle before was valid. Where it was not, how far it goes may depend on the change: nothing is tried.
    pub is_after_valid: bool,
}

impl Trial<'_> {
    /// The first of some changes that makes the puzzle valid.
    pub fn first_of(&self, proposals: impl IntoIterator<Item = Proposal>) -> Option<Proposal> {
        proposals.into_iter().find(|proposal| self.is_after_valid && self.mends(proposal))
    }

    /// Whether a change makes the puzzle valid, and what comes behind it stays what it was.
    pub fn mends(&self, proposal: &Proposal) -> bool {
        let Some(text) = proposal.apply(self.marked.text, self.marked.first) else { return false };
        // Reading from memory cannot fail.
        self.is_valid(&text).unwrap_or(false)
    }

    fn is_valid(&self, text: &[u8]) -> io::Result<bool> {
        let mut reader = self.reader.anew();
        let mut input = Scanner::new(text, "")?;
        let Some(entry) = reader.read(&mut input)? else { return Ok(false) };
        if !matches!(entry.work, Work::Solve(_)) {
            return Ok(false);
        }
        let rest = (self.marked.text.len() - self.marked.read) as u64;
        // All of it was removed, and the next puzzle is valid.
        if text.len() as u64 <= rest {
            return Ok(true);
        }
        // Where the reader went on after the mistake, the next puzzle begins now as well.
        let is_at_end = input.advance()? == Next::End;
        let left = text.len() as u64 - input.bytes_consumed();
        if is_at_end || left <= rest {
            return Ok(
                (left == rest || is_blank(self.marked, rest - left)) && (self.marked.is_whole || !is_at_end)
            );
        }
        // Or it begins sooner, and is valid: the reader had passed it by.
        Ok(matches!(reader.read(&mut input)?, Some(entry) if matches!(entry.work, Work::Solve(_))))
    }
}

/// Whether the first bytes of what is behind a puzzle are blank: the next one begins behind them, however it is reached.
fn is_blank(marked: &Marked<'_>, bytes: u64) -> bool {
    marked.text[marked.read..].iter().take(bytes as usize).all(u8::is_ascii_whitespace)
}
