//! A lane as one machine word: the ranks of its tiles from one end to the other, four bits each, without gaps.
//!
//! Behind a slide the tiles of every lane lie one by one from the wall, so where they are is told by their
//! order, and a word holds it. The tile next to the wall has the lowest bits, and a nibble of 0 is past the
//! last tile. Equal neighbours are found for all tiles of the lane at once; a slide then costs a few
//! instructions for each pair that merges, and next to nothing for a lane without one.
//!
//! This is the form of a search that never looks at empty squares ([`crate::solver`]'s `2048-merge`); what
//! slides do is said by [`super::line`], which this is checked against.

/// The highest rank that fits.
pub const RANK_MAX: u8 = 15;

/// The most tiles of a lane, and the most lanes of a position.
pub const TILES_MAX: usize = 32;

/// The lowest bit of every tile.
const ONES: u128 = u128::MAX / 15;

/// A lane of ranks from 1 to [`RANK_MAX`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lane(u128);

impl Lane {
    /// A lane without tiles.
    pub const EMPTY: Self = Self(0);

    /// How many tiles there are.
    #[must_use]
    #[inline]
    pub fn tiles(self) -> usize {
        (u128::BITS - self.0.leading_zeros()).div_ceil(4) as usize
    }

    /// The rank of the tile next to the wall, and the lane without it; rank 0 when there is none.
    #[must_use]
    #[inline]
    pub fn split_first(self) -> (u8, Self) {
        ((self.0 & 15) as u8, Self(self.0 >> 4))
    }

    /// The lane with `rank` as its tile number `at`, counted from the wall; there is none there yet.
    #[must_use]
    #[inline]
    pub fn with(self, at: usize, rank: u8) -> Self {
        Self(self.0 | u128::from(rank) << (4 * at))
    }

    /// The same tiles, the last one first.
    #[must_use]
    #[inline]
    pub fn reversed(self) -> Self {
        const LOW: u128 = u128::MAX / 255 * 15;
        if self == Self::EMPTY {
            return self;
        }
        let bytes = self.0.swap_bytes();
        let nibbles = (bytes & LOW) << 4 | (bytes >> 4) & LOW;
        Self(nibbles >> (nibbles.trailing_zeros() & !3))
    }

    /// The lane after a slide towards the wall: pairs of equals merge, those nearest the wall first.
    #[must_use]
    #[inline]
    pub fn merged(self) -> Self {
        let (mut lane, mut pairs) = (self.0, self.pairs());
        while pairs != 0 {
            let at = pairs.trailing_zeros();
            let nearer = (1 << at) - 1;
            lane = lane & nearer | ((lane >> at >> 4) + 1) << at;
            // The second tile is gone, and the merged one does not merge again.
            pairs = pairs >> 4 & !(nearer << 4 | 15);
        }
        Self(lane)
    }

    /// Whether a slide merges anything.
    #[must_use]
    #[inline]
    pub fn has_merges(self) -> bool {
        self.pairs() != 0
    }

    /// Calls `on_merge` with the rank of both tiles of every pair that a slide merges.
    #[inline]
    pub fn for_each_merge(self, mut on_merge: impl FnMut(u8)) {
        let mut pairs = self.pairs();
        while pairs != 0 {
            let at = pairs.trailing_zeros();
            on_merge((self.0 >> at & 15) as u8);
            // Neither of the two merges with the tile behind them.
            pairs &= u128::MAX << at << 4 << 4;
        }
    }

    /// The same for a slide across the lanes of a position, which are given one after the other. `above` holds
    /// the tiles that those of this lane meet; it begins empty.
    #[inline]
    pub fn for_each_merge_across(self, above: &mut Self, mut on_merge: impl FnMut(u8)) {
        // A merged tile, like no tile at all, is 0 in `above`, and no tile's equal.
        let equal = occupied(self.0) & !occupied(self.0 ^ above.0);
        let mut rest = equal;
        while rest != 0 {
            on_merge((self.0 >> rest.trailing_zeros() & 15) as u8);
            rest &= rest - 1;
        }
        let here = occupied(self.0) * 15;
        above.0 = above.0 & !here | self.0 & !(equal * 15);
    }

    /// The lowest bit of every tile that is followed by its equal.
    #[inline]
    fn pairs(self) -> u128 {
        let behind = self.0 >> 4;
        occupied(behind) & !occupied(self.0 ^ behind)
    }
}

/// The lowest bit of every nibble that is not 0.
#[inline]
fn occupied(nibbles: u128) -> u128 {
    let halves = nibbles | nibbles >> 2;
    (halves | halves >> 1) & ONES
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::sliding::{Direction, SlidingBoard};
    use super::*;

    fn lane(ranks: &[u8]) -> Lane {
        ranks.iter().enumerate().fold(Lane::EMPTY, |lane, (at, &rank)| lane.with(at, rank))
    }

    fn ranks(mut lane: Lane) -> Vec<u8> {
        let mut ranks = Vec::new();
        while lane != Lane::EMPTY {
            let (rank, rest) = lane.split_first();
            ranks.push(rank);
            lane = rest;
        }
        ranks
    }

    /// The first `columns` ranks of each row, slid: the tiles of each lane and the ranks that merged, sorted.
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

    fn slide_as_boards_do(rows: &[Vec<u8>]) {
        let mut above = Lane::EMPTY;
        let (mut merged, mut merged_across) = (Vec::new(), Vec::new());
        for (row, expected) in rows.iter().zip(slid(rows, Direction::Left).0) {
            let word = lane(row);
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
        fn lanes_slide_as_boards_do(
            rows in prop::collection::vec(prop::collection::vec(1_u8..4, 0..=16), 0..=16),
            wide in prop::collection::vec(prop::collection::vec(1_u8..15, 0..=32), 0..=20),
        ) {
            slide_as_boards_do(&rows);
            slide_as_boards_do(&wide);
        }
    }
}
