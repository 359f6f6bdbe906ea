//! Answers the golden cases and the examples of the documentation with the solvers alone.
//!
//! The jobs crate examines an invalid puzzle more closely and may add to the message. So only its golden test compares
//! those lines byte for byte; this test only requires an invalid puzzle where one is expected.

use std::fs;

use tabuleiro_puzzles::solver::{Options, Outcome, SOLVERS, Solver, default_options};

use crate::stated::{folder, golden};

fn answer(solver: &dyn Solver, options: &Options, input: &[u8]) -> String {
    crate::answer_all(solver, options, "entrada.txt", input).iter().map(Outcome::to_text).collect()
}

/// Returns the lines of a result, with everything about an invalid puzzle, an ignored line, or the number of puzzles,
/// reduced to one word.
fn lines(result: &str) -> Vec<&str> {
    let begins = ["invalid ", "ignored: ", "warning: "];
    let is_mistake = |line: &str| begins.iter().any(|begin| line.starts_with(begin));
    result.lines().map(|line| if is_mistake(line) { "invalid" } else { line }).collect()
}

#[test]
fn every_golden_case_is_answered() {
    for solver in SOLVERS.iter().filter(|solver| folder(**solver).exists()) {
        for input in golden(*solver) {
            let name = input.path.to_str().unwrap();
            let expected = fs::read_to_string(name.replace(".entrada.txt", ".saida.txt")).unwrap();
            assert_eq!(lines(&answer(*solver, &input.options, &input.file)), lines(&expected), "{name}");
        }
    }
}

#[test]
fn every_example_of_the_documentation_is_true() {
    for solver in SOLVERS {
        let example = &solver.info().example;
        let found = answer(*solver, &default_options(*solver), example.input.as_bytes());
        assert_eq!(found, example.output, "{}", solver.id());
    }
}
