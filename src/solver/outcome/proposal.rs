//! What to write instead: a change of a few bytes, in a form that a program can follow.

use serde::Serialize;

use crate::input::{Place, QUOTE_BYTES_MAX, printable};
use crate::words::{Phrase, messages};

/// A change of a file that makes a puzzle of it valid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Proposal {
    /// A piece of a line is replaced.
    Replace {
        /// Where it begins.
        #[serde(flatten)]
        place: Place,
        /// Its length in bytes.
        bytes: u64,
        /// What stands there instead; printable.
        with: String,
    },
    /// Some characters are replaced wherever they stand in some lines, comments not counted.
    ReplaceAll {
        /// The first line.
        from_line: u64,
        /// The last one.
        to_line: u64,
        /// The characters.
        characters: String,
        /// What stands there instead of each.
        with: String,
    },
    /// What begins with `#` or `//` behind numbers is removed, to the end of its line.
    RemoveComments {
        /// The first line.
        from_line: u64,
        /// The last one.
        to_line: u64,
    },
    /// A line is removed.
    RemoveLine {
        /// Its number.
        line: u64,
    },
}

messages! {
    "proposal"
    /// What to write instead.
    enum Advice {
        /// Something else in that place.
        Write = "write" { text: String },
        /// Nothing in that place.
        Remove = "remove",
        /// A blank.
        Blank = "blank",
        /// Blanks instead of a character, in several places.
        Blanks = "blanks" { lines: Phrase },
        /// Something else in several places.
        WriteAll = "write-all" { text: String, lines: Phrase },
        /// Nothing in several places.
        RemoveAll = "remove-all" { lines: Phrase },
        /// Comments go that stand behind numbers.
        RemoveComments = "remove-comments" { lines: Phrase },
        /// A line goes.
        RemoveLine = "remove-line" { line: u64 },
        /// One line.
        Line = "line" { line: u64 },
        /// Several lines.
        Lines = "lines" { from: u64, to: u64 },
    }
}

impl Proposal {
    /// In words.
    #[must_use]
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Replace { with, .. } => match with.as_str() {
                "" => Advice::Remove,
                with if is_blank(with) => Advice::Blank,
                text => Advice::Write { text: shown(text) },
            },
            Self::ReplaceAll { from_line, to_line, with, .. } => {
                let lines = lines(*from_line, *to_line);
                match with.as_str() {
                    "" => Advice::RemoveAll { lines },
                    with if is_blank(with) => Advice::Blanks { lines },
                    text => Advice::WriteAll { text: shown(text), lines },
                }
            }
            Self::RemoveComments { from_line, to_line } => {
                Advice::RemoveComments { lines: lines(*from_line, *to_line) }
            }
            Self::RemoveLine { line } => Advice::RemoveLine { line: *line },
        }
        .into()
    }

    /// A text that begins with the line `first`, with the change made; `None` where the change does not fit it.
    #[must_use]
    pub fn apply(&self, text: &[u8], first: u64) -> Option<Vec<u8>> {
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
        made.extend_from_slice(&text[ends..]);
        Some(made)
    }

    /// The first and the last line that it changes.
    fn lines(&self) -> (u64, u64) {
        match self {
            Self::Replace { place: Place { line, .. }, .. } | Self::RemoveLine { line } => (*line, *line),
            Self::ReplaceAll { from_line, to_line, .. } | Self::RemoveComments { from_line, to_line } => {
                (*from_line, *to_line)
            }
        }
    }

    /// One of these lines with the change made.
    fn changed(&self, line: &[u8]) -> Option<Vec<u8>> {
        let mut made = line.to_vec();
        match self {
            Self::Replace { place, bytes, with } => {
                let from = usize::try_from(place.column.checked_sub(1)?).ok()?;
                let to = from.checked_add(usize::try_from(*bytes).ok()?).filter(|&to| to <= line.len())?;
                made.splice(from..to, with.bytes());
            }
            Self::ReplaceAll { characters, with, .. } => made = replaced(line, characters, with),
            Self::RemoveComments { .. } => {
                let end = comment_at(line).unwrap_or(line.len());
                let feed = line.len() - usize::from(line.ends_with(b"\n"));
                made.drain(end.min(feed)..feed);
            }
            Self::RemoveLine { .. } => made.clear(),
        }
        Some(made)
    }
}

/// Where a comment begins that does not begin its line, as a line that is one may stay.
fn comment_at(line: &[u8]) -> Option<usize> {
    let begins = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let is_comment = |&at: &usize| line[at..].starts_with(b"#") || line[at..].starts_with(b"//");
    (begins..line.len()).find(is_comment).filter(|&at| at > begins)
}

/// A line with some characters replaced wherever they stand, unless it is a comment.
fn replaced(line: &[u8], characters: &str, with: &str) -> Vec<u8> {
    let begins = line.trim_ascii_start();
    if begins.starts_with(b"#") || begins.starts_with(b"//") {
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

fn lines(from: u64, to: u64) -> Phrase {
    if from == to { Advice::Line { line: from } } else { Advice::Lines { from, to } }.into()
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

fn shown(text: &str) -> String {
    printable(text.as_bytes(), QUOTE_BYTES_MAX)
}
