//! Tests which long files and puzzles get proposals, and how much trying them reads.

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

#[test]
fn what_is_examined_of_one_game_is_bounded() {
    /// Asserts that the mistake of a game of length `most` breaks `rule`, and that of a longer one another rule.
    fn is_bounded(rule: &str, most: usize, game: impl Fn(usize) -> String) {
        let rule_of = |length| problems("jump-game", game(length).as_bytes())[0].rule();
        assert_eq!(rule_of(most), rule);
        assert_ne!(rule_of(most + 1), rule);
    }
    // Numbers of one row, as in `3*0`.
    is_bounded("character", 64, |numbers| format!("1 {numbers}\n1\n{numbers}*0\n0 0\n"));
    // Lines of a game with words behind several rows: two headers, the rows, and a player.
    is_bounded("word", 256, |lines| {
        let rows = lines - 3;
        format!("{rows} 3\n1\n{}{}0 0\n", "1 2 3 ok\n".repeat(2), "1 2 3\n".repeat(rows - 2))
    });
    // Rows that are compared. The second row stands again behind the last one.
    is_bounded("row-doubled", 256, |lines| {
        let rows: String = (1..lines).map(|row| format!("7 {row} 3\n")).collect();
        format!("{} 3\n1\n{rows}7 2 3\n0 0\n", lines - 1)
    });
}
