//! Small boards of every shape. All three algorithms, and the other checks themselves, are compared with a search that
//! tries every path.

use rayon::prelude::*;
use tabuleiro_puzzles::solver::Random;

use super::board::{Board, OPPONENT};
use super::{ALGORITHMS, captures, oracle, parity, scaled};

/// Number of boards in one file.
const FILE: u64 = 500;
/// Number of boards of each shape.
const BOARDS: u64 = 10_000;

/// Checks that all algorithms agree with brute force on the boards that `make` returns. Returns the sum of all
/// captures, which reveals a shape on which nothing can be captured.
fn agree(seed: u64, make: impl Fn(&mut Random) -> Board + Sync) -> u64 {
    let files = scaled(BOARDS).div_ceil(FILE);
    let sums = (0..files).into_par_iter().map(|file| {
        let mut random = Random::new(seed << 32 | file);
        let boards: Vec<Board> = (0..FILE).map(|_| make(&mut random)).collect();
        let expected: Vec<u64> = boards.iter().map(Board::brute_force).collect();
        for algorithm in ALGORITHMS {
            for (index, found) in captures(&boards, algorithm, "none").into_iter().enumerate() {
                assert_eq!(found, expected[index], "{algorithm}\n{}", boards[index].text());
                assert!(found <= boards[index].count(OPPONENT));
            }
        }
        // The published limits reject boards, but never change an answer.
        let (published, numbers): (Vec<Board>, Vec<u64>) =
            boards.into_iter().zip(&expected).filter(|(board, _)| board.is_published()).unzip();
        assert_eq!(captures(&published, "exact", "published"), numbers);
        expected.into_iter().sum::<u64>()
    });
    sums.sum()
}

fn sides(random: &mut Random, low: u64, high: u64) -> (usize, usize) {
    (random.between(low, high) as usize, random.between(low, high) as usize)
}

#[test]
fn dense_lattices() {
    let sum = agree(1, |random| {
        let missing = random.below(41) as f64 / 100.0;
        let (sides, phase) = (sides(random, 3, 10), random.below(2) as usize);
        let own = random.between(1, 4) as usize;
        Board::lattice(sides, phase, missing, own, random)
    });
    assert!(sum > 2 * scaled(BOARDS), "{sum}");
}

#[test]
fn sparse_boards() {
    let sum = agree(2, |random| {
        let sides = sides(random, 3, 12);
        Board::scattered(sides, 0.3, 0.08, random)
    });
    assert!(sum > scaled(BOARDS) / 2, "{sum}");
}

#[test]
fn boards_of_many_own_pieces() {
    let sum = agree(3, |random| {
        let sides = sides(random, 3, 10);
        Board::scattered(sides, 0.35, 0.35, random)
    });
    assert!(sum > scaled(BOARDS) / 2, "{sum}");
}

/// Boards of three rows or columns, up to 40 long: lattices of both phases, and scattered boards.
#[test]
fn boards_of_three_rows_or_columns() {
    for upright in [false, true] {
        let sum = agree(4 + u64::from(upright), |random| {
            let sides = (3, random.between(3, 40) as usize);
            let board = if random.chance(0.5) {
                let (phase, missing) = (random.below(2) as usize, random.below(41) as f64 / 100.0);
                Board::lattice(sides, phase, missing, 3, random)
            } else {
                Board::scattered(sides, 0.45, 0.15, random)
            };
            if upright { board.transposed() } else { board }
        });
        assert!(sum > scaled(BOARDS), "{sum}");
    }
}

/// Boards of one or two rows or columns allow no jump, but are answered.
#[test]
fn boards_of_one_or_two_rows_or_columns() {
    for side in [1, 2] {
        let sum = agree(6 + side, |random| {
            let board = Board::scattered((side as usize, random.between(1, 40) as usize), 0.4, 0.3, random);
            if random.chance(0.5) { board.transposed() } else { board }
        });
        assert_eq!(sum, 0);
    }
}

/// The table of the solver's page: even rows full of opponents, and one own piece.
#[test]
fn the_lattices_of_the_page() {
    for (rows, columns, own, expected) in [
        (8, 8, (1, 1), 9),
        (8, 8, (1, 3), 7),
        (10, 10, (1, 1), 12),
        (10, 10, (1, 3), 16),
        (12, 12, (1, 1), 25),
        (12, 12, (1, 3), 21),
        (14, 14, (1, 1), 30),
        (14, 14, (1, 3), 36),
        (20, 10, (1, 1), 36),
        (20, 10, (1, 3), 32),
    ] {
        let mut board = Board::lattice((rows, columns), 0, 0.0, 0, &mut Random::new(0));
        board.set(own.0, own.1, super::board::OWN);
        assert_eq!(captures(std::slice::from_ref(&board), "exact", "none"), [expected]);
        assert_eq!(captures(std::slice::from_ref(&board), "backtracking", "none"), [expected]);
        assert_eq!(oracle::most_captures(&board, 1_000_000), Some(expected), "{rows} x {columns}");
    }
}

/// Checks the checks of larger boards on small ones. The parity bound is never below the true answer and often equal;
/// the oracle is always equal.
#[test]
fn bound_and_oracle_agree_with_brute_force() {
    let boards = scaled(3000);
    let tight: u64 = (0..boards)
        .into_par_iter()
        .map(|seed| {
            let mut random = Random::new(seed);
            let missing = random.below(41) as f64 / 100.0;
            let sides = sides(&mut random, 3, 10);
            let board = Board::lattice(sides, (seed % 2) as usize, missing, 2, &mut random);
            let expected = board.brute_force();
            assert_eq!(oracle::most_captures(&board, 100_000), Some(expected), "{}", board.text());
            let bound = parity::upper_bound(&board);
            assert!(bound >= expected, "{bound} {expected}\n{}", board.text());
            u64::from(bound == expected)
        })
        .sum();
    assert!(tight > boards / 2 && tight < boards, "{tight} of {boards}");
}
