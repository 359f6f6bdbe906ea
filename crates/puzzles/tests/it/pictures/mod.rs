//! Tests of pictures: an independent implementation of the rules replays what is drawn.

mod checkers;
mod jump;
mod svg;
mod tiles;

use serde_json::Value;
use tabuleiro_puzzles::solver::{Budget, Puzzle, Solver, Submission, Words, default_options};

/// Returns the witness that the first answer of a submission claims.
fn claimed(solver: &dyn Solver, puzzle: &dyn Puzzle, text: &str) -> Value {
    let reader = solver.answers(&default_options(solver));
    let answer =
        Submission::new(text.as_bytes(), reader, Words::Strict, &Budget::unlimited()).read(|_| None).unwrap();
    puzzle.claimed(&answer.expect("an answer")).expect("no more than is drawn")
}
