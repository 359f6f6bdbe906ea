//! Charges the memory of a search to its budget: bytes, a vector, and a hash table.

use std::ops::{Deref, DerefMut};

use hashbrown::HashTable;

use super::{Budget, Pace, Stop};

/// Bytes charged to a [`Budget`]; dropping the charge releases them.
#[derive(Debug)]
#[must_use = "dropping the charge releases its bytes"]
pub struct Charge<'b> {
    budget: &'b Budget,
    bytes: u64,
}

impl<'b> Charge<'b> {
    /// Charges `bytes`.
    ///
    /// # Errors
    /// Returns the limit that was hit, as [`Budget::charge`] does.
    pub fn new(bytes: u64, budget: &'b Budget) -> Result<Self, Stop> {
        budget.charge(bytes)?;
        Ok(Self { budget, bytes })
    }

    /// Returns a charge of 0 bytes.
    pub fn none(budget: &'b Budget) -> Self {
        Self { budget, bytes: 0 }
    }

    /// Returns the budget that is charged.
    pub fn budget(&self) -> &'b Budget {
        self.budget
    }

    /// Returns the charged bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Charges `bytes` more.
    ///
    /// # Errors
    /// Returns the limit that was hit; nothing more is charged then.
    pub fn grow(&mut self, bytes: u64) -> Result<(), Stop> {
        self.budget.charge(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Releases all but `bytes`; nothing if no more are charged.
    pub fn shrink_to(&mut self, bytes: u64) {
        let kept = bytes.min(self.bytes);
        self.budget.release(self.bytes - kept);
        self.bytes = kept;
    }
}

impl Drop for Charge<'_> {
    fn drop(&mut self) {
        self.budget.release(self.bytes);
    }
}

/// Capacity of the first allocation, in items.
const CAPACITY_MIN: usize = 64;

/// A growing list that is charged to a [`Budget`] and used as a slice.
///
/// Growth is charged before it is allocated, for the old and the new buffer together, because both exist while the
/// items move. If the memory left is not enough to double the list, it grows by a smaller step, so most of the memory
/// is usable.
#[derive(Debug)]
pub struct ChargedVec<'b, T> {
    items: Vec<T>,
    /// Bytes per item that are allocated outside the list.
    elsewhere: u64,
    charge: Charge<'b>,
}

impl<'b, T> ChargedVec<'b, T> {
    /// Returns an empty list, which costs nothing yet.
    pub fn new(budget: &'b Budget) -> Self {
        Self::holding(0, budget)
    }

    /// Returns an empty list of items that each take `elsewhere` bytes outside the list. The list charges these bytes
    /// as it grows.
    pub fn holding(elsewhere: u64, budget: &'b Budget) -> Self {
        Self { items: Vec::new(), elsewhere, charge: Charge::none(budget) }
    }

    /// Returns an empty list with room for exactly `capacity` items.
    ///
    /// # Errors
    /// Returns the limit that was hit.
    pub fn with_capacity(capacity: usize, budget: &'b Budget) -> Result<Self, Stop> {
        let mut list = Self::new(budget);
        list.charge.grow(list.bytes(capacity))?;
        list.items.reserve_exact(capacity);
        Ok(list)
    }

    /// Appends an item.
    ///
    /// # Errors
    /// Returns the limit that was hit.
    #[inline]
    pub fn push(&mut self, item: T) -> Result<(), Stop> {
        if self.items.len() == self.items.capacity() {
            self.grow(1)?;
        }
        self.items.push(item);
        Ok(())
    }

    /// Removes the last item and returns it.
    pub fn pop(&mut self) -> Option<T> {
        self.items.pop()
    }

    /// Removes all items but the first `length`, and keeps the memory.
    pub fn truncate(&mut self, length: usize) {
        self.items.truncate(length);
    }

    /// Removes all items, and keeps the memory.
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// Makes room for `more` further items.
    ///
    /// # Errors
    /// Returns the limit that was hit.
    pub fn reserve(&mut self, more: usize) -> Result<(), Stop> {
        if more <= self.items.capacity() - self.items.len() { Ok(()) } else { self.grow(more) }
    }

    #[cold]
    fn grow(&mut self, more: usize) -> Result<(), Stop> {
        let (length, capacity) = (self.items.len(), self.items.capacity());
        let needed = length.saturating_add(more);
        let doubled = capacity.saturating_mul(2).max(CAPACITY_MIN).max(needed);
        let modest = (capacity + capacity / 8).max(needed);
        let left = self.charge.budget().memory_bytes_left();
        // The memory outside the list does not move.
        let kept = capacity as u64 * self.elsewhere;
        let wanted = if self.bytes(doubled) - kept <= left { doubled } else { modest };
        self.charge.grow(self.bytes(wanted) - kept)?;
        self.items.reserve_exact(wanted - length);
        self.charge.shrink_to(self.bytes(wanted));
        Ok(())
    }

    fn bytes(&self, items: usize) -> u64 {
        (items as u64).saturating_mul(size_of::<T>() as u64 + self.elsewhere)
    }

    /// Returns the items, whose memory is no longer charged.
    pub fn into_items(self) -> Vec<T> {
        self.items
    }
}

impl<T: Clone> ChargedVec<'_, T> {
    /// Appends all of `items`.
    ///
    /// # Errors
    /// Returns the limit that was hit.
    pub fn extend_from_slice(&mut self, items: &[T]) -> Result<(), Stop> {
        self.reserve(items.len())?;
        self.items.extend_from_slice(items);
        Ok(())
    }

    /// Sets the length of the list; new items are clones of `item`.
    ///
    /// # Errors
    /// Returns the limit that was hit.
    pub fn resize(&mut self, length: usize, item: T) -> Result<(), Stop> {
        self.reserve(length.saturating_sub(self.items.len()))?;
        self.items.resize(length, item);
        Ok(())
    }
}

impl<T> Deref for ChargedVec<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> DerefMut for ChargedVec<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

/// Buckets of the smallest table; always a power of two.
const BUCKETS_MIN: usize = 64;

/// A set of small items that is charged to a [`Budget`]. The owner computes the hashes.
#[derive(Debug)]
pub struct ChargedTable<'b, T> {
    table: HashTable<T>,
    charge: Charge<'b>,
}

impl<'b, T> ChargedTable<'b, T> {
    /// Returns an empty table, which costs nothing yet.
    pub fn new(budget: &'b Budget) -> Self {
        Self { table: HashTable::new(), charge: Charge::none(budget) }
    }

    /// Returns an empty table with room for approximately `items` items.
    ///
    /// # Errors
    /// Returns the limit that was hit.
    pub fn with_room(items: usize, budget: &'b Budget) -> Result<Self, Stop> {
        let mut table = Self::new(budget);
        table.empty(items.next_power_of_two())?;
        Ok(table)
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Returns whether the table has no items.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// Returns the item with this hash for which `is_wanted` returns true.
    #[inline]
    pub fn find(&self, hash: u64, is_wanted: impl FnMut(&T) -> bool) -> Option<&T> {
        self.table.find(hash, is_wanted)
    }

    /// Returns the items with this hash, possibly among others.
    #[inline]
    pub fn with_hash(&self, hash: u64) -> impl Iterator<Item = &T> {
        self.table.iter_hash(hash)
    }

    /// Removes all items, and keeps the memory.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Makes room for one more item. A full table is dropped and replaced by one twice as large, so `all` must return
    /// all items again, with their hashes; each takes `steps` steps of work.
    ///
    /// # Errors
    /// Returns the limit that was hit. The table then lacks items.
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

    /// Inserts an item, for which there must be [room](Self::make_room).
    #[inline]
    pub fn insert(&mut self, hash: u64, item: T) {
        self.table.insert_unique(hash, item, |_| unreachable!("there is room, so that nothing moves"));
    }

    /// Replaces the table by an empty one with `buckets` buckets.
    fn empty(&mut self, buckets: usize) -> Result<(), Stop> {
        let buckets = buckets.max(BUCKETS_MIN);
        self.table = HashTable::new();
        self.charge.shrink_to(0);
        // A bucket takes an item and one byte of its hash.
        self.charge.grow(buckets as u64 * (size_of::<T>() as u64 + 1))?;
        // An eighth of the buckets stays free.
        self.table = HashTable::with_capacity(buckets / 8 * 7);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Cancel, FREE_BYTES, Permits};
    use super::*;

    #[test]
    fn what_is_charged_is_given_back() {
        let budget = Budget::new(None, None, 100, Cancel::default());
        {
            let mut charge = Charge::new(60, &budget).unwrap();
            assert_eq!(charge.grow(41), Err(Stop::MemoryLimit));
            assert_eq!((charge.bytes(), budget.memory_bytes_left()), (60, 40));
            charge.grow(40).unwrap();
            charge.shrink_to(10);
            charge.shrink_to(20);
            assert_eq!((charge.bytes(), budget.memory_bytes_left()), (10, 90));
        }
        assert_eq!(budget.memory_bytes_left(), 100);
    }

    #[test]
    fn memory_is_charged_while_the_list_lives() {
        let budget = Budget::new(None, None, 4000, Cancel::default());
        {
            let mut list = ChargedVec::new(&budget);
            let pushed = (0..10_000_u32).take_while(|&item| list.push(item).is_ok()).count();
            assert_eq!(pushed, list.len());
            assert!((250..1000).contains(&pushed), "{pushed}");
            assert!(budget.memory_bytes_left() < 4000);
        }
        assert_eq!(budget.memory_bytes_left(), 4000);
    }

    /// A puzzle that waits in vain for memory reports the limit that ended the wait, not the memory limit.
    #[test]
    fn the_limit_that_ends_the_waiting_is_named() {
        let permits = Arc::new(Permits::new(1));
        let sharing = |cancel: &Cancel| Budget::new(None, None, 1 << 40, cancel.clone()).sharing(&permits);
        let (holder, cancel) = (sharing(&Cancel::default()), Cancel::default());
        let _held = Charge::new(FREE_BYTES + 1, &holder).unwrap();
        let waiter = sharing(&cancel);
        cancel.cancel();
        assert_eq!(ChargedVec::new(&waiter).resize(FREE_BYTES as usize + 1, 0_u8), Err(Stop::Cancelled));
        assert_eq!(waiter.memory_bytes_left(), 1 << 40);
    }

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
            // A table of 16,384 buckets with five bytes each, filled to seven eighths.
            assert_eq!(items, 14_336);
        }
        assert_eq!(budget.memory_bytes_left(), 100_000);
    }
}
