//! Tests of grids: a key tells the position, symmetric boards have one, and leaving out empty lanes commutes with
//! sliding.

use proptest::prelude::*;

use super::*;
use crate::solver::Budget;

fn key(grid: &Grid) -> Vec<u8> {
    let mut key = Vec::new();
    grid.pack(&mut Pace::new(&Budget::unlimited()), &mut key).unwrap();
    key
}

fn slid(grid: &Grid, direction: Direction, empty: Empty, on_merge: impl FnMut(u8)) -> (Grid, bool) {
    let (mut slid, budget) = (Grid::default(), Budget::unlimited());
    let moved = slid.set_to_slide_of(grid, direction, empty, &mut Pace::new(&budget), on_merge).unwrap();
    (slid, moved)
}

/// The board without its empty rows and columns.
fn compact(board: &SlidingBoard) -> Grid {
    let (size, ranks) = (board.size(), board.ranks());
    let is_used = |column: &usize| (0..size).any(|row| ranks[row * size + column] != 0);
    let columns: Vec<usize> = (0..size).filter(is_used).collect();
    let rows = ranks.chunks(size).filter(|row| row.iter().any(|&rank| rank != 0));
    Grid {
        columns: columns.len(),
        ranks: rows.flat_map(|row| columns.iter().map(|&column| row[column])).collect(),
    }
}

/// The board turned by a quarter.
fn turned(board: &SlidingBoard) -> SlidingBoard {
    let size = board.size();
    let squares = (0..size * size).map(|at| board.ranks()[(size - 1 - at % size) * size + at / size]);
    SlidingBoard::new(size, squares.collect())
}

fn mirrored(board: &SlidingBoard) -> SlidingBoard {
    let size = board.size();
    let ranks = board.ranks().chunks(size).flat_map(|row| row.iter().rev().copied()).collect();
    SlidingBoard::new(size, ranks)
}

fn boards() -> impl Strategy<Value = SlidingBoard> {
    let square = prop_oneof![3 => Just(0_u8), 2 => 1_u8..5];
    (1_usize..7, prop::collection::vec(square, 36))
        .prop_map(|(size, ranks)| SlidingBoard::new(size, ranks[..size * size].to_vec()))
}

proptest! {
    #[test]
    fn sliding_commutes_with_leaving_out_empty_lanes(board in boards()) {
        for direction in Direction::ALL {
            let (mut after, mut made) = (board.clone(), Vec::new());
            let slide = after.slide_with(direction, |rank| made.push(rank));
            for before in [Grid::of(&board), compact(&board)] {
                let mut merged = Vec::new();
                let (dropped, _) = slid(&before, direction, Empty::Dropped, |rank| merged.push(rank));
                prop_assert_eq!(key(&dropped), key(&compact(&after)));
                prop_assert_eq!(merged.len(), slide.merges as usize);
                merged.sort_unstable();
                made.sort_unstable();
                prop_assert_eq!(&merged, &made);
            }
            let (whole, moved) = slid(&Grid::of(&board), direction, Empty::Kept, |_| {});
            prop_assert_eq!(key(&whole), key(&Grid::of(&after)));
            prop_assert_eq!(moved, slide.changed);
        }
    }

    #[test]
    fn all_eight_images_have_one_key(board in boards()) {
        let mut image = board.clone();
        for _ in 0..4 {
            image = turned(&image);
            for other in [&image, &mirrored(&image)] {
                prop_assert_eq!(key(&Grid::of(&board)), key(&Grid::of(other)));
                prop_assert_eq!(key(&compact(&board)), key(&compact(other)));
            }
        }
    }

    #[test]
    fn a_key_tells_an_image_with_the_same_key(board in boards()) {
        for grid in [Grid::of(&board), compact(&board)] {
            let key_of_grid = key(&grid);
            let mut read = Grid::default();
            read.unpack(&key_of_grid);
            prop_assert_eq!(&key_of_grid, &key(&read));
            let (mut old, mut new) = (grid.ranks().to_vec(), read.ranks().to_vec());
            old.sort_unstable();
            new.sort_unstable();
            prop_assert_eq!(old, new);
        }
    }
}
