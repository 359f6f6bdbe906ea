//! Checks `2048-merge`: replays the slides and compares the three algorithms.

use tabuleiro_puzzles::input::Place;
use tabuleiro_puzzles::solver::{Outcome, Verdict};
use tabuleiro_puzzles::words::Phrase;

use super::reading;
use super::slide::slide;
use super::solving::{Input, Sets};

const CHOICES: [Sets; 5] = [
    &[],
    &[("limits", "none")],
    &[("algorithm", "depth-first")],
    &[("algorithm", "breadth-first")],
    &[("algorithm", "breadth-first"), ("limits", "none")],
];

/// Reads, solves and replays a file of cases.
pub fn check(data: &[u8]) {
    let Some(input) = Input::new("2048-merge", &CHOICES, data) else { return };
    let rivals: &[Sets] = &[&[("algorithm", "shortest")], &[("algorithm", "depth-first")]];
    input.check(rivals, |place, outcome| replay(input.text, place, outcome));
}

/// Replays the slides of an answer.
fn replay(text: &[u8], place: Place, outcome: &Outcome) {
    let text_of = outcome.to_text();
    if let Verdict::Undecided { .. } = outcome.verdict {
        assert_eq!(outcome.headline, format!("undecided ({})", Phrase::from(outcome.bounds)));
        return;
    }
    assert_eq!(text_of.lines().count(), 1, "{text_of}");
    if text_of == "no solution\n" {
        return;
    }
    let numbers = reading::numbers(text, place);
    let (size, slides_max) = (numbers[0] as usize, numbers[1]);
    let mut board: Vec<u128> = numbers[2..2 + size * size].iter().map(|&value| value.into()).collect();
    let mut words = text_of.split_whitespace();
    let count: u64 = words.next().and_then(|word| word.parse().ok()).expect("a number first");
    assert!(count <= slides_max, "{text_of}");
    if outcome.witness.is_null() {
        // The slides were not found within the limits. The number does not depend on them.
        assert_eq!(words.next(), None, "{text_of}");
        return;
    }
    let slides: Vec<char> = words.map(|word| word.parse().expect("a letter")).collect();
    assert_eq!(count, slides.len() as u64, "{text_of}");
    for letter in slides {
        let before = board.clone();
        slide(&mut board, size, letter);
        assert_ne!(before, board, "a slide of a shortest way moves nothing: {text_of}");
    }
    assert!(board.iter().filter(|&&value| value != 0).count() <= 1, "{text_of}");
}
