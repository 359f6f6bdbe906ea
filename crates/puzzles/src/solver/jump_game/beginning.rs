//! What is wrong with the first lines of a game that are none.

use super::jump_mistakes::Mistake;
use crate::input::Line;
use crate::solver::{Problem, Proposal};

/// What is wrong with first lines that are no size and no number of players, where they are lines of a game.
pub(super) fn beginning(problem: &Problem, lines: &[Line<'_>]) -> Option<(Problem, Vec<Proposal>)> {
    let first = lines.first()?;
    let counts: Vec<u64> = lines.iter().take(3).map(Line::count).collect();
    match counts[..] {
        [1] => {
            let proposals = vec![Proposal::RemoveLine { line: first.number }];
            (problem.rule() == "game-count").then(|| (problem.clone(), proposals))
        }
        // The reader has seen where that line stands.
        [2, ..] if problem.rule() == "players-line" => None,
        [2, numbers, ..] => {
            let [rows, columns] = first.numbers()?;
            // One number alone would be the number of players, and a word is told as such.
            let is_row = numbers == columns
                && columns > 1
                && is_all_digits(&lines[1])
                && (rows == 1 || counts.get(2) == Some(&columns));
            let line = lines[1].number;
            let what = Mistake::PlayersLine { line, numbers, from: 0 };
            is_row.then(|| (Problem::new(lines[1].place(), what), Vec::new()))
        }
        [numbers, next, ..] => {
            let is_row = numbers > 2 && numbers == next;
            let is_players = numbers == 1 && next == 2;
            let line = first.number;
            let problem = || Problem::new(first.place(), Mistake::SizeLine { line, numbers });
            ((is_row || is_players) && is_all_digits(first)).then(|| (problem(), Vec::new()))
        }
        _ => None,
    }
}

fn is_all_digits(line: &Line<'_>) -> bool {
    line.tokens().all(|(_, token)| token.iter().all(u8::is_ascii_digit))
}
