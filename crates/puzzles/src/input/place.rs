//! Places in an input file, for errors to point at.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::words::Phrase;

/// Largest line or column number of a file.
pub const LINE_MAX: u64 = i64::MAX as u64;

/// A position in a text file. Both numbers count from 1. A column counts bytes; a tab is one byte.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// Line, from 1.
    pub line: u64,
    /// Column in bytes, from 1.
    pub column: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A message for the user about something that does not make a puzzle invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Where it was noticed.
    pub place: Place,
    /// What was noticed.
    pub what: Phrase,
    /// Whether the result also has the warning, after the answers, because these may not be the intended ones.
    pub is_in_result: bool,
}

/// Text after the last puzzle. The result reports that it was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ignored {
    /// Where it begins.
    pub place: Place,
    /// Lines that are neither blank nor comments.
    pub lines: u64,
    /// Line of the end marker before it.
    pub marker: u64,
    /// How many valid puzzles it holds; 0 if it holds anything other than puzzles and end markers.
    pub puzzles: u64,
    /// The lines with the end markers that stand before these puzzles.
    pub markers: Vec<u64>,
    /// The message about it.
    pub what: Phrase,
}

/// Returns `bytes` as printable text that cannot forge a line. Escapes harmful characters, and writes invalid UTF-8 as
/// `\xNN`. If the text has more than `max` bytes, cuts it before an escape or character and appends `…`. Applying the
/// function to its own result changes nothing.
pub fn printable(bytes: &[u8], max: usize) -> String {
    let mut text = String::with_capacity(bytes.len().min(max) + 3);
    let mut fits = |piece: &str| {
        let fits = text.len() + piece.len() <= max;
        text.push_str(if fits { piece } else { "…" });
        fits
    };
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            let is_added = if is_harmless(c) {
                fits(c.encode_utf8(&mut [0; 4]))
            } else {
                fits(&c.escape_default().to_string())
            };
            if !is_added {
                return text;
            }
        }
        for byte in chunk.invalid() {
            if !fits(&format!("\\x{byte:02x}")) {
                return text;
            }
        }
    }
    text
}

/// Returns whether a character is printable, is no blank that looks like a space, neither reorders nor hides the text
/// around it, and is allowed in XML.
fn is_harmless(c: char) -> bool {
    !c.is_control()
        && (c.is_ascii() || !c.is_whitespace())
        && !matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
            | '\u{e0000}'..='\u{e007f}')
}

/// The warnings of a scanner, and the text that it ignored.
#[derive(Debug, Default)]
pub struct Notes {
    /// The first warnings.
    pub warnings: Vec<Warning>,
    pub(super) dropped: u64,
    /// The text after the end marker.
    pub ignored: Option<Ignored>,
    /// Whether a valid puzzle has rows that are not lines of their own.
    pub has_wrapped: bool,
}

impl Notes {
    /// Returns the first line after an end marker that was ignored.
    pub fn ignored_line(&self) -> Option<u64> {
        self.ignored.as_ref().map(|ignored| ignored.place.line)
    }

    /// Forgets what was noted about a line and those after it.
    pub fn forget_from(&mut self, line: u64) {
        self.ignored.take_if(|ignored| ignored.place.line >= line);
        self.warnings.retain(|warning| warning.place.line < line);
    }

    /// Adds later notes.
    pub fn append(&mut self, mut later: Self) {
        self.warnings.append(&mut later.warnings);
        self.dropped += later.dropped;
        self.ignored = self.ignored.take().or(later.ignored);
        self.has_wrapped |= later.has_wrapped;
    }
}

/// A position in the input that a reader can return to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spot {
    pub(super) offset: u64,
    pub(super) line: u64,
    pub(super) line_offset: u64,
    pub(super) at_line_start: bool,
    pub(super) has_token: bool,
}

impl Spot {
    /// The beginning of a file.
    pub const START: Self =
        Self { offset: 0, line: 1, line_offset: 0, at_line_start: true, has_token: false };

    /// Returns the beginning of a text whose first line has this number. `None` if no file has so many lines.
    pub fn start_at(line: u64) -> Option<Self> {
        (1..=LINE_MAX).contains(&line).then_some(Self { line, ..Self::START })
    }

    /// Returns the beginning of a line that follows other tokens. `offset` is the number of bytes before it.
    pub fn at_line(offset: u64, line: u64) -> Self {
        Self { offset, line, line_offset: offset, at_line_start: true, has_token: true }
    }

    /// Returns the number of its line, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Returns the number of bytes of the file before the spot.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the number of bytes between the beginning of the line and the spot.
    pub fn bytes_of_line(&self) -> u64 {
        self.offset - self.line_offset
    }

    /// Returns the beginning of its line, as that of a line that follows other tokens.
    #[must_use]
    pub fn begin_of_line(&self) -> Self {
        Self::at_line(self.line_offset, self.line)
    }

    /// Returns whether no token stands before the spot.
    pub fn is_before_tokens(&self) -> bool {
        !self.has_token
    }
}

#[cfg(test)]
mod tests {
    use super::printable;

    const PIECES: [&str; 8] = ["a", "é", "…", "\n", "\x1b", "\u{202e}", "\\", "𝄞"];

    #[test]
    fn escapes_what_could_forge_a_line() {
        assert_eq!(printable(b"a\nb\x1b[2J", 99), "a\\nb\\u{1b}[2J");
        assert_eq!(printable(b"caf\xc3\xa9 \xff", 99), "café \\xff");
        assert_eq!(printable("x\u{202e}y".as_bytes(), 99), "x\\u{202e}y");
        assert_eq!(printable("\u{61c}\u{ad}\u{e0041}".as_bytes(), 99), "\\u{61c}\\u{ad}\\u{e0041}");
        assert_eq!(printable("\u{fffd}\u{fffe}\u{ffff}".as_bytes(), 99), "\u{fffd}\\u{fffe}\\u{ffff}");
    }

    #[test]
    fn cuts_long_text() {
        assert_eq!(printable(&[b'9'; 1000], 4), "9999…");
        assert_eq!(printable(b"ab\n\n", 4), "ab\\n…");
        assert_eq!(printable(b"ab\nc", 3), "ab…");
        assert_eq!(printable(b"abc\xff", 6), "abc…");
        assert_eq!(printable(b"ab\xff", 6), "ab\\xff");
    }

    #[test]
    fn printable_text_does_not_change() {
        // All texts of four pieces.
        for number in 0..PIECES.len().pow(4) {
            let piece = |at: u32| PIECES[number / PIECES.len().pow(at) % PIECES.len()];
            let text = (0..4).map(piece).collect::<String>();
            for max in 0..20 {
                let shown = printable(text.as_bytes(), max);
                assert!(shown.len() <= max + '…'.len_utf8(), "{shown}");
                assert_eq!(printable(shown.as_bytes(), max), shown, "{text:?} {max}");
            }
        }
    }
}
