//! The states between two steps of the search: those that no other one makes needless.
//!
//! A state is the parities of the frontier, which of its vertices are connected by used edges, and what was
//! gained. Of two states with equal bits, A makes B needless (*dominates* it) if it has gained at least as
//! much, if vertices that are connected in B are so in A, and if every component of A holds a vertex
//! used in B. For then whatever completes B to a connected trail completes A as well: it joins all components
//! of B, and with them all of A.
//!
//! States lie in the order in which they were found, so that going through them is the same on every machine.
//!
//! Proofs: docs/proofs/checkers.md, section 8.2.

use std::cmp::Reverse;

use crate::solver::{Budget, ChargedTable, ChargedVec, Pace, Stop};

/// The most states of a layer: their numbers share 32 bits with two others.
const STATES_MAX: usize = 1 << 29;

/// A state without its labels.
#[derive(Debug, Clone, Copy, Default)]
pub struct State {
    /// Parities and flag, as in [`plan`](super::plan).
    pub bits: u128,
    /// Edges used so far.
    pub gained: u32,
    /// What they are worth under the prices, scaled.
    pub priced: i64,
    /// Edges used in the end, at most.
    pub at_most: u32,
    /// The state before, times four, plus the use of the edge between them.
    pub origin: u32,
    /// It was dominated, or left out.
    pub is_dead: bool,
}

/// States of equally many labels.
pub struct States<'a> {
    width: usize,
    list: ChargedVec<'a, State>,
    /// For every state and place: 0 for a vertex that is not used, else the number of its component, counted from
    /// 1 in the order of the places.
    labels: ChargedVec<'a, u8>,
    /// The states by their bits, several with the same ones.
    table: ChargedTable<'a, u32>,
    /// Room for [`keep_best`](Self::keep_best).
    live: ChargedVec<'a, u32>,
    pace: Pace<'a>,
}

impl<'a> States<'a> {
    /// None yet, for a frontier of `width` places; memory is charged to `budget`.
    pub fn new(width: usize, budget: &'a Budget) -> Self {
        Self {
            width,
            list: ChargedVec::new(budget),
            labels: ChargedVec::new(budget),
            table: ChargedTable::new(budget),
            live: ChargedVec::new(budget),
            pace: Pace::new(budget),
        }
    }

    /// All states ever inserted, the dead ones too.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// A state, unless it is dead.
    pub fn get(&self, index: usize) -> Option<State> {
        Some(self.list[index]).filter(|state| !state.is_dead)
    }

    /// Its labels.
    pub fn labels(&self, index: usize) -> &[u8] {
        &self.labels[index * self.width..][..self.width]
    }

    /// Returns the origins of all states.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn origins(&self) -> Result<ChargedVec<'a, u32>, Stop> {
        let mut origins = ChargedVec::with_capacity(self.len(), self.pace.budget())?;
        for state in &self.list[..] {
            origins.push(state.origin)?;
        }
        Ok(origins)
    }

    /// Forgets all states, but keeps the room for them.
    pub fn clear(&mut self) {
        self.list.clear();
        self.labels.clear();
        self.table.clear();
    }

    /// Leaves out all but the `count` most promising states; the most edges that any trail through one of the
    /// others could have, or 0 if there are none.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn keep_best(&mut self, count: usize) -> Result<u32, Stop> {
        if self.len() <= count {
            return Ok(0);
        }
        let mut live = std::mem::replace(&mut self.live, ChargedVec::new(self.pace.budget()));
        live.clear();
        live.reserve(self.len())?;
        for (index, _) in self.list.iter().enumerate().filter(|(_, state)| !state.is_dead) {
            live.push(index as u32)?;
        }
        if live.len() <= count {
            self.live = live;
            return Ok(0);
        }
        // Of equally promising ones those with fewer odd vertices and fewer components: what these will cost is
        // not all in the bound.
        let rank = |&index: &u32| {
            let state = &self.list[index as usize];
            let components = self.labels(index as usize).iter().copied().max();
            (Reverse(state.at_most), state.bits.count_ones(), components, index)
        };
        live.select_nth_unstable_by_key(count, rank);
        let mut most = 0;
        for &index in &live[count..] {
            let state = &mut self.list[index as usize];
            state.is_dead = true;
            most = most.max(state.at_most);
        }
        self.live = live;
        Ok(most)
    }

    /// Adds a state, unless another makes it needless.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn insert(&mut self, state: State, labels: &[u8]) -> Result<(), Stop> {
        if self.len() == STATES_MAX {
            return Err(Stop::MemoryLimit);
        }
        let Self { table, list, pace, .. } = self;
        let live = || list.iter().enumerate().filter(|(_, state)| !state.is_dead);
        table.make_room(|| live().map(|(index, state)| (hash(state.bits), index as u32)), 1, pace)?;
        for &at in self.table.with_hash(hash(state.bits)) {
            let other = self.list[at as usize];
            if other.bits != state.bits || other.is_dead {
                continue;
            }
            if other.gained >= state.gained && dominates(self.labels(at as usize), labels) {
                return Ok(());
            }
            if state.gained >= other.gained && dominates(labels, self.labels(at as usize)) {
                self.list[at as usize].is_dead = true;
            }
        }
        let index = self.len() as u32;
        self.list.push(state)?;
        self.labels.extend_from_slice(labels)?;
        self.table.insert(hash(state.bits), index);
        Ok(())
    }
}

/// Mixes the bits: a product with the golden ratio, its halves folded.
fn hash(bits: u128) -> u64 {
    let folded = (bits >> 64) as u64 ^ (bits as u64).rotate_left(17);
    let product = u128::from(folded) * 0x9e37_79b9_7f4a_7c15;
    (product >> 64) as u64 ^ product as u64
}

/// Returns whether the components `a` can take the place of the components `b`.
fn dominates(a: &[u8], b: &[u8]) -> bool {
    // For each component of b the component of a that its vertices are in.
    let mut inside = [u8::MAX; super::plan::WIDTH_MAX + 2];
    let (mut components, mut touched) = (0_u128, 0_u128);
    for (&component, &other) in a.iter().zip(b) {
        components |= 1 << component;
        if other == 0 {
            continue;
        }
        let known = &mut inside[usize::from(other)];
        if *known == u8::MAX {
            *known = component;
            touched |= 1 << component;
        } else if *known != component || component == 0 {
            return false;
        }
    }
    (components & !touched) >> 1 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(bits: u128, gained: u32, at_most: u32) -> State {
        State { bits, gained, at_most, ..State::default() }
    }

    #[test]
    fn more_connected_components_dominate() {
        assert!(dominates(&[1, 1, 1], &[1, 2, 1]));
        assert!(!dominates(&[1, 2, 1], &[1, 1, 1]));
        // A vertex that is used in a alone, in a component that b has too, and in one of its own.
        assert!(dominates(&[1, 1, 1], &[1, 0, 1]));
        assert!(!dominates(&[1, 2, 1], &[1, 0, 1]));
        assert!(!dominates(&[1, 2, 2], &[1, 0, 0]));
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
        states.insert(state(5, 7, 20), &[1, 0, 2]).unwrap();
        states.insert(state(5, 6, 20), &[1, 0, 2]).unwrap();
        states.insert(state(4, 6, 21), &[1, 0, 2]).unwrap();
        assert_eq!(live(&states), [7, 6]);
        states.insert(state(5, 7, 19), &[1, 0, 1]).unwrap();
        states.insert(state(5, 8, 22), &[1, 0, 2]).unwrap();
        assert_eq!(live(&states), [6, 7, 8]);
        assert_eq!(states.keep_best(2), Ok(19));
        assert_eq!(live(&states), [6, 8]);
        assert_eq!(states.keep_best(2), Ok(0));
    }

    #[test]
    fn what_the_best_are_chosen_from_is_charged() {
        const COUNT: u64 = 4096;
        let budget = Budget::unlimited();
        let mut states = States::new(8, &budget);
        for bits in 0..u128::from(COUNT) {
            states.insert(state(bits, 0, bits as u32), &[1; 8]).unwrap();
        }
        let before = budget.memory_bytes_left();
        assert_eq!(states.keep_best(16), Ok(COUNT as u32 - 17));
        assert!(before - budget.memory_bytes_left() >= 4 * COUNT);
        drop(states);
    }

    #[test]
    fn memory_is_charged_and_given_back() {
        let budget = Budget::new(None, None, 100_000, crate::solver::Cancel::default());
        let mut states = States::new(8, &budget);
        let stop = (0..).find_map(|bits| states.insert(state(bits, 0, 0), &[1; 8]).err());
        assert_eq!(stop, Some(Stop::MemoryLimit));
        assert!(states.len() >= 512, "{}", states.len());
        drop(states);
        assert_eq!(budget.memory_bytes_left(), 100_000);
    }
}
