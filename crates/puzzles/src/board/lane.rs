//! A lane as one machine word: the ranks of its tiles from one end to the other, four bits each, without gaps.
//!
//! After a slide, the tiles of every lane lie next to each other from the wall on, so their order determines their
//! places, and a word holds that order. The tile next to the wall has the lowest bits; a nibble of 0 is past the last
//! tile. One operation finds all equal neighbours of the lane. A slide then costs a few instructions per merging pair,
//! and almost nothing for a lane without one. Two widths of word serve boards of different sizes with the same code.
//!
//! The search of `2048-merge` uses this form, because it ignores empty squares. [`super::line`] defines what a slide
//! does; tests check this module against it.

use std::fmt::Debug;
use std::hash::Hash;

/// The highest rank that fits.
pub const RANK_MAX: u8 = 15;

/// A lane of ranks from 1 to [`RANK_MAX`].
pub trait Lane: Copy + Debug + Default + Ord + Hash {
    /// Maximum number of tiles in a lane, and of lanes in a position.
    const TILES_MAX: usize;

    /// Returns the number of tiles.
    fn tiles(self) -> usize;

    /// Returns the rank of the tile next to the wall, and the lane without it. The rank is 0 if the lane is empty.
    fn split_first(self) -> (u8, Self);

    /// Returns the lane with `rank` as its tile number `at`, counted from the wall. That place must be empty.
    fn with(self, at: usize, rank: u8) -> Self;

    /// Returns the same tiles in reverse order.
    fn reversed(self) -> Self;

    /// Returns the lane after a slide towards the wall. Equal tiles merge in pairs, those nearest the wall first.
    fn merged(self) -> Self;

    /// Returns whether a slide merges anything.
    fn has_merges(self) -> bool;

    /// Calls `on_merge` with the rank of the two tiles of every pair that a slide merges, once per pair.
    fn for_each_merge(self, on_merge: impl FnMut(u8));

    /// Works like `for_each_merge`, but for a slide across the lanes of a position. The caller passes the lanes in
    /// order. It keeps `above` between the calls, which is empty at first. `above` holds the last tile at each place,
    /// unless that tile has merged.
    fn for_each_merge_across(self, above: &mut Self, on_merge: impl FnMut(u8));
}

/// Implements [`Lane`] for an unsigned integer. Lanes that fit in a narrower integer use its faster code.
macro_rules! lane {
    ($word:ty $(, $narrow:ty)?) => {
        impl Lane for $word {
            const TILES_MAX: usize = <$word>::BITS as usize / 4;

            #[inline]
            fn tiles(self) -> usize {
                (<$word>::BITS - self.leading_zeros()).div_ceil(4) as usize
            }

            #[inline]
            fn split_first(self) -> (u8, Self) {
                ((self & 15) as u8, self >> 4)
            }

            #[inline]
            fn with(self, at: usize, rank: u8) -> Self {
                self | <$word>::from(rank) << (4 * at)
            }

            #[inline]
            fn reversed(self) -> Self {
                const LOW: $word = <$word>::MAX / 255 * 15;
                $(if let Ok(lane) = <$narrow>::try_from(self) {
                    return lane.reversed().into();
                })?
                if self == 0 {
                    return 0;
                }
                let bytes = self.swap_bytes();
                let nibbles = (bytes & LOW) << 4 | (bytes >> 4) & LOW;
                nibbles >> (nibbles.trailing_zeros() & !3)
            }

            #[inline]
            fn merged(self) -> Self {
                $(if let Ok(lane) = <$narrow>::try_from(self) {
                    return lane.merged().into();
                })?
                let mut lane = self;
                let mut pairs = <Pairs<$word>>::of(self).0;
                while pairs != 0 {
                    let at = pairs.trailing_zeros();
                    let nearer = (1 << at) - 1;
                    lane = lane & nearer | ((lane >> at >> 4) + 1) << at;
                    // The second tile is gone, so later pairs move by one nibble. A merged tile does not merge again.
                    pairs = pairs >> 4 & !(nearer << 4 | 15);
                }
                lane
            }

            #[inline]
            fn has_merges(self) -> bool {
                <Pairs<$word>>::of(self).0 != 0
            }

            #[inline]
            fn for_each_merge(self, mut on_merge: impl FnMut(u8)) {
                $(if let Ok(lane) = <$narrow>::try_from(self) {
                    return lane.for_each_merge(on_merge);
                })?
                let mut pairs = <Pairs<$word>>::of(self).0;
                while pairs != 0 {
                    let at = pairs.trailing_zeros();
                    on_merge((self >> at & 15) as u8);
                    // Neither of the two tiles merges with the one behind them.
                    pairs &= <$word>::MAX << at << 4 << 4;
                }
            }

            #[inline]
            fn for_each_merge_across(self, above: &mut Self, mut on_merge: impl FnMut(u8)) {
                // A merged tile is 0 in `above`, like a missing tile, so no tile equals it.
                let equal = <Pairs<$word>>::tiles(self) & !<Pairs<$word>>::tiles(self ^ *above);
                let mut rest = equal;
                while rest != 0 {
                    on_merge((self >> rest.trailing_zeros() & 15) as u8);
                    rest &= rest - 1;
                }
                let here = <Pairs<$word>>::tiles(self) * 15;
                *above = *above & !here | self & !(equal * 15);
            }
        }

        impl Pairs<$word> {
            #[inline]
            fn of(lane: $word) -> Self {
                let behind = lane >> 4;
                Self(Self::tiles(behind) & !Self::tiles(lane ^ behind))
            }

            /// Returns the lowest bit of every nibble that is not 0.
            #[inline]
            fn tiles(lane: $word) -> $word {
                const ONES: $word = <$word>::MAX / 15;
                let halves = lane | lane >> 2;
                (halves | halves >> 1) & ONES
            }
        }
    };
}

/// The lowest bit of every tile that an equal tile follows.
struct Pairs<W>(W);

lane!(u64);
lane!(u128, u64);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::sliding::{Direction, SlidingBoard};
    use super::*;

    fn lane<L: Lane>(ranks: &[u8]) -> L {
        ranks.iter().enumerate().fold(L::default(), |lane, (at, &rank)| lane.with(at, rank))
    }

    fn ranks<L: Lane>(mut lane: L) -> Vec<u8> {
        let mut ranks = Vec::new();
        while lane != L::default() {
            let (rank, rest) = lane.split_first();
            ranks.push(rank);
            lane = rest;
        }
        ranks
    }

    /// Slides the rows. Returns the tiles of each lane and, sorted, the ranks that merged.
    fn slid(rows: &[Vec<u8>], direction: Direction) -> (Vec<Vec<u8>>, Vec<u8>) {
        let size = rows.iter().map(Vec::len).chain([rows.len()]).max().unwrap_or(0);
        let mut squares = vec![0; size * size];
        for (row, ranks) in rows.iter().enumerate() {
            squares[row * size..][..ranks.len()].copy_from_slice(ranks);
        }
        let mut board = SlidingBoard::new(size, squares);
        let mut merged = Vec::new();
        board.slide_with(direction, |rank| merged.push(rank - 1));
        merged.sort_unstable();
        let row = |row: &[u8]| row.iter().copied().filter(|&rank| rank != 0).collect();
        (board.ranks().chunks(size.max(1)).map(row).collect(), merged)
    }

    fn lanes_slide_as_boards_do<L: Lane>(rows: &[Vec<u8>]) {
        let mut above = L::default();
        let (mut merged, mut merged_across) = (Vec::new(), Vec::new());
        for (row, expected) in rows.iter().zip(slid(rows, Direction::Left).0) {
            let word: L = lane(row);
            assert_eq!((word.tiles(), ranks(word)), (row.len(), row.clone()));
            assert_eq!(ranks(word.reversed()), row.iter().rev().copied().collect::<Vec<_>>());
            assert_eq!(ranks(word.merged()), expected);
            assert_eq!(word.has_merges(), expected.len() < row.len());
            word.for_each_merge(|rank| merged.push(rank));
            word.for_each_merge_across(&mut above, |rank| merged_across.push(rank));
        }
        merged.sort_unstable();
        merged_across.sort_unstable();
        assert_eq!(merged, slid(rows, Direction::Left).1);
        assert_eq!(merged_across, slid(rows, Direction::Up).1);
        assert_eq!(merged_across, slid(rows, Direction::Down).1);
    }

    proptest! {
        #[test]
        fn both_widths_slide_as_boards_do(
            rows in prop::collection::vec(prop::collection::vec(1_u8..4, 0..=16), 0..=16),
            wide in prop::collection::vec(prop::collection::vec(1_u8..15, 0..=32), 0..=20),
        ) {
            lanes_slide_as_boards_do::<u64>(&rows);
            lanes_slide_as_boards_do::<u128>(&rows);
            lanes_slide_as_boards_do::<u128>(&wide);
        }
    }
}
