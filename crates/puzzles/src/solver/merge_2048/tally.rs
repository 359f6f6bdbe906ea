//! What the tiles of a case decide wherever they stand: whether they can become one, and a number of slides
//! that they need at least (docs/proofs/2048-merge.md, section 1).

use super::position::rounds;

/// Distinct values that can occur if every tile is s/2^k and fits 64 bits.
const CLASSES_MAX: usize = 64;
/// Instead of the class of a tile beyond that.
pub(super) const TOO_MANY: u8 = u8::MAX;

/// How often each value occurs: all that can be known about tiles without their places.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    /// Values and the tiles that have them, in the order of their first tiles.
    classes: Vec<(u64, u64)>,
    /// Of all tiles; 2^64 tiles of 64 bits are more than can be read.
    sum: u128,
    tiles: u64,
    /// There are more than [`CLASSES_MAX`] values, so no power of two relates them all.
    too_many: bool,
}

impl Tally {
    /// Counts one tile (`value` > 0) and gives its class from 1; [`TOO_MANY`] if there are too many classes.
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

    /// Counts tiles again whose classes are known, as the values of these; each class must have its first tile behind that of
    /// the class before. `None` if they are not so.
    pub(super) fn again(values: &[u64], squares: &[u8]) -> Option<Self> {
        let mut tally = Self::default();
        for &class in squares.iter().filter(|&&class| class != 0) {
            if class == TOO_MANY {
                // What its value is matters to nobody.
                (tally.classes.len() == CLASSES_MAX).then_some(())?;
                (tally.tiles, tally.too_many) = (tally.tiles + 1, true);
            } else {
                let value = *values.get(usize::from(class) - 1)?;
                (value > 0 && tally.add(value) == class).then_some(())?;
            }
        }
        (tally.classes.len() == values.len()).then_some(tally)
    }

    /// Tiles that are nowhere, of these values and so many of each, and so many others that are of too many values.
    /// `None` if they cannot be.
    pub(super) fn counted(classes: Vec<(u64, u64)>, others: u64) -> Option<Self> {
        let mut known: Vec<u64> = classes.iter().map(|&(value, _)| value).collect();
        known.sort_unstable();
        let is_distinct = known.windows(2).all(|pair| pair[0] < pair[1]);
        let is_some = classes.iter().all(|&(value, tiles)| value > 0 && tiles > 0);
        let is_few = classes.len() < CLASSES_MAX + usize::from(others > 0);
        let fits = classes.len() == CLASSES_MAX || others == 0;
        let mut tiles = classes.iter().map(|&(_, tiles)| tiles);
        let tiles = tiles.try_fold(others, u64::checked_add)?;
        // Less than 2^64 tiles of less than 2^64 each.
        let sum = classes.iter().map(|&(value, tiles)| u128::from(value) * u128::from(tiles)).sum();
        (is_distinct && is_some && is_few && fits).then_some(Self {
            classes,
            sum,
            tiles,
            too_many: others > 0,
        })
    }

    /// Returns the values, each with how many tiles have it.
    pub(super) fn known(&self) -> &[(u64, u64)] {
        &self.classes
    }

    /// Returns how many tiles there are.
    pub(super) fn tiles(&self) -> u64 {
        self.tiles
    }

    /// Returns the rank of each class: k + 1 for the smallest value times 2^k. `None` when some tile is not s/2^k for
    /// the sum s of all, so that they never become one.
    pub(super) fn ranks(&self) -> Option<Vec<u8>> {
        let smallest = u128::from(self.classes.iter().map(|&(value, _)| value).min()?);
        let rank = |&(value, _): &(u64, u64)| {
            let (value, sum) = (u128::from(value), self.sum);
            let whole = !self.too_many && sum % value == 0 && (sum / value).is_power_of_two();
            whole.then(|| (value / smallest).trailing_zeros() as u8 + 1)
        };
        self.classes.iter().map(rank).collect()
    }

    /// A rank for each class, and the value of each rank: for pictures, where tiles need not become one. Tiles have one
    /// odd part if they ever merge, so that each odd part has ranks of its own. `None` if there are too many values.
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
            // No tile becomes more than all of them together.
            values.extend((0..=(sum / smallest).ilog2()).map(|doublings| smallest << doublings));
        }
        (!self.too_many && values.len() < usize::from(TOO_MANY)).then_some((ranks, values))
    }

    /// The same with a rank for each class, in their order: nothing slides by it.
    pub(super) fn classes(&self) -> (Vec<u8>, Vec<u128>) {
        let values = self.classes.iter().map(|&(value, _)| u128::from(value));
        ((1..=self.classes.len() as u8).collect(), [0].into_iter().chain(values).collect())
    }

    /// Returns the rank of the last tile, made of all.
    pub(super) fn rank_max(&self) -> u8 {
        let smallest = self.classes.iter().map(|&(value, _)| u128::from(value)).min().unwrap_or(1);
        (self.sum / smallest).max(1).ilog2() as u8 + 1
    }

    /// Returns the slides that tiles of these `ranks` need at least, wherever they stand.
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
