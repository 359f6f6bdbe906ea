//! Compares the boards of the 2048 family with a slide on a plain array, on random boards of all sizes.

use proptest::prelude::*;
use tabuleiro_puzzles::board::packed::{self, PackedBoard};
use tabuleiro_puzzles::board::sliding::{Direction, SlidingBoard};

/// Returns a board, as an array of rows, after a slide in `direction`, and the sorted ranks made by merges.
///
/// One tile after the other, those nearest the wall first, moves square by square until it is stopped. The code is
/// written for this test and shares nothing with the boards.
fn plain_slide(board: &[Vec<u16>], direction: Direction) -> (Vec<Vec<u16>>, Vec<u16>) {
    let size = board.len() as isize;
    let (down, right) = match direction {
        Direction::Left => (0, -1),
        Direction::Right => (0, 1),
        Direction::Up => (-1, 0),
        Direction::Down => (1, 0),
    };
    let mut squares = board.to_vec();
    let mut merged = vec![vec![false; board.len()]; board.len()];
    let mut made = Vec::new();
    let square = |row: isize, column: isize| (row.cast_unsigned(), column.cast_unsigned());
    for step in 0..size {
        for lane in 0..size {
            let from_wall = if down + right > 0 { size - 1 - step } else { step };
            let (mut row, mut column) = if right == 0 { (from_wall, lane) } else { (lane, from_wall) };
            loop {
                let (next_row, next_column) = (row + down, column + right);
                if !(0..size).contains(&next_row) || !(0..size).contains(&next_column) {
                    break;
                }
                let (here, there) = (square(row, column), square(next_row, next_column));
                let (tile, other) = (squares[here.0][here.1], squares[there.0][there.1]);
                if tile == 0 {
                    break;
                }
                if other == 0 {
                    squares[there.0][there.1] = tile;
                } else if other == tile && !merged[there.0][there.1] {
                    squares[there.0][there.1] = tile + 1;
                    merged[there.0][there.1] = true;
                    made.push(tile + 1);
                } else {
                    break;
                }
                squares[here.0][here.1] = 0;
                if merged[there.0][there.1] {
                    break;
                }
                (row, column) = (next_row, next_column);
            }
        }
    }
    made.sort_unstable();
    (squares, made)
}

fn array(board: &SlidingBoard) -> Vec<Vec<u16>> {
    let rows = board.ranks().chunks(board.size().max(1));
    rows.map(|row| row.iter().copied().map(u16::from).collect()).collect()
}

/// Makes boards of 1 to 12 squares a side, with tiles of 1 to `ranks` different ranks up to `top`.
fn boards() -> impl Strategy<Value = SlidingBoard> {
    let top =
        prop_oneof![4 => 1_u8..12, 2 => 13_u8..=17, 1 => 60_u8..=66, 1 => 125_u8..=130, 1 => Just(254_u8)];
    (1_usize..=12, top, 1_u8..6, 0.0..1.0).prop_flat_map(|(size, top, ranks, blank)| {
        let tile =
            (0.0..1.0, 0..ranks).prop_map(
                move |(chance, below)| {
                    if chance < blank { 0 } else { top.saturating_sub(below).max(1) }
                },
            );
        prop::collection::vec(tile, size * size).prop_map(move |ranks| SlidingBoard::new(size, ranks))
    })
}

proptest! {
    #[test]
    fn every_form_of_a_board_slides_as_a_plain_array(board in boards()) {
        for direction in Direction::ALL {
            let (expected, made) = plain_slide(&array(&board), direction);
            let (mut slid, mut ranks_made) = (board.clone(), Vec::new());
            let slide = slid.slide_with(direction, |rank| ranks_made.push(u16::from(rank)));
            ranks_made.sort_unstable();
            prop_assert_eq!(&array(&slid), &expected);
            prop_assert_eq!(slide.merges as usize, made.len());
            prop_assert_eq!(slide.changed, slid != board);
            let largest_made = made.iter().copied().max().unwrap_or(0);
            prop_assert_eq!(ranks_made, made);

            let largest = board.ranks().iter().copied().max().unwrap_or(0);
            let fits = board.size() <= packed::SIZE_MAX && largest <= packed::RANK_MAX;
            let packed = PackedBoard::from_sliding(&board);
            prop_assert_eq!(packed.is_some(), fits);
            if let Some(packed) = packed {
                let outgrown = largest_made > u16::from(packed::RANK_MAX);
                prop_assert!(packed.may_outgrow() || !outgrown);
                if !outgrown {
                    prop_assert_eq!(array(&packed.slide(direction, board.size()).to_sliding(board.size())), expected);
                }
            }
        }
    }
}

/// Checks the plain slide itself on lines whose results the puzzles' pages print.
#[test]
fn the_plain_slide_is_that_of_the_pages() {
    let slid = |line: &[u16], direction| {
        let mut board = vec![vec![0; line.len()]; line.len()];
        board[0] = line.to_vec();
        plain_slide(&board, direction).0[0].clone()
    };
    assert_eq!(slid(&[0, 1, 1, 1], Direction::Right), [0, 0, 1, 2]);
    assert_eq!(slid(&[1, 1, 1], Direction::Left), [2, 1, 0]);
    assert_eq!(slid(&[1, 1, 2], Direction::Right), [0, 2, 2]);
    assert_eq!(slid(&[1, 1, 1, 1], Direction::Right), [0, 0, 2, 2]);
}
