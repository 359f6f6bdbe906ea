//! What is wrong with a puzzle: the rule that it breaks and the place to mend, as data; in words by the catalogues.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::proposal::Proposal;
use crate::input::{Lexeme, Place, is_blank, printable};
use crate::words::{Argument, Data, Language, Phrase, messages};

/// Bytes of a line that are shown before what is meant, and from there on.
const BEFORE_MAX: usize = 60;
const BEHIND_MAX: usize = 40;

/// Why a puzzle is invalid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Where a person would mend it.
    pub place: Place,
    /// What is wrong. Its name is the rule that is broken.
    pub what: Phrase,
    /// What makes the puzzle valid, if that was tried and does.
    #[serde(skip)]
    pub proposal: Option<Box<Proposal>>,
    /// The line of the file, if it was at hand.
    pub excerpt: Option<Box<Excerpt>>,
    /// The lines of the puzzle, if they were at hand and a page shows them.
    #[serde(skip)]
    pub seen: Option<Box<Seen>>,
    /// The beginning of the puzzle was readable, so the file does hold puzzles of this kind.
    pub recognised: bool,
}

/// A piece of a line of a file, and what of it is meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// Printable, and bounded.
    pub text: String,
    /// What is meant, in bytes of the text.
    pub marked: Range<usize>,
}

/// The lines of a puzzle that is wrong, as far as they are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Those around the wrong one, each with its number; printable, and bounded.
    pub lines: Vec<(u64, String)>,
    /// Lines that were left out before and behind them.
    pub left_out: (u64, u64),
    /// The first row of the puzzle among the lines of the file, and how many numbers the rows have, the first and every other
    /// one and the others, if that is known.
    pub rows: Option<(u64, [u64; 2])>,
}

impl Excerpt {
    /// Returns the piece of a line around the `length` bytes that begin at `at`.
    #[must_use]
    pub fn cut(line: &[u8], at: usize, length: usize) -> Self {
        let from = at.saturating_sub(BEFORE_MAX);
        // A character is not cut.
        let is_inside = |index: &usize| line.get(*index).is_some_and(|byte| byte & 0xc0 == 0x80);
        let from = (from..at).find(|index| !is_inside(index)).unwrap_or(at);
        let before = if from > 0 { "…" } else { "" }.to_owned()
            + &printable(&with_blanks(&line[from..at]), usize::MAX);
        let meant = printable(&with_blanks(&line[at..at + length]), BEHIND_MAX);
        let room = BEHIND_MAX.saturating_sub(meant.len());
        let behind =
            if room > 0 { printable(&with_blanks(&line[at + length..]), room) } else { String::new() };
        let marked = before.len()..before.len() + meant.len();
        Self { text: before + &meant + &behind, marked }
    }
}

/// Replaces tabs by blanks: a tab takes one column, as columns are counted.
fn with_blanks(text: &[u8]) -> Vec<u8> {
    text.iter().map(|&byte| if is_blank(byte) { b' ' } else { byte }).collect()
}

messages! {
    "outcome"
    /// What any reader may say.
    enum Plain {
        NoNumber = "no-number" { found: Argument },
    }
}

impl Problem {
    /// Creates a problem with what stands at a place, of a puzzle whose beginning was readable.
    #[must_use]
    pub fn new(place: Place, what: impl Into<Phrase>) -> Self {
        Self { place, what: what.into(), proposal: None, excerpt: None, seen: None, recognised: true }
    }

    /// Returns the problem that a number was expected where `lexeme` stands: the plainest message of a reader.
    #[must_use]
    pub fn no_number(lexeme: &Lexeme) -> Self {
        Self::new(lexeme.place, Plain::NoNumber { found: lexeme.token.quoted() })
    }

    /// Says whether the beginning was readable.
    #[must_use]
    pub fn recognised_if(self, recognised: bool) -> Self {
        Self { recognised, ..self }
    }

    /// Returns the rule that is broken, as a stable name: `square-value`, `board-size`.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        self.what.name
    }

    /// Returns the problem as a JSON result has it.
    #[must_use]
    pub fn data(&self) -> ProblemData<'_> {
        let Place { line, column } = self.place;
        let (rule, arguments) = (self.rule(), Data(&self.what.arguments));
        ProblemData { line, column, rule, arguments, proposal: self.proposal.as_deref() }
    }

    /// Adds what makes the puzzle valid, if there is something.
    #[must_use]
    pub fn proposing(self, proposal: Option<Proposal>) -> Self {
        Self { proposal: proposal.map(Box::new), ..self }
    }

    /// Returns what is wrong, and what to write instead if that is known.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        let what = self.what.say(language);
        let proposal = self.proposal.as_ref().map(|proposal| proposal.phrase().say(language));
        match proposal {
            // A message that gives the reason for the proposal has it already.
            Some(proposal) if !what.contains(&proposal) => format!("{what}; {proposal}"),
            _ => what,
        }
    }
}

/// A problem in a JSON result. The names of its fields stay.
#[derive(Serialize)]
pub struct ProblemData<'a> {
    line: u64,
    column: u64,
    rule: &'static str,
    arguments: Data<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proposal: Option<&'a Proposal>,
}

#[cfg(test)]
mod tests {
    use super::Excerpt;

    #[test]
    fn a_piece_is_printable_bounded_and_marked() {
        let excerpt = Excerpt::cut(b"1 2\t3,4 5", 4, 3);
        assert_eq!((&*excerpt.text, &excerpt.text[excerpt.marked.clone()]), ("1 2 3,4 5", "3,4"));
        let long = format!("{}x\u{1b}[2J{}", "é ".repeat(1000), " 7".repeat(1000));
        let excerpt = Excerpt::cut(long.as_bytes(), 3000, 5);
        assert_eq!(&excerpt.text[excerpt.marked.clone()], "x\\u{1b}[2J");
        assert!(excerpt.text.starts_with('…') && excerpt.text.ends_with('…'), "{excerpt:?}");
        assert!(excerpt.text.len() < 150, "{excerpt:?}");
    }

    #[test]
    fn the_end_of_a_line_can_be_meant() {
        let excerpt = Excerpt::cut(b"1 2", 3, 0);
        assert_eq!((&*excerpt.text, excerpt.marked), ("1 2", 3..3));
    }
}
