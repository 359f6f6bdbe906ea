//! What can be wrong with a line of a game file.

use super::super::game_mistakes::Mistake;
use crate::input::{Place, RawLine};
use crate::solver::Problem;

/// The longest line of a game: 16 MiB, far more moves than any game of a course.
pub const LINE_BYTES_MAX: usize = 16 << 20;

/// A problem with what stands at byte `at` of the line.
pub fn problem(line: &RawLine, at: usize, what: Mistake) -> Problem {
    Problem::new(Place { line: line.line, column: at as u64 + 1 }, what)
}

/// The problem of a line that was cut.
pub fn too_long(line: &RawLine) -> Problem {
    problem(line, LINE_BYTES_MAX, Mistake::LineLength { mebibytes: LINE_BYTES_MAX as u64 >> 20 })
}
