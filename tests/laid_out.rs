//! The solvers with a layout: only their files are recognised, and only their mistakes are diagnosed line by line.

use tabuleiro_jobs::recognise;
use tabuleiro_puzzles::solver::{SOLVERS, Solver};

/// Returns the solvers that recognise their own example.
pub fn laid_out() -> Vec<&'static dyn Solver> {
    let is_recognised = |solver: &&'static dyn Solver| {
        !recognise([*solver], || Ok(solver.info().example.input.as_bytes())).is_empty()
    };
    let found: Vec<_> = SOLVERS.iter().copied().filter(is_recognised).collect();
    assert!(found.len() >= 5, "{found:?}");
    found
}
