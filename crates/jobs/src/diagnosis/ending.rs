//! Zeros on the last line of a file whose format has no end marker.

use super::mistake::Mistake;
use super::trial::Trial;
use tabuleiro_puzzles::input::{Line, is_comment};
use tabuleiro_puzzles::solver::{Problem, Proposal};

/// Returns the problem of a last line `0` or `0 0` without which the puzzle is valid, or without which the file ends behind
/// the puzzle before.
pub fn look(lines: &[Line<'_>], trial: &Trial<'_>, solver: &'static str) -> Option<Problem> {
    let last = lines.last().filter(|line| is_marker(line) && trial.reader.may_end())?;
    let text = trial.text.filter(|text| text.is_whole)?;
    let mut behind = text.text[text.read..].split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_start);
    if !behind.all(|line| line.is_empty() || is_comment(line)) {
        return None;
    }
    let line = last.number;
    let proposal = trial.first_of([Proposal::RemoveLine { line }])?;
    let found = if last.count() == 1 { "0" } else { "0 0" }.to_owned();
    Some(Problem::new(last.place(), Mistake::EndMarker { found, line, solver }).proposing(Some(proposal)))
}

/// Whether a line is one that ends the files of other formats.
pub fn is_marker(line: &Line<'_>) -> bool {
    line.count() <= 2 && line.tokens().all(|(_, token)| token == b"0")
}
