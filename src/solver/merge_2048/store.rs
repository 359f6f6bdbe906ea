//! The positions of one pass, each stored once as bytes, in the order of their arrival.
//!
//! Records lie one behind the other in chunks: a byte with the length and the spent axes, then the key, filled
//! up to a multiple of four bytes, so that 32 bits address 16 GiB. Chunks never move, so nothing is held twice
//! while the store grows. A table with open addressing and linear probing finds keys; of each it has one byte
//! of the hash, which tells most others apart without a look at the key, and the address. Numbers, parents and
//! distances are not stored: a layer is a range of addresses. A position costs its key and ten bytes or so.

use super::charged::ChargedVec;
use super::expand::Axes;
use crate::solver::{Budget, Stop};

/// Bytes of a unit of addresses.
const UNIT_BYTES: usize = 4;
/// Units of a chunk; one key that is longer has a chunk of its own.
const CHUNK_UNITS_LOG2: u32 = 14;
const CHUNK_BYTES: usize = UNIT_BYTES << CHUNK_UNITS_LOG2;
/// The length that says that the true one follows in four bytes.
const LONG: usize = 63;
/// Keys put into a new table between two looks at the budget: some milliseconds.
const RECORDS_PER_CHECK: usize = 1 << 16;
/// Slots of the first table; always a power of two.
const SLOTS_MIN: usize = 256;

/// Where a record begins, in units: the chunk above, the place in it below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Address(u32);

/// Distinct keys with the axes that are spent.
pub(super) struct Store<'b> {
    chunks: Vec<Vec<u8>>,
    /// A byte of the hash of each key, 0 where a slot is free.
    tags: ChargedVec<'b, u8>,
    slots: ChargedVec<'b, u32>,
    count: usize,
    charged_bytes: u64,
    budget: &'b Budget,
}

/// A record as it is read.
pub(super) struct Record<'s> {
    /// The key.
    pub(super) key: &'s [u8],
    /// Axes along which to slide is of no use.
    pub(super) spent: Axes,
    bytes: usize,
}

impl<'b> Store<'b> {
    /// An empty store.
    pub(super) fn new(budget: &'b Budget) -> Self {
        Self {
            chunks: Vec::new(),
            tags: ChargedVec::new(budget),
            slots: ChargedVec::new(budget),
            count: 0,
            charged_bytes: 0,
            budget,
        }
    }

    /// How many keys there are.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Where the next record will be, or would be, were there room in its chunk.
    pub(super) fn end(&self) -> Address {
        let Some(last) = self.chunks.last() else { return Address(0) };
        address(self.chunks.len() - 1, last.len())
    }

    /// The record there, and the address behind it.
    pub(super) fn record(&self, at: Address) -> (Record<'_>, Address) {
        let (chunk, start) = self.place(at);
        let record = read(&self.chunks[chunk][start..]);
        let next = address(chunk, start + record.bytes);
        (record, next)
    }

    /// Stores `key` unless it is there: its address, and whether it is new. `spent` is noted in either case
    /// where the key is new or its address is not before `since`.
    ///
    /// # Errors
    /// [`Stop::MemoryLimit`] when it is new and there is no memory left for it.
    pub(super) fn insert(
        &mut self,
        key: &[u8],
        spent: Axes,
        since: Address,
    ) -> Result<(Address, bool), Stop> {
        if (self.count + 1) * 5 > self.slots.len() * 4 {
            self.grow()?;
        }
        let hash = hash(key);
        let tag = tag(hash);
        let slot = match self.find(hash, key) {
            Ok(at) => {
                if at >= since && spent != Axes::default() {
                    let (chunk, start) = self.place(at);
                    self.chunks[chunk][start] |= spent.0 << 6;
                }
                return Ok((at, false));
            }
            Err(slot) => slot,
        };
        let at = self.append(key, spent)?;
        self.tags.as_mut_slice()[slot] = tag;
        self.slots.as_mut_slice()[slot] = at.0;
        self.count += 1;
        Ok((at, true))
    }

    /// The chunk with the record, and the byte where it begins.
    fn place(&self, at: Address) -> (usize, usize) {
        let chunk = (at.0 >> CHUNK_UNITS_LOG2) as usize;
        let start = (at.0 % (1 << CHUNK_UNITS_LOG2)) as usize * UNIT_BYTES;
        // A record for which a chunk had no room begins the next one.
        if start == self.chunks[chunk].len() { (chunk + 1, 0) } else { (chunk, start) }
    }

    fn append(&mut self, key: &[u8], spent: Axes) -> Result<Address, Stop> {
        let long = key.len() >= LONG;
        let bytes = (key.len() + if long { 5 } else { 1 }).next_multiple_of(UNIT_BYTES);
        let room = self.chunks.last().is_some_and(|last| last.len() + bytes <= CHUNK_BYTES);
        if !room {
            if self.chunks.len() >> (u32::BITS - CHUNK_UNITS_LOG2) != 0 {
                return Err(Stop::MemoryLimit);
            }
            let capacity = CHUNK_BYTES.max(bytes);
            self.budget.charge(capacity as u64)?;
            self.charged_bytes += capacity as u64;
            self.chunks.push(Vec::with_capacity(capacity));
        }
        let chunk = self.chunks.len() - 1;
        let out = &mut self.chunks[chunk];
        let at = address(chunk, out.len());
        let end = out.len() + bytes;
        out.push(spent.0 << 6 | key.len().min(LONG) as u8);
        if long {
            out.extend((key.len() as u32).to_le_bytes());
        }
        out.extend(key);
        out.resize(end, 0);
        Ok(at)
    }

    /// The address of `key`, or the free slot where it belongs.
    fn find(&self, hash: u64, key: &[u8]) -> Result<Address, usize> {
        let (tags, tag) = (self.tags.as_slice(), tag(hash));
        let mut slot = hash as usize & (tags.len() - 1);
        loop {
            if tags[slot] == 0 {
                return Err(slot);
            }
            if tags[slot] == tag {
                let at = Address(self.slots.as_slice()[slot]);
                if self.record(at).0.key == key {
                    return Ok(at);
                }
            }
            slot = (slot + 1) & (tags.len() - 1);
        }
    }

    /// Makes the table twice as large; the old one is gone by then, as the records tell all.
    ///
    /// # Errors
    /// The limit that was hit, which leaves a table that lacks keys.
    fn grow(&mut self) -> Result<(), Stop> {
        let count = (self.slots.len() * 2).max(SLOTS_MIN);
        self.tags = ChargedVec::new(self.budget);
        self.slots = ChargedVec::new(self.budget);
        self.tags.resize(count, 0)?;
        self.slots.resize(count, 0)?;
        let mut at = Address(0);
        for number in 0..self.count {
            if number % RECORDS_PER_CHECK == 0 {
                self.budget.check()?;
            }
            let (record, next) = self.record(at);
            let hash = hash(record.key);
            let mut slot = hash as usize & (count - 1);
            while self.tags.as_slice()[slot] != 0 {
                slot = (slot + 1) & (count - 1);
            }
            self.tags.as_mut_slice()[slot] = tag(hash);
            self.slots.as_mut_slice()[slot] = at.0;
            at = next;
        }
        Ok(())
    }
}

impl Drop for Store<'_> {
    fn drop(&mut self) {
        self.budget.release(self.charged_bytes);
    }
}

/// Behind a key with a chunk of its own comes the next chunk.
fn address(chunk: usize, bytes: usize) -> Address {
    Address((chunk << CHUNK_UNITS_LOG2) as u32 + (bytes.min(CHUNK_BYTES) / UNIT_BYTES) as u32)
}

fn read(bytes: &[u8]) -> Record<'_> {
    let short = usize::from(bytes[0]) & LONG;
    let (start, length) = if short < LONG {
        (1, short)
    } else {
        (5, u32::from_le_bytes([bytes[1], bytes[2], bytes[3], bytes[4]]) as usize)
    };
    Record {
        key: &bytes[start..start + length],
        spent: Axes(bytes[0] >> 6),
        bytes: (start + length).next_multiple_of(UNIT_BYTES),
    }
}

fn tag(hash: u64) -> u8 {
    (hash >> 57) as u8 | 0x80
}

/// A quick hash: eight bytes at a time are multiplied to 128 bits, whose halves are then mixed.
pub(super) fn hash(key: &[u8]) -> u64 {
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
        for step in 0_u32..9000 {
            let length = if step % 1000 == 0 { 70_000 + step } else { step % 90 };
            let key: Vec<u8> =
                (0..length).map(|index| ((step * step / 7) >> (index % 11)) as u8 & 3).collect();
            let fresh = !map.contains_key(&key);
            let (at, new) = store.insert(&key, Axes::default(), Address(0)).unwrap();
            assert_eq!(new, fresh);
            assert_eq!(*map.entry(key.clone()).or_insert(at), at);
            assert_eq!(store.record(at).0.key, key);
            if fresh {
                order.push(key);
            }
        }
        let mut at = Address(0);
        for key in &order {
            let (record, next) = store.record(at);
            assert!(record.key == key && record.spent == Axes::default());
            at = next;
        }
        assert_eq!((at, store.len()), (store.end(), order.len()));
    }

    #[test]
    fn spent_axes_are_noted_for_keys_of_the_layer_only() {
        let budget = Budget::unlimited();
        let mut store = Store::new(&budget);
        let (old, _) = store.insert(b"old", Axes::default(), Address(0)).unwrap();
        let since = store.end();
        let (young, _) = store.insert(b"young", Axes::one(0), since).unwrap();
        store.insert(b"old", Axes::one(1), since).unwrap();
        store.insert(b"young", Axes::one(1), since).unwrap();
        assert_eq!((store.record(old).0.spent, store.record(young).0.spent), (Axes(0), Axes(3)));
    }

    #[test]
    fn memory_is_given_back() {
        let budget = Budget::new(None, None, 200_000, crate::solver::Cancel::default());
        {
            let mut store = Store::new(&budget);
            let stored = (0_u32..100_000)
                .take_while(|step| store.insert(&step.to_le_bytes(), Axes::default(), Address(0)).is_ok())
                .count();
            assert!((5000..40_000).contains(&stored), "{stored}");
        }
        assert_eq!(budget.memory_bytes_left(), 200_000);
    }
}
