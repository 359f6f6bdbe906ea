//! Tries whether a change makes a puzzle valid, by reading a changed copy with a fresh reader.

use std::cell::Cell;
use std::collections::VecDeque;
use std::io;

use super::short_file::is_recognised;
use tabuleiro_puzzles::input::{Line, Marked, Next, Place, Scanner, Spot, is_comment};
use tabuleiro_puzzles::solver::{Entry, Problem, Proposal, PuzzleReader, Solver, Work};

/// The most bytes that trials read for all wrong puzzles of a file.
pub const TRIED_BYTES_MAX: u64 = 32 << 20;
/// The bytes that a trial counts as at least, because making the copy takes time.
const TRIAL_BYTES: u64 = 4 << 10;

/// The most entries that a trial reads again.
const ENTRIES_MAX: usize = 512;

/// A wrong puzzle, and what a trial needs to read it again.
pub struct Trial<'a> {
    pub solver: &'static dyn Solver,
    pub reader: &'a dyn PuzzleReader,
    /// A fresh copy of this reader begins at the first entry of `before`.
    pub first: &'a dyn PuzzleReader,
    pub before: &'a Before,
    /// The text from the line of that first entry on. Without it, nothing is tried.
    pub text: Option<Marked<'a>>,
    /// How many bytes trials can still read, of this puzzle and of those after it.
    pub bytes_left: &'a Cell<u64>,
    /// Changes that are made besides each one that is tried.
    pub assumed: &'a [Proposal],
    /// The text has the lines of this puzzle only.
    pub is_piece: bool,
    /// The mistake stands before the first puzzle, so the change can make that puzzle valid as well.
    pub takes_next: bool,
    /// The entry is lines that belong to no puzzle. If they are removed, the next puzzle can have a mistake of its own.
    pub is_stray: bool,
}

/// A reader, its input, and where that input begins in the copy.
type ReaderOfCopy<'c> = (Box<dyn PuzzleReader>, Scanner<'c>, usize);

impl Trial<'_> {
    /// Returns the first of these changes that makes the puzzle valid.
    pub fn first_of(&self, proposals: impl IntoIterator<Item = Proposal>) -> Option<Proposal> {
        proposals.into_iter().find(|proposal| self.mends(proposal))
    }

    /// Returns the only one of these changes that makes the puzzle valid; `None` if several do.
    pub fn only_one_of(&self, proposals: impl IntoIterator<Item = Proposal>) -> Option<Proposal> {
        let mut mending = proposals.into_iter().filter(|proposal| self.mends(proposal));
        mending.next().filter(|_| mending.next().is_none())
    }

    /// Returns a problem that proposes the first of these changes that makes the puzzle valid; `None` if none does.
    pub fn mended(&self, problem: Problem, changes: impl IntoIterator<Item = Proposal>) -> Option<Problem> {
        Some(problem.proposing(Some(self.first_of(changes)?)))
    }

    /// Returns a trial whose changes can make the next puzzle valid as well.
    pub fn taking_next(&self) -> Self {
        Self { takes_next: true, ..*self }
    }

    /// Returns a trial of changes that are made besides `assumed`.
    pub fn assuming<'b>(&'b self, assumed: &'b [Proposal]) -> Trial<'b> {
        Trial { assumed, ..*self }
    }

    /// Returns whether anything other than blanks and comments follows the puzzle.
    pub fn is_followed(&self) -> bool {
        self.is_followed_by(|_| true)
    }

    /// Returns whether a line with a digit follows the puzzle.
    pub fn is_followed_by_numbers(&self) -> bool {
        self.is_followed_by(|line| line.iter().any(u8::is_ascii_digit))
    }

    fn is_followed_by(&self, is_one: impl Fn(&[u8]) -> bool) -> bool {
        self.text.is_some_and(|text| {
            let mut lines = text.text[text.read..].split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_start);
            lines.any(|line| !line.is_empty() && !is_comment(line) && is_one(line))
        })
    }

    /// Returns the text for a trial and charges reading it; `None` if nothing is left for trials.
    fn charged_text(&self) -> Option<Marked<'_>> {
        let is_short = self.before.entries().len() <= ENTRIES_MAX;
        let text = self.text.filter(|_| is_short && self.bytes_left.get() > 0)?;
        self.charge(TRIAL_BYTES.max(text.read as u64));
        Some(text)
    }

    /// Counts bytes as read by trials.
    pub fn charge(&self, bytes: u64) {
        self.bytes_left.set(self.bytes_left.get().saturating_sub(bytes));
    }

    /// Returns whether a change makes the puzzle valid and does not affect what precedes and follows it.
    fn mends(&self, proposal: &Proposal) -> bool {
        let Some(text) = self.charged_text() else { return false };
        let together = || Proposal::together([self.assumed, std::slice::from_ref(proposal)].concat());
        let made = if self.assumed.is_empty() { proposal } else { &together() };
        let Some(copy) = made.apply(text.text, text.first.line) else { return false };
        // Reading from memory cannot fail.
        self.is_valid(&text, &copy).unwrap_or(false)
    }

    /// Returns the lines after a line that are in the window, without blank lines and comments.
    pub fn lines_behind(&self, line: &Line<'_>) -> impl Iterator<Item = Line<'_>> {
        let lines = self.text.map(|text| text.lines_to_end());
        let number = line.number;
        lines.unwrap_or_default().into_iter().skip_while(move |next| next.number <= number)
    }

    /// Returns what is wrong with the next puzzle after a change that makes this one valid.
    pub fn wrong_next(&self, proposal: &Proposal) -> Option<Problem> {
        self.first_of([proposal.clone()])?;
        let text = self.text?;
        let copy = proposal.apply(text.text, text.first.line)?;
        let (mut reader, mut input, _) = self.reader_of(&text, &copy).ok()??;
        input.mark();
        reader.read(&mut input).ok()??;
        input.mark();
        reader.read(&mut input).ok()??.work.problem()
    }

    /// Returns the change that moves lines behind a later one.
    pub fn moved(&self, [from, to]: [u64; 2], behind: u64) -> Option<Proposal> {
        let text = self.text?;
        let lines = text.all_lines().skip_while(|line| line.number < from);
        let lines = lines.take_while(|line| line.number <= behind);
        let mut lines: Vec<_> = lines.map(|line| String::from_utf8_lossy(line.text).into_owned()).collect();
        let moved = usize::try_from(to - from + 1).ok().filter(|&moved| moved <= lines.len())?;
        if let ([line], 1) = (&lines[..1], moved) {
            let text = line.trim().to_owned();
            let changes = vec![Proposal::remove_line(from), Proposal::InsertLine { line: behind + 1, text }];
            if let Some(change) = self.first_of([Proposal::All { changes }]) {
                return Some(change);
            }
        }
        lines.rotate_left(moved);
        self.first_of([Proposal::ReplaceLines { from_line: from, to_line: behind, lines }])
    }

    /// Returns what is wrong with the puzzle after a change.
    pub fn wrong_after(&self, proposal: &Proposal) -> Option<Problem> {
        self.work_after(proposal)?.problem()
    }

    /// Returns the mistake that only playing the puzzle shows, after a change that makes it valid. Its place is that of
    /// the unchanged file, unless the change is on the same line.
    pub fn mistake_after(&self, proposal: &Proposal) -> Option<Problem> {
        let Work::Solve(puzzle) = self.work_after(proposal)? else { return None };
        let (problem, text) = (puzzle.mistake()?, self.text?);
        let copy = proposal.apply(text.text, text.first.line)?;
        let [old, new] = [text.text, &copy].map(|text| text.split(|&byte| byte == b'\n').collect::<Vec<_>>());
        let Place { line, column } = problem.place;
        let index = usize::try_from(line.checked_sub(text.first.line)?).ok()?;
        let (old_line, new_line) = (old.get((index + old.len()).checked_sub(new.len())?)?, new.get(index)?);
        let rest = new_line.get(usize::try_from(column).ok()?.checked_sub(1)?..)?;
        if !old_line.ends_with(rest) {
            // The change replaced moves, one for one.
            let excerpt = if old_line.len() == new_line.len() { None } else { problem.excerpt };
            return (old.len() == new.len()).then_some(Problem { excerpt, ..problem });
        }
        let line = (line + old.len() as u64).checked_sub(new.len() as u64)?;
        let place = Place { line, column: (old_line.len() - rest.len()) as u64 + 1 };
        Some(Problem { place, excerpt: None, ..problem })
    }

    /// Reads the puzzle after a change.
    fn work_after(&self, proposal: &Proposal) -> Option<Work> {
        let text = self.charged_text()?;
        let copy = proposal.apply(text.text, text.first.line)?;
        let (mut reader, mut input, _) = self.reader_of(&text, &copy).ok()??;
        input.mark();
        Some(reader.read(&mut input).ok()??.work)
    }

    /// Returns a reader of a changed copy, ready to read the puzzle, and where its input begins in the copy; `None` if
    /// the change affects an entry before the puzzle.
    fn reader_of<'c>(&self, text: &Marked<'_>, copy: &'c [u8]) -> io::Result<Option<ReaderOfCopy<'c>>> {
        let entries = self.before.entries();
        let Some(first) = entries.front() else { return Ok(None) };
        let begins = first.spot.bytes_of_line() as usize;
        if copy.get(..begins) != text.text.get(..begins) {
            return Ok(None);
        }
        let mut reader = self.first.fresh_reader();
        let mut input = Scanner::resume(&copy[begins..], "", first.spot);
        for known in entries.range(..entries.len() - 1) {
            input.mark();
            let entry = reader.read(&mut input)?;
            if !entry.is_some_and(|entry| known.is(&entry)) || input.bytes_looked() > self.bytes_left.get() {
                self.charge(input.bytes_looked());
                return Ok(None);
            }
        }
        self.charge(input.bytes_looked());
        Ok(Some((reader, input, begins)))
    }

    fn is_valid(&self, text: &Marked<'_>, copy: &[u8]) -> io::Result<bool> {
        let entries = self.before.entries();
        let (Some(first), Some(puzzle)) = (entries.front(), entries.back()) else { return Ok(false) };
        let Some((mut reader, mut input, begins)) = self.reader_of(text, copy)? else { return Ok(false) };
        let mut read = |input: &mut Scanner<'_>| {
            input.mark();
            reader.read(input)
        };
        let left = |input: &Scanner<'_>| {
            let end = first.spot.offset() + (copy.len() - begins) as u64;
            end - input.bytes_consumed()
        };
        let rest = (text.text.len() - text.read) as u64;
        // If the change removes the whole puzzle, the next puzzle must be valid.
        let mut ahead = Scanner::resume(&copy[copy.len() - left(&input) as usize..], "", input.spot());
        ahead.advance()?;
        let is_removed = left(&ahead) <= rest;
        let is_valid = |entry: Option<Entry>| entry.is_some_and(|entry| matches!(entry.work, Work::Solve(_)));
        if input.bytes_consumed() != puzzle.spot.offset() {
            return Ok(false);
        }
        let entry = read(&mut input)?;
        if is_removed && self.is_stray && entry.as_ref().is_some_and(is_recognised) {
            return Ok(true);
        }
        if entry.is_none() {
            // Nothing is left of the puzzle. It must have been the last one, and others must precede it.
            let is_end = text.is_whole && input.advance()? == Next::End && input.take_ignored().is_none();
            return Ok(is_end && !puzzle.spot.is_before_tokens());
        }
        let is_mended = is_valid(entry);
        if is_removed || !is_mended {
            return Ok(is_mended);
        }
        // The next puzzle must begin where the reader went on after the mistake.
        let is_at_end = input.advance()? == Next::End;
        if self.is_piece {
            return Ok(is_at_end);
        }
        let left = left(&input);
        if self.takes_next && left < rest {
            return Ok(is_at_end || is_valid(read(&mut input)?));
        }
        if is_at_end || left <= rest {
            return Ok((left == rest || is_blank(text, rest - left)) && (text.is_whole || !is_at_end));
        }
        // Otherwise it begins earlier, in lines that the reader had skipped. It must be valid, another stray line, or
        // the end marker.
        let next = read(&mut input)?;
        if next.is_none() {
            return Ok(text.is_whole && input.take_ignored().is_none());
        }
        let is_stray = |entry: &Entry| {
            entry
                .problem()
                .is_some_and(|problem| ["stray-line", "text-after-cases"].contains(&problem.rule()))
        };
        Ok(next.as_ref().is_some_and(is_stray) || is_valid(next))
    }
}

/// Returns whether the first bytes after a puzzle are blank. Then the next puzzle begins after them in any case.
fn is_blank(text: &Marked<'_>, bytes: u64) -> bool {
    text.text[text.read..].iter().take(bytes as usize).all(u8::is_ascii_whitespace)
}

/// The entries up to the current puzzle, from the first wrong one whose reader has seen text of that puzzle.
#[derive(Default)]
pub struct Before {
    entries: VecDeque<Known>,
    /// How many bytes of the file the readers of wrong entries have seen.
    reach: u64,
}

/// An entry that was read.
#[derive(Clone, Copy)]
pub struct Known {
    /// Where its reader began.
    pub spot: Spot,
    place: Place,
    /// The bytes of the file that its reader has seen, if the entry is wrong. A valid entry ends where its text ends.
    seen: Option<u64>,
}

impl Known {
    /// Returns whether an entry read from a copy is this one.
    pub fn is(&self, entry: &Entry) -> bool {
        entry.place == self.place && matches!(entry.work, Work::Invalid(_)) == self.seen.is_some()
    }
}

impl Before {
    /// Adds a valid entry, if the reader of a wrong one has seen it.
    #[inline]
    pub fn add(&mut self, spot: Spot, place: Place) {
        if spot.offset() < self.reach {
            self.entries.push_back(Known { spot, place, seen: None });
        }
    }

    /// Adds a wrong puzzle, and holds the text from the first entry on in the window. Returns where that entry begins.
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

    /// Returns the entries. After [`Self::add_wrong`], the last one is the current puzzle.
    pub fn entries(&self) -> &VecDeque<Known> {
        &self.entries
    }
}

#[cfg(test)]
#[path = "proposal_trial_tests.rs"]
mod tests;
