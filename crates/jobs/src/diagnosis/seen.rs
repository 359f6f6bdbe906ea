//! The lines of a puzzle, for its picture.

use tabuleiro_puzzles::input::{Line, printable};
use tabuleiro_puzzles::solver::{Layout, Seen};

/// Lines kept before the wrong one, and behind it.
const LINES_MAX: usize = 20;
/// How much of a line is kept.
const LINE_BYTES_MAX: usize = 200;

/// The lines of a puzzle around the wrong one.
pub fn of(wrong: u64, lines: &[Line<'_>], layout: Option<Layout>) -> Seen {
    let at = lines.partition_point(|line| line.number < wrong);
    let from = at.saturating_sub(LINES_MAX);
    let to = lines.len().min(at + 1 + LINES_MAX);
    let shown = |line: &Line<'_>| (line.number, printable(line.text, LINE_BYTES_MAX));
    let first_row = |layout: Layout| {
        let widths = layout.parts.first()?.widths?;
        Some((lines.get(layout.header_lines)?.number, widths))
    };
    Seen {
        lines: lines[from..to].iter().map(shown).collect(),
        left_out: (from as u64, (lines.len() - to) as u64),
        rows: layout.and_then(first_row),
    }
}
