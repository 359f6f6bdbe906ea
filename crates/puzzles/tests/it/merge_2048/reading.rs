//! Tests the reader with good, bad and random input.

use std::time::Instant;

use proptest::prelude::*;
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{Budget, Cancel, Merge2048, Solver, Work};

use super::{file, generated, options, outcomes, parse};

/// Rules about the number of cases.
const ABOUT_COUNT: [&str; 5] = ["missing-case", "count-missing", "count-late", "count-again", "count-twice"];

/// Reads all entries of `text`. Each consumes input, except a last one that reports a missing case.
pub(super) fn read_all(text: &[u8], settings: &[(&str, &str)]) -> Vec<Work> {
    let mut scanner = Scanner::new(text, "t").unwrap();
    let mut reader = Merge2048.open(&options(settings));
    let mut works = Vec::new();
    loop {
        let before = scanner.bytes_consumed();
        let Some(entry) = reader.read(&mut scanner).unwrap() else { return works };
        let missing = matches!(&entry.work, Work::Invalid(problem) if ABOUT_COUNT.contains(&problem.rule()));
        assert!(missing || scanner.bytes_consumed() > before);
        works.push(entry.work);
    }
}

fn invalid(work: &Work) -> Option<(&'static str, bool)> {
    match work {
        Work::Invalid(problem) => Some((problem.rule(), problem.recognised)),
        _ => None,
    }
}

#[test]
fn only_readable_headers_are_recognised() {
    let rules = |text: &str| -> Vec<_> {
        read_all(text.as_bytes(), &[]).iter().map(|work| invalid(work).unwrap_or(("valid", true))).collect()
    };
    let cases: &[(&str, &[(&str, bool)])] = &[
        ("", &[]),
        ("# 5\n", &[]),
        ("0", &[]),
        ("0 1", &[("text-after-cases", false)]),
        ("0\n1 1\n1", &[("surplus-case", false)]),
        ("hello", &[("case-count", false)]),
        ("99999999999999999999 1", &[("case-count", false)]),
        ("1", &[("missing-case", false)]),
        ("1 x", &[("behind-count", false), ("missing-case", false)]),
        ("1\nx", &[("stray-line", false), ("missing-case", false)]),
        ("1 3 x", &[("header-word", false)]),
        ("1 99 5", &[("header-value", false)]),
        ("1 99 x", &[("header-word", false)]),
        ("1 5\n7\n", &[("valid", true), ("count-missing", false)]),
        ("1 3 99", &[("header-value", false)]),
        ("1 3 5 x", &[("square-value", true)]),
        // The comparison of lines elsewhere decides whether a row is too long or another one too short.
        ("2 2 5\n2 2\n0 0 0\n2 5\n0 0\n", &[("numbers-surplus", true), ("numbers-missing", true)]),
        ("2 1 5 7 1 5", &[("valid", true), ("numbers-missing", true)]),
    ];
    let wrong: Vec<_> = cases
        .iter()
        .map(|(text, expected)| (text, rules(text), expected))
        .filter(|(_, found, expected)| found != *expected)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

proptest! {
    #[test]
    fn any_bytes_are_read_to_their_end(text in prop::collection::vec(any::<u8>(), 0..300)) {
        read_all(&text, &[]);
    }

    #[test]
    fn anything_like_a_file_is_read_and_answered(text in "[0-5 \n]{0,120}", unlimited in any::<bool>()) {
        let settings = [("limits", if unlimited { "none" } else { "published" })];
        let budget = Budget::new(Some(Instant::now()), None, 1 << 20, Cancel::default());
        for work in read_all(text.as_bytes(), &settings) {
            if let Work::Solve(puzzle) = work {
                puzzle.solve(&budget);
            }
        }
    }

    /// One bad value spoils only its own case.
    #[test]
    fn a_bad_value_spoils_one_case(seed in any::<u64>(), at in 0_usize..5, bad in "x|-1|99999999999999999999|2[.]5") {
        let cases = parse(&generated(5, seed, &[("size", "4"), ("tiles", "3")]));
        let mut text = "5\n".to_owned();
        for (index, case) in cases.iter().enumerate() {
            let lines = case.text();
            let mut lines: Vec<String> = lines.lines().map(str::to_owned).collect();
            if index == at {
                let line = 1 + (seed % 4) as usize;
                let mut values: Vec<&str> = lines[line].split(' ').collect();
                values[(seed / 4 % 4) as usize] = &bad;
                lines[line] = values.join(" ");
            }
            text += &(lines.join("\n") + "\n");
        }
        let clean = outcomes(&file(&cases), &[]);
        let spoilt = outcomes(&text, &[]);
        prop_assert_eq!(spoilt.len(), 5);
        for index in 0..5 {
            if index == at {
                prop_assert!(spoilt[index].to_text().starts_with("invalid case: found "));
            } else {
                prop_assert_eq!(spoilt[index].to_text(), clean[index].to_text());
            }
        }
    }
}
