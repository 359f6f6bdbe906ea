//! How often solvers ask whether their answer is still wanted, counted and not timed: a search that asks as often as
//! stated ends within a few milliseconds of being cancelled, on large boards too.

use rayon::prelude::*;
use tabuleiro_puzzles::solver::{Budget, Cancel, SOLVERS, Solver};

use crate::stated::{Large, stated};

/// Enough memory to go through every phase, too little to search for ever.
const MEMORY_BYTES: u64 = 64 << 20;

/// What is wrong with how often the puzzle asks until it is solved.
fn fault(solver: &dyn Solver, large: &Large) -> Option<String> {
    let budget = Budget::new(None, None, MEMORY_BYTES, Cancel::default());
    drop(large.puzzle(solver).solve(&budget));
    let (found, least) = (budget.checks(), large.asks_min);
    let fault = format!("{} {}: asked {found} times, at least {least} are stated", solver.id(), large.name());
    (found < least).then_some(fault)
}

#[test]
fn large_boards_ask_often_enough() {
    let faults: Vec<_> = SOLVERS
        .par_iter()
        .flat_map(|solver| {
            let stated = stated(*solver);
            let rows = stated.large.iter().filter(|large| large.asks_min > 0);
            rows.filter_map(|large| fault(*solver, large)).collect::<Vec<_>>()
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
