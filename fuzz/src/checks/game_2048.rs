//! Checks `2048-game`: a replay of the transcript leads to the printed board and score.

use tabuleiro_puzzles::input::Place;
use tabuleiro_puzzles::solver::{Outcome, Verdict};

use super::reading;
use super::slide::slide;
use super::solving::{Input, Sets};

const CHOICES: [Sets; 6] = [
    &[("player", "greedy")],
    &[("player", "random"), ("on_illegal", "skip")],
    &[("depth", "1")],
    &[("depth", "2"), ("max_new_value", "2")],
    &[("percent_four", "100"), ("on_illegal", "skip"), ("player", "greedy")],
    &[("player", "expectimax"), ("percent_four", "0")],
];

/// Reads, solves and replays a file of games.
pub fn check(data: &[u8]) {
    let Some(input) = Input::new("2048-game", &CHOICES, data) else { return };
    let new_max = match input.set("max_new_value") {
        Some("2") => 2,
        _ => 4,
    };
    input.check(&[], |place, outcome| replay(input.text, place, new_max, outcome));
}

/// Replays the transcript of a game.
fn replay(text: &[u8], place: Place, new_max: u128, outcome: &Outcome) {
    let written = outcome.to_text();
    if let Verdict::Invalid(_) = outcome.verdict {
        assert_eq!(written, outcome.headline.clone() + "\n");
        return;
    }
    let lines: Vec<&str> = written.lines().collect();
    if lines.len() == 1 {
        // Not even the board fits in the memory.
        assert!(written.starts_with("undecided ("), "{written}");
        return;
    }
    let field = |index: usize, name: &str| -> String {
        let value = lines[index].strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
        value.unwrap_or_else(|| panic!("no {name} in line {index}: {written}")).to_owned()
    };
    let (score, moves, max) = (field(0, "score"), field(1, "moves"), field(2, "max"));
    let over = field(3, "over");
    field(4, "seed");
    let words: Vec<String> = reading::words(text, place).collect();
    let size: usize = words[0].parse().expect("a size");
    let mut board = given_board(text, place, size);
    let (mut points, mut made) = (0, 0_u64);
    for line in &lines[5 + size..] {
        if line.starts_with("skipped ") || line.starts_with("undecided (") {
            continue;
        }
        let [mark, row, column, value] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let letter: char = mark.parse().expect("one letter");
        if letter != '+' {
            let before = board.clone();
            points += slide(&mut board, size, letter);
            assert_ne!(board, before, "a move that moves nothing: {line}");
            made += 1;
        }
        let (row, column): (usize, usize) = (row.parse().expect("a row"), column.parse().expect("a column"));
        let value: u128 = value.parse().expect("a value");
        assert!(board[row * size + column] == 0 && (value == 2 || value == 4) && value <= new_max, "{line}");
        board[row * size + column] = value;
    }
    let printed: Vec<u128> = lines[5..5 + size]
        .iter()
        .flat_map(|line| line.split(' '))
        .map(|word| word.parse().expect("a value"))
        .collect();
    assert_eq!((&printed, score, moves), (&board, points.to_string(), made.to_string()), "{written}");
    assert_eq!(max, board.iter().max().expect("a square").to_string());
    let stuck = ['E', 'D', 'C', 'B'].iter().all(|&letter| {
        let mut next = board.clone();
        slide(&mut next, size, letter);
        next == board
    });
    assert_eq!(over, if stuck { "yes" } else { "no" }, "{written}");
}

/// Parses the board of the file, whose rows are lines of their own after the header.
fn given_board(text: &[u8], place: Place, size: usize) -> Vec<u128> {
    let below = Place { line: place.line + 1, column: 1 };
    let numbers = reading::words(text, below).take(size * size).map(|word| word.parse().expect("a value"));
    numbers.collect()
}
