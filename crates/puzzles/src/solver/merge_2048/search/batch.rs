//! Many positions at once: what is found from each by itself is found by all threads that are idle, and then told in order.
//!
//! So whatever is made of it is the same as if one position had been handled after the other.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::store::{Address, Records};
use crate::solver::merge_2048::position::{Axes, Expand};
use crate::solver::{Budget, Stop};

/// Parents that are handled by one thread in a row.
const PARENTS_A_SHEET: usize = 16;
/// Threads that help at most; what is left to one thread takes longer than the rest by then.
const HELPERS_MAX: usize = 15;

/// What was made of some parents, in their order.
pub struct Sheet<T> {
    /// How many parents were handled; fewer than there are if one of them is to be handled in order.
    parents: usize,
    children: Vec<Child<T>>,
    keys: Vec<u8>,
}

/// A position that was made.
struct Child<T> {
    /// The number of its parent in the sheet.
    parent: usize,
    /// Where its key ends.
    key_end: usize,
    spent: Axes,
    what: T,
}

impl<T> Sheet<T> {
    /// Notes a position that was made of the current parent.
    pub fn push(&mut self, key: &[u8], spent: Axes, what: T) {
        self.keys.extend(key);
        self.children.push(Child { parent: self.parents, key_end: self.keys.len(), spent, what });
    }

    /// Returns how many of its parents were handled.
    pub fn parents(&self) -> usize {
        self.parents
    }

    /// Returns the positions made: the number of the parent in the sheet, the key, the spent axes, and what was noted.
    pub fn children(&self) -> impl Iterator<Item = (usize, &[u8], Axes, &T)> {
        let mut start = 0;
        self.children.iter().map(move |child| {
            let key = &self.keys[start..child.key_end];
            start = child.key_end;
            (child.parent, key, child.spent, &child.what)
        })
    }
}

/// Returns the parents of each sheet.
pub fn sheets(parents: &[Address]) -> impl Iterator<Item = &[Address]> {
    parents.chunks(PARENTS_A_SHEET)
}

/// Has `visit` note what is made of each of `parents`, which the expander that it gets holds; it says whether the parent was
/// handled. A sheet ends before one that was not, and so may all behind it: those are missing. `None` if no thread is idle, or
/// positions cannot be made by several at a time.
///
/// # Errors
/// The limit that was hit.
pub fn make<E: Expand + Sync, T: Send + Sync>(
    expander: &E,
    records: &Records<'_>,
    budget: &Budget,
    parents: &[Address],
    visit: impl Fn(&mut E, &mut Sheet<T>) -> Result<bool, Stop> + Sync,
) -> Result<Option<Vec<OnceLock<Sheet<T>>>>, Stop> {
    if !budget.has_help() || expander.another().is_none() {
        return Ok(None);
    }
    let made: Vec<OnceLock<Sheet<T>>> = sheets(parents).map(|_| OnceLock::new()).collect();
    let (next, ended, stopped) = (AtomicUsize::new(0), AtomicBool::new(false), Mutex::new(None));
    let fill = |expander: &mut E, parents: &[Address]| {
        let mut sheet = Sheet { parents: 0, children: Vec::new(), keys: Vec::new() };
        for &at in parents {
            let record = records.get(at);
            expander.set_parent(record.key, record.spent)?;
            let (children, keys) = (sheet.children.len(), sheet.keys.len());
            if !visit(expander, &mut sheet)? {
                sheet.children.truncate(children);
                sheet.keys.truncate(keys);
                ended.store(true, Ordering::Relaxed);
                break;
            }
            sheet.parents += 1;
        }
        Ok(sheet)
    };
    let work = || {
        let Some(mut expander) = expander.another() else { return };
        while !ended.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let (Some(parents), Some(place)) = (sheets(parents).nth(index), made.get(index)) else { return };
            match fill(&mut expander, parents) {
                Ok(sheet) => drop(place.set(sheet)),
                Err(stop) => {
                    ended.store(true, Ordering::Relaxed);
                    stopped.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(stop);
                }
            }
        }
    };
    budget.share(HELPERS_MAX.min(made.len().saturating_sub(1)), work);
    let stopped = stopped.into_inner().unwrap_or_else(PoisonError::into_inner);
    stopped.map_or(Ok(Some(made)), Err)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::board::sliding::{Direction, SlidingBoard};
    use crate::solver::Threads;
    use crate::solver::merge_2048::position::ExpandLanes;

    /// The keys of what the slides of the parent give.
    fn children_of<E: Expand>(expander: &mut E) -> Result<Vec<Vec<u8>>, Stop> {
        let mut children = Vec::new();
        for direction in Direction::ALL {
            if expander.slide(direction)?.is_some() {
                children.push(expander.child_key()?.0.to_vec());
            }
        }
        Ok(children)
    }

    /// A sheet holds what its parents give one after the other, up to the first that is to be handled in order. Where none is,
    /// all sheets are there.
    #[test]
    fn sheets_hold_what_their_parents_give() {
        let board = SlidingBoard::new(4, vec![1, 2, 1, 3, 3, 1, 0, 2, 0, 1, 3, 1, 2, 0, 1, 4]);
        let alone = Budget::unlimited();
        let mut expander = ExpandLanes::<u64>::new(&board, 6, &alone).unwrap();
        let (mut records, mut parents) = (Records::new(&alone), Vec::new());
        expander.begin().unwrap();
        let (mut at, mut new) = (Address::default(), children_of(&mut expander).unwrap());
        while parents.len() < 100 {
            for key in new {
                parents.push(records.push(&key, Axes::default(), None).unwrap());
            }
            let (record, next) = records.get_with_next(at);
            expander.set_parent(record.key, record.spent).unwrap();
            new = children_of(&mut expander).unwrap();
            at = next;
        }
        for left_part in [0, 9] {
            let is_handled = |children: &[Vec<u8>]| {
                let sum: u64 = children.iter().flatten().map(|&byte| u64::from(byte)).sum();
                left_part == 0 || !sum.is_multiple_of(left_part)
            };
            let visit = |expander: &mut ExpandLanes<'_, u64>, sheet: &mut Sheet<u8>| {
                let children = children_of(expander)?;
                for key in &children {
                    sheet.push(key, Axes::one(1), key[0]);
                }
                Ok(is_handled(&children))
            };
            // Where helpers were late, they are not asked for a while.
            let helped = Budget::unlimited().helped_by(&Arc::new(Threads::new(3)));
            assert!(make(&expander, &records, &alone, &parents, visit).unwrap().is_none());
            let made = make(&expander, &records, &helped, &parents, visit).unwrap().unwrap();
            assert_eq!(made.len(), sheets(&parents).count());
            let (mut whole, mut begun) = (0, 0);
            for (sheet, parents) in made.iter().zip(sheets(&parents)) {
                let Some(sheet) = sheet.get() else { continue };
                let mut expected = Vec::new();
                for &parent in parents {
                    let record = records.get(parent);
                    expander.set_parent(record.key, record.spent).unwrap();
                    expected.push(children_of(&mut expander).unwrap());
                }
                let handled = expected.iter().take_while(|children| is_handled(children)).count();
                assert_eq!(sheet.parents(), handled);
                let found: Vec<_> = sheet.children().collect();
                let children = expected[..handled].iter().enumerate();
                let expected: Vec<_> = children
                    .flat_map(|(parent, keys)| {
                        keys.iter().map(move |key| (parent, &key[..], Axes::one(1), &key[0]))
                    })
                    .collect();
                assert_eq!(found, expected);
                whole += usize::from(handled == parents.len());
                begun += usize::from(handled < parents.len());
            }
            assert_eq!((whole == made.len(), begun > 0), (left_part == 0, left_part > 0));
        }
    }
}
