//! The lines of the file that a message shows.

use std::slice;

use tabuleiro_puzzles::input::{Line, Marked, Place, is_blank, printable};
use tabuleiro_puzzles::solver::{Excerpt, Problem, Proposal};

/// Adds the lines of the file that a message shows, if they are in the window: the one at which it points, the nearest
/// one before it that is not blank, and those of related places.
pub fn add(problem: &mut Problem, marked: &Marked<'_>) {
    let wrong = problem.place;
    problem.excerpt = problem.excerpt.take().or_else(|| excerpt_at(wrong, marked).map(Box::new));
    let first = wrong.line.saturating_sub(LINES_MAX as u64).max(1);
    let is_written = |line: &u64| marked.line(*line).is_some_and(|line| !line.text.trim_ascii().is_empty());
    let before = (first..wrong.line).rev().find(is_written).map(|line| Place { line, column: 1 });
    let others = problem.related.iter().copied().chain(before);
    let mut context: Vec<_> = others
        .filter(|place| place.line != wrong.line)
        .filter_map(|place| Some((place.line, excerpt_at(place, marked)?)))
        .collect();
    context.sort_by_key(|(line, _)| *line);
    context.dedup_by_key(|(line, _)| *line);
    problem.context = context;
    problem.corrected = corrected(problem, marked).unwrap_or_default();
}

/// Adds the lines that messages about all mistakes of a puzzle show. If two mistakes are on one line, both show that line
/// as all changes correct it.
pub fn add_to_all(problem: &mut Problem, marked: &Marked<'_>) {
    let parts: Vec<_> = problem.chain().filter_map(|mistake| mistake.part.as_deref().cloned()).collect();
    let all = Proposal::together(parts).apply(marked.text, marked.first.line);
    let lines: Vec<_> = problem.chain().map(|mistake| mistake.place.line).collect();
    let count = |text: &[u8]| text.split(|&byte| byte == b'\n').count();
    let all = all.filter(|all| problem.also.is_some() && count(all) == count(marked.text));
    let mut shown = Some(problem);
    while let Some(problem) = shown {
        add(problem, marked);
        let is_part = problem.proposal.is_none() && problem.part.is_some();
        for (number, line) in &mut problem.corrected {
            let is_shared = lines.iter().filter(|line| **line == *number).count() > 1;
            let text = all.as_ref().filter(|_| is_part && is_shared);
            let changed = text.and_then(|text| Marked { text, ..*marked }.line(*number));
            if let Some(changed) = changed {
                *line = printable(changed.text.trim_ascii(), LINE_BYTES_MAX);
            }
        }
        shown = problem.also.as_deref_mut();
    }
}

/// Returns the wrong lines as corrected by the proposal: new lines, or the first line that each of its changes affects.
fn corrected(problem: &Problem, marked: &Marked<'_>) -> Option<Vec<(u64, String)>> {
    let proposal = problem.proposal.as_deref().or(problem.part.as_deref())?;
    let shown = |line: &[u8]| {
        let text: Vec<_> = line.iter().map(|&byte| if is_blank(byte) { b' ' } else { byte }).collect();
        printable(text.trim_ascii(), LINE_BYTES_MAX)
    };
    let cut = |mut lines: Vec<(u64, String)>| {
        lines.truncate(NEW_LINES_MAX + 1);
        if let Some((_, more)) = lines.get_mut(NEW_LINES_MAX) {
            "…".clone_into(more);
        }
        lines
    };
    let changes =
        if let Proposal::All { changes } = proposal { &changes[..] } else { slice::from_ref(proposal) };
    let changed = |change: &Proposal| {
        if let Proposal::ReplaceLines { from_line, lines: new, .. } = change {
            let written = (*from_line..).zip(new).filter(|(_, line)| !line.is_empty());
            return Some(cut(written.map(|(number, line)| (number, shown(line.as_bytes()))).collect()));
        }
        let (from, to) = change.lines();
        let is_joined = matches!(change, Proposal::JoinLines { .. });
        let is_broken = matches!(change, Proposal::ReplaceAll { with, .. } if with == "\n");
        let is_inside = (from..=to).contains(&problem.place.line) && !is_joined && !is_broken;
        let number = if is_inside { problem.place.line } else { from };
        // The text can begin in the middle of its first line.
        if marked.first.column != 1 && from <= marked.first.line {
            return None;
        }
        let text = change.apply(marked.text, marked.first.line)?;
        let lines = text.split(|&byte| byte == b'\n');
        let lines = lines.skip(usize::try_from(number.checked_sub(marked.first.line)?).ok()?);
        // Line breaks make several lines of one.
        let feeds = |text: &[u8]| text.iter().filter(|&&byte| byte == b'\n').count();
        let count = if is_broken { feeds(&text) - feeds(marked.text) + (to - from) as usize } else { 0 };
        Some(cut((number..).zip(lines.take(1 + count).map(shown)).collect()))
    };
    let is_removed = |change: &&Proposal| matches!(change, Proposal::RemoveLines { .. });
    let mut lines: Vec<_> =
        changes.iter().filter(|change| !is_removed(change)).filter_map(changed).flatten().collect();
    if lines.len() > CHANGED_MAX {
        lines.truncate(CHANGED_MAX);
        "…".clone_into(&mut lines[CHANGED_MAX - 1].1);
    }
    Some(lines)
}

/// Returns the part of a line around a place, with the token marked.
fn excerpt_at(place: Place, marked: &Marked<'_>) -> Option<Excerpt> {
    let line = marked.line(place.line)?;
    let at =
        usize::try_from(place.column.checked_sub(line.column)?).ok().filter(|&at| at <= line.text.len())?;
    let token = line.text[at..].iter().take_while(|&&byte| !is_blank(byte)).count();
    Some(Excerpt::cut(line.text, at, token))
}

/// The most new lines that a message shows.
const NEW_LINES_MAX: usize = 4;
/// The most changed lines that a message shows.
const CHANGED_MAX: usize = 6;
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
