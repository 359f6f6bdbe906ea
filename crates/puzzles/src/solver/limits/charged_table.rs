//! A hash table whose memory is charged to the puzzle's budget.

use hashbrown::HashTable;

use super::{Budget, Charge, Pace, Stop};

/// Buckets of the smallest table; always a power of two.
const BUCKETS_MIN: usize = 64;

/// A set of small items on account of a [`Budget`], by hashes that its owner knows.
#[derive(Debug)]
pub struct ChargedTable<'b, T> {
    table: HashTable<T>,
    charge: Charge<'b>,
}

impl<'b, T> ChargedTable<'b, T> {
    /// An empty table, which costs nothing yet.
    #[must_use]
    pub fn new(budget: &'b Budget) -> Self {
        Self { table: HashTable::new(), charge: Charge::none(budget) }
    }

    /// An empty table with room for about so many items.
    ///
    /// # Errors
    /// The limit that was hit, here as below.
    pub fn with_room(items: usize, budget: &'b Budget) -> Result<Self, Stop> {
        let mut table = Self::new(budget);
        table.empty(items.next_power_of_two())?;
        Ok(table)
    }

    /// Returns how many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Returns whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// Returns the item with that hash that `is_wanted`.
    #[inline]
    pub fn find(&self, hash: u64, is_wanted: impl FnMut(&T) -> bool) -> Option<&T> {
        self.table.find(hash, is_wanted)
    }

    /// Yields the items with that hash, perhaps among others.
    #[inline]
    pub fn with_hash(&self, hash: u64) -> impl Iterator<Item = &T> {
        self.table.iter_hash(hash)
    }

    /// Takes all items, and keeps the memory.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Makes room for one more. A full table gives way to one twice as large and is gone by then, so that `all` must
    /// give its items again, with their hashes, each in so many `steps` of work.
    ///
    /// # Errors
    /// The limit that was hit, which leaves a table that lacks items.
    #[inline]
    pub fn make_room<I: Iterator<Item = (u64, T)>>(
        &mut self,
        all: impl FnOnce() -> I,
        steps: usize,
        pace: &mut Pace<'_>,
    ) -> Result<(), Stop> {
        if self.table.len() < self.table.capacity() {
            return Ok(());
        }
        self.empty(2 * self.table.num_buckets())?;
        for (hash, item) in all() {
            pace.count(steps)?;
            self.insert(hash, item);
        }
        Ok(())
    }

    /// Puts an item in, for which there is [room](Self::make_room).
    #[inline]
    pub fn insert(&mut self, hash: u64, item: T) {
        self.table.insert_unique(hash, item, |_| unreachable!("there is room, so that nothing moves"));
    }

    /// An empty table of so many buckets in the place of this one.
    fn empty(&mut self, buckets: usize) -> Result<(), Stop> {
        let buckets = buckets.max(BUCKETS_MIN);
        self.table = HashTable::new();
        self.charge.shrink_to(0);
        // A bucket is an item and a byte of its hash.
        self.charge.grow(buckets as u64 * (size_of::<T>() as u64 + 1))?;
        // An eighth of the buckets stays free.
        self.table = HashTable::with_capacity(buckets / 8 * 7);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Cancel;
    use super::*;

    #[test]
    fn items_are_found_and_memory_is_charged_while_the_table_lives() {
        let hash = |item: u32| u64::from(item).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let budget = Budget::new(None, None, 100_000, Cancel::default());
        let mut pace = Pace::new(&budget);
        {
            let mut table = ChargedTable::new(&budget);
            assert!(table.is_empty());
            let mut items = 0;
            while table.make_room(|| (0..items).map(|item| (hash(item), item)), 1, &mut pace).is_ok() {
                table.insert(hash(items), items);
                items += 1;
                let found = table.find(hash(items / 2), |&item| item == items / 2);
                assert_eq!((table.len(), found), (items as usize, Some(&(items / 2))));
            }
            // A table of 16,384 buckets of five bytes, seven eighths of it full.
            assert_eq!(items, 14_336);
        }
        assert_eq!(budget.memory_bytes_left(), 100_000);
    }
}
