//! Rows that are missing: dots stand for them, or they are in comments.

use super::proposal_trial::Trial;
use super::{Mistake, characters};
use tabuleiro_puzzles::input::{Line, Place, is_comment};
use tabuleiro_puzzles::solver::{Layout, Problem, Proposal, named_lines};

/// The most comments that are tried as rows.
const COMMENTS_MAX: usize = 4;

/// Returns the problem of a line that has only dots, which stand for rows.
pub fn omitted(lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let dots = |line: &Line<'_>| {
        let text = String::from_utf8_lossy(line.text.trim_ascii()).into_owned();
        let are_dots = text.chars().all(|character| matches!(character, '.' | '…'));
        // A single dot is the mark of one square.
        (are_dots && text.len() > 1).then_some(text)
    };
    let (line, found) = lines.iter().find_map(|line| Some((line, dots(line)?)))?;
    // As many dots as squares are a row of marks.
    let is_row = characters::width_of(line, lines, trial) == Some(found.chars().count() as u64);
    let what = Mistake::RowsOmitted { found, line: line.number };
    (!is_row && !characters::holds_anything(line, lines, trial)).then(|| Problem::new(line.place(), what))
}

/// Returns the problem of rows that are missing because a mark of comments precedes them.
pub fn commented(lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let Layout { header_lines, parts } = trial.reader.layout(lines)?;
    let header = lines.get(header_lines.checked_sub(1)?)?;
    let end = trial.line_behind(lines.last()?).map_or(u64::MAX, |line| line.number);
    // Removes the mark of a comment that has a row's numbers.
    let uncommented = |line: Line<'_>| {
        let marks = line.text.iter().take_while(|byte| b"#/ \t".contains(byte)).count();
        let row = Line { text: &line.text[marks..], ..line };
        let is_row = parts.iter().any(|part| part.widths.is_some_and(|widths| widths.contains(&row.count())));
        let is_comment = is_comment(line.text.trim_ascii_start());
        let place = Place { line: line.number, column: line.column };
        let change = Proposal::Replace { place, bytes: marks as u64, with: String::new() };
        (is_comment && is_row && row.numbers_only()).then_some(change)
    };
    let is_within = |line: &Line<'_>| (header.number..end).contains(&line.number);
    let changes = trial.text?.all_lines().filter(is_within).filter_map(uncommented);
    let changes: Vec<_> = changes.take(COMMENTS_MAX).collect();
    let numbers: Vec<_> = changes.iter().map(|change| change.lines().0).collect();
    let all = (changes.len() > 1).then(|| Proposal::All { changes: changes.clone() });
    let proposal = trial.first_of(changes.into_iter().chain(all))?;
    let (from, to) = proposal.lines();
    let named: Vec<_> = numbers.into_iter().filter(|number| (from..=to).contains(number)).collect();
    let what = Mistake::RowCommented { lines: named_lines(&named) };
    Some(
        Problem::new(Place { line: from, column: 1 }, what)
            .related_to(header.place())
            .proposing(Some(proposal)),
    )
}
