//! Ten thousand boards of each shape against brute force. Every witness is replayed.

use tabuleiro_puzzles::solver::Random;

use super::{Case, answers, brute_force, small_cases};

/// Number of cases of each shape.
const COUNT: usize = 10_000;

/// Makes a board of `size` with `tiles` tiles split from one number. Values are `base` times powers of two.
fn split(size: usize, tiles: (u64, u64), base: u64, random: &mut Random) -> Case {
    let tiles = random.between(tiles.0, tiles.1) as usize;
    let mut squares = vec![base << random.between(tiles.ilog2().into(), 7)];
    for _ in 0..20 * tiles {
        let at = random.below(squares.len() as u64) as usize;
        if squares.len() < tiles && squares[at] > base {
            squares[at] /= 2;
            squares.push(squares[at]);
        }
    }
    squares.resize(size * size, 0);
    random.shuffle(&mut squares);
    let rows = squares.chunks(size).map(<[u64]>::to_vec).collect();
    Case { moves_max: random.between(3, 20) as usize, rows }
}

/// Checks that all answers agree, and that at least so many cases have a solution and at least so many have none.
fn agree(cases: &[Case], solvable: usize, unsolvable: usize) {
    let expected: Vec<_> = cases.iter().map(brute_force).collect();
    let found = answers(cases, "shortest");
    for ((case, expected), found) in cases.iter().zip(&expected).zip(found) {
        assert_eq!(found, *expected, "{}", case.text());
    }
    let count = expected.iter().flatten().count();
    assert!(count >= solvable && cases.len() - count >= unsolvable, "{count} of {}", cases.len());
}

fn splits(seed: u64, size: usize, tiles: (u64, u64)) -> Vec<Case> {
    let mut random = Random::new(seed);
    (0..COUNT as u64).map(|number| split(size, tiles, 1 + number % 3, &mut random)).collect()
}

#[test]
fn two_by_two() {
    // Boards of four squares rarely get stuck.
    agree(&splits(1, 2, (1, 4)), COUNT / 2, COUNT / 100);
}

#[test]
fn three_by_three() {
    agree(&splits(2, 3, (2, 9)), COUNT / 2, COUNT / 20);
}

#[test]
fn sparse_four_by_four() {
    agree(&splits(3, 4, (2, 7)), COUNT / 2, COUNT / 20);
}

/// 3 × 3 boards: one square in five is empty, and the tiles need not add up to a single tile.
#[test]
fn any_values() {
    let mut random = Random::new(4);
    let mut case = || {
        let squares: Vec<u64> = (0..9).map(|_| [0, 1, 1, 2, 4][random.below(5) as usize]).collect();
        Case { moves_max: 50, rows: squares.chunks(3).map(<[u64]>::to_vec).collect() }
    };
    let cases: Vec<Case> = (0..COUNT).map(|_| case()).collect();
    agree(&cases, COUNT / 50, COUNT / 2);
}

/// A chain 1 1 2 4 8 …: every merge needs the one before it, and many boards get stuck.
#[test]
fn chains() {
    let mut random = Random::new(5);
    let mut case = || {
        let size = random.between(2, 3) as usize;
        let tiles = random.between(2, (size * size).min(8) as u64);
        let mut squares: Vec<u64> = (0..tiles).map(|at| 1 << at.saturating_sub(1)).collect();
        squares.resize(size * size, 0);
        random.shuffle(&mut squares);
        Case { moves_max: 30, rows: squares.chunks(size).map(<[u64]>::to_vec).collect() }
    };
    let cases: Vec<Case> = (0..COUNT).map(|_| case()).collect();
    agree(&cases, COUNT / 2, COUNT / 50);
}

/// Values are only compared with each other, so scaling all of them changes nothing.
#[test]
fn scaling_all_values_changes_nothing() {
    let cases = small_cases(6, 1000, 20);
    let found = answers(&cases, "shortest");
    for factor in [2, 3, 1 << 40] {
        let mut scaled = cases.clone();
        for value in scaled.iter_mut().flat_map(|case| case.rows.iter_mut().flatten()) {
            *value *= factor;
        }
        assert_eq!(answers(&scaled, "shortest"), found);
    }
}
