//! Checks `2048-astar`: each printed board follows from the one before by a valid swipe.

use tabuleiro_puzzles::input::Place;
use tabuleiro_puzzles::solver::{Outcome, Verdict};

use super::reading;
use super::slide::slide;
use super::solving::{Input, Sets};

const CHOICES: [Sets; 6] = [
    &[("goal", "2048")],
    &[("goal", "8")],
    &[("goal", "32")],
    &[("goal", "16"), ("algorithm", "left-weighted")],
    &[("goal", "64"), ("algorithm", "distance-weighted")],
    &[("goal", "9223372036854775808")],
];

/// Reads, solves and replays a file of boards.
pub fn check(data: &[u8]) {
    let Some(input) = Input::new("2048-astar", &CHOICES, data) else { return };
    let goal: u128 = input.set("goal").and_then(|goal| goal.parse().ok()).expect("every choice has one");
    let rivals: &[Sets] = &[&[("algorithm", "shortest")]];
    input.check(rivals, |place, outcome| replay(input.text, place, goal, outcome));
}

/// Replays the boards of an answer.
fn replay(text: &[u8], place: Place, goal: u128, outcome: &Outcome) {
    let written = outcome.to_text();
    let title = written.lines().next().expect("a line");
    if !matches!(outcome.verdict, Verdict::Answered) || title == "unsolvable" {
        assert_eq!(written.lines().count(), 1, "{written}");
        let least = outcome.bounds.at_least.unwrap_or(0);
        let moves = if least == 1 { "move" } else { "moves" };
        assert!(title == "unsolvable" || title == format!("undecided (at least {least} {moves})"), "{title}");
        return;
    }
    let (least, count) =
        (outcome.bounds.at_least.expect("a bound"), outcome.bounds.at_most.expect("a bound"));
    if least == count {
        assert_eq!(title, format!("Minimum number of moves: {count}"));
    } else {
        assert_eq!(title, format!("Number of moves: {count} (at least {least})"));
    }
    let given = reading::numbers(text, place);
    let size = given[0] as usize;
    let numbers: Vec<u128> = written
        .lines()
        .skip(1)
        .flat_map(str::split_whitespace)
        .map(|word| word.parse().expect("a number"))
        .collect();
    let boards: Vec<&[u128]> = numbers.chunks(1 + size * size).collect();
    assert_eq!(boards.len() as u64, count + 1, "{written}");
    assert!(given.iter().map(|&value| u128::from(value)).take(1 + size * size).eq(boards[0].iter().copied()));
    let won = |board: &[u128]| board[1..].iter().any(|&value| value >= goal);
    for pair in boards.windows(2) {
        assert!(!won(pair[0]), "swipes go on after the goal");
        let follows = ['E', 'D', 'C', 'B']
            .iter()
            .any(|&letter| swipe(&pair[0][1..], size, letter).is_some_and(|next| next == pair[1][1..]));
        assert!(follows && pair[1][0] == size as u128, "no swipe leads to {:?}", pair[1]);
    }
    assert!(won(boards[boards.len() - 1]), "{written}");
}

/// Returns the board after a valid swipe, with its new 2.
fn swipe(board: &[u128], size: usize, letter: char) -> Option<Vec<u128>> {
    let mut next = board.to_vec();
    slide(&mut next, size, letter);
    let blank = (0..size).map(|row| row * size + size - 1).find(|&square| next[square] == 0)?;
    let changed = next != board;
    next[blank] = 2;
    changed.then_some(next)
}
