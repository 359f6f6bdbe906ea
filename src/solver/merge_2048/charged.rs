//! A vector whose memory is charged to the puzzle's budget.
//!
//! Growth is charged before it is allocated, old and new buffer together, as both exist while the items
//! move. When doubling would exceed the limit, a smaller step is tried, so that most of the limit is usable.

use crate::solver::{Budget, Stop};

/// Items allocated at first.
const CAPACITY_MIN: usize = 64;

/// A growing list on account of a [`Budget`]; its memory is given back when it is dropped.
pub(super) struct ChargedVec<'b, T> {
    items: Vec<T>,
    charged_bytes: u64,
    budget: &'b Budget,
}

impl<'b, T> ChargedVec<'b, T> {
    /// An empty list, which costs nothing yet.
    pub(super) fn new(budget: &'b Budget) -> Self {
        Self { items: Vec::new(), charged_bytes: 0, budget }
    }

    /// The items.
    pub(super) fn as_slice(&self) -> &[T] {
        &self.items
    }

    /// The items, to be changed.
    pub(super) fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// How many items there are.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// Appends an item.
    ///
    /// # Errors
    /// [`Stop::MemoryLimit`] when there is no memory left for it.
    pub(super) fn push(&mut self, item: T) -> Result<(), Stop> {
        self.reserve(1)?;
        self.items.push(item);
        Ok(())
    }

    /// Takes all items, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.items.clear();
    }

    /// Takes the last item.
    pub(super) fn pop(&mut self) -> Option<T> {
        self.items.pop()
    }

    fn reserve(&mut self, extra: usize) -> Result<(), Stop> {
        let (length, capacity) = (self.items.len(), self.items.capacity());
        let needed = length.saturating_add(extra);
        if needed <= capacity {
            return Ok(());
        }
        let doubled = capacity.saturating_mul(2).max(CAPACITY_MIN).max(needed);
        let modest = (capacity + capacity / 8).max(needed);
        for wanted in [doubled, modest] {
            let bytes = (wanted as u64).saturating_mul(size_of::<T>() as u64);
            if self.budget.charge(bytes).is_ok() {
                self.items.reserve_exact(wanted - length);
                self.budget.release(self.charged_bytes);
                self.charged_bytes = bytes;
                return Ok(());
            }
        }
        Err(Stop::MemoryLimit)
    }
}

impl<T: Copy> ChargedVec<'_, T> {
    /// Appends all of `items`.
    ///
    /// # Errors
    /// [`Stop::MemoryLimit`] when there is no memory left for them.
    pub(super) fn extend(&mut self, items: &[T]) -> Result<(), Stop> {
        self.reserve(items.len())?;
        self.items.extend_from_slice(items);
        Ok(())
    }

    /// Makes the list `length` long, new items being `item`.
    ///
    /// # Errors
    /// [`Stop::MemoryLimit`] when there is no memory left for them.
    pub(super) fn resize(&mut self, length: usize, item: T) -> Result<(), Stop> {
        self.reserve(length.saturating_sub(self.items.len()))?;
        self.items.resize(length, item);
        Ok(())
    }
}

impl<T> Drop for ChargedVec<'_, T> {
    fn drop(&mut self) {
        self.budget.release(self.charged_bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Cancel;

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
}
