//! The states between two steps of the search: those that no other one makes needless.
//!
//! A state is the parities of the frontier, which of its vertices are connected by used edges, and what was
//! gained. Of two states with equal bits, A makes B needless (*dominates* it) if it has gained at least as
//! much, if vertices that are connected in B are so in A, and if every connected piece of A holds a vertex
//! used in B. For then whatever completes B to a connected trail completes A as well: it joins all pieces
//! of B, and with them all of A.
//!
//! States lie in the order in which they were found, so that going through them is the same on every machine.

use std::cmp::Reverse;

use crate::solver::{Budget, Stop};

/// States for which there is room at first.
const CAPACITY_FIRST: usize = 64;
/// The most states of a layer: their numbers share 32 bits with two others.
const CAPACITY_MAX: usize = 1 << 29;
/// States moved to a larger table between two looks at the budget.
const STATES_PER_CHECK: usize = 8192;
/// No state.
const NONE: u32 = u32::MAX;

/// A state without its labels.
#[derive(Debug, Clone, Copy)]
pub struct State {
    /// Parities and flag, as in [`moves`](super::moves).
    pub bits: u64,
    /// Edges used so far.
    pub gained: u32,
    /// Edges used in the end, at most.
    pub at_most: u32,
    /// The state before, times four, plus the use of the edge between them.
    pub origin: u32,
    /// The next state with the same bits.
    next: u32,
    /// It was dominated, or left out.
    dead: bool,
}

/// States of equally many labels.
pub struct States<'a> {
    budget: &'a Budget,
    width: usize,
    list: Vec<State>,
    /// For every state and place: 0 for a vertex that is not used, else the number of its piece, counted from
    /// 1 in the order of the places.
    labels: Vec<u8>,
    /// The last state with some bits, or [`NONE`]; linear probing, at most half full.
    table: Vec<u32>,
    capacity: usize,
}

impl<'a> States<'a> {
    /// None yet, for a frontier of `width` places; memory is charged to `budget`.
    pub fn new(width: usize, budget: &'a Budget) -> Self {
        Self { budget, width, list: Vec::new(), labels: Vec::new(), table: Vec::new(), capacity: 0 }
    }

    /// All states ever inserted, the dead ones too.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// A state, unless it is dead.
    pub fn get(&self, index: usize) -> Option<State> {
        Some(self.list[index]).filter(|state| !state.dead)
    }

    /// Its labels.
    pub fn labels(&self, index: usize) -> &[u8] {
        &self.labels[index * self.width..][..self.width]
    }

    /// The origins of all states.
    pub fn origins(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.list.iter().map(|state| state.origin)
    }

    /// Forgets all states, but keeps the room for them.
    pub fn clear(&mut self) {
        self.list.clear();
        self.labels.clear();
        self.table.fill(NONE);
    }

    /// Leaves out all but the `count` most promising states; the most edges that any trail through one of the
    /// others could have, or 0 where there are none.
    pub fn keep_best(&mut self, count: usize) -> u32 {
        let mut live: Vec<u32> =
            (0..self.len() as u32).filter(|&index| !self.list[index as usize].dead).collect();
        if live.len() <= count {
            return 0;
        }
        // Of equally promising ones those with fewer odd vertices and in fewer pieces: what these will cost is
        // not all in the bound.
        let rank = |&index: &u32| {
            let state = &self.list[index as usize];
            let pieces = self.labels(index as usize).iter().copied().max();
            (Reverse(state.at_most), state.bits.count_ones(), pieces, index)
        };
        live.select_nth_unstable_by_key(count, rank);
        let mut most = 0;
        for &index in &live[count..] {
            let state = &mut self.list[index as usize];
            state.dead = true;
            most = most.max(state.at_most);
        }
        most
    }

    /// Adds a state, unless another makes it needless.
    ///
    /// # Errors
    /// [`Stop::MemoryLimit`] when there is no room for it, or the limit that ended the making of room.
    pub fn insert(
        &mut self,
        bits: u64,
        labels: &[u8],
        gained: u32,
        at_most: u32,
        origin: u32,
    ) -> Result<(), Stop> {
        if self.len() == self.capacity {
            self.grow()?;
        }
        let slot = self.slot(bits);
        let mut before = NONE;
        let mut at = self.table[slot];
        while at != NONE {
            let other = self.list[at as usize];
            if other.gained >= gained && dominates(self.labels(at as usize), labels) {
                return Ok(());
            }
            if gained >= other.gained && dominates(labels, self.labels(at as usize)) {
                self.list[at as usize].dead = true;
                // The last one stays, so that the bits keep their slot; it is taken out with the next.
                if before != NONE {
                    self.list[before as usize].next = other.next;
                } else if other.next != NONE {
                    self.table[slot] = other.next;
                } else {
                    before = at;
                }
            } else {
                before = at;
            }
            at = other.next;
        }
        let index = self.len() as u32;
        let next = self.table[slot];
        self.list.push(State { bits, gained, at_most, origin, next, dead: false });
        self.labels.extend_from_slice(labels);
        self.table[slot] = index;
        Ok(())
    }

    /// Where the states with these bits are in the table, or would be.
    fn slot(&self, bits: u64) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.table[slot] != NONE && self.list[self.table[slot] as usize].bits != bits {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn bytes(&self, capacity: usize) -> u64 {
        (capacity * (size_of::<State>() + self.width + 2 * 4)) as u64
    }

    fn grow(&mut self) -> Result<(), Stop> {
        let capacity = (2 * self.capacity).max(CAPACITY_FIRST);
        if capacity > CAPACITY_MAX {
            return Err(Stop::MemoryLimit);
        }
        // Old and new live side by side while one is copied into the other.
        self.budget.charge(self.bytes(capacity))?;
        let more = capacity - self.len();
        self.list.reserve_exact(more);
        self.labels.reserve_exact(more * self.width);
        self.table = vec![NONE; 2 * capacity];
        self.budget.release(self.bytes(self.capacity));
        self.capacity = capacity;
        for index in 0..self.len() {
            if index % STATES_PER_CHECK == 0 {
                self.budget.check()?;
            }
            if !self.list[index].dead {
                let slot = self.slot(self.list[index].bits);
                self.list[index].next = self.table[slot];
                self.table[slot] = index as u32;
            }
        }
        Ok(())
    }
}

impl Drop for States<'_> {
    fn drop(&mut self) {
        self.budget.release(self.bytes(self.capacity));
    }
}

/// Whether the pieces `a` can take the place of the pieces `b`.
fn dominates(a: &[u8], b: &[u8]) -> bool {
    // For each piece of b the piece of a that its vertices are in.
    let mut inside = [u8::MAX; super::plan::WIDTH_MAX + 2];
    let (mut pieces, mut touched) = (0_u64, 0_u64);
    for (&piece, &other) in a.iter().zip(b) {
        pieces |= 1 << piece;
        if other == 0 {
            continue;
        }
        let known = &mut inside[usize::from(other)];
        if *known == u8::MAX {
            *known = piece;
            touched |= 1 << piece;
        } else if *known != piece || piece == 0 {
            return false;
        }
    }
    (pieces & !touched) >> 1 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_connected_pieces_dominate() {
        assert!(dominates(&[1, 1, 1], &[1, 2, 1]));
        assert!(!dominates(&[1, 2, 1], &[1, 1, 1]));
        // A vertex that is used in a alone, in a piece that b has too, and in one of its own.
        assert!(dominates(&[1, 1, 1], &[1, 0, 1]));
        assert!(!dominates(&[1, 2, 1], &[1, 0, 1]));
        // A vertex that is used in b alone: by itself, and joined to others.
        assert!(dominates(&[1, 0, 1], &[1, 2, 1]));
        assert!(!dominates(&[1, 0, 1], &[1, 1, 1]));
        assert!(!dominates(&[1, 0, 0], &[1, 2, 2]));
        assert!(dominates(&[0, 0], &[0, 0]) && !dominates(&[1, 0], &[0, 0]));
    }

    #[test]
    fn only_states_that_matter_are_kept() {
        let budget = Budget::unlimited();
        let mut states = States::new(3, &budget);
        let live = |states: &States<'_>| {
            (0..states.len())
                .filter_map(|index| states.get(index))
                .map(|state| state.gained)
                .collect::<Vec<_>>()
        };
        states.insert(5, &[1, 0, 2], 7, 20, 0).unwrap();
        states.insert(5, &[1, 0, 2], 6, 20, 1).unwrap();
        states.insert(4, &[1, 0, 2], 6, 21, 2).unwrap();
        assert_eq!(live(&states), [7, 6]);
        states.insert(5, &[1, 0, 1], 7, 19, 3).unwrap();
        states.insert(5, &[1, 0, 2], 8, 22, 4).unwrap();
        assert_eq!(live(&states), [6, 7, 8]);
        assert_eq!(states.keep_best(2), 19);
        assert_eq!(live(&states), [6, 8]);
        assert_eq!(states.keep_best(2), 0);
    }

    #[test]
    fn memory_is_charged_and_given_back() {
        let budget = Budget::new(None, None, 100_000, crate::solver::Cancel::default());
        let mut states = States::new(8, &budget);
        let stop = (0..).find_map(|bits| states.insert(bits, &[1; 8], 0, 0, 0).err());
        assert_eq!(stop, Some(Stop::MemoryLimit));
        assert!(states.len() >= 512, "{}", states.len());
        drop(states);
        assert_eq!(budget.memory_bytes_left(), 100_000);
    }
}
