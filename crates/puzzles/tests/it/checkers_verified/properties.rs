//! Properties that stay the same, or change in one direction only, when a board changes.

use proptest::prelude::*;
use tabuleiro_puzzles::solver::Random;

use super::board::{Board, EMPTY, OPPONENT, OWN};
use super::{ALGORITHMS, captures, exact, outcomes};

/// Makes lattices of both phases and scattered boards, up to 11 squares a side. They shrink square by square.
fn boards() -> impl Strategy<Value = Board> {
    let sides = (1_usize..=11, 1_usize..=11, 0_usize..3);
    sides.prop_flat_map(|(rows, columns, phase)| {
        let piece = prop_oneof![6 => Just(OPPONENT), 3 => Just(EMPTY), 1 => Just(OWN)];
        prop::collection::vec(piece, rows * columns).prop_map(move |pieces| {
            Board::new(rows, columns, |row, column| {
                let piece = pieces[row * columns + column];
                // In a lattice, the rows between the full ones are empty except for own pieces.
                if row % 2 != phase && phase < 2 && piece == OPPONENT { EMPTY } else { piece }
            })
        })
    })
}

proptest! {
    /// Exchanging rows and columns keeps the squares with an even row + column.
    #[test]
    fn exchanging_rows_and_columns_changes_nothing(board in boards()) {
        prop_assert_eq!(exact(&board), exact(&board.transposed()));
    }

    /// A mirror keeps the playable squares only if the mirrored side is odd; a wall makes it odd.
    #[test]
    fn mirrors_and_turns_change_nothing(board in boards()) {
        let answer = exact(&board);
        let odd = if board.columns % 2 == 1 { board.clone() } else { board.walled(1) };
        prop_assert_eq!(answer, exact(&odd));
        prop_assert_eq!(answer, exact(&odd.mirrored()));
        let upright = odd.transposed();
        let both_odd = if upright.columns % 2 == 1 { upright } else { upright.walled(1) };
        prop_assert_eq!(answer, exact(&both_odd.mirrored()));
        prop_assert_eq!(answer, exact(&both_odd.turned()));
        // If both sides are even, a turn keeps the playable squares, although neither mirror does.
        if (board.rows + board.columns).is_multiple_of(2) {
            prop_assert_eq!(answer, exact(&board.turned()));
        }
    }

    #[test]
    fn walls_change_nothing(board in boards(), further in 1_usize..4) {
        prop_assert_eq!(exact(&board), exact(&board.walled(further)));
    }

    #[test]
    fn two_boards_apart_give_the_larger_answer(left in boards(), right in boards()) {
        let both = exact(&left.beside(&right));
        prop_assert_eq!(both, exact(&left).max(exact(&right)));
    }

    /// Removing an own piece opens its square to the others and takes away only its own moves. So the answer falls only
    /// if that piece was the one that captures most.
    #[test]
    fn without_an_own_piece_the_others_take_as_many(board in boards()) {
        let text = board.text() + "0 0\n";
        let line = outcomes(&text, "exact", "none")[0].to_text();
        let answer = board.replay(&line);
        let mover = line.split_whitespace().nth(1).map(str::to_owned);
        for (row, column) in board.own() {
            let mut without = board.clone();
            without.set(row, column, EMPTY);
            if mover.as_deref() != Some(&format!("{row},{column}")) {
                prop_assert!(exact(&without) >= answer, "without {},{}", row, column);
            }
        }
    }

    #[test]
    fn the_answer_is_within_its_bounds_and_the_same_for_every_algorithm(board in boards()) {
        let answer = exact(&board);
        prop_assert!(answer <= board.count(OPPONENT));
        prop_assert!(answer <= super::parity::upper_bound(&board));
        for algorithm in ALGORITHMS {
            prop_assert_eq!(captures(std::slice::from_ref(&board), algorithm, "none")[0], answer);
        }
        if board.is_published() {
            prop_assert_eq!(captures(std::slice::from_ref(&board), "exact", "published")[0], answer);
        }
    }
}

/// The answer can even rise, because a landing square becomes free.
#[test]
fn without_an_own_piece_the_answer_may_rise() {
    let blocked = Board::new(3, 7, |row, column| match (row, column) {
        (0, 0) | (2, 2) => OWN,
        (1, 1 | 3) => OPPONENT,
        _ => EMPTY,
    });
    let mut open = blocked.clone();
    open.set(2, 2, EMPTY);
    assert_eq!((exact(&blocked), exact(&open)), (1, 2));
}

/// The strategy makes boards with long captures.
#[test]
fn lattices_of_the_strategy_hold_long_captures() {
    let mut random = Random::new(8);
    let board = Board::lattice((11, 11), 0, 0.2, 3, &mut random);
    assert!(exact(&board) >= 8);
}
