//! Tests `Board` and `Solver` in the form that the assignment of the deterministic 2048 asks for.

use std::collections::HashSet;

use tabuleiro_puzzles::puzzle_2048::{Algorithm, Board, Budget, Direction, SolveError, Solver, Stop};
use tabuleiro_puzzles::solver::{Cancel, Random};

/// The published case.
fn published() -> Board {
    Board::from_rows(&[[256, 8, 0, 2], [256, 8, 16, 2], [512, 4, 0, 0], [1024, 0, 0, 0]]).unwrap()
}

/// Checks that every board of a solution follows from the one before by the swipe that the solver names, and that only
/// the last board has won.
fn check(solver: &Solver, start: &Board, goal: u64) {
    let boards: Vec<Board> = solver.solution().collect();
    assert_eq!(boards.first(), Some(start));
    assert_eq!(boards.len() as u64, solver.moves() + 1);
    assert_eq!(solver.swipes().len() as u64, solver.moves());
    for (pair, &swipe) in boards.windows(2).zip(solver.swipes()) {
        assert!(pair[0].neighbours().any(|(direction, board)| direction == swipe && board == pair[1]));
        assert!(!pair[0].is_won(goal));
    }
    assert!(boards.last().is_some_and(|board| board.is_won(goal)));
    assert!(solver.at_least() <= solver.moves());
}

/// Returns the fewest moves, by visiting every board. `None` if the goal is out of reach.
fn fewest_moves(start: &Board, goal: u64) -> Option<u64> {
    let mut layer = HashSet::from([start.clone()]);
    for moves in 0.. {
        if layer.iter().any(|board| board.is_won(goal)) {
            return Some(moves);
        }
        layer = layer.iter().flat_map(Board::neighbours).map(|(_, board)| board).collect();
        if layer.is_empty() {
            break;
        }
    }
    None
}

#[test]
fn the_published_case_takes_three_moves() {
    let solver = Solver::new(published(), 2048).unwrap();
    check(&solver, &published(), 2048);
    assert_eq!((solver.moves(), solver.at_least(), solver.is_minimal()), (3, 3, true));
    for algorithm in [Algorithm::LeftWeighted, Algorithm::DistanceWeighted] {
        let solver = Solver::within(published(), 2048, algorithm, &Budget::unlimited()).unwrap();
        check(&solver, &published(), 2048);
    }
}

#[test]
fn a_won_board_is_its_own_solution() {
    let solver = Solver::new(published(), 1024).unwrap();
    check(&solver, &published(), 1024);
    assert_eq!((solver.moves(), solver.is_minimal(), solver.swipes()), (0, true, &[][..]));
}

#[test]
fn solutions_have_the_fewest_moves() {
    let mut random = Random::new(41);
    let (mut solved, mut unsolvable) = (0, 0);
    for round in 0..150 {
        let size = 2 + round % 2;
        let values: Vec<u64> =
            (0..size * size).map(|_| if random.chance(0.5) { 0 } else { 2 << random.below(3) }).collect();
        let board = Board::from_values(size, &values).unwrap();
        let goal = if size == 2 { 16 } else { 32 };
        match (Solver::new(board.clone(), goal), fewest_moves(&board, goal)) {
            (Ok(solver), Some(moves)) => {
                check(&solver, &board, goal);
                assert_eq!((solver.moves(), solver.is_minimal()), (moves, true));
                solved += 1;
            }
            (Err(SolveError::Unsolvable), None) => unsolvable += 1,
            (found, expected) => panic!("{found:?} for {expected:?} on\n{board}"),
        }
    }
    assert!(solved > 50 && unsolvable > 10, "{solved} solved, {unsolvable} unsolvable");
}

#[test]
fn every_form_of_board_is_solved() {
    // Boards in 64 bits, in rows of 64 bits and beyond; goals that fit in no nibble or only in the general form.
    for (size, goal) in [(4, 64), (5, 64), (8, 32), (9, 32)] {
        let start = Board::start(size);
        check(&Solver::new(start.clone(), goal).unwrap(), &start, goal);
    }
    let pair = |value: u64| Board::from_rows(&[[value, 0, 0], [value, 0, 0], [0, 2, 0]]).unwrap();
    for goal in [1 << 16, 1 << 17, 1 << 63] {
        let solver = Solver::new(pair(goal / 2), goal).unwrap();
        check(&solver, &pair(goal / 2), goal);
        assert_eq!(solver.swipes(), [Direction::Up]);
    }
}

#[test]
fn what_cannot_be_solved_is_an_error() {
    for goal in [0, 1, 2, 3, 2047, u64::MAX] {
        let error = Solver::new(published(), goal).unwrap_err();
        assert_eq!(error, SolveError::Goal(goal));
        assert_eq!(error.to_string(), format!("the goal {goal} is no power of two from 4"));
    }
    assert_eq!(Solver::new(Board::start(3), 1024), Err(SolveError::Unsolvable));
    let budget = Budget::new(None, None, 1000, Cancel::default());
    let error = Solver::within(Board::start(4), 2048, Algorithm::Shortest, &budget).unwrap_err();
    assert_eq!(error, SolveError::Undecided { stop: Stop::MemoryLimit, at_least: 1033 });
    assert_eq!(error.to_string(), "undecided (at least 1033 moves): memory_limit was hit");
}

#[test]
fn boards_of_a_solution_are_made_one_by_one() {
    let solver = Solver::new(Board::start(4), 2048).unwrap();
    let mut boards = solver.solution();
    assert_eq!((boards.len(), boards.next()), (1034, Some(Board::start(4))));
    assert_eq!(boards.len(), 1033);
    assert_eq!(boards.by_ref().take(1032).count(), 1032);
    assert!(boards.next().is_some_and(|board| board.is_won(2048)));
    assert_eq!((boards.len(), boards.next(), boards.next()), (0, None, None));
}
