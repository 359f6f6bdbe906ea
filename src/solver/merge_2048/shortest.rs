//! The fewest slides by best-first search: A* of Hart, Nilsson and Raphael (1968) over compact positions.
//!
//! A position's estimate is the slides made plus the bound on those still needed. Positions are expanded by
//! rising estimate, and among equal ones the newest first, which goes into depth. As the bound is consistent,
//! a position is expanded once, and the estimate in hand is a proved lower bound of the answer. Positions
//! whose estimate exceeds M, or does not stay below a solution known from a beam search, are never stored.

use super::beam;
use super::case::{Answer, Task};
use super::charged::ChargedVec;
use super::expand::{Expander, board_key};
use super::path::{self, NO_PARENT};
use super::states::StateSet;
use crate::board::sliding::Direction;
use crate::solver::{Budget, Stop};

/// What is known about a position beside its key.
#[derive(Clone, Copy)]
struct Node {
    parent: u32,
    /// The fewest slides known to lead here; exact once it is expanded.
    slides: u32,
    expanded: bool,
}

/// Positions to be expanded, by estimate.
struct Open<'b> {
    /// The positions of each estimate, the newest last.
    buckets: Vec<ChargedVec<'b, u32>>,
    /// No position waits with a smaller estimate.
    lowest: usize,
    budget: &'b Budget,
}

impl Open<'_> {
    fn push(&mut self, estimate: usize, number: u32) -> Result<(), Stop> {
        while self.buckets.len() <= estimate {
            self.buckets.push(ChargedVec::new(self.budget));
        }
        self.lowest = self.lowest.min(estimate);
        self.buckets[estimate].push(number)
    }

    fn pop(&mut self) -> Option<u32> {
        while let Some(bucket) = self.buckets.get_mut(self.lowest) {
            if let Some(number) = bucket.pop() {
                return Some(number);
            }
            self.lowest += 1;
        }
        None
    }
}

/// The fewest slides for `task`.
pub(super) fn solve(task: &Task<'_>) -> Answer {
    let mut expander = Expander::new(task);
    expander.begin(task.board);
    let mut at_least = task.at_least.max(u64::from(expander.child_bound()));
    if at_least > task.moves_max {
        return Answer::None;
    }
    let found = match beam::search(task) {
        Ok(found) => found,
        // What is too much for the beam need not be for the exact search, which stores less of no use.
        Err(Stop::MemoryLimit) => None,
        Err(stop) => return Answer::Stopped { stop, at_least, at_most: None },
    };
    // Only a solution with fewer slides is looked for.
    let slides_max = found.as_ref().map_or(task.moves_max, |(count, _)| count - 1);
    let shorter = search(task, expander, slides_max, &mut at_least);
    match (shorter, found) {
        (Ok(Some((count, slides))), _) | (Ok(None), Some((count, slides))) => Answer::Slides(count, slides),
        (Ok(None), None) => Answer::None,
        (Err(stop), found) => Answer::Stopped { stop, at_least, at_most: found.map(|(count, _)| count) },
    }
}

/// The shortest solution of at most `slides_max` slides, if there is one. `at_least` rises to what is proved.
/// `expander` holds the first position.
fn search(
    task: &Task<'_>,
    mut expander: Expander<'_>,
    slides_max: u64,
    at_least: &mut u64,
) -> Result<Option<beam::Found>, Stop> {
    if *at_least > slides_max {
        return Ok(None);
    }
    let mut states = StateSet::new(task.budget);
    let mut nodes = ChargedVec::new(task.budget);
    let mut open = Open { buckets: Vec::new(), lowest: 0, budget: task.budget };
    let (root, _) = states.insert(expander.child_key())?;
    nodes.push(Node { parent: NO_PARENT, slides: 0, expanded: false })?;
    open.push(expander.child_bound() as usize, root)?;
    while let Some(number) = open.pop() {
        *at_least = (*at_least).max(open.lowest as u64);
        let node = &mut nodes.as_mut_slice()[number as usize];
        if std::mem::replace(&mut node.expanded, true) {
            continue;
        }
        let slides = node.slides + 1;
        expander.set_parent(states.key(number));
        for direction in Direction::ALL {
            expander.slide(direction)?;
            let bound = expander.child_bound();
            let estimate = u64::from(slides) + u64::from(bound);
            if estimate > slides_max {
                continue;
            }
            let (child, new) = states.insert(expander.child_key())?;
            let reached = Node { parent: number, slides, expanded: false };
            if new {
                nodes.push(reached)?;
            } else {
                let known = &mut nodes.as_mut_slice()[child as usize];
                if known.slides <= slides {
                    continue;
                }
                *known = reached;
            }
            if bound == 0 {
                // The bound of its parent was 1, so nothing that waits is nearer.
                let parent = |number: u32| nodes.as_slice()[number as usize].parent;
                let path = || path::slides(task.board, &states, child, parent, board_key(task));
                return Ok(Some((u64::from(slides), task.witness.then(path).flatten())));
            }
            open.push(estimate as usize, child)?;
        }
    }
    Ok(None)
}
