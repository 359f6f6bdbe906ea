//! A vector whose memory is charged to the puzzle's budget.

use std::ops::{Deref, DerefMut};

use super::{Budget, Charge, Stop};

/// Items allocated at first.
const CAPACITY_MIN: usize = 64;

/// A growing list on account of a [`Budget`]; it is read and changed as a slice.
///
/// Growth is charged before it is allocated, the old and the new buffer together, as both exist while the items
/// move. If the memory left does not suffice to double, it grows by a smaller step, so most of the memory is usable.
#[derive(Debug)]
pub struct ChargedVec<'b, T> {
    items: Vec<T>,
    /// Bytes of an item that lie elsewhere.
    elsewhere: u64,
    charge: Charge<'b>,
}

impl<'b, T> ChargedVec<'b, T> {
    /// An empty list, which costs nothing yet.
    #[must_use]
    pub fn new(budget: &'b Budget) -> Self {
        Self::holding(0, budget)
    }

    /// The same for items each of which takes so many bytes elsewhere, for which the list is charged as it grows.
    #[must_use]
    pub fn holding(elsewhere: u64, budget: &'b Budget) -> Self {
        Self { items: Vec::new(), elsewhere, charge: Charge::none(budget) }
    }

    /// An empty list with room for exactly `capacity` items.
    ///
    /// # Errors
    /// The limit that was hit, here as below.
    pub fn with_capacity(capacity: usize, budget: &'b Budget) -> Result<Self, Stop> {
        let mut list = Self::new(budget);
        list.charge.grow(list.bytes(capacity))?;
        list.items.reserve_exact(capacity);
        Ok(list)
    }

    /// Appends an item.
    ///
    /// # Errors
    /// The limit that was hit.
    #[inline]
    pub fn push(&mut self, item: T) -> Result<(), Stop> {
        if self.items.len() == self.items.capacity() {
            self.grow(1)?;
        }
        self.items.push(item);
        Ok(())
    }

    /// Takes the last item.
    pub fn pop(&mut self) -> Option<T> {
        self.items.pop()
    }

    /// Takes all items but the first `length`, and keeps the memory.
    pub fn truncate(&mut self, length: usize) {
        self.items.truncate(length);
    }

    /// Takes all items, and keeps the memory.
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// Makes room for so many items more.
    ///
    /// # Errors
    /// The limit that was hit.
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
        // What lies elsewhere stays there.
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

    /// Returns the items, which are charged no longer.
    #[must_use]
    pub fn into_items(self) -> Vec<T> {
        self.items
    }
}

impl<T: Clone> ChargedVec<'_, T> {
    /// Appends all of `items`.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn extend_from_slice(&mut self, items: &[T]) -> Result<(), Stop> {
        self.reserve(items.len())?;
        self.items.extend_from_slice(items);
        Ok(())
    }

    /// Makes the list `length` long, new items being `item`.
    ///
    /// # Errors
    /// The limit that was hit.
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Cancel, FREE_BYTES, Permits};
    use super::*;

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

    /// Who waits for memory in vain is told why, and not that there was too little.
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
}
