//! Tests what travels to another machine and back: a puzzle's displayed text, its options, and its outcome as JSON.

use std::fs;
use std::time::Duration;

use proptest::prelude::*;
use rayon::prelude::*;
use tabuleiro_puzzles::solver::{
    self, Authority, Budget, COMMON, GRADING, OptionSpec, OptionValue, Options, Outcome, Puzzle, Random,
    Range, SOLVERS, Solver, Stop, Teller, options_from, read_displayed,
};
use tabuleiro_puzzles::words::Language;

use crate::stated::{Sets, asked_for, generated, golden, puzzles, with, workspace};

/// Every limit that ends a search.
const STOPS: [Stop; 5] =
    [Stop::TimeLimit, Stop::JobTimeLimit, Stop::MemoryLimit, Stop::WorkersMemoryLimit, Stop::Cancelled];

/// Number of questions after which every search ends, because some golden cases are meant to never end.
const QUESTIONS_MAX: u64 = 8;

/// Returns the puzzle as another machine receives it.
fn sent(solver: &dyn Solver, puzzle: &dyn Puzzle, options: &Options) -> Box<dyn Puzzle> {
    let arrived = options_from(solver, &options.chosen()).unwrap();
    assert_eq!(&arrived, options);
    let text = puzzle.to_string();
    let sent = read_displayed(solver, &arrived, &text, &"t".into(), puzzle.first_line());
    let sent = sent.unwrap_or_else(|| panic!("{}: not read again:\n{text}", solver.id()));
    assert_eq!((sent.to_string(), sent.first_line()), (text, puzzle.first_line()));
    sent
}

/// Returns every text of an outcome: its JSON, and its result in both languages.
fn told(outcome: &Outcome, solver: &dyn Solver) -> (String, [String; 2]) {
    let texts = [Language::English, Language::Portuguese].map(|language| {
        let mut text = Vec::new();
        let teller = Teller { language, file: "entrada.txt", noun: solver.info().noun };
        outcome.write_text(&mut text, &teller).unwrap();
        String::from_utf8(text).unwrap()
    });
    (outcome.to_json(), texts)
}

/// Returns an outcome after its way back.
fn back(outcome: &Outcome, solver: &dyn Solver) -> Outcome {
    let json = outcome.to_json();
    let back = Outcome::from_json(&json, solver).unwrap_or_else(|error| panic!("{error}: {json}"));
    assert_eq!(told(outcome, solver), told(&back, solver), "another outcome came back");
    back
}

/// Solves a puzzle here and there. `stop` is the limit that ends the search at the given question.
fn compare(solver: &dyn Solver, options: &Options, puzzle: &dyn Puzzle, (question, stop): (u64, Stop)) {
    let there = sent(solver, puzzle, options);
    let solve = |puzzle: &dyn Puzzle| puzzle.solve(&Budget::failing_at(question, stop));
    let (here, there) = (solve(puzzle), back(&solve(&*there), solver));
    assert_eq!(told(&here, solver), told(&there, solver), "{} at question {question}", solver.id());
}

/// Returns the options with additional settings.
fn and(options: &Options, sets: &[(&str, &str)]) -> Options {
    let mut options = options.clone();
    for (key, value) in sets {
        options.set(key, value, Authority::Owner).unwrap();
    }
    options
}

#[test]
fn a_golden_case_that_travels_is_answered_as_it_is_here() {
    let compared: usize = SOLVERS
        .par_iter()
        .map(|solver| {
            golden(*solver)
                .par_iter()
                .map(|input| {
                    let sets: [&[_]; 4] = [
                        &[],
                        &[("witness", "true")],
                        &[("picture", "true")],
                        &[("witness", "true"), ("picture", "true")],
                    ];
                    let mut compared = 0;
                    for (number, sets) in (1_u64..).zip(sets) {
                        let options = and(&input.options, sets);
                        for (puzzle, number) in puzzles(*solver, &options, &input.file).iter().zip(number..) {
                            compare(*solver, &options, &**puzzle, (QUESTIONS_MAX, Stop::TimeLimit));
                            compare(*solver, &options, &**puzzle, (number, STOPS[number as usize % 5]));
                            compared += 1;
                        }
                    }
                    compared
                })
                .sum::<usize>()
        })
        .sum();
    assert!(compared > 400, "{compared}");
}

/// Sends the valid puzzles between wrong ones.
#[test]
fn what_is_left_of_a_file_with_mistakes_travels() {
    let mut sent_on = 0;
    for solver in SOLVERS {
        let folder = workspace().join("tests/mistakes").join(solver.id());
        let files = fs::read_dir(folder).into_iter().flatten();
        for file in files.map(|entry| entry.unwrap().path()) {
            if file.to_str().unwrap().ends_with(".entrada.txt") {
                let text = fs::read(&file).unwrap();
                let options = asked_for(*solver, &text);
                for puzzle in puzzles(*solver, &options, &text) {
                    sent(*solver, &*puzzle, &options);
                    sent_on += 1;
                }
            }
        }
    }
    assert!(sent_on > 100, "{sent_on}");
}

/// Returns some value for an option: a word, or a number that is not too demanding.
fn some_value(spec: &OptionSpec, size_max: u64, random: &mut Random) -> Option<String> {
    let words = spec.kind.words;
    if !words.is_empty() && random.chance(0.5) {
        return Some(words[random.below(words.len() as u64) as usize].to_owned());
    }
    match spec.kind.range {
        Range::Flag => Some(random.chance(0.5).to_string()),
        Range::Integer { min, max } => Some(random.between(min, max.min(min.max(size_max))).to_string()),
        Range::PowerOfTwo { min, max } => {
            let bits = u64::from(min.trailing_zeros())..=u64::from(max.trailing_zeros());
            Some((1_u64 << random.between(*bits.start(), *bits.end())).to_string())
        }
        Range::Fraction => Some(format!("0.{}", random.below(1000))),
        // Times make two runs differ, and another test covers memory.
        Range::Nothing | Range::Duration { .. } | Range::Size { .. } => None,
    }
}

fn some_values(specs: &[OptionSpec], size_max: u64, random: &mut Random) -> Sets {
    let mut sets = Sets::new();
    for spec in specs {
        if let Some(value) = some_value(spec, size_max, random).filter(|_| random.chance(0.7)) {
            sets.insert(spec.name.to_owned(), value);
        }
    }
    sets
}

/// Makes games with given moves. Many of the moves change nothing.
fn played(random: &mut Random) -> Vec<u8> {
    let size = random.between(2, 5);
    let mut game = format!("{size} {}\n", random.bits());
    for _ in 0..size {
        let row: Vec<_> =
            (0..size).map(|_| ((random.below(12) / 2 * 2) >> random.below(2)).to_string()).collect();
        let row: Vec<_> = row
            .iter()
            .map(|value| match value.parse::<u64>().unwrap() {
                0 | 1 => "0".to_owned(),
                value => (1_u64 << random.between(1, 1 + value)).to_string(),
            })
            .collect();
        game += &(row.join(" ") + "\n");
    }
    let letters: String = (0..random.below(40))
        .map(|_| "DECBdecb1234 "[random.below(13) as usize..].chars().next().unwrap())
        .collect();
    (game + "D" + &letters + "\n").into_bytes()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_generated_puzzle_that_travels_is_answered_as_it_is_here(
        solver in prop::sample::select(SOLVERS),
        seed in any::<u64>(),
        size_max in prop::sample::select(&[4, 6, 10, 24]),
        question in 1..=QUESTIONS_MAX,
        stop in prop::sample::select(&STOPS),
    ) {
        let random = &mut Random::new(seed);
        let mut own = some_values(solver.options(), 2, random);
        own.extend(some_values(&COMMON[3..], 0, random));
        // Also reads sides beyond what the page allows.
        if solver.options().iter().any(|spec| spec.name == "limits") {
            own.insert("limits".to_owned(), "none".to_owned());
        }
        let options = with(solver::default_options(solver), &own);
        // A game played by a player takes long; the golden cases cover such games.
        let file = if solver.id() == "2048-game" {
            played(random)
        } else {
            generated(solver, 2, seed, &some_values(solver.generator_options(), size_max, random))
        };
        let puzzles = puzzles(solver, &options, &file);
        prop_assert!(!puzzles.is_empty());
        for puzzle in &puzzles {
            compare(solver, &options, &**puzzle, (question, stop));
        }
    }
}

/// A text is accepted only if it is exactly what the puzzle displays, to the last byte.
#[test]
fn a_text_with_any_byte_changed_cut_or_added_is_refused_or_another_puzzle() {
    for solver in SOLVERS {
        let options = solver::default_options(*solver);
        let example = solver.info().example.input.as_bytes();
        for puzzle in puzzles(*solver, &options, example) {
            let text = puzzle.to_string();
            let read = |text: &str| read_displayed(*solver, &options, text, &"t".into(), 1);
            for wrong in ["", "\n", "#\n", " ", "x", "0", "1 2\n"] {
                assert!(read(&format!("{text}{wrong}")).is_none() || wrong.is_empty(), "{text}{wrong}");
                assert!(read(&format!("{wrong}{text}")).is_none() || wrong.is_empty(), "{wrong}{text}");
            }
            for at in 0..text.len() {
                assert!(read(&text[..at]).is_none(), "{}", &text[..at]);
                for byte in [" ", "\n", "0", "1", "2", "9", "x", "D", "-"] {
                    let mut changed = text.clone();
                    changed.replace_range(at..=at, byte);
                    if let Some(puzzle) = read(&changed) {
                        assert_eq!(puzzle.to_string(), changed);
                        back(&puzzle.solve(&Budget::failing_at(3, Stop::TimeLimit)), *solver);
                    }
                }
            }
        }
    }
}

/// An accepted outcome can be written, and stays the same when it travels on.
#[test]
fn an_outcome_with_any_byte_changed_or_cut_is_refused_or_another_one() {
    let mut taken = 0;
    for solver in SOLVERS {
        for sets in [&[][..], &[("witness", "true")]] {
            let options = and(&solver::default_options(*solver), sets);
            for puzzle in puzzles(*solver, &options, solver.info().example.input.as_bytes()) {
                let stopped = puzzle.solve(&Budget::failing_at(1, Stop::TimeLimit));
                for outcome in [stopped, puzzle.solve(&Budget::unlimited())] {
                    let json = outcome.to_json();
                    for at in (0..json.len()).filter(|&at| json.is_char_boundary(at) && at < 400) {
                        assert!(Outcome::from_json(&json[..at], *solver).is_err());
                        for byte in [" ", "0", "9", "-", "\"", ",", "[", "}", "D", "x", "\u{202e}"] {
                            let mut changed = json.clone();
                            changed.replace_range(at..=at, byte);
                            if let Ok(outcome) = Outcome::from_json(&changed, *solver) {
                                back(&outcome, *solver);
                                taken += 1;
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(taken > 1000, "{taken}");
}

/// JSON numbers come back unchanged.
#[test]
fn answers_and_witnesses_come_back_as_they_were() {
    let value = serde_json::json!({
        "z": [u64::MAX, i64::MIN, 0, -1, 9_007_199_254_740_993_u64],
        "a": { "large": u128::MAX.to_string(), "é\n\"": null, "": [[], {}, true] },
    });
    let outcome = Outcome { answer: value.clone(), witness: value.clone(), ..Outcome::number(7) };
    let back = back(&outcome, SOLVERS[0]);
    assert_eq!((&back.answer, &back.witness), (&value, &value));
    assert_eq!(back.answer.to_string(), value.to_string());
}

/// Returns the values at the ends of an option's range, as text.
fn ends(spec: &OptionSpec) -> Vec<String> {
    let written = |values: &[OptionValue]| values.iter().map(ToString::to_string).collect();
    let mut values: Vec<String> = match spec.kind.range {
        Range::Nothing => Vec::new(),
        Range::Flag => vec!["true".to_owned(), "false".to_owned()],
        Range::Integer { min, max } => written(&[min, min + 1, max].map(OptionValue::Integer)),
        Range::PowerOfTwo { min, max } => written(&[min, max].map(OptionValue::Integer)),
        Range::Fraction => written(&[0.0, 0.1 + 0.2, f64::MIN_POSITIVE, 1.0].map(OptionValue::Fraction)),
        Range::Duration { min, max } => {
            let odd = [min, min + Duration::from_nanos(1), max.saturating_sub(Duration::from_nanos(1)), max];
            written(&odd.map(OptionValue::Duration))
        }
        Range::Size { min, max } => written(&[min, min + 1, max - 1, max].map(OptionValue::Size)),
    };
    values.extend(spec.kind.words.iter().map(|word| (*word).to_owned()));
    values
}

#[test]
fn every_value_of_every_option_comes_back() {
    for solver in SOLVERS {
        let defaults = solver::default_options(*solver);
        assert_eq!(defaults.chosen(), [], "{}", solver.id());
        let mut all = defaults.clone();
        for spec in COMMON.iter().chain(GRADING).chain(solver.options()) {
            for value in ends(spec) {
                let options = and(&defaults, &[(spec.name, &value)]);
                assert!(options.chosen().len() <= 1);
                assert_eq!(
                    options_from(*solver, &options.chosen()).unwrap(),
                    options,
                    "{} = {value}",
                    spec.name
                );
                all.set(spec.name, &value, Authority::Owner).unwrap();
            }
        }
        assert_eq!(options_from(*solver, &all.chosen()).unwrap(), all);
        for wrong in [("depth_of_nothing", "1"), ("witness", "maybe"), ("memory_limit", "9999999TiB")] {
            assert!(options_from(*solver, &[(wrong.0.to_owned(), wrong.1.to_owned())]).is_err());
        }
    }
}
