//! Golden cases: `tests/cases/SOLVER/NAME.entrada.txt` must give `NAME.saida.txt`, to the byte.
//!
//! A comment line `# set: KEY=VALUE` in the input sets an option, as `--set` would.

use std::fs;
use std::path::Path;

use tabuleiro::solver::{self, Authority, SOLVERS, Solver};

/// The exact result of `input` for `solver`, with the options its `# set:` lines ask for.
pub fn answer(solver: &dyn Solver, name: &str, input: &[u8]) -> String {
    let mut options = solver::default_options(solver);
    for line in String::from_utf8_lossy(input).lines() {
        if let Some((key, value)) = line.strip_prefix("# set: ").and_then(|set| set.split_once('=')) {
            options.set(key, value, Authority::Owner).unwrap();
        }
    }
    let outcomes = solver::answer_all(solver, &options, name, input).unwrap();
    outcomes.iter().map(solver::Outcome::to_text).collect()
}

#[test]
fn every_golden_case_is_answered_to_the_byte() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut cases = 0;
    for solver in SOLVERS {
        let folder = root.join(solver.id());
        let mut cases_here = 0;
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let input = entry.unwrap().path();
            let name = input.file_name().unwrap().to_str().unwrap().to_owned();
            let Some(stem) = name.strip_suffix(".entrada.txt") else { continue };
            let expected = fs::read_to_string(folder.join(format!("{stem}.saida.txt"))).unwrap();
            let found = answer(*solver, &name, &fs::read(&input).unwrap());
            assert_eq!(found, expected, "{}", input.display());
            cases_here += 1;
        }
        assert!(cases_here > 0, "no golden case in {}", folder.display());
        cases += cases_here;
    }
    assert!(cases >= SOLVERS.len());
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
