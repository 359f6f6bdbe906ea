//! The line of the file at which a message points.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use tabuleiro_puzzles::input::{Line, Marked, Place, is_blank, printable};
use tabuleiro_puzzles::solver::{Excerpt, Layout, Problem, Seen};

/// The piece of the line around a place, its token marked.
pub fn of(place: Place, marked: &Marked<'_>) -> Option<Excerpt> {
    let line = marked.line(place.line)?;
    let at =
        usize::try_from(place.column.checked_sub(line.column)?).ok().filter(|&at| at <= line.text.len())?;
    let token = line.text[at..].iter().take_while(|&&byte| !is_blank(byte)).count();
    Some(Excerpt::cut(line.text, at, token))
}

/// The line of the file with a caret below what is meant, as compilers show it; nothing where the line was not at hand.
/// It is printable and bounded.
#[must_use]
pub fn excerpt_lines(problem: &Problem) -> String {
    let Some(excerpt) = &problem.excerpt else { return String::new() };
    let line = usize::try_from(problem.place.line).unwrap_or(usize::MAX);
    let mark = AnnotationKind::Primary.span(excerpt.marked.clone());
    let snippet = Snippet::source(excerpt.text.as_str()).line_start(line).annotation(mark);
    let group = Group::with_level(Level::ERROR).element(snippet);
    let drawn = Renderer::plain().render(&[group]);
    let lines = drawn.lines().map(str::trim_end).filter(|line| !matches!(line.trim(), "" | "|"));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Lines kept before the wrong one, and behind it.
const LINES_MAX: usize = 20;
/// How much of a line is kept.
const LINE_BYTES_MAX: usize = 200;

/// The lines of a puzzle around the wrong one.
pub fn seen(wrong: u64, lines: &[Line<'_>], layout: Option<Layout>) -> Seen {
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

#[cfg(test)]
mod tests {
    use super::*;
    use tabuleiro_puzzles::words::Phrase;

    #[test]
    fn a_caret_stands_below_what_is_meant() {
        let what = Phrase { scope: "found", name: "end-of-line", arguments: Vec::new() };
        let at = |line, text: &[u8], at, length| {
            let excerpt = Some(Box::new(Excerpt::cut(text, at, length)));
            excerpt_lines(&Problem { excerpt, ..Problem::new(Place { line, column: 1 }, what.clone()) })
        };
        assert_eq!(at(7, b"1 2\t3,4 5", 4, 3), "7 | 1 2 3,4 5\n  |     ^^^\n");
        assert_eq!(at(12, b"1 2", 3, 0), "12 | 1 2\n   |    ^\n");
        assert_eq!(
            at(1, "1 \u{a0}\u{1b}[2J é".as_bytes(), 2, 6),
            "1 | 1 \u{a0}\\u{1b}[2J é\n  |   ^^^^^^^^^^\n"
        );
        assert_eq!(excerpt_lines(&Problem::new(Place { line: 1, column: 1 }, what)), "");
    }
}
