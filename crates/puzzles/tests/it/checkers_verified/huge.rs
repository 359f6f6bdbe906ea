//! Lattices of 100 to 400 squares a side, some within the limits. The tests play the paths, decided or not.

use std::time::{Duration, Instant};

use serde_json::Value;
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{self, Authority, Budget, Cancel, Outcome, Random, Stop, Verdict, Work};

use super::board::{Board, EMPTY, OPPONENT, OWN};

/// Memory of one search, in bytes.
const MEMORY: u64 = 1 << 30;

/// Solves a board within a budget. The outcome has the path.
fn solved(board: &Board, budget: &Budget) -> Outcome {
    let solver = solver::find("checkers-capture").unwrap();
    let mut options = solver::default_options(solver);
    for (key, value) in [("limits", "none"), ("witness", "true")] {
        options.set(key, value, Authority::Owner).unwrap();
    }
    let text = board.text() + "0 0\n";
    let mut input = Scanner::new(text.as_bytes(), "lattice").unwrap();
    let Work::Solve(puzzle) = solver.open(&options).read(&mut input).unwrap().unwrap().work else {
        panic!("{text}")
    };
    puzzle.solve(budget)
}

/// Returns a budget of so many milliseconds.
fn time(milliseconds: u64) -> Budget {
    let deadline = Instant::now() + Duration::from_millis(milliseconds);
    Budget::new(Some(deadline), None, MEMORY, Cancel::default())
}

/// Plays the path of an outcome, whatever its verdict. Returns the proved lower and upper bounds.
fn proved(board: &Board, outcome: &Outcome) -> (u64, u64) {
    let (least, most) = (outcome.bounds.at_least.unwrap(), outcome.bounds.at_most.unwrap());
    let squares = outcome.witness.as_array().unwrap();
    let number = |square: &Value, at: usize| square[at].as_u64().unwrap();
    let path: String =
        squares.iter().map(|square| format!(" {},{}", number(square, 0), number(square, 1))).collect();
    assert_eq!(board.replay(&format!("{least}{path}")), least);
    match outcome.verdict {
        Verdict::Answered => assert_eq!((outcome.answer.as_u64(), least), (Some(most), most)),
        Verdict::Undecided { .. } => assert!(least < most, "{}", outcome.headline),
        Verdict::Invalid(_) => panic!("{}", outcome.headline),
    }
    (least, most)
}

/// Makes a board with opponents on even rows, each missing with this probability, and an own piece in the middle.
fn lattice(side: usize, missing: f64, seed: u64) -> Board {
    let mut random = Random::new(seed);
    let middle = side / 2 / 2 * 2 + 1;
    Board::new(side, side, |row, column| match row % 2 {
        0 if !random.chance(missing) => OPPONENT,
        _ if (row, column) == (middle, middle) => OWN,
        _ => EMPTY,
    })
}

#[test]
fn what_a_short_time_proves_holds_the_answer() {
    for (missing, seed) in [(0.45, 1), (0.4, 2), (0.4, 3), (0.35, 4), (0.3, 5), (0.2, 6)] {
        let board = lattice(100, missing, seed);
        let (answer, most) = proved(&board, &solved(&board, &time(60_000)));
        assert_eq!(answer, most, "100 a side, {missing} missing, seed {seed}");
        for milliseconds in [1, 3, 10, 30, 100] {
            let (least, most) = proved(&board, &solved(&board, &time(milliseconds)));
            assert!(least <= answer && answer <= most, "{least} {answer} {most} within {milliseconds} ms");
        }
    }
}

#[test]
fn dense_lattices_of_400_a_side_are_decided() {
    for missing in [0.0, 0.1] {
        let board = lattice(400, missing, 7);
        let (least, most) = proved(&board, &solved(&board, &time(60_000)));
        assert_eq!(least, most, "{missing} missing");
        assert!(least > 25_000, "{least}");
    }
}

/// The limit counts questions to the budget, as many as take about a second, so that the result depends on no clock.
#[test]
fn sparse_lattices_of_400_a_side_have_a_long_path_when_a_limit_ends_the_search() {
    let board = lattice(400, 0.4, 8);
    let outcome = solved(&board, &Budget::failing_at(50_000, Stop::TimeLimit));
    assert!(
        matches!(outcome.verdict, Verdict::Undecided { stop: Stop::TimeLimit, .. }),
        "{}",
        outcome.headline
    );
    let (least, most) = proved(&board, &outcome);
    assert!(50 * (most - least) < least, "{least} {most}");
}
