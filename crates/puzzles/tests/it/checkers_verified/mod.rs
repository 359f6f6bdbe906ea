//! Verifies `checkers-capture` independently: the rules, searches and bounds here share no code with the solver. Every
//! answer's path is played.
//!
//! `PROPTEST_CASES` sets how much is tried (default 256). The numbers of boards and property cases grow with it.

pub mod board;
mod huge;
mod large;
mod lattices;
mod oracle;
mod parity;
mod properties;
mod small;

use tabuleiro_puzzles::solver::{self, Authority, Outcome, Verdict};

use board::Board;

const ALGORITHMS: [&str; 3] = ["exact", "backtracking", "tree"];

/// Scales `count`, which is meant for the default number of cases, to the actual number.
fn scaled(count: u64) -> u64 {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(256);
    (count * cases).div_ceil(256)
}

/// Answers `boards` as one file, each with its path, and plays the paths.
fn captures(boards: &[Board], algorithm: &str, limits: &str) -> Vec<u64> {
    let text: String = boards.iter().map(Board::text).chain(["0 0\n".to_owned()]).collect();
    let outcomes = outcomes(&text, algorithm, limits);
    assert_eq!(outcomes.len(), boards.len());
    let pairs = outcomes.iter().zip(boards);
    pairs
        .map(|(outcome, board)| {
            assert!(matches!(outcome.verdict, Verdict::Answered), "{}", outcome.headline);
            let captures = board.replay(&outcome.to_text());
            assert_eq!(outcome.answer.as_u64(), Some(captures));
            assert_eq!(outcome.bounds.at_least, Some(captures));
            assert_eq!(outcome.bounds.at_most, Some(captures));
            captures
        })
        .collect()
}

fn outcomes(text: &str, algorithm: &str, limits: &str) -> Vec<Outcome> {
    let solver = solver::find("checkers-capture").unwrap();
    let mut options = solver::default_options(solver);
    for (key, value) in [("algorithm", algorithm), ("limits", limits), ("witness", "true")] {
        options.set(key, value, Authority::Owner).unwrap();
    }
    crate::answer_all(solver, &options, "t", text.as_bytes())
}

/// Returns the answer of `exact` to one board of any size.
fn exact(board: &Board) -> u64 {
    captures(std::slice::from_ref(board), "exact", "none")[0]
}
