//! Checks `checkers-capture`: plays every path on the board and compares the three algorithms.

use tabuleiro_puzzles::input::Place;
use tabuleiro_puzzles::solver::{Outcome, Verdict};

use super::reading;
use super::solving::{Input, Sets};

const CHOICES: [Sets; 7] = [
    &[],
    &[("limits", "none")],
    &[("limits", "none"), ("algorithm", "backtracking")],
    &[("limits", "none"), ("algorithm", "tree")],
    &[("algorithm", "backtracking"), ("on_invalid", "stop")],
    &[("algorithm", "tree")],
    &[("on_invalid", "stop"), ("limits", "none")],
];

/// Reads, solves and replays a file of boards.
pub fn check(data: &[u8]) {
    let Some(input) = Input::new("checkers-capture", &CHOICES, data) else { return };
    let rivals: &[Sets] = &[&[("algorithm", "exact")], &[("algorithm", "backtracking")]];
    input.check(rivals, |place, outcome| replay(input.text, place, outcome));
}

/// Plays the path of an answer.
fn replay(text: &[u8], place: Place, outcome: &Outcome) {
    let numbers = reading::numbers(text, place);
    let (rows, columns) = (numbers[0] as usize, numbers[1] as usize);
    let (least, most) = (outcome.bounds.at_least, outcome.bounds.at_most);
    let playable = (rows * columns).div_ceil(2);
    let squares = &numbers[2..2 + playable.min(numbers.len() - 2)];
    let opponents = squares.iter().filter(|&&piece| piece == 2).count() as u64;
    assert!(most.expect("always bounded") <= opponents.max(playable as u64), "{}", outcome.headline);
    if !matches!(outcome.verdict, Verdict::Answered) {
        let (least, most) = (least.expect("a bound"), most.expect("a bound"));
        assert_eq!(outcome.headline, format!("undecided (at least {least}, at most {most})"));
        return;
    }
    let text = outcome.to_text();
    let mut words = text.trim_end().split(' ');
    let captures: u64 = words.next().and_then(|word| word.parse().ok()).expect("a number first");
    assert_eq!((Some(captures), Some(captures)), (least, most));
    assert!(captures <= opponents);
    if outcome.witness.is_null() && captures > 0 {
        // The path did not fit in the limits. The number does not depend on it.
        assert_eq!(words.next(), None, "{text}");
        return;
    }
    let path: Vec<(usize, usize)> = words
        .map(|word| word.split_once(',').expect("row,column"))
        .map(|(row, column)| (row.parse().expect("a row"), column.parse().expect("a column")))
        .collect();
    assert_eq!(path.len() as u64, if captures == 0 { 0 } else { captures + 1 }, "{text}");
    let mut board = squares.to_vec();
    // Playable squares come row by row, every other square of the whole board.
    let index = |(row, column): (usize, usize)| {
        assert!(row < rows && column < columns && (row + column).is_multiple_of(2), "{text}");
        let before: usize = (0..row).map(|row| (columns + 1 - row % 2) / 2).sum();
        before + column / 2
    };
    if let Some(&start) = path.first() {
        assert_eq!(board[index(start)], 1, "{text}");
        board[index(start)] = 0;
    }
    for jump in path.windows(2) {
        let [from, to] = [jump[0], jump[1]];
        assert_eq!((from.0.abs_diff(to.0), from.1.abs_diff(to.1)), (2, 2), "{text}");
        let over = index((from.0.midpoint(to.0), from.1.midpoint(to.1)));
        assert_eq!((board[over], board[index(to)]), (2, 0), "{text}");
        board[over] = 0;
    }
}
