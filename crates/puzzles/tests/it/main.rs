//! Tests of the solvers and the text of puzzles from outside: golden cases, brute force, verifiers that share no code
//! with a solver, drawings, limits, and inputs of every kind.

mod astar;
mod budget_fails;
mod checkers_capture;
mod checkers_capture_budget;
mod checkers_capture_reader;
mod checkers_long_branch;
mod checkers_verified;
mod game_2048;
mod game_2048_limits;
mod golden;
mod jump_game;
mod merge_2048;
mod pictures;
mod polls;
mod puzzle_2048;
mod puzzle_text;
mod sliding;
#[allow(dead_code, reason = "each program uses its part")]
#[path = "../../../../tests/stated.rs"]
mod stated;
mod words;

use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{Budget, Options, Outcome, Solver, Work};

/// Reads and solves all puzzles of `text` without limits, one after the other.
fn answer_all(solver: &dyn Solver, options: &Options, name: &str, text: &[u8]) -> Vec<Outcome> {
    let mut scanner = Scanner::new(text, name).unwrap();
    let mut reader = solver.open(options);
    let entries = std::iter::from_fn(|| reader.read(&mut scanner).unwrap());
    let answer = |work| match work {
        Work::Solve(puzzle) => puzzle.solve(&Budget::unlimited()),
        Work::Invalid(problem) => Outcome::invalid(solver.info().noun, *problem, name),
        Work::Settled(outcome) => *outcome,
    };
    entries.map(|entry| answer(entry.work)).collect()
}
