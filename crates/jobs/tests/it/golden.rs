//! Golden cases: `tests/cases/SOLVER/NAME.entrada.txt` must give `NAME.saida.txt`, byte for byte.
//!
//! A comment line `# set: KEY=VALUE` in the input sets an option, like `--set`.

use std::fs;

use tabuleiro_jobs::answer_all;
use tabuleiro_puzzles::solver::{Outcome, SOLVERS};

use crate::stated::{folder, golden};

#[test]
fn every_golden_case_is_answered_to_the_byte() {
    let mut cases = 0;
    for solver in SOLVERS.iter().filter(|solver| folder(**solver).exists()) {
        for input in golden(*solver) {
            cases += 1;
            let name = input.path.file_name().unwrap().to_str().unwrap();
            let output = input.path.with_file_name(name.replace(".entrada.txt", ".saida.txt"));
            let expected = fs::read_to_string(output).unwrap();
            let outcomes = answer_all(*solver, &input.options, name, &input.file).unwrap();
            let found: String = outcomes.iter().map(Outcome::to_text).collect();
            assert_eq!(found, expected, "{}", input.path.display());
        }
    }
    assert!(cases > 100, "{cases}");
}
