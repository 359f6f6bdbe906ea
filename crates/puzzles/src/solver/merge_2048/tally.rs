//! Derives from the values of a case's tiles, wherever the tiles lie, whether they can become one, and a lower bound on
//! the number of slides (docs/proofs/2048-merge.md, section 1).

use super::position::rounds;

/// Maximum number of distinct values if every tile is s/2^k, for the sum s of all tiles, and fits in 64 bits.
const CLASSES_MAX: usize = 64;
/// The class of every tile whose value is not among the first [`CLASSES_MAX`] distinct values.
pub(super) const TOO_MANY: u8 = u8::MAX;

/// Counts how often each value occurs.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    /// Each value with its number of tiles, in the order of first occurrence.
    classes: Vec<(u64, u64)>,
    /// The sum of all tiles. It cannot overflow: no input holds 2^64 tiles of 64 bits.
    pub(super) sum: u128,
    pub(super) tiles: u64,
    /// Whether there are more than [`CLASSES_MAX`] values. Such tiles never become one.
    too_many: bool,
}

impl Tally {
    /// Counts one tile (`value` > 0) and returns its class, from 1, or [`TOO_MANY`] if there are too many classes.
    pub(super) fn add(&mut self, value: u64) -> u8 {
        self.sum = self.sum.saturating_add(u128::from(value));
        self.tiles += 1;
        let class = self.classes.iter().position(|&(known, _)| known == value);
        if let Some(class) = class {
            self.classes[class].1 += 1;
            return class as u8 + 1;
        }
        if self.classes.len() == CLASSES_MAX {
            self.too_many = true;
            return TOO_MANY;
        }
        self.classes.push((value, 1));
        self.classes.len() as u8
    }

    /// Returns the function from a class to its value. Class 0 is the empty square, with value 0. [`TOO_MANY`] gets a
    /// value that no class has.
    pub(super) fn value_of(&self) -> impl Fn(u8) -> u64 + Copy + '_ {
        let is_free = |value: &u64| self.classes.iter().all(|(known, _)| known != value);
        let other = (1..=CLASSES_MAX as u64 + 1).find(is_free).unwrap_or_default();
        move |class| match class {
            0 => 0,
            TOO_MANY => other,
            class => self.classes[usize::from(class) - 1].0,
        }
    }

    /// Returns the rank of each class: k + 1 for 2^k times the smallest value. Returns `None` if some tile is not s/2^k
    /// for the sum s of all tiles, because such tiles never become one.
    pub(super) fn ranks(&self) -> Option<Vec<u8>> {
        let smallest = u128::from(self.classes.iter().map(|&(value, _)| value).min()?);
        let rank = |&(value, _): &(u64, u64)| {
            let (value, sum) = (u128::from(value), self.sum);
            let whole = !self.too_many && sum % value == 0 && (sum / value).is_power_of_two();
            whole.then(|| (value / smallest).trailing_zeros() as u8 + 1)
        };
        self.classes.iter().map(rank).collect()
    }

    /// Returns a rank for each class, and the value of each rank, for pictures of tiles that need not become one. Only
    /// tiles with the same odd part merge, so each odd part has its own ranks. Returns `None` if there are too many
    /// values.
    pub(super) fn faces(&self) -> Option<(Vec<u8>, Vec<u128>)> {
        let odd = |value: u64| value >> value.trailing_zeros();
        let (mut ranks, mut values) = (vec![0; self.classes.len()], vec![0]);
        let mut parts: Vec<u64> = self.classes.iter().map(|&(value, _)| odd(value)).collect();
        parts.sort_unstable();
        parts.dedup();
        for part in parts {
            let of_part = || self.classes.iter().filter(|&&(value, _)| odd(value) == part);
            let smallest = of_part().map(|&(value, _)| u128::from(value)).min()?;
            let sum: u128 = of_part().map(|&(value, tiles)| u128::from(value) * u128::from(tiles)).sum();
            for (rank, &(value, _)) in ranks.iter_mut().zip(&self.classes) {
                if odd(value) == part {
                    let doublings = (u128::from(value) / smallest).trailing_zeros();
                    *rank = u8::try_from(values.len() + doublings as usize).ok()?;
                }
            }
            // No tile becomes larger than the sum of its odd part.
            values.extend((0..=(sum / smallest).ilog2()).map(|doublings| smallest << doublings));
        }
        (!self.too_many && values.len() < usize::from(TOO_MANY)).then_some((ranks, values))
    }

    /// Works like [`faces`](Self::faces), but the ranks are the numbers of the classes. Their values do not double from
    /// one rank to the next, so the caller must not slide a board with such ranks.
    pub(super) fn classes(&self) -> (Vec<u8>, Vec<u128>) {
        let values = self.classes.iter().map(|&(value, _)| u128::from(value));
        ((1..=self.classes.len() as u8).collect(), [0].into_iter().chain(values).collect())
    }

    /// Returns the rank of the tile that all tiles merge into.
    pub(super) fn rank_max(&self) -> u8 {
        let smallest = self.classes.iter().map(|&(value, _)| u128::from(value)).min().unwrap_or(1);
        (self.sum / smallest).max(1).ilog2() as u8 + 1
    }

    /// Returns a lower bound on the number of slides, wherever the tiles lie. `ranks` is the result of
    /// [`ranks`](Self::ranks).
    pub(super) fn at_least(&self, ranks: &[u8]) -> u64 {
        let mut counts = vec![0; usize::from(self.rank_max()) + 1];
        for (&rank, &(_, tiles)) in ranks.iter().zip(&self.classes) {
            counts[usize::from(rank)] = tiles;
        }
        u64::from(rounds(&mut counts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(values: &[u64]) -> Tally {
        let mut tally = Tally::default();
        for &value in values {
            tally.add(value);
        }
        tally
    }

    #[test]
    fn ranks_count_doublings_of_the_smallest_tile() {
        assert_eq!(tally(&[3, 3, 6, 12]).ranks(), Some(vec![1, 2, 3]));
        assert_eq!(tally(&[3, 3, 6, 12]).rank_max(), 4);
        assert_eq!(tally(&[1 << 63, 1 << 63]).ranks(), Some(vec![1]));
        assert_eq!(tally(&[u64::MAX, u64::MAX]).rank_max(), 2);
    }

    #[test]
    fn tiles_that_never_become_one_have_no_ranks() {
        assert_eq!(tally(&[2, 4]).ranks(), None);
        assert_eq!(tally(&[2, 6, 8]).ranks(), None);
        assert_eq!(tally(&[3, 5]).ranks(), None);
        assert_eq!(tally(&(1..100).collect::<Vec<_>>()).ranks(), None);
    }
}
