//! One line of a game file, cut into fields that know their places.

use crate::input::{Place, RawLine, printable};
use crate::solver::Problem;

/// The longest line of a game: 16 MiB, far more moves than any game of a course.
pub const LINE_BYTES_MAX: usize = 16 << 20;

/// How much of a bad field is quoted in an error.
const QUOTE_BYTES_MAX: usize = 40;

/// A line that is neither blank nor a comment.
#[derive(Debug, Clone)]
pub struct Line(RawLine);

/// What stands between blanks.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    /// Its bytes, at least one.
    pub bytes: &'a [u8],
    /// Where it begins.
    pub place: Place,
}

impl Line {
    /// The line that the scanner read.
    pub fn new(raw: RawLine) -> Self {
        Self(raw)
    }

    /// Line number, from 1.
    pub fn number(&self) -> u64 {
        self.0.line
    }

    /// The line; the byte at index i stands in column i + 1.
    pub fn bytes(&self) -> &[u8] {
        &self.0.bytes
    }

    /// The line went on beyond [`LINE_BYTES_MAX`].
    pub fn truncated(&self) -> bool {
        self.0.truncated
    }

    /// The line's number and bytes.
    pub fn into_parts(self) -> (u64, Vec<u8>) {
        let RawLine { line, mut bytes, .. } = self.0;
        bytes.shrink_to_fit();
        (line, bytes)
    }

    /// Where its first field begins.
    pub fn place(&self) -> Place {
        let indent = self.bytes().iter().take_while(|byte| is_blank(**byte)).count();
        self.place_of(indent)
    }

    /// Its fields, from left to right.
    pub fn fields(&self) -> impl Iterator<Item = Field<'_>> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let rest = self.bytes().get(at..)?;
            let start = at + rest.iter().position(|&byte| !is_blank(byte))?;
            let rest = &self.bytes()[start..];
            let length = rest.iter().position(|&byte| is_blank(byte)).unwrap_or(rest.len());
            at = start + length;
            Some(Field { bytes: &rest[..length], place: self.place_of(start) })
        })
    }

    /// Its first three fields.
    pub fn first_fields(&self) -> [Option<Field<'_>>; 3] {
        let mut fields = self.fields();
        [fields.next(), fields.next(), fields.next()]
    }

    /// A problem with what stands at byte `at` of the line.
    pub fn problem(
        &self,
        at: usize,
        rule: &'static str,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Problem {
        Problem {
            place: self.place_of(at),
            rule,
            found: found.into(),
            expected: expected.into(),
            recognised: true,
        }
    }

    /// A problem with the line's ending too early.
    pub fn problem_at_end(&self, rule: &'static str, expected: impl Into<String>) -> Problem {
        let end = self.bytes().trim_ascii_end().len();
        self.problem(end, rule, "the end of the line", expected)
    }

    /// The problem of a line that was cut.
    pub fn too_long(&self) -> Problem {
        self.problem(LINE_BYTES_MAX, "line-length", "a longer line", "a line of at most 16 MiB")
    }

    fn place_of(&self, at: usize) -> Place {
        Place { line: self.0.line, column: at as u64 + 1 }
    }
}

impl Field<'_> {
    /// Its value, when it is a number of 64 bits.
    pub fn number(&self) -> Option<u64> {
        self.bytes.iter().try_fold(0_u64, |value, byte| {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 { None } else { value.checked_mul(10)?.checked_add(u64::from(digit)) }
        })
    }

    /// It consists of digits, as many as there may be.
    pub fn is_digits(&self) -> bool {
        self.bytes.iter().all(u8::is_ascii_digit)
    }

    /// A problem with it.
    pub fn problem(&self, rule: &'static str, expected: impl Into<String>) -> Problem {
        let text = printable(self.bytes, QUOTE_BYTES_MAX);
        let found = if self.is_digits() { text } else { format!("'{text}'") };
        Problem { place: self.place, rule, found, expected: expected.into(), recognised: true }
    }
}

/// A blank, as the scanner knows them.
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}
