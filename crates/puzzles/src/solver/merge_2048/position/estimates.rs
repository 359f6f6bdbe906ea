//! What is known of a position without a search: a bound on the slides still needed, and how promising it seems.
//!
//! # The bound
//!
//! A tile merges at most once per slide. Suppose that every slide merges as many pairs of every rank as there are. Then
//! the number of slides until one tile is left is a lower bound: the ranks fix the tree of merges, and pairing the
//! tiles of a rank in the order in which they become ready makes every pair as early as possible.
//!
//! The position sharpens the bound for the next slide: the pairs that it merges are known exactly, along the rows and
//! along the columns. For later slides the position is ignored. The bound is 1 plus the smaller of the two results,
//! along rows and along columns. It falls by at most one with every slide: it is consistent (docs/proofs/2048-merge.md,
//! section 2).
//!
//! # The score
//!
//! The score guesses what is left to do, for searches that keep only the best positions. The bound says how many rounds
//! of merging are left wherever the tiles lie; the other terms depend on where they lie. Fewer tiles are better, above
//! all if the next slide reduces them. Equal tiles with one or two others between them are good, since a slide or two
//! can bring them together, and so is a position without gaps. The weights were found by trial on generated boards of
//! 10 × 10 with 90 tiles and 16 × 16 with 256. No answer depends on them.

/// Stands for rounds that never end.
pub const NEVER: u32 = u32::MAX - 1;

/// Returns the rounds until at most one tile is left if every round merges as many pairs of every rank as there are.
/// `counts[r]` is the number of tiles of rank r and is used up; rank 0 does not count. Returns [`NEVER`] if one tile is
/// never reached, which cannot happen if all tiles make one power of two.
pub fn rounds(counts: &mut [u64]) -> u32 {
    let mut tiles: u64 = counts.iter().skip(1).sum();
    let mut rounds = 0;
    while tiles > 1 {
        let mut merged = 0;
        // From the top rank down, so that a tile made in a round does not merge again in it.
        for rank in (1..counts.len().saturating_sub(1)).rev() {
            let pairs = counts[rank] / 2;
            counts[rank] -= 2 * pairs;
            counts[rank + 1] += pairs;
            merged += pairs;
        }
        if merged == 0 {
            return NEVER;
        }
        tiles -= merged;
        rounds += 1;
    }
    rounds
}

/// The features of a position that determine its score, collected line by line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Features {
    tiles: i64,
    /// Merges of a slide along the rows, and along the columns.
    merges: [i64; 2],
    /// Equal tiles with one other between them.
    near: i64,
    /// Equal tiles with two others between them.
    far: i64,
}

impl Features {
    /// Adds a line along the axis with that index; `ranks` are its tiles in order.
    #[inline]
    pub fn add_line(&mut self, axis: usize, ranks: impl Iterator<Item = u8>) {
        // The three previous tiles, latest first, and whether the latest one merges with the one before it.
        let (mut before, mut merged) = ([0; 3], false);
        for rank in ranks {
            self.tiles += i64::from(axis == 0);
            merged = rank == before[0] && !merged;
            self.merges[axis] += i64::from(merged);
            if rank != before[0] {
                self.near += i64::from(rank == before[1]);
                self.far += i64::from(rank == before[2] && rank != before[1]);
            }
            before = [rank, before[0], before[1]];
        }
    }

    /// Returns the score of a position with `squares` squares; lower is better.
    #[inline]
    pub fn score(&self, bound: u32, squares: usize) -> i64 {
        let [rows, columns] = self.merges;
        let (most, least) = (rows.max(columns), rows.min(columns));
        let gaps = squares as i64 - self.tiles;
        40 * i64::from(bound) + 10 * (self.tiles - most) - 5 * (least + self.near) - 2 * self.far + 3 * gaps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_of_small_multisets() {
        assert_eq!(rounds(&mut [0, 0]), 0);
        assert_eq!(rounds(&mut [9, 1]), 0);
        assert_eq!(rounds(&mut [0, 2, 0]), 1);
        assert_eq!(rounds(&mut [0, 8, 0, 0, 0]), 3);
        assert_eq!(rounds(&mut [0, 2, 1, 1, 0]), 3);
        // The odd tile of the first rank waits one round: 1 1 1 1 1 1 2 2 → …
        assert_eq!(rounds(&mut [0, 6, 1, 0, 0]), 3);
        assert_eq!(rounds(&mut [0, 256, 0, 0, 0, 0, 0, 0, 0, 0]), 8);
        assert_eq!(rounds(&mut [0, 1, 1, 0]), u32::MAX - 1);
    }

    #[test]
    fn a_line_adds_its_features() {
        let mut features = Features::default();
        features.add_line(0, [1, 1, 1, 1, 1].into_iter());
        features.add_line(0, [1, 2, 1, 3, 4, 1].into_iter());
        features.add_line(1, [2, 2, 3, 2].into_iter());
        assert_eq!(features, Features { tiles: 11, merges: [2, 1], near: 2, far: 1 });
        assert_eq!(features.score(3, 13), 120 + 90 - 15 - 2 + 6);
    }
}
