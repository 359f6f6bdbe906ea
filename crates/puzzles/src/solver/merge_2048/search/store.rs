//! The positions of one pass, each stored once.
//!
//! [`Records`] keep the keys in the order of their arrival, so that a layer is a range of addresses; a hash table
//! of addresses finds them. A position costs its key and fifteen bytes or so.

use super::records::{Address, Records};
use crate::solver::merge_2048::position::Axes;
use crate::solver::{Budget, ChargedTable, Pace, Stop};

/// Distinct positions.
pub struct Store<'b> {
    records: Records<'b>,
    table: ChargedTable<'b, Address>,
    pace: Pace<'b>,
}

impl<'b> Store<'b> {
    /// An empty store.
    pub fn new(budget: &'b Budget) -> Self {
        Self { records: Records::new(budget), table: ChargedTable::new(budget), pace: Pace::new(budget) }
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// The positions in the order of their arrival.
    pub fn records(&self) -> &Records<'b> {
        &self.records
    }

    /// Stores a position unless it is there: its address, and whether it is new. `spent` is noted in either case
    /// where it is new or its address is not before `since`.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn insert(
        &mut self,
        key: &[u8],
        spent: Axes,
        parent: Option<Address>,
        since: Address,
    ) -> Result<(Address, bool), Stop> {
        let hash = hash(key);
        if let Some(&at) = self.table.find(hash, |&at| self.records.get(at).key == key) {
            if at >= since {
                self.records.add_spent(at, spent);
            }
            return Ok((at, false));
        }
        let all = || self.records.iter().map(|(at, record)| (self::hash(record.key), at));
        self.table.make_room(all, 1, &mut self.pace)?;
        let at = self.records.push(key, spent, parent)?;
        self.table.insert(hash, at);
        Ok((at, true))
    }
}

/// A quick hash: eight bytes at a time are multiplied to 128 bits, whose halves are then mixed.
fn hash(key: &[u8]) -> u64 {
    /// 2^64 divided by the golden ratio: odd, and without a pattern in its bits.
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = MULTIPLIER ^ key.len() as u64;
    for chunk in key.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let product = u128::from(hash ^ u64::from_le_bytes(word)) * u128::from(MULTIPLIER);
        hash = product as u64 ^ (product >> 64) as u64;
    }
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn keeps_keys_of_all_lengths_like_a_map() {
        let budget = Budget::unlimited();
        let mut store = Store::new(&budget);
        let mut map = HashMap::new();
        let mut order = Vec::new();
        let mut parent = None;
        for step in 0_u32..9000 {
            let length = if step % 1000 == 0 { 70_000 + step } else { step % 90 };
            let key: Vec<u8> =
                (0..length).map(|index| ((step * step / 7) >> (index % 11)) as u8 & 3).collect();
            let fresh = !map.contains_key(&key);
            let (at, new) = store.insert(&key, Axes::default(), parent, Address::default()).unwrap();
            assert_eq!(new, fresh);
            assert_eq!(*map.entry(key.clone()).or_insert(at), at);
            let record = store.records().get(at);
            assert_eq!(record.key, key);
            if fresh {
                assert_eq!(record.parent, parent);
                order.push(key);
                parent = Some(at);
            }
        }
        let mut at = Address::default();
        for key in &order {
            let (record, next) = store.records().get_with_next(at);
            assert!(record.key == key && record.spent == Axes::default());
            at = next;
        }
        assert_eq!((at, store.len()), (store.records().end(), order.len()));
    }

    #[test]
    fn spent_axes_are_noted_for_keys_of_the_layer_only() {
        let budget = Budget::unlimited();
        let mut store = Store::new(&budget);
        let (old, _) = store.insert(b"old", Axes::default(), None, Address::default()).unwrap();
        let since = store.records().end();
        let (young, _) = store.insert(b"young", Axes::one(0), Some(old), since).unwrap();
        store.insert(b"old", Axes::one(1), Some(old), since).unwrap();
        store.insert(b"young", Axes::one(1), Some(old), since).unwrap();
        let spent = |at: Address| store.records().get(at).spent;
        assert_eq!((spent(old), spent(young)), (Axes(0), Axes(3)));
    }

    #[test]
    fn memory_is_given_back() {
        let budget = Budget::new(None, None, 200_000, crate::solver::Cancel::default());
        {
            let mut store = Store::new(&budget);
            let first = Address::default();
            let stored = (0_u32..100_000)
                .take_while(|step| store.insert(&step.to_le_bytes(), Axes::default(), None, first).is_ok())
                .count();
            assert!((5000..40_000).contains(&stored), "{stored}");
        }
        assert_eq!(budget.memory_bytes_left(), 200_000);
    }
}
