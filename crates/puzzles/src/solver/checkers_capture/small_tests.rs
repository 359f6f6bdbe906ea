//! Compares the search by bits with the general one: answers are equal, and paths can be played.

use super::*;
use crate::board::checkers::{CheckersBoard, DIAGONALS, EMPTY, OPPONENT, OWN};
use crate::solver::checkers_capture::exact;
use crate::solver::{Budget, Random};

/// Returns a board of random pieces, or one with opponent pieces on most squares of its even or odd rows, which has
/// many long captures.
fn random_board(round: usize, random: &mut Random) -> CheckersBoard {
    let (rows, columns) = loop {
        let sides = [random.between(1, 20), random.between(1, 20)];
        if sides[0] * sides[1] <= 200 {
            break (sides[0] as usize, sides[1] as usize);
        }
    };
    let squares = CheckersBoard::playable(rows as u64, columns as u64) as usize;
    let mut board = CheckersBoard::new(rows, columns, vec![EMPTY; squares]);
    let density = [0.3, 0.45, 0.6, 0.8, 0.95, 1.0][round / 3 % 6];
    for index in 0..squares {
        let (row, _) = board.place(index);
        let opponent = match round % 3 {
            0 => random.chance(density / 1.5),
            parity => row % 2 == parity - 1 && random.chance(density),
        };
        if opponent {
            board.squares_mut()[index] = OPPONENT;
        }
    }
    for _ in 0..random.between(1, 6) {
        board.squares_mut()[random.below(squares as u64) as usize] = OWN;
    }
    board
}

/// Plays a path; panics if the path breaks a rule.
fn replay(board: &CheckersBoard, best: &Best) {
    let mut board = board.clone();
    assert_eq!(best.path.len() as u64, if best.captures == 0 { 0 } else { best.captures + 1 });
    for (index, step) in best.path.windows(2).enumerate() {
        if index == 0 {
            assert_eq!(board.squares()[step[0]], OWN);
            board.squares_mut()[step[0]] = EMPTY;
        }
        let jump =
            DIAGONALS.iter().find_map(|&way| board.jump(step[0], way).filter(|jump| jump.to == step[1]));
        board.squares_mut()[jump.expect("a jump").over] = EMPTY;
    }
}

#[test]
fn both_exact_searches_agree_on_small_boards() {
    let mut random = Random::new(1);
    let mut given_up = 0;
    for round in 0..6000 {
        let board = random_board(round, &mut random);
        let by_bits = HalfGrids::of(&board).unwrap();
        let general = exact::solve(&board, true, &Budget::unlimited()).unwrap();
        replay(&board, &general);
        let Some(quick) = solve(&by_bits, true) else {
            given_up += 1;
            continue;
        };
        assert_eq!(quick.captures, general.captures, "{board:?}");
        replay(&board, &quick);
        assert_eq!(solve(&by_bits, false).unwrap().captures, general.captures, "{board:?}");
    }
    // Both cases occur: the search by bits answers some boards and gives up on others.
    assert!(given_up > 100 && given_up < 3000, "{given_up}");
}

/// Narrow boards beyond the published limits also have half grids of up to 64 squares.
#[test]
fn long_boards_fit_as_well() {
    let mut random = Random::new(2);
    for round in 0..600 {
        let long = random.between(20, 128) as usize;
        let (rows, columns) = [(1, long), (2, long), (3, long / 2), (long, 1), (long / 2, 3)][round % 5];
        let squares = CheckersBoard::playable(rows as u64, columns as u64);
        let squares = (0..squares).map(|_| [EMPTY, OWN, OPPONENT, OPPONENT][random.below(4) as usize]);
        let board = CheckersBoard::new(rows, columns, squares.collect());
        let quick = solve(&HalfGrids::of(&board).unwrap(), true).unwrap();
        let general = exact::solve(&board, true, &Budget::unlimited()).unwrap();
        assert_eq!(quick.captures, general.captures, "{board:?}");
        replay(&board, &quick);
    }
}

#[test]
fn bits_come_one_by_one() {
    assert_eq!(bits(0b1011 | 1 << 63).collect::<Vec<_>>(), [1, 2, 8, 1 << 63]);
}
