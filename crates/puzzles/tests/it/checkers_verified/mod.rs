//! `checkers-capture` held to account by others' eyes: rules, searches and bounds written here, which share no
//! code with the solver. Every answer's path is played.
//!
//! `PROPTEST_CASES` sets how much is tried (256 unless told otherwise): boards and properties grow with it.

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

/// `count` for the usual number of cases, and in proportion for another.
fn scaled(count: u64) -> u64 {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(256);
    (count * cases).div_ceil(256)
}

/// The answers to `boards` as one file, each with its path, which is played.
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

/// The answer of `exact` to one board of any size.
fn exact(board: &Board) -> u64 {
    captures(std::slice::from_ref(board), "exact", "none")[0]
}
