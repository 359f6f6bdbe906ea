#![no_main]

use std::env;
use std::sync::LazyLock;

use tabuleiro_puzzles::solver::{SOLVERS, Solver, find};

/// The solver that `FUZZ_SOLVER` names. Without it, each input goes to all solvers.
static CHOSEN: LazyLock<Vec<&dyn Solver>> = LazyLock::new(|| match env::var("FUZZ_SOLVER") {
    Ok(id) => vec![find(&id).unwrap_or_else(|| panic!("FUZZ_SOLVER={id} names no solver"))],
    Err(_) => SOLVERS.to_vec(),
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for solver in CHOSEN.iter() {
        tabuleiro_fuzz::checks::check_solver(*solver, data);
    }
});
