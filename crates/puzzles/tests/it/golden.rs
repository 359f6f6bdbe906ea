//! Golden cases and the examples of the documentation, as the solvers alone answer them.
//!
//! The jobs crate looks more closely at an invalid puzzle and may say more about it. So only its golden test compares
//! those lines to the byte; here an invalid puzzle must be found where one is expected.

use std::fs;

use tabuleiro_puzzles::solver::{Options, Outcome, SOLVERS, Solver, default_options};

use crate::stated::{folder, golden};

fn answer(solver: &dyn Solver, options: &Options, input: &[u8]) -> String {
    crate::answer_all(solver, options, "entrada.txt", input).iter().map(Outcome::to_text).collect()
}

/// Returns the lines of a result, without what they say about invalid puzzles.
fn lines(result: &str) -> Vec<&str> {
    result.lines().map(|line| if line.starts_with("invalid ") { "invalid" } else { line }).collect()
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
