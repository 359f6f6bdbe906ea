//! What can be wrong with a line of a game file.

use crate::input::{Place, RawLine};
use crate::solver::Problem;
use crate::words::Argument;

/// The longest line of a game: 16 MiB, far more moves than any game of a course.
pub const LINE_BYTES_MAX: usize = 16 << 20;

/// A problem with what stands at byte `at` of the line.
pub fn problem(
    line: &RawLine,
    at: usize,
    rule: &'static str,
    found: impl Into<Argument>,
    expected: impl Into<String>,
) -> Problem {
    let place = Place { line: line.line, column: at as u64 + 1 };
    Problem::old(place, rule, found, expected.into(), true)
}

/// A problem with the line's ending too early.
pub fn problem_at_end(line: &RawLine, rule: &'static str, expected: impl Into<String>) -> Problem {
    problem(line, line.bytes.trim_ascii_end().len(), rule, "the end of the line", expected)
}

/// The problem of a line that was cut.
pub fn too_long(line: &RawLine) -> Problem {
    problem(line, LINE_BYTES_MAX, "line-length", "a longer line", "a line of at most 16 MiB")
}
