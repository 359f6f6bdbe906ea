//! Tests `2048-merge` against independent rules, parser and search: nothing here is shared with the solver.

mod cases;
mod exact;
mod forms;
mod limits;
mod reading;

use std::collections::HashSet;

use proptest::prelude::*;
use tabuleiro_puzzles::solver::{Authority, Merge2048, Options, Outcome, Random, Verdict, default_options};

use cases::{Case, file, generated, parse, slide, small_cases, tiles};

/// Finds the answer by listing every board that 0, 1, 2, … slides reach.
fn brute_force(case: &Case) -> Option<u64> {
    let mut seen = HashSet::from([case.rows.clone()]);
    let mut layer = vec![case.rows.clone()];
    for slides in 0..=case.moves_max as u64 {
        if layer.iter().any(|rows| tiles(rows) <= 1) {
            return Some(slides);
        }
        let mut next = Vec::new();
        for rows in &layer {
            for letter in ['E', 'D', 'C', 'B'] {
                let rows = slide(rows, letter);
                if seen.insert(rows.clone()) {
                    next.push(rows);
                }
            }
        }
        layer = next;
    }
    None
}

fn options(settings: &[(&str, &str)]) -> Options {
    let mut options = default_options(&Merge2048);
    for (name, value) in settings {
        options.set(name, value, Authority::Owner).unwrap();
    }
    options
}

fn outcomes(text: &str, settings: &[(&str, &str)]) -> Vec<Outcome> {
    crate::answer_all(&Merge2048, &options(settings), "t", text.as_bytes())
}

/// Replays the witness of an answered case and returns its number of slides. Returns `None` for no solution.
fn check(case: &Case, outcome: &Outcome) -> Option<u64> {
    assert!(matches!(outcome.verdict, Verdict::Answered), "{outcome:?}");
    let text = outcome.to_text();
    if text == "no solution\n" {
        assert!(outcome.witness.is_null());
        return None;
    }
    let mut words = text.split_whitespace();
    let count: u64 = words.next().unwrap().parse().unwrap();
    assert!(count <= case.moves_max as u64);
    assert_eq!(outcome.answer, count);
    assert_eq!((outcome.bounds.at_least, outcome.bounds.at_most), (Some(count), Some(count)));
    let letters: Vec<&str> = words.collect();
    assert_eq!(serde_json::json!(letters), outcome.witness);
    assert_eq!(letters.len() as u64, count, "{text}");
    let mut rows = case.rows.clone();
    for letter in letters {
        assert!(tiles(&rows) > 1, "slides after the end: {text}{}", case.text());
        rows = slide(&rows, letter.chars().next().unwrap());
    }
    assert!(tiles(&rows) <= 1, "{text} leaves {rows:?} of\n{}", case.text());
    Some(count)
}

/// Answers all cases with witnesses and checks them.
fn answers(cases: &[Case], algorithm: &str) -> Vec<Option<u64>> {
    let outcomes = outcomes(&file(cases), &[("witness", "true"), ("algorithm", algorithm)]);
    assert_eq!(outcomes.len(), cases.len());
    cases.iter().zip(&outcomes).map(|(case, outcome)| check(case, outcome)).collect()
}

#[test]
fn agrees_with_brute_force_on_small_boards() {
    let cases = small_cases(1, 4000, 14);
    let expected: Vec<_> = cases.iter().map(brute_force).collect();
    assert!(expected.iter().flatten().any(|&count| count >= 8), "{:?}", expected.iter().max());
    assert!(expected.iter().filter(|count| count.is_none()).count() > 300);
    for algorithm in ["shortest", "breadth-first"] {
        let found = answers(&cases, algorithm);
        for ((case, expected), found) in cases.iter().zip(&expected).zip(found) {
            assert_eq!(found, *expected, "{algorithm}\n{}", case.text());
        }
    }
}

#[test]
fn the_corrected_depth_first_search_agrees_too() {
    let cases = small_cases(2, 3000, 7);
    let expected: Vec<_> = cases.iter().map(brute_force).collect();
    assert_eq!(answers(&cases, "depth-first"), expected);
    assert_eq!(answers(&cases, "shortest"), expected);
}

#[test]
fn full_boards_agree_with_brute_force() {
    let mut random = Random::new(3);
    let mut cases = Vec::new();
    for _ in 0..300 {
        let mut squares = vec![64_u64];
        while squares.len() < 9 {
            let at = random.below(squares.len() as u64) as usize;
            if squares[at] > 1 {
                squares[at] /= 2;
                squares.push(squares[at]);
            }
        }
        random.shuffle(&mut squares);
        cases.push(Case { moves_max: 50, rows: squares.chunks(3).map(<[u64]>::to_vec).collect() });
    }
    let expected: Vec<_> = cases.iter().map(brute_force).collect();
    for algorithm in ["shortest", "breadth-first"] {
        assert_eq!(answers(&cases, algorithm), expected, "{algorithm}");
    }
}

#[test]
fn generated_cases_are_answered_alike_by_both_exact_searches() {
    let text = generated(60, 4, &[]);
    let cases = parse(&text);
    let shortest = answers(&cases, "shortest");
    assert_eq!(answers(&cases, "breadth-first"), shortest);
    assert!(shortest.iter().any(Option::is_none) && shortest.iter().flatten().any(|&count| count > 8));
}

#[test]
fn the_generator_keeps_its_word() {
    let text = generated(400, 5, &[]);
    assert_eq!(text, generated(400, 5, &[]));
    assert_ne!(text, generated(400, 6, &[]));
    let cases = parse(&text);
    let mut doubled = 0;
    for case in &cases {
        assert!(case.moves_max == 50 && (3..=6).contains(&case.rows.len()));
        let count = tiles(&case.rows);
        assert!((2..=24.min(case.rows.len().pow(2))).contains(&count));
        assert!(case.rows.iter().flatten().all(|&value| value == 0 || value.is_power_of_two()));
        doubled += usize::from(!case.rows.iter().flatten().sum::<u64>().is_power_of_two());
    }
    assert!((20..80).contains(&doubled), "{doubled}");
    for case in parse(&generated(20, 7, &[("size", "5"), ("tiles", "25")])) {
        assert_eq!((case.rows.len(), tiles(&case.rows)), (5, 25));
    }
    let one = parse(&generated(20, 8, &[("size", "1"), ("tiles", "400")]));
    assert!(one.iter().all(|case| case.rows.len() == 1 && tiles(&case.rows) == 1));
    assert_eq!(generated(0, 9, &[]), "0\n");
}

proptest! {
    /// Turning or mirroring a board changes nothing.
    #[test]
    fn symmetric_boards_have_one_answer(seed in any::<u64>()) {
        let case = small_cases(seed, 1, 20).remove(0);
        let size = case.rows.len();
        let mut turned = case.clone();
        let mut mirrored = case.clone();
        for (row, column) in (0..size).flat_map(|row| (0..size).map(move |column| (row, column))) {
            turned.rows[column][size - 1 - row] = case.rows[row][column];
            mirrored.rows[row][size - 1 - column] = case.rows[row][column];
        }
        let found = answers(&[case, turned, mirrored], "shortest");
        prop_assert!(found[0] == found[1] && found[1] == found[2]);
    }
}
