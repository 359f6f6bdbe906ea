//! A lower bound on the slides still needed: merging as if position did not matter.
//!
//! A tile merges at most once a slide. Let every slide merge as many pairs of every rank as there are; the
//! slides until one tile is left are a lower bound, for the tree of merges is fixed by the ranks, and pairing
//! the tiles of a rank in the order in which they become ready makes every pair as early as it can be.
//!
//! Two steps sharpen it. The pairs that the very next slide can merge are known exactly, once for the rows
//! and once for the columns; behind them, position does not matter again. The bound of a position is hence
//! one more than the smaller bound of the two, and falls by at most one with every slide: it is consistent
//! (docs/proofs/2048-merge.md, section 2).

/// Rounds that never end.
pub const NEVER: u32 = u32::MAX - 1;

/// Rounds of merging as many pairs of every rank as there are, until at most one tile is left. `counts[r]` is
/// the number of tiles of rank r and is used up; rank 0 is not looked at. [`NEVER`] when one tile is
/// never reached, which cannot be where all tiles make one power of two.
pub fn rounds(counts: &mut [u64]) -> u32 {
    let mut tiles: u64 = counts.iter().skip(1).sum();
    let mut rounds = 0;
    while tiles > 1 {
        let mut merged = 0;
        // From the top, so that what a round makes merges in the next one.
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
        // The odd one of the first rank waits a round: 1 1 1 1 1 1 2 2 → …
        assert_eq!(rounds(&mut [0, 6, 1, 0, 0]), 3);
        assert_eq!(rounds(&mut [0, 256, 0, 0, 0, 0, 0, 0, 0, 0]), 8);
        assert_eq!(rounds(&mut [0, 1, 1, 0]), u32::MAX - 1);
    }
}
