//! A lower bound on the slides still needed: merging as if position did not matter.
//!
//! A tile merges at most once a slide. Let every slide merge as many pairs of every rank as there are; the
//! slides until one tile is left are a lower bound, for the tree of merges is fixed by the ranks, and pairing
//! the tiles of a rank in the order in which they become ready makes every pair as early as it can be.
//!
//! Two steps sharpen it. The pairs that the very next slide can merge are known exactly, once for the rows
//! and once for the columns; behind them, position does not matter again. The bound of a position is hence
//! one more than the smaller bound of the two, and falls by at most one with every slide (it is consistent).

use super::grid::Grid;
use crate::board::sliding::Direction;

/// Computes the bound; keeps its working memory between calls.
pub(super) struct Bound {
    /// Tiles of each rank.
    counts: Vec<u64>,
    /// The same behind the next slide.
    next: Vec<u64>,
}

impl Bound {
    /// For positions with ranks up to `rank_max`.
    pub(super) fn new(rank_max: u8) -> Self {
        let counts = vec![0; usize::from(rank_max) + 1];
        Self { next: counts.clone(), counts }
    }

    /// Slides that `grid` needs at least; 0 only when it is merged.
    pub(super) fn of(&mut self, grid: &Grid) -> u32 {
        if grid.is_merged() {
            return 0;
        }
        self.counts.fill(0);
        for &rank in grid.ranks() {
            self.counts[usize::from(rank)] += 1;
        }
        // Empty squares are no tiles.
        self.counts[0] = 0;
        let mut behind = u32::MAX;
        for direction in [Direction::Left, Direction::Up] {
            self.next.copy_from_slice(&self.counts);
            grid.for_each_merge(direction, |rank| {
                self.next[usize::from(rank)] -= 2;
                self.next[usize::from(rank) + 1] += 1;
            });
            behind = behind.min(rounds(&mut self.next));
        }
        1 + behind
    }
}

/// Rounds that never end.
pub(super) const NEVER: u32 = u32::MAX - 1;

/// Rounds of merging as many pairs of every rank as there are, until at most one tile is left. `counts[r]` is
/// the number of tiles of rank r and is used up; rank 0 is not looked at. [`NEVER`] when one tile is
/// never reached, which cannot be where all tiles make one power of two.
pub(super) fn rounds(counts: &mut [u64]) -> u32 {
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
    use super::super::generate;
    use super::*;
    use crate::board::sliding::SlidingBoard;
    use crate::solver::Random;

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

    /// With 0 at the goal this keeps it below every true distance.
    #[test]
    fn the_bound_falls_by_one_at_most() {
        let mut random = Random::new(1);
        let mut merges = 0;
        for _ in 0..2000 {
            let size = random.between(2, 6);
            let tiles = random.between(2, size * size);
            let values = generate::case(size * size, tiles, &mut random);
            if !values.iter().sum::<u64>().is_power_of_two() {
                continue;
            }
            let ranks = values.iter().map(|&value| if value == 0 { 0 } else { value.ilog2() as u8 + 1 });
            let mut board = SlidingBoard::new(size as usize, ranks.collect());
            let mut bound = Bound::new(64);
            for _ in 0..30 {
                let before = bound.of(&Grid::compact(&board));
                merges += board.slide(Direction::ALL[random.below(4) as usize]).merges;
                let after = bound.of(&Grid::compact(&board));
                assert!(before <= after + 1, "from {before} to {after}: {board:?}");
                assert_eq!(after == 0, board.ranks().iter().filter(|&&rank| rank != 0).count() == 1);
            }
        }
        assert!(merges > 10_000, "{merges}");
    }
}
