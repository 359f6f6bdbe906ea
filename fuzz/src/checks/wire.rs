//! What arrives from another machine: any bytes as a puzzle and as an outcome of every solver. What is taken is a puzzle that
//! can be solved, or an outcome that can be written, and travels on as it came.

use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;
use tabuleiro_puzzles::solver::{Bounds, Budget, Cancel, Options, Outcome, SOLVERS, Solver, Teller};
use tabuleiro_puzzles::words::Language;

use super::any_solver::words;
use super::solving::{self, MEMORY, TIME};

/// What the file is called of which puzzles arrive.
const FILE: &str = "entrada.txt";

/// All that is told of an outcome.
#[derive(Debug, PartialEq)]
pub struct Told {
    texts: [String; 2],
    headlines: [String; 2],
    headline: String,
    answer: Value,
    witness: Value,
    bounds: Bounds,
    differs_by_rules: bool,
    verdict: String,
}

impl Told {
    pub fn of(outcome: &Outcome, solver: &dyn Solver) -> Self {
        let tellers = [Language::English, Language::Portuguese].map(|language| Teller {
            language,
            file: FILE,
            noun: solver.info().noun,
        });
        Self {
            texts: tellers.map(|teller| {
                let mut text = Vec::new();
                outcome.write_text(&mut text, &teller).expect("memory takes it all");
                String::from_utf8(text).expect("a result is text")
            }),
            headlines: tellers.map(|teller| outcome.headline_for(&teller).into_owned()),
            headline: outcome.headline.to_string(),
            answer: outcome.answer.clone(),
            witness: outcome.witness.clone(),
            bounds: outcome.bounds,
            differs_by_rules: outcome.differs_by_rules,
            verdict: format!("{:?}", outcome.verdict),
        }
    }
}

/// The first byte chooses the solver, its options, and whether the others are a puzzle or an outcome.
pub fn check(data: &[u8]) {
    let Some((&choice, wire)) = data.split_first() else { return };
    let (is_outcome, choice) = (choice % 2 == 1, usize::from(choice / 2));
    let solver = SOLVERS[choice % SOLVERS.len()];
    if is_outcome {
        check_outcome(solver, wire);
    } else {
        let budget = Budget::new(Some(Instant::now() + TIME), None, MEMORY, Cancel::default());
        check_puzzle(solver, &options(solver, choice / SOLVERS.len()), wire, &budget);
    }
}

/// The options of that number: the defaults, with proofs, or with one of the words of an option.
fn options(solver: &dyn Solver, number: usize) -> Options {
    let mut choices = vec![Vec::new(), vec![("witness", "true"), ("picture", "true")]];
    for option in solver.options() {
        choices.extend(words(option).iter().map(|word| vec![(option.name, *word)]));
    }
    let small = [("memory_limit", "4MiB")];
    solving::options(solver, &[&choices[number % choices.len()][..], &small].concat())
}

/// Takes bytes as a puzzle; false where they are none.
pub fn check_puzzle(solver: &dyn Solver, options: &Options, wire: &[u8], budget: &Budget) -> bool {
    let file = Arc::from(FILE);
    let Ok(puzzle) = solver.puzzle_of_wire(wire, options, &file) else { return false };
    let again = puzzle.to_wire();
    let same = solver.puzzle_of_wire(&again, options, &file).expect("what was sent is a puzzle");
    assert_eq!(same.to_wire(), again, "another puzzle came back");
    there_and_back(&puzzle.solve(budget), solver);
    true
}

/// Takes bytes as an outcome; false where they are none.
pub fn check_outcome(solver: &dyn Solver, wire: &[u8]) -> bool {
    let Ok(outcome) = Outcome::of_wire(wire, solver) else { return false };
    there_and_back(&outcome, solver);
    true
}

/// An outcome as it comes back; panics where it is another one then.
pub fn there_and_back(outcome: &Outcome, solver: &dyn Solver) -> Outcome {
    let back = Outcome::of_wire(&outcome.to_wire(), solver);
    let back = back.unwrap_or_else(|error| panic!("{error}: {:?}", Told::of(outcome, solver)));
    assert_eq!(Told::of(outcome, solver), Told::of(&back, solver), "another outcome came back");
    back
}
