//! Tests which puzzles of long files get proposals, and how much trying them reads.

use super::TRIED_BYTES_MAX;
use crate::Reading;
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{Problem, Work, default_options, find};

/// Returns the problems of the wrong puzzles of a file.
fn problems(solver: &str, text: &[u8]) -> Vec<Problem> {
    let solver = find(solver).unwrap();
    let mut scanner = Scanner::new(text, "t").unwrap();
    let mut reading = Reading::open(solver, &default_options(solver));
    let mut problems = Vec::new();
    while let Some(entry) = reading.read(&mut scanner).unwrap() {
        if let Work::Invalid(problem) = entry.work {
            problems.push(*problem);
        }
    }
    problems
}

/// Returns boards with semicolons, each after a comment of `bytes` dashes.
fn boards(count: usize, bytes: usize) -> Vec<u8> {
    format!("# {}\n3 3\n2;1\n2\n0;1\n", "-".repeat(bytes)).repeat(count).into_bytes()
}

#[test]
fn every_board_of_a_long_file_gets_its_proposal() {
    let problems = problems("checkers-capture", &boards(60, 20_000));
    assert_eq!(problems.len(), 60);
    assert!(problems.iter().all(|problem| problem.proposal.is_some()));
}

#[test]
fn what_trials_of_a_file_read_is_bounded() {
    let problems = problems("checkers-capture", &boards(2000, 1000));
    assert_eq!(problems.len(), 2000);
    let tried = problems.iter().take_while(|problem| problem.proposal.is_some()).count();
    // Each trial reads 256 KiB before the board, once the file has that much.
    let least = (TRIED_BYTES_MAX >> 18) as usize;
    assert!((least..2 * least + 256).contains(&tried), "{tried}");
    assert!(problems[tried..].iter().all(|problem| problem.proposal.is_none() && problem.excerpt.is_some()));
}

#[test]
fn nothing_is_proposed_where_a_wrong_puzzle_that_has_seen_it_is_not_at_hand() {
    let long = format!("9 9\n{}\n3\n", "0 ".repeat(900_000));
    let text = [long.as_bytes(), &boards(40, 10_000)].concat();
    let problems = problems("checkers-capture", &text);
    let none = problems.iter().take_while(|problem| problem.proposal.is_none()).count();
    assert!((20..30).contains(&none), "{none}");
    assert!(problems[none..].iter().all(|problem| problem.proposal.is_some()));
}
