//! The lines of the file that a message shows.

use tabuleiro_puzzles::input::{Line, Marked, Place, is_blank, printable};
use tabuleiro_puzzles::solver::{Excerpt, Problem, Proposal};

/// Adds the lines of the file that a message shows, if they are in the window: the one at which it points, the one
/// before it, and those of related places.
pub fn add(problem: &mut Problem, marked: &Marked<'_>) {
    let wrong = problem.place;
    problem.excerpt = problem.excerpt.take().or_else(|| of(wrong, marked).map(Box::new));
    let before = Place { line: wrong.line.saturating_sub(1), column: 1 };
    let others = problem.related.iter().copied().chain([before]);
    let mut context: Vec<_> = others
        .filter(|place| place.line != wrong.line)
        .filter_map(|place| Some((place.line, of(place, marked)?)))
        .collect();
    context.sort_by_key(|(line, _)| *line);
    context.dedup_by_key(|(line, _)| *line);
    problem.context = context;
    problem.corrected = corrected(problem, marked);
}

/// Returns the wrong line as corrected by the proposal, or the first line that the proposal changes.
fn corrected(problem: &Problem, marked: &Marked<'_>) -> Option<Box<(u64, String)>> {
    let proposal = problem.proposal.as_deref().filter(|_| marked.first.column == 1)?;
    let (from, to) = proposal.lines();
    let number = if (from..=to).contains(&problem.place.line) { problem.place.line } else { from };
    let text = proposal.apply(marked.text, marked.first.line)?;
    let mut lines = text.split(|&byte| byte == b'\n');
    let line = lines.nth(usize::try_from(number.checked_sub(marked.first.line)?).ok()?)?;
    let is_removed = matches!(proposal, Proposal::RemoveLines { .. });
    (!is_removed).then(|| Box::new((number, printable(line.trim_ascii_end(), LINE_BYTES_MAX))))
}

/// Returns the part of a line around a place, with the token marked.
fn of(place: Place, marked: &Marked<'_>) -> Option<Excerpt> {
    let line = marked.line(place.line)?;
    let at =
        usize::try_from(place.column.checked_sub(line.column)?).ok().filter(|&at| at <= line.text.len())?;
    let token = line.text[at..].iter().take_while(|&&byte| !is_blank(byte)).count();
    Some(Excerpt::cut(line.text, at, token))
}

/// The most lines kept before the wrong one, and after it.
const LINES_MAX: usize = 20;
/// The most bytes of a line that are kept.
const LINE_BYTES_MAX: usize = 200;

/// Returns the lines of a puzzle around the wrong one, each with its number.
pub fn lines_around(wrong: u64, lines: &[Line<'_>]) -> Vec<(u64, String)> {
    let at = lines.partition_point(|line| line.number < wrong);
    let to = lines.len().min(at + 1 + LINES_MAX);
    let shown = |line: &Line<'_>| (line.number, printable(line.text, LINE_BYTES_MAX));
    lines[at.saturating_sub(LINES_MAX)..to].iter().map(shown).collect()
}
