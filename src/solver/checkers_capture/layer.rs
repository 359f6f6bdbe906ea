//! The states between two steps of the frontier search: a hash table that keeps the best of equal states.
//!
//! States lie one after the other in the order in which they were first found, so that going through them
//! is the same on every machine; the table behind them holds their numbers only.

use crate::solver::{Budget, Stop};

/// States for which there is room at first.
const CAPACITY_FIRST: usize = 64;
/// The most states of a layer: their numbers share 32 bits with a flag, and the table's with "none".
const CAPACITY_MAX: usize = 1 << 30;

/// States moved to a larger table between two looks at the budget.
const STATES_PER_CHECK: usize = 8192;

/// Distinct states of equally many words, each with the most edges known for it.
pub struct Layer<'a> {
    budget: &'a Budget,
    words: usize,
    keys: Vec<u16>,
    edges: Vec<u32>,
    /// The state before, times two, plus whether the edge was taken.
    origins: Vec<u32>,
    /// Number of a state plus one, or 0; linear probing, at most half full.
    table: Vec<u32>,
    capacity: usize,
}

impl<'a> Layer<'a> {
    /// An empty layer of states of `words` words, which charges its memory to `budget`.
    pub fn new(words: usize, budget: &'a Budget) -> Self {
        Self {
            budget,
            words,
            keys: Vec::new(),
            edges: Vec::new(),
            origins: Vec::new(),
            table: Vec::new(),
            capacity: 0,
        }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// A state and its edges.
    pub fn get(&self, index: usize) -> (&[u16], u32) {
        (&self.keys[index * self.words..][..self.words], self.edges[index])
    }

    /// Forgets all states, but keeps the room for them.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.edges.clear();
        self.origins.clear();
        self.table.fill(0);
    }

    /// Adds a state, or improves it where it is there already with fewer edges.
    ///
    /// # Errors
    /// [`Stop::MemoryLimit`] when there is no room for it, or the limit that ended the making of room.
    pub fn insert(&mut self, key: &[u16], edges: u32, origin: u32) -> Result<(), Stop> {
        if self.len() == self.capacity {
            self.grow()?;
        }
        let slot = self.slot(key);
        if self.table[slot] != 0 {
            let index = self.table[slot] as usize - 1;
            if self.edges[index] < edges {
                (self.edges[index], self.origins[index]) = (edges, origin);
            }
            return Ok(());
        }
        self.keys.extend_from_slice(key);
        self.edges.push(edges);
        self.origins.push(origin);
        self.table[slot] = self.len() as u32;
        Ok(())
    }

    /// Where `key` is in the table, or would be.
    fn slot(&self, key: &[u16]) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = hash(key) as usize & mask;
        while self.table[slot] != 0 && self.get(self.table[slot] as usize - 1).0 != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn bytes(&self, capacity: usize) -> u64 {
        capacity as u64 * (2 * self.words as u64 + 4 + 4 + 2 * 4)
    }

    fn grow(&mut self) -> Result<(), Stop> {
        let capacity = (2 * self.capacity).max(CAPACITY_FIRST);
        if capacity > CAPACITY_MAX {
            return Err(Stop::MemoryLimit);
        }
        // Old and new live side by side while one is copied into the other.
        self.budget.charge(self.bytes(capacity))?;
        let more = capacity - self.len();
        self.keys.reserve_exact(more * self.words);
        self.edges.reserve_exact(more);
        self.origins.reserve_exact(more);
        self.table = vec![0; 2 * capacity];
        self.budget.release(self.bytes(self.capacity));
        self.capacity = capacity;
        for index in 0..self.len() {
            if index % STATES_PER_CHECK == 0 {
                self.budget.check()?;
            }
            let slot = self.slot(self.get(index).0);
            self.table[slot] = index as u32 + 1;
        }
        Ok(())
    }
}

impl Drop for Layer<'_> {
    fn drop(&mut self) {
        self.budget.release(self.bytes(self.capacity));
    }
}

/// The origins of all layers so far, by which the best way to a state is found again.
pub struct Origins<'a> {
    budget: &'a Budget,
    layers: Vec<Box<[u32]>>,
    bytes: u64,
}

impl<'a> Origins<'a> {
    /// No layer yet.
    pub fn new(budget: &'a Budget) -> Self {
        Self { budget, layers: Vec::new(), bytes: 0 }
    }

    /// Keeps the origins of the states behind the next step.
    ///
    /// # Errors
    /// [`Stop::MemoryLimit`] when there is no room for them.
    pub fn push(&mut self, layer: &Layer<'_>) -> Result<(), Stop> {
        let bytes = 4 * layer.len() as u64 + 32;
        self.budget.charge(bytes)?;
        self.bytes += bytes;
        self.layers.push(layer.origins.as_slice().into());
        Ok(())
    }

    /// The state before `step` that led to `state` behind it, and whether the edge was taken.
    pub fn get(&self, step: usize, state: u32) -> (u32, bool) {
        let origin = self.layers[step][state as usize];
        (origin >> 1, origin & 1 == 1)
    }
}

impl Drop for Origins<'_> {
    fn drop(&mut self) {
        self.budget.release(self.bytes);
    }
}

/// Multiply and rotate over the words; the last mixing brings the high bits down to the table's.
fn hash(key: &[u16]) -> u64 {
    let mixed = key.iter().fold(0_u64, |hash, &word| {
        (hash.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x517c_c1b7_2722_0a95)
    });
    mixed ^ (mixed >> 32)
}
