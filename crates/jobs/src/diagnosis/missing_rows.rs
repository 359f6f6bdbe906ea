//! Rows that are missing: dots or a blank line stand for them, or they are in comments or seem to be.

use super::header_changes::quoted;
use super::proposal_trial::Trial;
use super::{Mistake, characters};
use tabuleiro_puzzles::input::{Line, Marked, Place, QUOTE_BYTES_MAX, is_comment, is_omission, printable};
use tabuleiro_puzzles::solver::{Layout, Problem, Proposal, named_lines};

/// The most comments that are tried as rows.
const COMMENTS_MAX: usize = 4;

/// The most numbers of a row that is tried in the place of a blank line.
const WIDTH_MAX: u64 = 1024;

/// Returns the problem of a line that has only dots, which stand for rows.
pub fn omitted(lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let line = lines.iter().find(|line| is_omission(line.text))?;
    let found = String::from_utf8_lossy(line.text.trim_ascii()).into_owned();
    // If other lines have dots, too, as many dots as squares are a row.
    let dots = found.chars().filter(|character| !character.is_whitespace()).count() as u64;
    let is_like = |other: &Line<'_>| {
        other.number != line.number
            && (other.text.contains(&b'.') || line.count() > 1 && other.count() == dots)
    };
    let is_row = lines.iter().any(is_like)
        && (line.count() > 1 || characters::width_of(line, lines, trial) == Some(dots));
    let what = Mistake::RowsOmitted { found, line: line.number };
    (!is_row && !characters::holds_anything(line, lines, trial)).then(|| Problem::new(line.place(), what))
}

/// Returns the problem of an error of a spreadsheet in the place of a number, such as `#REF!`. It begins like a comment.
pub fn cell_error(text: &Marked<'_>, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let (first, last) = (lines.first()?.number, lines.last()?.number);
    let is_error = |token: &[u8]| {
        let name = token.strip_prefix(b"#").unwrap_or_default();
        let end = name.iter().take_while(|byte| byte.is_ascii_uppercase() || b"/0".contains(byte)).count();
        end > 2 && matches!(&name[end..], b"!" | b"?") || matches!(name, b"N/A" | b"N/D")
    };
    let found = text.all_lines().filter(|line| (first..=last).contains(&line.number)).find_map(|line| {
        let (place, token) = line.tokens().find(|(_, token)| is_error(token))?;
        let found = printable(token, QUOTE_BYTES_MAX);
        let what = Mistake::CellError { found, line: line.number };
        Some((line, Problem::new(place, what)))
    });
    found.filter(|(line, _)| !characters::holds_anything(line, lines, trial)).map(|(_, problem)| problem)
}

/// Returns the problem of rows that are missing because a mark of comments precedes them. `text` begins with the puzzle.
pub fn commented(text: &Marked<'_>, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let Layout { header_lines, parts } = trial.reader.layout(lines)?;
    let (header, last) = (lines.get(header_lines.checked_sub(1)?)?, lines.last()?.number);
    // Removes the mark of a comment that has a row's numbers.
    let uncommented = |line: Line<'_>| {
        let (row, change) = without_mark(&line)?;
        let is_row = parts.iter().any(|part| part.widths.is_some_and(|widths| widths.contains(&row.count())));
        (is_row && row.numbers_only()).then_some(change)
    };
    // The last row can be in a comment as well.
    let is_comment_or_blank = |line: &Line<'_>| {
        let text = line.text.trim_ascii_start();
        text.is_empty() || is_comment(text)
    };
    let rows = text.all_lines().skip_while(|line| line.number <= header.number);
    let rows = rows.take_while(|line| line.number <= last || is_comment_or_blank(line));
    let changes: Vec<_> = rows.filter_map(uncommented).take(COMMENTS_MAX).collect();
    let numbers: Vec<_> = changes.iter().map(|change| change.lines().0).collect();
    let all = (changes.len() > 1).then(|| Proposal::All { changes: changes.clone() });
    let proposal = trial.first_of(changes.into_iter().chain(all))?;
    let (from, to) = proposal.lines();
    let named = numbers.into_iter().filter(|number| (from..=to).contains(number));
    let what = Mistake::RowCommented { lines: named_lines(named) };
    let problem = Problem::new(Place { line: from, column: 1 }, what).related_to(header.place());
    Some(problem.proposing(Some(proposal)))
}

/// Returns the text of a comment, and the change that removes its mark.
pub fn without_mark<'t>(line: &Line<'t>) -> Option<(Line<'t>, Proposal)> {
    let marks = line.text.iter().take_while(|byte| b"#/ \t".contains(byte)).count();
    let place = Place { line: line.number, column: line.column };
    let change = Proposal::Replace { place, bytes: marks as u64, with: String::new() };
    let rest = Line { text: &line.text[marks..], ..*line };
    is_comment(line.text.trim_ascii_start()).then_some((rest, change))
}

/// Returns a row of zeros.
pub fn zeros(width: u64) -> String {
    vec!["0"; width as usize].join(" ")
}

/// Returns the problem of the only blank line between the rows of a puzzle, if a row is missing there. `text` begins with
/// the puzzle.
pub fn blank(text: &Marked<'_>, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let Layout { header_lines, parts } = trial.reader.layout(lines)?;
    let (first, last) = (lines.get(header_lines)?.number, lines.last()?.number);
    let is_blank = |line: &Line<'_>| line.text.trim_ascii().is_empty();
    let between = text.all_lines().take_while(|line| line.number < last);
    let mut blanks = between.filter(|line| line.number > first && is_blank(line));
    let line = blanks.next().filter(|_| blanks.next().is_none())?;
    let row = lines[header_lines..].iter().take_while(|row| row.number < line.number).count() as u64;
    let width = parts.first()?.width(row).filter(|&width| row < parts[0].rows && width <= WIDTH_MAX)?;
    // Only a trial: nobody knows the numbers.
    trial.first_of([Proposal::replace_line(line.number, zeros(width))])?;
    let (header, expected, line) = (quoted(&lines[0]), parts[0].rows, line.number);
    let what = Mistake::RowBlank { header, rows: expected - 1, expected, line };
    Some(Problem::new(Place { line, column: 1 }, what).related_to(lines[0].place()))
}
