//! A bounded table of entries about people's files. Groups of entries share it, so that no group fills it alone.
//!
//! While there is room, every entry is kept. In a full table the largest group loses an entry to a newcomer of a group
//! that has at least two entries fewer. So two groups cannot keep taking entries from each other.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// Values by key. Each belongs to a group `G`.
pub(super) struct Table<G, K, V> {
    max: usize,
    entries: BTreeMap<K, (G, V)>,
    groups: BTreeMap<G, BTreeSet<K>>,
}

/// What happened to a new entry.
pub(super) enum Put<G, K, V> {
    /// The entry is in the table.
    Kept,
    /// The entry is in the table, and replaced this one.
    InPlaceOf(G, K, V),
    /// The entry is not in the table: the table is full, and the group of the entry has its share.
    Refused,
}

impl<G: Ord + Clone, K: Ord + Clone, V> Table<G, K, V> {
    /// Creates a table for at most `max` entries.
    pub(super) fn new(max: usize) -> Self {
        Self { max, entries: BTreeMap::new(), groups: BTreeMap::new() }
    }

    /// Inserts an entry. It replaces one with the same key.
    pub(super) fn put(&mut self, group: G, key: K, value: V) -> Put<G, K, V> {
        self.remove(&key);
        let mut put = Put::Kept;
        if self.entries.len() >= self.max {
            let Some((largest, last)) = self.displaced(&group) else { return Put::Refused };
            if let Some(value) = self.remove(&last) {
                put = Put::InPlaceOf(largest, last, value);
            }
        }
        self.groups.entry(group.clone()).or_default().insert(key.clone());
        self.entries.insert(key, (group, value));
        put
    }

    /// Returns whether a new entry of `group` would be kept.
    pub(super) fn takes(&self, group: &G) -> bool {
        self.entries.len() < self.max || self.displaced(group).is_some()
    }

    /// Returns the group that loses an entry to a new one of `group`, and the key of that entry.
    fn displaced(&self, group: &G) -> Option<(G, K)> {
        let own = self.groups.get(group).map_or(0, BTreeSet::len);
        let (largest, keys) = self.groups.iter().max_by_key(|(_, keys)| keys.len())?;
        let last = keys.last().filter(|_| keys.len() > own + 1)?;
        Some((largest.clone(), last.clone()))
    }

    pub(super) fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let (group, value) = self.entries.remove(key)?;
        if let Some(keys) = self.groups.get_mut(&group) {
            keys.remove(key);
            if keys.is_empty() {
                self.groups.remove(&group);
            }
        }
        Some(value)
    }

    pub(super) fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.entries.get_mut(key).map(|(_, value)| value)
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.groups.clear();
    }

    /// Returns all entries in the order of their keys.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.entries.iter().map(|(key, (_, value))| (key, value))
    }

    pub(super) fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.values_mut().map(|(_, value)| value)
    }

    /// Returns the keys from `first` on.
    pub(super) fn keys_from<Q: Ord + ?Sized>(&self, first: &Q) -> impl Iterator<Item = &K>
    where
        K: Borrow<Q>,
    {
        self.entries.range((Bound::Included(first), Bound::Unbounded)).map(|(key, _)| key)
    }

    /// Returns the groups that have entries, with their keys.
    pub(super) fn groups(&self) -> impl Iterator<Item = (&G, &BTreeSet<K>)> {
        self.groups.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_table_makes_room_for_smaller_groups() {
        let mut table = Table::new(10);
        for number in 0..20 {
            let put = table.put("many", number, ());
            assert_eq!(matches!(put, Put::Refused), number >= 10, "{number}");
        }
        assert!(matches!(table.put("few", 100, ()), Put::InPlaceOf("many", 9, ())));
        assert!(matches!(table.put("many", 9, ()), Put::Refused), "it has its share");
        for number in 101..120 {
            table.put("few", number, ());
        }
        let shares = |table: &Table<&'static str, i32, ()>| {
            table.groups().map(|(group, keys)| (*group, keys.len())).collect::<Vec<_>>()
        };
        assert_eq!(shares(&table), [("few", 5), ("many", 5)], "no group takes more than its share");
        assert!(matches!(table.put("few", 100, ()), Put::Kept), "the entry is already there");
        assert_eq!(table.remove(&100), Some(()));
        assert!(matches!(table.put("many", 9, ()), Put::Kept), "there is room");
        assert_eq!((table.len(), shares(&table)), (10, vec![("few", 4), ("many", 6)]));
    }
}
