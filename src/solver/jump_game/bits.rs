//! A set of small numbers that gives its next member after any point quickly.
//!
//! One bit a number, and above it a bit for every word that is not empty, and so on up to a single word:
//! a van Emde Boas tree with 64 ways, six bits a level. Asking costs at most two words a level.

/// A set of numbers below a bound fixed at the beginning.
#[derive(Debug)]
pub(super) struct Bits {
    /// `levels[0]` holds the members; a bit of `levels[k + 1]` says that a word of `levels[k]` is not 0.
    levels: Vec<Vec<u64>>,
}

impl Bits {
    /// The bytes that [`Bits::new`] takes for numbers below `bound`.
    pub(super) fn bytes(bound: u64) -> u64 {
        let mut words = bound.div_ceil(64).max(1);
        let mut bytes = 8 * words;
        while words > 1 {
            words = words.div_ceil(64);
            bytes += 8 * words;
        }
        bytes
    }

    /// The empty set of numbers below `bound`.
    pub(super) fn new(bound: usize) -> Self {
        let mut words = bound.div_ceil(64).max(1);
        let mut levels = vec![vec![0; words]];
        while words > 1 {
            words = words.div_ceil(64);
            levels.push(vec![0; words]);
        }
        Self { levels }
    }

    /// Makes the set empty.
    pub(super) fn clear(&mut self) {
        self.levels.iter_mut().for_each(|level| level.fill(0));
    }

    /// Whether `number` is a member.
    pub(super) fn contains(&self, number: usize) -> bool {
        self.levels[0][number / 64] >> (number % 64) & 1 == 1
    }

    /// Adds `number`.
    pub(super) fn insert(&mut self, mut number: usize) {
        for level in &mut self.levels {
            let word = &mut level[number / 64];
            let was_empty = *word == 0;
            *word |= 1 << (number % 64);
            if !was_empty {
                return;
            }
            number /= 64;
        }
    }

    /// Takes `number` out; it need not be a member.
    pub(super) fn remove(&mut self, mut number: usize) {
        for level in &mut self.levels {
            let word = &mut level[number / 64];
            *word &= !(1 << (number % 64));
            if *word != 0 {
                return;
            }
            number /= 64;
        }
    }

    /// The smallest member from `from` to `to`, both included.
    pub(super) fn first_in(&self, from: usize, to: usize) -> Option<usize> {
        let mut at = from;
        for (height, level) in self.levels.iter().enumerate() {
            let word = level.get(at / 64)? & (u64::MAX << (at % 64));
            if word != 0 {
                let mut found = at / 64 * 64 + word.trailing_zeros() as usize;
                for below in self.levels[..height].iter().rev() {
                    found = found * 64 + below[found].trailing_zeros() as usize;
                }
                return (found <= to).then_some(found);
            }
            // Nothing is left in this word; the level above knows the next word that has something.
            at = at / 64 + 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Bits;
    use crate::solver::Random;

    #[test]
    fn agrees_with_a_tree_set() {
        let mut random = Random::new(5);
        for bound in [1_usize, 63, 64, 65, 4095, 4096, 4097, 300_000] {
            let mut bits = Bits::new(bound);
            let mut set = BTreeSet::new();
            for round in 0..2_000 {
                let number = random.below(bound as u64) as usize;
                if random.chance(if round < 1_000 { 0.7 } else { 0.3 }) {
                    bits.insert(number);
                    set.insert(number);
                } else {
                    bits.remove(number);
                    set.remove(&number);
                }
                assert_eq!(bits.contains(number), set.contains(&number));
                let from = random.below(bound as u64) as usize;
                let to = from + random.below(bound as u64) as usize;
                assert_eq!(bits.first_in(from, to), set.range(from..=to).next().copied());
            }
            bits.clear();
            assert_eq!(bits.first_in(0, bound), None);
        }
    }

    #[test]
    fn bytes_are_those_of_the_levels() {
        for bound in [0_usize, 1, 64, 65, 4097, 300_000] {
            let bytes: usize = Bits::new(bound).levels.iter().map(|level| 8 * level.len()).sum();
            assert_eq!(Bits::bytes(bound as u64), bytes as u64);
        }
    }
}
