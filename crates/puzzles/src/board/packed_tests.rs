//! Tests of boards in 64 bits, with the board of any size as the model.

use proptest::prelude::*;

use super::*;
use crate::solver::Random;

fn random_board(random: &mut Random, ranks: u64) -> SlidingBoard {
    SlidingBoard::new(4, (0..SQUARES).map(|_| random.below(ranks) as u8).collect())
}

/// Returns the board after a slide, and the points of the slide.
fn slid(board: &SlidingBoard, direction: Direction) -> (SlidingBoard, u32) {
    let (mut slid, mut points) = (board.clone(), 0);
    slid.slide_with(direction, |rank| points += 1 << rank);
    (slid, points)
}

proptest! {
    #[test]
    fn slides_as_the_board_of_any_size_does(
        size in 0_usize..=4,
        ranks in prop::collection::vec(0_u8..15, 16),
        largest in prop::option::of(0_usize..16),
    ) {
        let mut board = SlidingBoard::new(size, ranks[..size * size].to_vec());
        // At most one tile of rank 15.
        if let Some(square) = largest.and_then(|at| board.ranks_mut().get_mut(at)) {
            *square = RANK_MAX;
        }
        let packed = PackedBoard::from_sliding(&board).unwrap();
        prop_assert_eq!(&packed.to_sliding(size), &board);
        prop_assert!(!packed.may_outgrow());
        for direction in Direction::ALL {
            let expected = slid(&board, direction).0;
            prop_assert_eq!(packed.slide(direction, size).to_sliding(size), expected.clone());
            prop_assert_eq!(packed.slide(direction, size), PackedBoard::from_sliding(&expected).unwrap());
        }
        for rank in 1..=RANK_MAX {
            prop_assert_eq!(packed.holds(rank), board.ranks().contains(&rank));
        }
    }
}

#[test]
fn moves_have_the_slides_and_their_points() {
    let mut random = Random::new(11);
    for round in 0..5_000 {
        let board = random_board(&mut random, [3, 6, 15][round % 3]);
        let packed = PackedBoard::from_sliding(&board).unwrap();
        for (direction, after) in Direction::ALL.into_iter().zip(packed.moves()) {
            assert_eq!((after.board.to_sliding(4), after.points), slid(&board, direction));
            let legal = packed.legal_moves().find(|&(legal, _)| legal == direction);
            assert_eq!(legal.map(|(_, after)| after), (after.board != packed).then_some(after));
        }
        let empties: Vec<_> =
            packed.empty_squares().map(|square| packed.with_piece(square, 2).to_sliding(4)).collect();
        let expected = (0..SQUARES).filter(|&square| board.ranks()[square] == 0).map(|square| {
            let mut with_piece = board.clone();
            with_piece.ranks_mut()[square] = 2;
            with_piece
        });
        assert_eq!(empties, expected.collect::<Vec<_>>());
        assert_eq!(packed.empty_squares().left(), empties.len());
    }
}

#[test]
fn turns_are_turns() {
    let mut random = Random::new(12);
    for _ in 0..100 {
        let board = random_board(&mut random, 16);
        let packed = PackedBoard::from_sliding(&board).unwrap();
        for (turned, square) in [
            (packed.transposed(), (|row, column| 4 * column + row) as fn(usize, usize) -> usize),
            (packed.mirrored(), |row, column| 4 * row + 3 - column),
            (packed.upside_down(), |row, column| 4 * (3 - row) + column),
        ] {
            for (row, column) in (0..SQUARES).map(|at| (at / 4, at % 4)) {
                assert_eq!(turned.rank(row, column), board.ranks()[square(row, column)]);
            }
        }
    }
}

#[test]
fn what_a_nibble_cannot_hold_is_not_packed_and_not_made() {
    let board = |ranks: &[u8]| {
        let mut all = vec![0; SQUARES];
        all[..ranks.len()].copy_from_slice(ranks);
        PackedBoard::from_sliding(&SlidingBoard::new(4, all))
    };
    assert_eq!(board(&[16]), None);
    assert_eq!(PackedBoard::from_sliding(&SlidingBoard::new(5, vec![0; 25])), None);
    let two = board(&[15, 0, 15, 15]).unwrap();
    assert!(two.may_outgrow() && !board(&[15, 14, 14, 7]).unwrap().may_outgrow());
    let after = two.moves()[0];
    assert_eq!((after.board, after.points), (board(&[15, 15, 15]).unwrap(), 0));
    assert_eq!(two.slide(Direction::Right, 4), board(&[0, 15, 15, 15]).unwrap());
}
