//! The positions of one pass, each stored once, in the order in which they are found.
//!
//! [`Records`] holds the keys one after the other, so a layer is a range of addresses. A hash table of addresses finds
//! them ([`Store`]). A record is a word with the length of the key and the spent axes, a word with the parent, and the
//! key, padded to a multiple of four bytes, so that 32 bits address 16 GiB. Records lie in chunks that never move, so
//! nothing is held twice while they grow.

use crate::solver::merge_2048::position::Axes;
use crate::solver::{Budget, Charge, ChargedTable, Pace, Stop};

/// Distinct positions.
pub struct Store<'b> {
    records: Records<'b>,
    table: ChargedTable<'b, Address>,
    pace: Pace<'b>,
}

impl<'b> Store<'b> {
    /// Creates an empty store.
    pub fn new(budget: &'b Budget) -> Self {
        Self { records: Records::new(budget), table: ChargedTable::new(budget), pace: Pace::new(budget) }
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Returns the positions in the order in which they were found.
    pub fn records(&self) -> &Records<'b> {
        &self.records
    }

    /// Stores a position unless it is known. Returns its address and whether it is new. For a known position, `spent`
    /// is recorded only if its address is not before `since`.
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

/// Hashes quickly: multiplies eight bytes at a time to 128 bits and mixes the halves.
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

/// Bytes per unit of an address.
const UNIT_BYTES: usize = 4;
/// Binary logarithm of the units per chunk. A longer record has a chunk of its own.
const CHUNK_UNITS_LOG2: u32 = 14;
const CHUNK_BYTES: usize = UNIT_BYTES << CHUNK_UNITS_LOG2;
/// Chunks that 32-bit addresses reach, minus one: the end of a full last chunk needs an address, too.
const CHUNKS_MAX: usize = (1 << 18) - 1;
const _: () = assert!(CHUNKS_MAX + 1 == 1 << (u32::BITS - CHUNK_UNITS_LOG2));
/// Bytes of a record before its key.
const HEAD_BYTES: usize = 8;
/// The parent word of a record without a parent. It lies in the chunk that [`CHUNKS_MAX`] excludes, so no record begins
/// there.
const NO_PARENT: u32 = u32::MAX;

/// Where a record begins, in units: the high bits are the chunk, the low bits the offset in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Address(u32);

/// All records, in chunks.
pub struct Records<'b> {
    chunks: Vec<Vec<u8>>,
    memory: Charge<'b>,
}

/// A record, as read from its chunk.
pub struct Record<'r> {
    pub key: &'r [u8],
    /// Axes along which a slide is useless.
    pub spent: Axes,
    /// The position from which a slide led here; `None` if that was the first position of the search.
    pub parent: Option<Address>,
}

impl<'b> Records<'b> {
    /// Creates an empty list.
    pub fn new(budget: &'b Budget) -> Self {
        Self { chunks: Vec::new(), memory: Charge::none(budget) }
    }

    /// Returns the address after the last record. The next record begins there, or in a new chunk if the last one has
    /// no room for it.
    pub fn end(&self) -> Address {
        let Some(last) = self.chunks.last() else { return Address(0) };
        address(self.chunks.len() - 1, last.len())
    }

    /// Returns the record at `at`.
    pub fn get(&self, at: Address) -> Record<'_> {
        self.get_with_next(at).0
    }

    /// Returns the record at `at` and the address after it.
    pub fn get_with_next(&self, at: Address) -> (Record<'_>, Address) {
        let (chunk, start) = self.place(at);
        let bytes = &self.chunks[chunk][start..];
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let (head, parent) = (word(0), word(UNIT_BYTES));
        let end = HEAD_BYTES + (head >> 2) as usize;
        let record = Record {
            key: &bytes[HEAD_BYTES..end],
            spent: Axes(head as u8 & 3),
            parent: (parent != NO_PARENT).then_some(Address(parent)),
        };
        (record, address(chunk, start + end.next_multiple_of(UNIT_BYTES)))
    }

    /// Iterates over all records and their addresses.
    pub fn iter(&self) -> impl Iterator<Item = (Address, Record<'_>)> {
        let mut next = Address::default();
        std::iter::from_fn(move || {
            let at = next;
            let (record, behind) = (at < self.end()).then(|| self.get_with_next(at))?;
            next = behind;
            Some((at, record))
        })
    }

    /// Adds `spent` to the useless axes of the record at `at`.
    pub fn add_spent(&mut self, at: Address, spent: Axes) {
        let (chunk, start) = self.place(at);
        self.chunks[chunk][start] |= spent.0;
    }

    /// Appends a record.
    pub fn push(&mut self, key: &[u8], spent: Axes, parent: Option<Address>) -> Result<Address, Stop> {
        let bytes = (HEAD_BYTES + key.len()).next_multiple_of(UNIT_BYTES);
        let room = self.chunks.last().is_some_and(|last| last.len() + bytes <= CHUNK_BYTES);
        if !room {
            if self.chunks.len() == CHUNKS_MAX {
                return Err(Stop::MemoryLimit);
            }
            let capacity = CHUNK_BYTES.max(bytes);
            self.memory.grow(capacity as u64)?;
            self.chunks.push(Vec::with_capacity(capacity));
        }
        let chunk = self.chunks.len() - 1;
        let out = &mut self.chunks[chunk];
        let at = address(chunk, out.len());
        let end = out.len() + bytes;
        out.extend(((key.len() as u32) << 2 | u32::from(spent.0)).to_le_bytes());
        out.extend(parent.map_or(NO_PARENT, |parent| parent.0).to_le_bytes());
        out.extend(key);
        out.resize(end, 0);
        Ok(at)
    }

    /// Returns the chunk with the record, and the byte at which it begins.
    fn place(&self, at: Address) -> (usize, usize) {
        let chunk = (at.0 >> CHUNK_UNITS_LOG2) as usize;
        let start = (at.0 % (1 << CHUNK_UNITS_LOG2)) as usize * UNIT_BYTES;
        // If the chunk had no room for the record, it begins the next chunk.
        if start == self.chunks[chunk].len() { (chunk + 1, 0) } else { (chunk, start) }
    }
}

/// Returns the address of a byte. After a record with a chunk of its own comes the next chunk.
fn address(chunk: usize, bytes: usize) -> Address {
    Address((chunk << CHUNK_UNITS_LOG2) as u32 + (bytes.min(CHUNK_BYTES) / UNIT_BYTES) as u32)
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

    /// A search ends at the address after the last record, so that must never equal the address of the first.
    #[test]
    fn all_addresses_are_in_order() {
        let mut ends: Vec<Address> = Vec::new();
        for chunk in [0, 1, CHUNKS_MAX - 2, CHUNKS_MAX - 1] {
            for bytes in [0, UNIT_BYTES, CHUNK_BYTES - UNIT_BYTES] {
                ends.push(address(chunk, bytes));
            }
        }
        ends.push(address(CHUNKS_MAX - 1, CHUNK_BYTES));
        assert!(ends.windows(2).all(|pair| pair[0] < pair[1]), "{ends:?}");
        // A long record fills the rest of its chunk.
        assert_eq!(address(CHUNKS_MAX - 1, 5 * CHUNK_BYTES), address(CHUNKS_MAX - 1, CHUNK_BYTES));
        assert_eq!(address(6, CHUNK_BYTES), address(7, 0));
    }
}
