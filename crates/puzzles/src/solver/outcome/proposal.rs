//! What to write instead: a change of a few bytes, in a form that programs can apply.

use std::ops::Range;

use serde::Serialize;

use super::problem::Excerpt;
use crate::input::{Line, Place, QUOTE_BYTES_MAX, is_comment, printable};
use crate::words::{Phrase, messages};

/// Marks that begin a note after numbers.
const NOTES: [&str; 4] = ["<-", "->", "=>", "%"];
/// The most lines that are named one by one. If there are more, half as many from the first on are named, and the last
/// one.
const LINES_NAMED_MAX: usize = 6;

/// A change of a file that makes one of its puzzles valid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Proposal {
    /// Replace a piece of a line.
    Replace {
        /// Where the piece begins.
        #[serde(flatten)]
        place: Place,
        /// The length of the piece in bytes.
        bytes: u64,
        /// The replacement; printable.
        with: String,
    },
    /// Replace some characters wherever they occur in some lines, except in comments.
    ReplaceAll {
        /// The first line.
        from_line: u64,
        /// The last line.
        to_line: u64,
        /// The characters to replace.
        characters: String,
        /// The replacement for each of them.
        with: String,
    },
    /// Remove comments, which begin with `#` or `//` after numbers, to the end of their lines.
    RemoveComments {
        /// The first line.
        from_line: u64,
        /// The last line.
        to_line: u64,
    },
    /// Remove some lines.
    RemoveLines {
        /// The first line.
        from_line: u64,
        /// The last line.
        to_line: u64,
    },
    /// Join some lines into one.
    JoinLines {
        /// The first line.
        from_line: u64,
        /// The last line.
        to_line: u64,
    },
    /// Write other lines in place of some lines.
    ReplaceLines {
        /// The first line.
        from_line: u64,
        /// The last line.
        to_line: u64,
        /// The new lines; printable.
        lines: Vec<String>,
    },
    /// Insert a line before another one.
    InsertLine {
        /// The number of the line before which the new one goes.
        line: u64,
        /// The new line; printable.
        text: String,
    },
    /// Several changes that together make one puzzle valid.
    All {
        /// The changes from the first place to the last one. They do not overlap, and each has the place that it has in the
        /// unchanged file.
        changes: Vec<Proposal>,
    },
}

messages! {
    "proposal"
    /// What to write instead.
    enum Advice {
        Write = "write" { text: String },
        WriteLine = "write-line" { text: String, line: u64 },
        And = "and" { first: Phrase, second: Phrase },
        Remove = "remove",
        RemoveText = "remove-text" { text: String },
        Blank = "blank",
        Blanks = "blanks" { marks: String, lines: Phrase },
        Breaks = "breaks" { lines: Phrase },
        WriteAll = "write-all" { text: String, lines: Phrase },
        RemoveAll = "remove-all" { text: String, lines: Phrase },
        RemoveComments = "remove-comments" { lines: Phrase },
        RemoveLine = "remove-line" { line: u64 },
        RemoveLines = "remove-lines" { from: u64, to: u64 },
        JoinLines = "join-lines" { from: u64, to: u64 },
        ChangeLines = "change-lines" { lines: Phrase },
        Instead = "instead" { text: String, lines: Phrase },
        InsertLine = "insert-line" { text: String, line: u64 },
        Line = "line" { line: u64 },
        Lines = "lines" { from: u64, to: u64 },
        LinesAnd = "lines-and" { lines: String, last: u64 },
    }
}

impl Advice {
    /// Returns what to write instead of some characters in some lines.
    fn instead(characters: &str, with: &str, lines: Phrase) -> Self {
        match with {
            "" => {
                let is_seen = characters.chars().all(|character| character.is_ascii_graphic());
                let text = if is_seen { characters.to_owned() } else { "unseen".to_owned() };
                Self::RemoveAll { text, lines }
            }
            "\n" => Self::Breaks { lines },
            with if is_blank(with) => {
                let are_around = characters.chars().all(is_around);
                let several = characters.len() > 1 && characters.bytes().all(|byte| byte.is_ascii_graphic());
                let named = || characters.chars().map(String::from).collect::<Vec<_>>().join(" ");
                if are_around {
                    return Self::RemoveAll { text: named(), lines };
                }
                let marks = if several { named() } else { "one".to_owned() };
                Self::Blanks { marks, lines }
            }
            text => Self::WriteAll { text: shown(text), lines },
        }
    }
}

impl Proposal {
    /// Returns the proposal to remove a line.
    #[must_use]
    pub fn remove_line(line: u64) -> Self {
        Self::RemoveLines { from_line: line, to_line: line }
    }

    /// Returns the proposal to write something else in place of a token; without text, to remove the token.
    #[must_use]
    pub fn replace_token((place, token): (Place, &[u8]), with: &str) -> Self {
        Self::Replace { place, bytes: token.len() as u64, with: with.to_owned() }
    }

    /// Returns the proposal to write another line.
    #[must_use]
    pub fn replace_line(line: u64, with: String) -> Self {
        Self::ReplaceLines { from_line: line, to_line: line, lines: vec![with] }
    }

    /// Returns the proposal to write other lines in place of these; `None` without any.
    #[must_use]
    pub fn replace_lines(old: &[Line<'_>], lines: Vec<String>) -> Option<Self> {
        Some(Self::ReplaceLines { from_line: old.first()?.number, to_line: old.last()?.number, lines })
    }

    /// Returns the proposal of several changes, which must not overlap.
    #[must_use]
    pub fn together(changes: Vec<Self>) -> Self {
        let single = |change| if let Self::All { changes } = change { changes } else { vec![change] };
        let mut changes: Vec<_> = changes.into_iter().flat_map(single).collect();
        changes.sort_by_key(|change| match change {
            Self::Replace { place, .. } => (place.line, place.column),
            other => (other.lines().0, 0),
        });
        Self::All { changes }
    }

    /// Returns the changes that this consists of, if they affect different lines; otherwise this proposal.
    pub fn apart(&self) -> Vec<&Self> {
        match self {
            Self::All { changes } if changes.windows(2).all(|pair| pair[0].lines().1 < pair[1].lines().0) => {
                changes.iter().collect()
            }
            _ => vec![self],
        }
    }

    /// Returns whether this only removes lines, several of them. Messages about such lines already name them.
    pub(super) fn only_removes_lines(&self) -> bool {
        let is_removed = |change: &Self| matches!(change, Self::RemoveLines { .. });
        matches!(self, Self::All { changes } if changes.iter().all(is_removed))
    }

    /// Returns whether this changes whole lines, which a message shows below it.
    pub(super) fn is_of_lines(&self) -> bool {
        match self {
            Self::ReplaceLines { .. } => true,
            Self::All { changes } => {
                let is_whole =
                    |change: &Self| change.is_of_lines() || matches!(change, Self::RemoveLines { .. });
                changes.iter().all(is_whole) && !self.only_removes_lines()
            }
            _ => false,
        }
    }

    /// Returns whether the words about this only point at lines that are shown below them.
    pub fn shows_lines(&self) -> bool {
        let Self::All { changes } = self else { return self.is_of_lines() };
        changes.len() > 2 && self.phrase().name == "change-lines" || self.is_of_lines()
    }

    /// Returns whether this removes marks that people write around numbers.
    #[must_use]
    pub fn removes_marks(&self) -> bool {
        let Self::ReplaceAll { characters, with, .. } = self else { return false };
        is_blank(with) && !with.contains('\n') && characters.chars().all(is_around)
    }

    /// Returns whether this removes text from a line and writes nothing.
    fn removes_notes(&self) -> bool {
        match self {
            Self::Replace { with, .. } => with.is_empty(),
            other => matches!(other, Self::RemoveComments { .. }),
        }
    }

    /// Returns the text that several changes all write in place of something.
    fn common_text(&self) -> Option<&str> {
        let Self::All { changes } = self else { return None };
        let Self::Replace { with, .. } = changes.first()? else { return None };
        let is_same = |change: &Self| matches!(change, Self::Replace { with: other, .. } if other == with);
        (!is_blank(with) && changes.iter().all(is_same)).then_some(with)
    }

    fn phrase(&self) -> Phrase {
        match self {
            Self::Replace { with, .. } => match with.as_str() {
                "" => Advice::Remove,
                with if is_blank(with) => Advice::Blank,
                text => Advice::Write { text: shown(text) },
            },
            Self::ReplaceAll { from_line, to_line, characters, with } => {
                Advice::instead(characters, with, lines(*from_line, *to_line))
            }
            Self::RemoveComments { from_line, to_line } => {
                Advice::RemoveComments { lines: lines(*from_line, *to_line) }
            }
            Self::RemoveLines { from_line, to_line } if from_line == to_line => {
                Advice::RemoveLine { line: *from_line }
            }
            &Self::RemoveLines { from_line: from, to_line: to } => Advice::RemoveLines { from, to },
            &Self::JoinLines { from_line: from, to_line: to } => Advice::JoinLines { from, to },
            Self::ReplaceLines { from_line, to_line, lines: new }
                if new.len() == 1 && from_line < to_line =>
            {
                Advice::Instead { text: shown(&new[0]), lines: lines(*from_line, *to_line) }
            }
            Self::ReplaceLines { from_line, to_line, .. } => {
                Advice::ChangeLines { lines: lines(*from_line, *to_line) }
            }
            Self::InsertLine { line, text } => Advice::InsertLine { text: shown(text), line: *line },
            Self::All { changes } => {
                let lines = first_lines(changes);
                match changes.first() {
                    Some(Self::ReplaceAll { characters, with, .. }) => {
                        Advice::instead(characters, with, lines)
                    }
                    _ => Advice::ChangeLines { lines },
                }
            }
        }
        .into()
    }

    /// Returns the proposal in words. If it removes the marked part of an excerpt, the words quote that text.
    pub(super) fn phrase_of(&self, place: Place, excerpt: Option<&Excerpt>) -> Phrase {
        if let (Self::All { changes }, Some(text)) = (self, self.common_text()) {
            return Advice::WriteAll { text: shown(text), lines: first_lines(changes) }.into();
        }
        match (self, excerpt) {
            (Self::All { changes }, _) if changes.iter().all(Self::removes_notes) => {
                Advice::RemoveComments { lines: first_lines(changes) }.into()
            }
            (Self::All { changes }, _)
                if changes.len() <= 2
                    && !self.is_of_lines()
                    && !matches!(changes.first(), Some(Self::ReplaceAll { .. })) =>
            {
                let phrase = |change: &Self| match change {
                    Self::Replace { with, place, .. } if !is_blank(with) => {
                        Advice::WriteLine { text: shown(with), line: place.line }.into()
                    }
                    _ => change.phrase_of(place, excerpt),
                };
                let and = |first, second| Advice::And { first, second }.into();
                // The last change comes first if the other one moves its line.
                let mut phrases: Vec<_> = changes.iter().map(phrase).collect();
                if !matches!(changes.first(), Some(Self::Replace { .. })) {
                    phrases.reverse();
                }
                phrases.into_iter().reduce(and).unwrap_or_else(|| Advice::Remove.into())
            }
            (Self::Replace { place: from, bytes, with }, Some(excerpt))
                if with.is_empty() && *from == place =>
            {
                let text = excerpt.text.get(excerpt.marked.start..).unwrap_or_default();
                let text = usize::try_from(*bytes).ok().and_then(|bytes| text.get(..bytes));
                // The excerpt shows other bytes by their codes.
                let text = text.filter(|text| !text.contains('\\'));
                text.map_or_else(
                    || self.phrase(),
                    |text| Advice::RemoveText { text: format!("'{}'", text.trim_end()) }.into(),
                )
            }
            _ => self.phrase(),
        }
    }

    /// Returns `text`, whose first line has the number `first`, with the change applied. Returns `None` if the change
    /// does not fit the text, or drops a number other than the one that it corrects.
    pub fn apply(&self, text: &[u8], first: u64) -> Option<Vec<u8>> {
        if let Self::All { changes } = self {
            let (mut lines, mut next) = (text.split_inclusive(|&byte| byte == b'\n'), first);
            let mut made = Vec::with_capacity(text.len());
            // Each change needs only its own lines.
            for group in changes.chunk_by(|one, other| other.lines().0 <= one.lines().1) {
                let from = group[0].lines().0;
                let to = group.iter().map(|change| change.lines().1).max()?;
                for _ in 0..from.checked_sub(next)? {
                    made.extend_from_slice(lines.next()?);
                }
                let old = (from..=to).map(|_| lines.next()).collect::<Option<Vec<_>>>()?.concat();
                // The last change comes first, because it may move the lines after it.
                made.extend(group.iter().rev().try_fold(old, |old, change| change.apply(&old, from))?);
                next = to + 1;
            }
            made.extend(lines.flatten());
            return Some(made);
        }
        let (from, to) = self.lines();
        let mut behind = text.split_inclusive(|&byte| byte == b'\n');
        let mut bytes_of = |lines: u64| -> Option<usize> {
            let lines = usize::try_from(lines).ok()?;
            let taken: Vec<_> = behind.by_ref().take(lines).map(<[u8]>::len).collect();
            (taken.len() == lines).then(|| taken.iter().sum())
        };
        let begins = bytes_of(from.checked_sub(first)?)?;
        let ends = begins + bytes_of(to.checked_sub(from)? + 1)?;
        let mut made = Vec::with_capacity(text.len());
        made.extend_from_slice(&text[..begins]);
        for line in text[begins..ends].split_inclusive(|&byte| byte == b'\n') {
            made.extend(self.changed(line)?);
        }
        match self {
            Self::JoinLines { .. } => {
                made.pop();
                made.push(b'\n');
            }
            Self::ReplaceLines { lines, .. } => {
                made.extend(lines.iter().flat_map(|line| [line.as_bytes(), b"\n"]).flatten());
            }
            _ => {}
        }
        made.extend_from_slice(&text[ends..]);
        Some(made)
    }

    /// Returns the first and the last line that the change affects.
    pub fn lines(&self) -> (u64, u64) {
        match self {
            Self::Replace { place: Place { line, .. }, .. } | Self::InsertLine { line, .. } => (*line, *line),
            Self::ReplaceAll { from_line, to_line, .. }
            | Self::RemoveComments { from_line, to_line }
            | Self::RemoveLines { from_line, to_line }
            | Self::JoinLines { from_line, to_line }
            | Self::ReplaceLines { from_line, to_line, .. } => (*from_line, *to_line),
            Self::All { changes } => {
                let first = changes.first().map_or(1, |change| change.lines().0);
                // A change of many lines can include those of the next one.
                (first, changes.iter().map(|change| change.lines().1).max().unwrap_or(1))
            }
        }
    }

    /// Returns one of these lines with the change applied; `None` in the same cases as [`Self::apply`].
    fn changed(&self, line: &[u8]) -> Option<Vec<u8>> {
        let mut made = line.to_vec();
        match self {
            Self::Replace { place, bytes, with } => {
                let span = span(line, *place, *bytes)?;
                if !keeps_numbers(&line[span.clone()], with.as_bytes()) {
                    return None;
                }
                made.splice(span.clone(), with.bytes());
                // Nothing needs the blanks before text that is removed at the end of a line.
                let end = line_end(line);
                if with.is_empty() && line[span.end..].trim_ascii().is_empty() {
                    made.truncate(made[..span.start].trim_ascii_end().len());
                    made.extend_from_slice(end);
                }
            }
            Self::ReplaceAll { characters, with, .. } => {
                made = replaced(line, characters, with);
                if with == " " {
                    made = single_spaced(&made);
                }
                // Removing what separates two numbers would make one number of them.
                if with.trim().is_empty() && numbers(line) != numbers(&made) {
                    return None;
                }
            }
            Self::RemoveComments { .. } => {
                let feed = line.len() - usize::from(line.ends_with(b"\n"));
                let end = comment_at(line).map_or(feed, |end| line[..end].trim_ascii_end().len());
                made.drain(end.min(feed)..feed);
            }
            // `apply` writes the new lines in place of the old ones.
            Self::RemoveLines { .. } | Self::ReplaceLines { .. } => made.clear(),
            Self::JoinLines { .. } => {
                made.truncate(made.trim_ascii_end().len());
                made.push(b' ');
            }
            Self::InsertLine { text, .. } => {
                made = [text.as_bytes(), b"\n", line].concat();
            }
            // `apply` applies the changes one by one.
            Self::All { .. } => {}
        }
        Some(made)
    }
}

/// Returns the range of `bytes` bytes of a line that begin at a place; `None` if the line is too short.
fn span(line: &[u8], place: Place, bytes: u64) -> Option<Range<usize>> {
    let from = usize::try_from(place.column.checked_sub(1)?).ok()?;
    let to = from.checked_add(usize::try_from(bytes).ok()?).filter(|&to| to <= line.len())?;
    Some(from..to)
}

/// Returns whether the change keeps every number that it does not correct. If `old` is a single token, that token is
/// what the change corrects, and a comment has no numbers. If `old` has several tokens, as a header does, each of its
/// numbers must remain, or have another number in its place.
fn keeps_numbers(old: &[u8], new: &[u8]) -> bool {
    let (before, after) = (numbers(old), numbers(new));
    let is_token = !old.iter().any(u8::is_ascii_whitespace);
    let is_kept = before.len() == after.len() || before.iter().all(|number| after.contains(number));
    let is_note = NOTES.iter().any(|mark| old.starts_with(mark.as_bytes())) || is_comment(old);
    is_token || is_kept || is_note
}

/// Returns the digits of a text, one piece per number.
fn numbers(text: &[u8]) -> Vec<&[u8]> {
    text.split(|byte| !byte.is_ascii_digit()).filter(|digits| !digits.is_empty()).collect()
}

/// Returns a line with one space between its words.
fn single_spaced(line: &[u8]) -> Vec<u8> {
    let words: Vec<_> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    [&words.join(&b' ')[..], line_end(line)].concat()
}

/// Returns what ends a line: LF, CR LF or nothing.
fn line_end(line: &[u8]) -> &[u8] {
    let text = line.strip_suffix(b"\n").unwrap_or(line);
    &line[text.strip_suffix(b"\r").unwrap_or(text).len()..]
}

/// Returns where a comment begins within a line. Returns `None` if the whole line is a comment, because such a line may
/// stay.
fn comment_at(line: &[u8]) -> Option<usize> {
    let begins = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    (begins..line.len()).find(|&at| is_comment(&line[at..])).filter(|&at| at > begins)
}

/// Returns a line with some characters replaced wherever they occur, or unchanged if it is a comment.
fn replaced(line: &[u8], characters: &str, with: &str) -> Vec<u8> {
    let begins = line.trim_ascii_start();
    if is_comment(begins) {
        return line.to_vec();
    }
    let mut made = Vec::with_capacity(line.len());
    for chunk in line.utf8_chunks() {
        for character in chunk.valid().chars() {
            if characters.contains(character) {
                made.extend_from_slice(with.as_bytes());
            } else {
                made.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        made.extend_from_slice(chunk.invalid());
    }
    made
}

/// Returns the numbers of lines in words: `line 3`, `lines 1 to 3`, `lines 1 and 5`.
pub fn named_lines(numbers: impl IntoIterator<Item = u64>) -> Phrase {
    let numbers: Vec<_> = numbers.into_iter().collect();
    let (Some(&from), Some(&to)) = (numbers.first(), numbers.last()) else { return lines(0, 0) };
    let are_adjacent = to - from < numbers.len() as u64;
    // Of many lines that are nearly adjacent, the first and the last one say enough.
    let are_many = numbers.len() > LINES_NAMED_MAX;
    if are_adjacent || are_many && to - from < 2 * numbers.len() as u64 {
        return lines(from, to);
    }
    let mut before: Vec<_> = numbers[..numbers.len() - 1].iter().map(u64::to_string).collect();
    if are_many {
        before.truncate(LINES_NAMED_MAX / 2);
        before.push("…".to_owned());
    }
    Advice::LinesAnd { lines: before.join(", "), last: to }.into()
}

fn lines(from: u64, to: u64) -> Phrase {
    if from == to { Advice::Line { line: from } } else { Advice::Lines { from, to } }.into()
}

/// Returns the first line of each change in words.
fn first_lines(changes: &[Proposal]) -> Phrase {
    let mut numbers: Vec<_> = changes.iter().map(|change| change.lines().0).collect();
    // Several changes can affect one line.
    numbers.dedup();
    named_lines(numbers)
}

/// Returns whether people write a character around numbers rather than between them.
fn is_around(character: char) -> bool {
    "()[]{}<>`'\"´‘’“”".contains(character)
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

fn shown(text: &str) -> String {
    printable(text.as_bytes(), QUOTE_BYTES_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replace(bytes: u64, with: &str) -> Proposal {
        Proposal::Replace { place: Place { line: 1, column: 1 }, bytes, with: with.to_owned() }
    }

    fn all(characters: &str, with: &str) -> Proposal {
        let (characters, with) = (characters.to_owned(), with.to_owned());
        Proposal::ReplaceAll { from_line: 1, to_line: 1, characters, with }
    }

    #[test]
    fn a_change_that_drops_another_number_is_not_made() {
        for (text, proposal, made) in [
            ("4 7 9\n", replace(5, "4 9"), None),
            ("4 2048\n", replace(6, "4"), None),
            ("4 4 7\n", replace(5, "4 7"), Some("4 7\n")),
            ("10 20\n", replace(5, "20 10"), Some("20 10\n")),
            ("3 3\n", replace(3, "3 4"), Some("3 4\n")),
            ("4x4 7\n", replace(3, "4"), Some("4 7\n")),
            ("1,0 7\n", replace(3, "1"), Some("1 7\n")),
            ("# 3 of 5\n", replace(8, ""), Some("\n")),
            ("1,2;3\n", all(",;", " "), Some("1 2 3\n")),
            ("+3 +4\n", all("+", ""), Some("3 4\n")),
            ("3+4 5\n", all("+", ""), None),
            ("1O 2\n", all("O", "0"), Some("10 2\n")),
        ] {
            let applied = proposal.apply(text.as_bytes(), 1);
            assert_eq!(applied.as_deref(), made.map(str::as_bytes), "{text}{proposal:?}");
        }
    }

    #[test]
    fn several_changes_are_made_at_their_places_in_the_unchanged_text() {
        let replace = |line, column, with: &str| Proposal::Replace {
            place: Place { line, column },
            bytes: 1,
            with: with.to_owned(),
        };
        let all = |characters: &str, with: &str| Proposal::ReplaceAll {
            from_line: 5,
            to_line: 7,
            characters: characters.to_owned(),
            with: with.to_owned(),
        };
        let insert = |line, text: &str| Proposal::InsertLine { line, text: text.to_owned() };
        let text = b"a b\nc d\ne f\n";
        for (changes, made) in [
            (vec![replace(5, 1, "1"), replace(5, 3, "234"), replace(7, 3, "5")], Some("1 234\nc d\ne 5\n")),
            (vec![all(",", " "), replace(6, 3, "1")], Some("a b\nc 1\ne f\n")),
            (vec![insert(6, "0"), replace(6, 1, "1")], Some("a b\n0\n1 d\ne f\n")),
            (vec![Proposal::RemoveLines { from_line: 5, to_line: 6 }, replace(7, 1, "1")], Some("1 f\n")),
            // Lines before the text, behind it, and before those of the change before.
            (vec![replace(4, 1, "1")], None),
            (vec![replace(8, 1, "1")], None),
            (vec![replace(6, 1, "1"), replace(5, 1, "1")], None),
        ] {
            let all = Proposal::All { changes };
            assert_eq!(all.apply(text, 5).as_deref(), made.map(str::as_bytes), "{all:?}");
        }
    }
}
