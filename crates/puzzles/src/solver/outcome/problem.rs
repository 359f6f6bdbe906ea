//! Describes what is wrong with a puzzle, as data: the broken rule and the place to correct. The message catalogues
//! turn it into text.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::OutcomeMessage;
use super::proposal::Proposal;
use crate::input::{Lexeme, Line, Place, is_blank, printable};
use crate::words::{Data, Language, Phrase};

/// The most bytes of a line that are shown before the marked part, and from the marked part on.
const BEFORE_MAX: usize = 60;
const BEHIND_MAX: usize = 40;

/// Why a puzzle is invalid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Where a person would correct the puzzle.
    pub place: Place,
    /// What is wrong. The name of the phrase is the broken rule.
    pub what: Phrase,
    /// A change that was tried: it makes the puzzle valid, or removes lines that belong to no puzzle.
    #[serde(skip)]
    pub proposal: Option<Box<Proposal>>,
    /// A change that corrects this mistake, though another one remains.
    #[serde(skip)]
    pub part: Option<Box<Proposal>>,
    /// Other places that the message is about, such as the header that a row contradicts.
    #[serde(skip)]
    pub related: Vec<Place>,
    /// The wrong line, if it was available.
    pub excerpt: Option<Box<Excerpt>>,
    /// Further lines to show, with their numbers: those of related places, and the line before the wrong one.
    #[serde(skip)]
    pub context: Vec<(u64, Excerpt)>,
    /// Lines as the proposal changes them, each with its number; printable.
    #[serde(skip)]
    pub corrected: Vec<(u64, String)>,
    /// Lines of the puzzle around the wrong one, each with its number; printable and of bounded size. Empty if they
    /// were not available, or if no page shows them.
    #[serde(skip)]
    pub lines: Vec<(u64, String)>,
    /// Another mistake, which remains after this one is corrected.
    #[serde(skip)]
    pub also: Option<Box<Problem>>,
    /// Whether the beginning of the puzzle was readable, so that the file does hold puzzles of this kind.
    pub recognised: bool,
    /// What this is about.
    #[serde(skip)]
    pub subject: Subject,
}

/// What a problem is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Subject {
    /// A puzzle.
    #[default]
    Puzzle,
    /// Lines that belong to no puzzle, such as a title.
    Lines,
    /// The number of puzzles that the file names.
    Count,
}

/// A piece of a line of a file, with a part of it marked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The piece; printable and of bounded size.
    pub text: String,
    /// The marked part, as a range of bytes of the text.
    pub marked: Range<usize>,
}

impl Excerpt {
    /// Returns the piece of a line around the `length` bytes that begin at `at`.
    pub fn cut(line: &[u8], at: usize, length: usize) -> Self {
        let from = at.saturating_sub(BEFORE_MAX);
        // Do not cut a character.
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

    /// Returns a line that is marked as a whole.
    pub fn whole(line: &str) -> Self {
        Self::cut(line.as_bytes(), 0, line.len())
    }
}

/// Replaces tabs by blanks, because a tab counts as one column.
fn with_blanks(text: &[u8]) -> Vec<u8> {
    text.iter().map(|&byte| if is_blank(byte) { b' ' } else { byte }).collect()
}

impl Problem {
    /// Creates a problem at a place. The beginning of the puzzle counts as readable.
    pub fn new(place: Place, what: impl Into<Phrase>) -> Self {
        Self {
            place,
            what: what.into(),
            proposal: None,
            part: None,
            related: Vec::new(),
            excerpt: None,
            context: Vec::new(),
            lines: Vec::new(),
            corrected: Vec::new(),
            also: None,
            recognised: true,
            subject: Subject::Puzzle,
        }
    }

    /// Reports that a number was expected in place of `lexeme`: the simplest message of a reader.
    pub fn no_number(lexeme: &Lexeme) -> Self {
        Self::new(lexeme.place, OutcomeMessage::NoNumber { found: lexeme.token.quoted() })
    }

    /// Returns the line of its place among the lines of a puzzle.
    pub fn line_in<'a, 't>(&self, lines: &'a [Line<'t>]) -> Option<&'a Line<'t>> {
        lines.iter().find(|line| line.number == self.place.line)
    }

    /// Adds the wrong line.
    pub fn showing(self, excerpt: Excerpt) -> Self {
        Self { excerpt: Some(Box::new(excerpt)), ..self }
    }

    /// Sets whether the beginning of the puzzle was readable.
    pub fn recognised_if(self, recognised: bool) -> Self {
        Self { recognised, ..self }
    }

    /// Returns the stable name of the broken rule: `square-value`, `board-size`.
    pub fn rule(&self) -> &'static str {
        self.what.name
    }

    /// Returns the problem in the form in which JSON results show it.
    pub fn data(&self) -> ProblemData<'_> {
        let Place { line, column } = self.place;
        let (rule, arguments) = (self.rule(), Data(&self.what.arguments));
        let (proposal, related) = (self.proposal.as_deref(), &*self.related);
        ProblemData { line, column, rule, arguments, proposal, related }
    }

    /// Sets the proposal: the change that makes the puzzle valid.
    pub fn proposing(self, proposal: Option<Proposal>) -> Self {
        Self { proposal: proposal.map(Box::new), ..self }
    }

    /// Adds another mistake, if there is one.
    pub fn also(self, also: Option<Self>) -> Self {
        Self { also: also.map(Box::new), ..self }
    }

    /// Returns this mistake, and those that remain after it is corrected.
    pub fn chain(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |problem| problem.also.as_deref())
    }

    /// Returns the change that makes the puzzle valid: the proposal, or the corrections of all mistakes.
    pub fn change(&self) -> Option<Proposal> {
        let parts = self.chain().map(|mistake| mistake.part.as_deref().cloned());
        self.proposal.as_deref().cloned().or_else(|| Some(Proposal::together(parts.collect::<Option<_>>()?)))
    }

    /// Adds another place that the message is about.
    pub fn related_to(mut self, place: Place) -> Self {
        self.related.push(place);
        self
    }

    /// Returns what is wrong, followed by what to write instead if that is known and fits on the same line.
    pub fn say(&self, language: Language) -> String {
        let change = self.proposal.as_ref().or(self.part.as_ref());
        // Messages about lines of no puzzle already say to remove them.
        let is_removed = ["stray-line", "answers-behind"].contains(&self.rule());
        let is_said = is_removed || change.is_some_and(|change| change.shows_lines());
        let (what, help) = (self.what.say(language), self.help(language).filter(|_| !is_said));
        help.map_or_else(|| what.clone(), |help| format!("{what}; {help}"))
    }

    /// Returns what to write instead; `None` if that is unknown, or if the message already says it.
    pub fn help(&self, language: Language) -> Option<String> {
        let proposal = self.proposal.as_ref().or(self.part.as_ref());
        let proposal = proposal.filter(|proposal| !proposal.only_removes_lines())?;
        let help = proposal.phrase_of(self.place, self.excerpt.as_deref()).say(language);
        let what = self.what.say(language);
        // The message about a directive quotes the lines to write.
        let quotes = |line: &String| what.contains(&format!("`{line}`"));
        let has_lines =
            matches!(&**proposal, Proposal::ReplaceLines { lines, .. } if lines.iter().all(quotes));
        (!has_lines && !what.contains(&help)).then_some(help)
    }
}

/// Formats the problem in English, for the log.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.say(Language::English))
    }
}

impl std::error::Error for Problem {}

/// A problem in a JSON result. The names of its fields must not change.
#[derive(Serialize)]
pub struct ProblemData<'a> {
    line: u64,
    column: u64,
    rule: &'static str,
    arguments: Data<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proposal: Option<&'a Proposal>,
    #[serde(skip_serializing_if = "<[Place]>::is_empty")]
    related: &'a [Place],
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
