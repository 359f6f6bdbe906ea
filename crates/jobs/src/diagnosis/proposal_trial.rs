//! Whether a change makes a puzzle valid: it is made in a copy, and that is read anew.

use std::cell::Cell;
use std::collections::VecDeque;
use std::io;

use tabuleiro_puzzles::input::{Marked, Next, Place, Scanner, Spot};
use tabuleiro_puzzles::solver::{Entry, Proposal, PuzzleReader, Work};

/// Bytes that are read to try what makes the wrong puzzles of a file valid.
pub const TRIED_BYTES_MAX: u64 = 32 << 20;
/// A trial counts as so many at least, as making it takes its time.
const TRIAL_BYTES: u64 = 4 << 10;

/// A puzzle that is wrong, and what reads it.
pub struct Trial<'a> {
    pub reader: &'a dyn PuzzleReader,
    /// A reader anew of it stands where the entries before the puzzle begin.
    pub first: &'a dyn PuzzleReader,
    pub before: &'a Before,
    /// The text from the line on where these begin; nothing is tried where it is not at hand.
    pub text: Option<Marked<'a>>,
    pub bytes_left: Cell<u64>,
}

impl Trial<'_> {
    /// The first of some changes that makes the puzzle valid.
    pub fn first_of(&self, proposals: impl IntoIterator<Item = Proposal>) -> Option<Proposal> {
        proposals.into_iter().find(|proposal| self.mends(proposal))
    }

    /// Whether a change makes the puzzle valid, and what stands before it and behind it stays what it was.
    fn mends(&self, proposal: &Proposal) -> bool {
        let Some(text) = self.text.filter(|_| self.bytes_left.get() > 0) else { return false };
        let cost = TRIAL_BYTES.max(text.read as u64);
        self.bytes_left.set(self.bytes_left.get().saturating_sub(cost));
        let Some(copy) = proposal.apply(text.text, text.first.line) else { return false };
        // Reading from memory cannot fail.
        self.is_valid(&text, &copy).unwrap_or(false)
    }

    fn is_valid(&self, text: &Marked<'_>, copy: &[u8]) -> io::Result<bool> {
        let entries = self.before.entries();
        let (Some(first), Some(puzzle)) = (entries.front(), entries.back()) else { return Ok(false) };
        let begins = first.spot.bytes_of_line() as usize;
        if copy.get(..begins) != text.text.get(..begins) {
            return Ok(false);
        }
        let mut reader = self.first.anew();
        let mut input = Scanner::resume(&copy[begins..], "", first.spot);
        let mut read = |input: &mut Scanner<'_>| {
            input.mark();
            reader.read(input)
        };
        for known in entries.range(..entries.len() - 1) {
            if !read(&mut input)?.is_some_and(|entry| known.is(&entry)) {
                return Ok(false);
            }
        }
        let left = |input: &Scanner<'_>| {
            let end = first.spot.offset() + (copy.len() - begins) as u64;
            end - input.bytes_consumed()
        };
        let rest = (text.text.len() - text.read) as u64;
        // Nothing of it is left, and the next puzzle is valid.
        let is_removed = left(&input) <= rest;
        let is_valid = |entry: Option<Entry>| entry.is_some_and(|entry| matches!(entry.work, Work::Solve(_)));
        if input.bytes_consumed() != puzzle.spot.offset() {
            return Ok(false);
        }
        let entry = read(&mut input)?;
        if entry.is_none() {
            // Nothing is left of it, it was the last one, and others stand before it.
            let is_end = text.is_whole && input.advance()? == Next::End;
            return Ok(is_end && !first.spot.is_before_tokens());
        }
        let is_mended = is_valid(entry);
        if is_removed || !is_mended {
            return Ok(is_mended);
        }
        // Where the reader went on after the mistake, the next puzzle begins now as well.
        let is_at_end = input.advance()? == Next::End;
        let left = left(&input);
        if is_at_end || left <= rest {
            return Ok((left == rest || is_blank(text, rest - left)) && (text.is_whole || !is_at_end));
        }
        // Or it begins sooner, and is valid: the reader had passed it by.
        Ok(is_valid(read(&mut input)?))
    }
}

/// Whether the first bytes of what is behind a puzzle are blank: the next one begins behind them, however it is reached.
fn is_blank(text: &Marked<'_>, bytes: u64) -> bool {
    text.text[text.read..].iter().take(bytes as usize).all(u8::is_ascii_whitespace)
}

/// The entries from the first wrong one on that has seen the puzzle at hand; that puzzle is the last of them.
#[derive(Default)]
pub struct Before {
    entries: VecDeque<Known>,
    /// Bytes of the file that wrong ones have seen.
    reach: u64,
}

/// An entry that was read.
#[derive(Clone, Copy)]
pub struct Known {
    /// Where its reader stood.
    pub spot: Spot,
    place: Place,
    /// Bytes of the file that its reader has seen, where it is wrong. One that is valid ends where it ends.
    seen: Option<u64>,
}

impl Known {
    /// Whether an entry is this one.
    pub fn is(&self, entry: &Entry) -> bool {
        entry.place == self.place && matches!(entry.work, Work::Invalid(_)) == self.seen.is_some()
    }
}

impl Before {
    /// Adds an entry that is not wrong, where that may matter.
    #[inline]
    pub fn add(&mut self, spot: Spot, place: Place) {
        if spot.offset() < self.reach {
            self.entries.push_back(Known { spot, place, seen: None });
        }
    }

    /// Adds a wrong puzzle, has the text from the first entry on held, and says where that begins.
    pub fn add_wrong(&mut self, spot: Spot, place: Place, input: &mut Scanner<'_>) -> Spot {
        let has_seen = |entry: &Known| entry.seen.is_some_and(|seen| seen > spot.offset());
        let begins = self.entries.iter().position(has_seen).unwrap_or(self.entries.len());
        self.entries.drain(..begins);
        self.reach = self.reach.max(input.bytes_seen());
        self.entries.push_back(Known { spot, place, seen: Some(input.bytes_seen()) });
        let first = self.entries[0].spot;
        input.hold_from(first);
        first
    }

    /// The entries, at least the puzzle at hand.
    pub fn entries(&self) -> &VecDeque<Known> {
        &self.entries
    }
}

#[cfg(test)]
#[path = "proposal_trial_tests.rs"]
mod tests;
