//! The form in which puzzles, outcomes and options travel: what comes back is what was sent, and nothing else is taken.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rayon::prelude::*;
use tabuleiro_jobs::Reading;
use tabuleiro_puzzles::input::{Place, Scanner};
use tabuleiro_puzzles::solver::{
    self, Authority, Budget, COMMON, Excerpt, GRADING, OptionSpec, OptionValue, Options, Outcome, Problem,
    Proposal, Puzzle, Random, Range, SOLVERS, Seen, Solver, Stop, Work, options_of_wire,
};
use tabuleiro_puzzles::words::{Argument, Phrase};

use crate::corpora::wire::{Told, check_outcome, check_puzzle, there_and_back};
use crate::stated::{Sets, asked_for, generated, golden, puzzles, with};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// Every limit that ends a search.
const STOPS: [Stop; 5] =
    [Stop::TimeLimit, Stop::JobTimeLimit, Stop::MemoryLimit, Stop::WorkersMemoryLimit, Stop::Cancelled];

/// Questions after which a search is ended in any case: some golden cases are there to never end.
const QUESTIONS_MAX: u64 = 8;

/// The puzzle as another machine has it.
fn sent(solver: &dyn Solver, puzzle: &dyn Puzzle, options: &Options) -> Arc<dyn Puzzle> {
    let arrived = options_of_wire(solver, &options.to_wire()).unwrap();
    assert_eq!(&arrived, options);
    let wire = puzzle.to_wire();
    let sent = solver.puzzle_of_wire(&wire, &arrived, &Arc::from("t"));
    let sent = sent.unwrap_or_else(|error| panic!("{}: {error}: {wire:?}", solver.id()));
    assert_eq!(sent.to_wire(), wire);
    sent
}

/// Solves a puzzle here and there; `stop` is the limit that ends the search at a question.
fn compare(solver: &dyn Solver, options: &Options, puzzle: &dyn Puzzle, (question, stop): (u64, Stop)) {
    let there = sent(solver, puzzle, options);
    let solved = [puzzle, &*there].map(|puzzle| {
        let outcome = puzzle.solve(&Budget::failing_at(question, stop));
        there_and_back(&outcome, solver);
        Told::of(&outcome, solver)
    });
    assert_eq!(solved[0], solved[1], "{} at question {question}", solver.id());
}

/// The options of the file with others besides.
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

/// Some value of an option: a word, or a number that does not ask for too much.
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
        // Times make two runs differ, and memory is another test's affair.
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

/// Games of moves that somebody made, many of which change nothing.
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

#[test]
fn a_generated_file_that_travels_is_answered_as_it_is_here() {
    let files: Vec<_> =
        SOLVERS.iter().flat_map(|solver| (0..30_u64).map(move |seed| (*solver, seed))).collect();
    let compared: usize = files
        .par_iter()
        .map(|&(solver, seed)| {
            let mut random = Random::new(seed);
            let random = &mut random;
            let size_max = [4, 6, 10, 24][seed as usize % 4];
            let mut own = some_values(solver.options(), 2, random);
            own.extend(some_values(&COMMON[3..], 0, random));
            // Sides beyond what the page allows are read as well.
            if solver.options().iter().any(|spec| spec.name == "limits") {
                own.insert("limits".to_owned(), "none".to_owned());
            }
            let options = with(solver::default_options(solver), &own);
            // Whoever plays himself thinks long; golden cases have such games.
            let file = if solver.id() == "2048-game" {
                played(random)
            } else {
                generated(solver, 2, seed, &some_values(solver.generator_options(), size_max, random))
            };
            let puzzles = puzzles(solver, &options, &file);
            for puzzle in &puzzles {
                let question = if random.chance(0.5) { random.between(1, 6) } else { QUESTIONS_MAX };
                compare(solver, &options, &**puzzle, (question, STOPS[random.below(5) as usize]));
            }
            puzzles.len()
        })
        .sum();
    assert!(compared > 150, "{compared}");
}

/// Whatever is wrong with a puzzle is told there as it is here, with what is proposed and with its lines.
#[test]
fn what_is_wrong_with_a_puzzle_comes_back_in_full() {
    let (mut seen, mut proposed) = (0, 0);
    for solver in SOLVERS {
        let folder = Path::new(ROOT).join("tests/mistakes").join(solver.id());
        for file in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if !file.to_str().unwrap().ends_with(".entrada.txt") {
                continue;
            }
            let text = fs::read(&file).unwrap();
            let options = and(&asked_for(*solver, &text), &[("picture", "true")]);
            let mut scanner = Scanner::new(&text[..], "entrada.txt").unwrap();
            let mut reader = Reading::open(*solver, &options);
            while let Some(entry) = reader.read(&mut scanner).unwrap() {
                let outcome = match entry.work {
                    Work::Solve(puzzle) => {
                        sent(*solver, &*puzzle, &options);
                        continue;
                    }
                    Work::Settled(outcome) => *outcome,
                    Work::Invalid(problem) => {
                        seen += usize::from(problem.seen.is_some());
                        proposed += usize::from(problem.proposal.is_some());
                        Outcome::invalid(solver.info().noun, *problem, "entrada.txt")
                    }
                };
                there_and_back(&outcome, *solver);
            }
        }
    }
    assert!(seen > 50 && proposed > 20, "{seen} {proposed}");
}

/// A problem that has everything.
fn problem(proposal: Proposal) -> Problem {
    let phrase = |scope, name, arguments| Phrase { scope, name, arguments };
    let range = phrase("kind", "integer", vec![("min", 1_u64.into()), ("max", u128::MAX.into())]);
    let expected = phrase("kind", "words-or", vec![("words", "\"auto\"".into()), ("rest", range.into())]);
    let arguments = vec![
        ("name", Argument::from("depth")),
        ("found", "é".into()),
        ("expected", expected.into()),
        ("hint", "".into()),
    ];
    Problem {
        excerpt: Some(Box::new(Excerpt { text: "1 é 3".to_owned(), marked: 2..4 })),
        seen: Some(Box::new(Seen {
            lines: vec![(6, "1".to_owned()), (7, "1 é 3".to_owned())],
            left_out: (5, 0),
            rows: Some((6, [3, 2])),
        })),
        ..Problem::new(Place { line: 7, column: 3 }, phrase("option", "out-of-range", arguments))
            .recognised_if(false)
            .proposing(Some(proposal))
    }
}

fn proposals() -> [Proposal; 5] {
    let text = || "x".to_owned();
    [
        Proposal::Replace { place: Place { line: 7, column: 3 }, bytes: 0, with: text() },
        Proposal::ReplaceAll {
            from_line: 1,
            to_line: 7,
            characters: "\u{a0},".to_owned(),
            with: String::new(),
        },
        Proposal::RemoveComments { from_line: 2, to_line: 2 },
        Proposal::RemoveLine { line: 7 },
        Proposal::RemoveToken { place: Place { line: 1, column: 3 }, bytes: 4, token: "sete".to_owned() },
    ]
}

#[test]
fn every_proposal_comes_back() {
    for (index, proposal) in proposals().into_iter().enumerate() {
        let outcome = Outcome::invalid("board", problem(proposal), "entrada.txt");
        assert_eq!(there_and_back(&outcome, SOLVERS[0]).to_wire(), outcome.to_wire(), "{index}");
    }
}

/// Numbers of JSON come back as they were.
#[test]
fn answers_and_witnesses_come_back_as_they_were() {
    let value = serde_json::json!({
        "z": [u64::MAX, i64::MIN, 0, -1, 9_007_199_254_740_993_u64],
        "a": { "large": u128::MAX.to_string(), "é\n\"": null, "": [[], {}, true] },
    });
    let outcome = Outcome { answer: value.clone(), witness: value.clone(), ..Outcome::number(7) };
    let back = there_and_back(&outcome, SOLVERS[0]);
    assert_eq!((&back.answer, &back.witness), (&value, &value));
    assert_eq!(back.answer.to_string(), value.to_string());
}

/// The values at the ends of an option, as they are written.
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
        assert_eq!(defaults.to_wire(), [], "{}", solver.id());
        let mut all = defaults.clone();
        for spec in COMMON.iter().chain(GRADING).chain(solver.options()) {
            for value in ends(spec) {
                let options = and(&defaults, &[(spec.name, &value)]);
                assert!(options.to_wire().len() <= 1);
                assert_eq!(
                    options_of_wire(*solver, &options.to_wire()).unwrap(),
                    options,
                    "{} = {value}",
                    spec.name
                );
                all.set(spec.name, &value, Authority::Owner).unwrap();
            }
        }
        assert_eq!(options_of_wire(*solver, &all.to_wire()).unwrap(), all);
        for wrong in [("depth_of_nothing", "1"), ("witness", "maybe"), ("memory_limit", "9999999TiB")] {
            assert!(options_of_wire(*solver, &[(wrong.0.to_owned(), wrong.1.to_owned())]).is_err());
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The form of the solver's example, of its outcomes, and of them within a limit.
fn forms(solver: &dyn Solver) -> Vec<(String, Vec<u8>)> {
    let mut forms = Vec::new();
    for sets in [&[][..], &[("witness", "true")]] {
        let options = and(&solver::default_options(solver), sets);
        let example = solver.info().example.input.as_bytes();
        for (number, puzzle) in (1..).zip(puzzles(solver, &options, example)) {
            let name =
                |what| format!("{number} {what}{}", if sets.is_empty() { "" } else { " with its witness" });
            if sets.is_empty() {
                forms.push((name("puzzle"), puzzle.to_wire()));
                let stopped = puzzle.solve(&Budget::failing_at(1, Stop::TimeLimit));
                forms.push((name("undecided"), stopped.to_wire()));
            }
            forms.push((name("outcome"), puzzle.solve(&Budget::unlimited()).to_wire()));
        }
    }
    forms
}

/// What another build would not understand, or would take for something else, is a change of a file that somebody reads.
/// `UPDATE=1` writes the files anew.
#[test]
fn the_form_is_as_it_was() {
    let mut files: Vec<_> = SOLVERS.iter().map(|solver| (solver.id(), forms(*solver))).collect();
    let problems = proposals().map(|proposal| {
        let name = format!("{proposal:?}").split([' ', '{']).next().unwrap().to_owned();
        (name, Outcome::invalid("board", problem(proposal), "entrada.txt").to_wire())
    });
    files.push(("problems", problems.to_vec()));
    for (name, forms) in files {
        let path = Path::new(ROOT).join(format!("tests/wire/{name}.txt"));
        let found: String = forms.iter().map(|(name, wire)| format!("{name}: {}\n", hex(wire))).collect();
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, &found).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(found, expected, "{}: UPDATE=1 writes it anew", path.display());
    }
}

/// Bytes of a form that is changed everywhere.
const SMALL_MAX: usize = 32;

#[test]
fn a_form_with_any_byte_changed_or_cut_is_refused_or_another_one() {
    let mut taken = [0, 0];
    for solver in SOLVERS {
        let options = and(&solver::default_options(*solver), &[("memory_limit", "4MiB")]);
        let mut changed = Vec::new();
        for (name, wire) in forms(*solver).into_iter().filter(|(_, wire)| wire.len() <= SMALL_MAX) {
            let is_outcome = !name.contains("puzzle");
            changed.extend((0..wire.len()).map(|end| (is_outcome, wire[..end].to_vec())));
            changed.push((is_outcome, [&wire[..], &[0]].concat()));
            for at in 0..wire.len() {
                for byte in 0..=u8::MAX {
                    let mut wire = wire.clone();
                    wire[at] = byte;
                    changed.push((is_outcome, wire));
                }
            }
        }
        assert!(changed.len() > 1000, "{}: {}", solver.id(), changed.len());
        let counts: Vec<_> = changed
            .par_iter()
            .map(|(is_outcome, wire)| {
                let is_taken = if *is_outcome {
                    check_outcome(*solver, wire)
                } else {
                    check_puzzle(*solver, &options, wire, &Budget::failing_at(3, Stop::TimeLimit))
                };
                (usize::from(*is_outcome), usize::from(is_taken))
            })
            .collect();
        for (index, count) in counts {
            taken[index] += count;
        }
    }
    assert!(taken.iter().all(|&count| count > 1000), "{taken:?}");
}

/// Lengths that nobody could hold are refused before anything is held.
#[test]
fn forged_lengths_cost_nothing() {
    for solver in SOLVERS {
        let options = solver::default_options(*solver);
        for wire in forms(*solver).into_iter().map(|(_, wire)| wire) {
            for at in 0..wire.len().min(64) {
                for length in [
                    &[0xff, 0xff, 0xff, 0xff, 0x0f][..],
                    &[0xff; 9],
                    &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10],
                ] {
                    let forged = [&wire[..at], length, &[1], &wire[at + 1..]].concat();
                    let _ = Outcome::of_wire(&forged, *solver);
                    let _ = solver.puzzle_of_wire(&forged, &options, &Arc::from("t"));
                }
            }
        }
    }
}
