//! Golden cases: `tests/cases/SOLVER/NAME.entrada.txt` must give `NAME.saida.txt`, to the byte.
//!
//! A comment line `# set: KEY=VALUE` in the input sets an option, as `--set` would.

use std::fs;

use tabuleiro_puzzles::solver::{self, SOLVERS, Solver};

use crate::stated::{asked_for, folder, golden};

/// Golden cases, over all solvers.
const CASES_MIN: usize = 146;

/// The exact result of `input` for `solver`, with the options its `# set:` lines ask for.
pub fn answer(solver: &dyn Solver, name: &str, input: &[u8]) -> String {
    let outcomes = crate::answer_all(solver, &asked_for(solver, input), name, input);
    outcomes.iter().map(solver::Outcome::to_text).collect()
}

#[test]
fn every_golden_case_is_answered_to_the_byte() {
    let mut cases = 0;
    for solver in SOLVERS.iter().filter(|solver| folder(**solver).exists()) {
        for input in golden(*solver) {
            cases += 1;
            let name = input.path.file_name().unwrap().to_str().unwrap();
            let output = input.path.with_file_name(name.replace(".entrada.txt", ".saida.txt"));
            let expected = fs::read_to_string(output).unwrap();
            assert_eq!(answer(*solver, name, &input.file), expected, "{}", input.path.display());
        }
    }
    assert!(cases >= CASES_MIN, "only {cases} golden cases");
}

#[test]
fn every_example_of_the_documentation_is_true() {
    for solver in SOLVERS {
        let example = &solver.info().example;
        assert_eq!(
            answer(*solver, "entrada.txt", example.input.as_bytes()),
            example.output,
            "{}",
            solver.id()
        );
    }
}
