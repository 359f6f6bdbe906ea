//! Tests of grids: packing is exact, symmetric boards have one key, and dropping empty lanes commutes with
//! sliding.

use proptest::prelude::*;

use super::*;

fn key(grid: &Grid) -> Vec<u8> {
    let mut key = Vec::new();
    grid.pack(4, &mut key);
    key
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
    fn sliding_commutes_with_dropping_empty_lanes(board in boards()) {
        let compact = Grid::compact(&board);
        let mut slid_grid = Grid::default();
        for direction in Direction::ALL {
            let mut slid = board.clone();
            let slide = slid.slide(direction);
            slid_grid.set_to_slide_of(&compact, direction);
            prop_assert_eq!(key(&slid_grid), key(&Grid::compact(&slid)));
            let mut merges = 0;
            compact.for_each_merge(direction, |_| merges += 1);
            prop_assert_eq!(merges, slide.merges);
        }
    }

    #[test]
    fn all_eight_images_have_one_key(board in boards()) {
        let mut image = board.clone();
        for _ in 0..4 {
            image = turned(&image);
            for other in [&image, &mirrored(&image)] {
                prop_assert_eq!(key(&Grid::of(&board)), key(&Grid::of(other)));
                prop_assert_eq!(key(&Grid::compact(&board)), key(&Grid::compact(other)));
            }
        }
    }

    #[test]
    fn unpacking_gives_an_image_with_the_same_key(board in boards(), rank_bits in 3_u32..9) {
        for grid in [Grid::of(&board), Grid::compact(&board)] {
            let (mut packed, mut again, mut unpacked) = (Vec::new(), Vec::new(), Grid::default());
            grid.pack(rank_bits, &mut packed);
            unpacked.unpack(rank_bits, &packed);
            unpacked.pack(rank_bits, &mut again);
            prop_assert_eq!(&packed, &again);
            let (mut old, mut new) = (grid.ranks().to_vec(), unpacked.ranks().to_vec());
            old.sort_unstable();
            new.sort_unstable();
            prop_assert_eq!(old, new);
        }
    }
}

#[test]
fn lengths_of_all_sizes_are_kept() {
    for value in [0, 1, 127, 128, 300, 1 << 20, usize::MAX >> 1] {
        let mut bytes = Vec::new();
        push_varint(value, &mut bytes);
        assert_eq!(take_varint(&mut &bytes[..]), value);
    }
}
