//! The set of positions a search has seen, each stored once as bytes and known by a small number.
//!
//! Keys of any length lie one behind the other in one buffer; a table of numbers with open addressing and
//! linear probing finds them. Nothing else is kept for a key, so a position costs little more than its bytes.

use super::charged::ChargedVec;
use super::store::hash;
use crate::solver::{Budget, Stop};

/// Slots of the first table; always a power of two.
const SLOTS_MIN: usize = 256;
/// A slot that holds no number.
const FREE: u32 = u32::MAX;

/// Distinct byte strings, numbered from 0 in the order of their arrival.
pub(super) struct StateSet<'b> {
    bytes: ChargedVec<'b, u8>,
    /// Where each key ends in `bytes`; it begins where the one before ends.
    ends: ChargedVec<'b, u64>,
    slots: ChargedVec<'b, u32>,
    budget: &'b Budget,
}

impl<'b> StateSet<'b> {
    /// An empty set.
    pub(super) fn new(budget: &'b Budget) -> Self {
        Self {
            bytes: ChargedVec::new(budget),
            ends: ChargedVec::new(budget),
            slots: ChargedVec::new(budget),
            budget,
        }
    }

    /// The key with that number.
    pub(super) fn key(&self, number: u32) -> &[u8] {
        let index = number as usize;
        let ends = self.ends.as_slice();
        let start = if index == 0 { 0 } else { ends[index - 1] as usize };
        &self.bytes.as_slice()[start..ends[index] as usize]
    }

    /// The number of `key`, and whether it is new in the set.
    ///
    /// # Errors
    /// [`Stop::MemoryLimit`] when it is new and there is no memory left for it.
    pub(super) fn insert(&mut self, key: &[u8]) -> Result<(u32, bool), Stop> {
        if (self.ends.len() + 1) * 4 > self.slots.len() * 3 {
            self.grow()?;
        }
        let slot = match self.find(key) {
            Ok(number) => return Ok((number, false)),
            Err(slot) => slot,
        };
        let number = self.ends.len() as u32;
        if number == FREE {
            return Err(Stop::MemoryLimit);
        }
        self.bytes.extend(key)?;
        self.ends.push(self.bytes.len() as u64)?;
        self.slots.as_mut_slice()[slot] = number;
        Ok((number, true))
    }

    /// The number of `key`, or the free slot where it belongs.
    fn find(&self, key: &[u8]) -> Result<u32, usize> {
        let slots = self.slots.as_slice();
        let mut slot = hash(key) as usize & (slots.len() - 1);
        while slots[slot] != FREE {
            if self.key(slots[slot]) == key {
                return Ok(slots[slot]);
            }
            slot = (slot + 1) & (slots.len() - 1);
        }
        Err(slot)
    }

    /// Makes the table twice as large and puts every number into its new slot.
    fn grow(&mut self) -> Result<(), Stop> {
        let count = (self.slots.len() * 2).max(SLOTS_MIN);
        let mut slots = ChargedVec::new(self.budget);
        slots.resize(count, FREE)?;
        self.slots = slots;
        for number in 0..self.ends.len() as u32 {
            // All keys differ, so each finds a free slot.
            if let Err(slot) = self.find(self.key(number)) {
                self.slots.as_mut_slice()[slot] = number;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn numbers_keys_like_a_map() {
        let budget = Budget::unlimited();
        let mut set = StateSet::new(&budget);
        let mut map = HashMap::new();
        for step in 0_u32..5000 {
            let key: Vec<u8> = (0..step % 11).map(|index| ((step * step / 7) >> index) as u8 & 3).collect();
            let next = map.len() as u32;
            let fresh = !map.contains_key(&key);
            let number = *map.entry(key.clone()).or_insert(next);
            assert_eq!(set.insert(&key), Ok((number, fresh)));
            assert_eq!(set.key(number), key);
        }
    }
}
