//! The states between two steps of the search, without those that another state dominates.
//!
//! A state holds the parities of the frontier, the connections between its vertices by used edges, and the gain so far.
//! Of two states with equal bits, A *dominates* B if A has gained at least as much, if vertices connected in B are
//! connected in A, and if every component of A holds a vertex used in B. Then B can be dropped: the edges that complete
//! B to a connected trail join all components of B, and with them all components of A, so they complete A as well.
//!
//! States keep the order in which they were found, so the search runs identically on every machine.
//!
//! Proofs: docs/proofs/checkers.md, section 8.2.

use crate::solver::{Budget, ChargedTable, ChargedVec, Pace, Stop};

/// The most states between two steps. Their numbers share the 32 bits of [`State::origin`] with the use of an edge.
const STATES_MAX: usize = 1 << 29;

/// A state without its labels.
#[derive(Debug, Clone, Copy, Default)]
pub struct State {
    /// Parities and flag, as in [`plan`](super::plan).
    pub bits: u128,
    /// Edges used so far.
    pub gained: u32,
    /// The gain so far under the prices, scaled.
    pub priced: i64,
    /// An upper bound on the edges of a complete trail.
    pub at_most: u32,
    /// The index of the previous state, times four, plus the use of the edge between the two.
    pub origin: u32,
    /// Whether another state dominates this one.
    pub is_dead: bool,
}

/// The states between two steps. All have equally many labels.
pub struct States<'a> {
    width: usize,
    list: ChargedVec<'a, State>,
    /// For every state and place: 0 if the vertex is not used, else the number of its component. Components are
    /// numbered from 1 in the order of the places.
    labels: ChargedVec<'a, u8>,
    /// The indices of the states by their bits, which several states can share.
    table: ChargedTable<'a, u32>,
    pace: Pace<'a>,
}

impl<'a> States<'a> {
    /// Makes an empty list for a frontier of `width` places. Memory is charged to `budget`.
    pub fn new(width: usize, budget: &'a Budget) -> Self {
        Self {
            width,
            list: ChargedVec::new(budget),
            labels: ChargedVec::new(budget),
            table: ChargedTable::new(budget),
            pace: Pace::new(budget),
        }
    }

    /// Returns the number of inserted states, dead ones included.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns a state; `None` if it is dead.
    pub fn get(&self, index: usize) -> Option<State> {
        Some(self.list[index]).filter(|state| !state.is_dead)
    }

    /// Returns the labels of a state.
    pub fn labels(&self, index: usize) -> &[u8] {
        &self.labels[index * self.width..][..self.width]
    }

    /// Returns the origins of all states.
    pub fn origins(&self) -> Result<ChargedVec<'a, u32>, Stop> {
        let mut origins = ChargedVec::with_capacity(self.len(), self.pace.budget())?;
        for state in &self.list[..] {
            origins.push(state.origin)?;
        }
        Ok(origins)
    }

    /// Removes all states, but keeps their memory.
    pub fn clear(&mut self) {
        self.list.clear();
        self.labels.clear();
        self.table.clear();
    }

    /// Adds a state unless another one dominates it, and marks the states that it dominates as dead.
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

/// Hashes the bits: multiplies by the golden ratio and folds the halves of the product.
fn hash(bits: u128) -> u64 {
    let folded = (bits >> 64) as u64 ^ (bits as u64).rotate_left(17);
    let product = u128::from(folded) * 0x9e37_79b9_7f4a_7c15;
    (product >> 64) as u64 ^ product as u64
}

/// Returns whether components with the labels `a` dominate those with the labels `b`.
fn dominates(a: &[u8], b: &[u8]) -> bool {
    // For each component of b, the component of a that holds its vertices.
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
        // A vertex is used only in a: in a component that holds a vertex of b, or in a component without one.
        assert!(dominates(&[1, 1, 1], &[1, 0, 1]));
        assert!(!dominates(&[1, 2, 1], &[1, 0, 1]));
        assert!(!dominates(&[1, 2, 2], &[1, 0, 0]));
        // A vertex is used only in b: as a component of its own, or joined to others.
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
