//! Tests of the board of the deterministic 2048.

use proptest::prelude::*;

use super::*;
use crate::board::sliding::Direction;

fn board(values: &[u64]) -> Board {
    Board::from_values(values.len().isqrt(), values).unwrap()
}

fn first() -> Board {
    board(&[0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 16, 2, 8, 4])
}

#[test]
fn distance_weighted_of_the_source_is_150_and_not_146() {
    assert_eq!(first().distance_weighted(), 150);
}

#[test]
fn left_weighted_of_the_source() {
    assert_eq!(first().left_weighted(), 216);
    let second = board(&[32, 16, 2, 2, 64, 16, 8, 0, 128, 2, 0, 0, 256, 0, 0, 0]);
    assert_eq!(second.left_weighted(), 32 * 2 + 16 + 64 * 5 + 128 * 9 + 256 * 14);
}

#[test]
fn scores_of_the_largest_tiles_do_not_overflow() {
    let board = board(&[1 << 63; 400]);
    assert_eq!(board.distance_weighted(), (1_u128 << 63) * 7600);
    assert!(board.left_weighted() > 1 << 64);
}

#[test]
fn a_two_appears_in_the_uppermost_blank_of_the_right_column() {
    let after = first().swiped(Direction::Right);
    assert_eq!(after, None, "nothing moves");
    let after = first().swiped(Direction::Down).unwrap();
    assert_eq!(after, board(&[0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 16, 2, 8, 4]));
    let after = board(&[0, 2, 4, 8]).swiped(Direction::Left).unwrap();
    assert_eq!(after, board(&[2, 2, 4, 8]));
    assert_eq!(board(&[2, 2, 4, 8]).swiped(Direction::Left).unwrap(), board(&[4, 2, 4, 8]));
}

#[test]
fn a_swipe_that_fills_the_right_column_is_invalid() {
    let board = board(&[2, 0, 4, 8]);
    assert_eq!(board.swiped(Direction::Right), None);
    assert!(board.swiped(Direction::Left).is_none(), "nothing moves");
}

#[test]
fn tiles_are_asked_for_by_row_and_column() {
    let board = first();
    assert_eq!(board.tile_at(3, 2), Ok(8));
    assert_eq!(board.tile_at(0, 3), Ok(2));
    let error = board.tile_at(4, 0).unwrap_err();
    assert_eq!(error.to_string(), "no square at row 4, column 0 of a board of size 4");
    assert!(board.tile_at(0, 4).is_err());
    assert_eq!((board.largest_tile(), board.is_won(16), board.is_won(32)), (16, true, false));
    assert_eq!(Board::start(3).tile_at(0, 2), Ok(2));
}

#[test]
fn two_tiles_of_2_to_the_63_do_not_merge() {
    let board = board(&[0, 1 << 63, 0, 1 << 63]);
    assert_eq!(board.swiped(Direction::Up), None);
    assert_eq!(board.swiped(Direction::Left).map(|board| board.largest_tile()), Some(1 << 63));
}

#[test]
fn values_are_checked() {
    assert_eq!(Board::from_values(2, &[0; 3]), Err(BoardError::Count { found: 3, size: 2 }));
    assert_eq!(Board::from_values(2, &[0, 1, 0, 0]), Err(BoardError::Value(1)));
    assert_eq!(Board::from_values(2, &[0, 6, 0, 0]), Err(BoardError::Value(6)));
    assert!(Board::from_values(2, &[0, 1 << 63, 0, 0]).is_ok());
}

#[test]
fn neighbours_come_left_right_up_down() {
    let found: Vec<_> = board(&[0, 2, 0, 0]).neighbours().map(|(direction, _)| direction).collect();
    assert_eq!(found, [Direction::Left, Direction::Down]);
}

#[test]
fn what_makes_no_board_is_said() {
    assert_eq!(Board::from_values(1, &[2]), Err(BoardError::Size(1)));
    assert_eq!(Board::from_rows::<[u64; 0]>(&[]), Err(BoardError::Size(0)));
    assert_eq!(Board::from_values(usize::MAX, &[2]), Err(BoardError::Count { found: 1, size: usize::MAX }));
    let parsed = |text: &str| text.parse::<Board>().unwrap_err();
    assert_eq!(parsed(" \n"), BoardError::Empty);
    assert_eq!(parsed("1 2"), BoardError::Size(1));
    assert_eq!(parsed("2 0 2 4 8 0"), BoardError::Count { found: 5, size: 2 });
    assert_eq!(parsed("2 0 2 4 3"), BoardError::Value(3));
    assert_eq!(parsed("2 0 2 4 +8"), BoardError::Number("+8".to_owned()));
    assert_eq!(parsed("18446744073709551616"), BoardError::Number("18446744073709551616".to_owned()));
    assert_eq!(
        parsed(&"9".repeat(1000)).to_string(),
        format!("'{}' is no number of 64 bits", "9".repeat(24))
    );
}

proptest! {
    #[test]
    fn text_and_board_are_inverse(size in 2_usize..=12, ranks in prop::collection::vec(0_u8..=RANK_MAX, 144)) {
        let values: Vec<u64> = ranks[..size * size].iter().map(|&rank| value_of(rank)).collect();
        let board = Board::from_values(size, &values).unwrap();
        let text = board.to_string();
        prop_assert_eq!(text.parse(), Ok(board.clone()));
        let rows: Vec<&[u64]> = values.chunks(size).collect();
        prop_assert_eq!(Board::from_rows(&rows), Ok(board));
        // Independently of both: the numbers of the text are the size and the values.
        let numbers: Vec<u64> = text.split_whitespace().map(|number| number.parse().unwrap()).collect();
        prop_assert_eq!(numbers, [&[size as u64], &values[..]].concat());
        prop_assert_eq!(text.lines().count(), size + 1);
    }

    /// The scores and the largest tile that a board stores are those computed from its squares.
    #[test]
    fn swipes_keep_scores_and_largest_tile(
        size in 2_usize..=6,
        ranks in prop::collection::vec(prop_oneof![Just(0_u8), 0_u8..6], 36),
    ) {
        let values: Vec<u64> = ranks[..size * size].iter().map(|&rank| value_of(rank)).collect();
        let board = Board::from_values(size, &values).unwrap();
        for (direction, next) in board.neighbours() {
            prop_assert_eq!(board.swiped(direction), Some(next.clone()));
            let squares = || (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
            let tile = |(row, column)| next.tile_at(row, column).unwrap();
            prop_assert_eq!(Some(next.largest_tile()), squares().map(tile).max());
            let distance = |(row, column)| u128::from(tile((row, column))) * (size - 1 - column + row) as u128;
            prop_assert_eq!(next.distance_weighted(), squares().map(distance).sum::<u128>());
            prop_assert_eq!(next.left_weighted(), left_weighted(next.squares()));
            let sum = |board: &Board| squares().map(|(row, column)| board.tile_at(row, column).unwrap()).sum::<u64>();
            prop_assert_eq!(sum(&next), sum(&board) + 2);
        }
    }
}
