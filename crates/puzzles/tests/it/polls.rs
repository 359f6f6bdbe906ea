//! Counts, instead of timing, how often solvers ask whether their answer is still wanted. A search that asks as often
//! as stated ends within a few milliseconds after a cancellation, also on large boards.

use rayon::prelude::*;
use tabuleiro_puzzles::solver::{Budget, Cancel, SOLVERS, Solver};

use crate::stated::{Large, stated};

/// Enough memory for every phase, but too little to search for ever.
const MEMORY_BYTES: u64 = 64 << 20;

/// Returns a fault if the puzzle asks too rarely until it is solved.
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
