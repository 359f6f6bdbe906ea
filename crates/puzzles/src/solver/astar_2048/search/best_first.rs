//! The published algorithms: they take the board with the highest score first, and keep no set of closed boards.
//!
//! Among equal scores, the board generated later comes first. The search ends when it generates a won board. A board
//! reached in two ways is searched twice. But every swipe adds to the sum, so every path ends, and if no board is left,
//! there is no solution.

use std::collections::BinaryHeap;

use super::super::answer::Answer;
use super::super::boards::{Space, Swipe};
use super::trail::{Link, Trail};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::{Budget, Charge, Pace, Stop};

/// A published score; boards with greater scores come first.
pub type Score = fn(&SlidingBoard) -> i128;

/// Searches from a board that is not won and needs at least `at_least` moves.
pub fn solve<S: Space>(space: &S, start: &S::Board, at_least: u64, score: Score, budget: &Budget) -> Answer {
    match search(space, start, score, budget) {
        Ok(Some(moves)) => Answer::Path { moves, at_least },
        Ok(None) => Answer::Unsolvable,
        Err(stop) => Answer::Undecided { stop, at_least },
    }
}

fn search<S: Space>(
    space: &S,
    start: &S::Board,
    score: Score,
    budget: &Budget,
) -> Result<Option<Vec<Direction>>, Stop> {
    let mut queue = Queue::new(space.bytes_elsewhere(), budget);
    let mut trail = Trail::new(budget);
    let mut pace = Pace::new(budget);
    queue.push((0, 0, start.clone()))?;
    while let Some((_, number, board)) = queue.heap.pop() {
        for direction in Direction::ALL {
            // A heap of millions of boards and a score of general boards cost more than the swipe.
            pace.count(8 * space.steps())?;
            match space.swipe(&board, direction) {
                Swipe::Invalid => {}
                Swipe::Won => return Ok(Some(trail.path(Link::new(number, direction)))),
                Swipe::Board(child) => {
                    let number = trail.add(Link::new(number, direction))?;
                    queue.push((score(&space.to_sliding(&child)), number, child))?;
                }
            }
        }
    }
    Ok(None)
}

/// The score of a board, its number on the trail, which breaks ties, and the board.
type Queued<B> = (i128, usize, B);

/// The priority queue. It charges its memory before it grows.
struct Queue<'a, B> {
    heap: BinaryHeap<Queued<B>>,
    charge: Charge<'a>,
    /// Bytes of an entry, including what its board holds outside of it.
    entry_bytes: u64,
}

impl<'a, B: Ord> Queue<'a, B> {
    fn new(elsewhere: u64, budget: &'a Budget) -> Self {
        let entry_bytes = size_of::<Queued<B>>() as u64 + elsewhere;
        Self { heap: BinaryHeap::new(), charge: Charge::none(budget), entry_bytes }
    }

    fn push(&mut self, entry: Queued<B>) -> Result<(), Stop> {
        if self.heap.len() == self.heap.capacity() {
            let room = (2 * self.heap.len()).max(8);
            self.charge.grow(room as u64 * self.entry_bytes)?;
            self.heap.reserve_exact(room - self.heap.len());
            self.charge.shrink_to(room as u64 * self.entry_bytes);
        }
        self.heap.push(entry);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Cancel;

    /// The queue is charged for all its room before it allocates it, and gives it back.
    #[test]
    fn a_queue_is_charged_for_its_room() {
        const BYTES: u64 = 100_000;
        let budget = Budget::new(None, None, BYTES, Cancel::default());
        let mut queue = Queue::new(24, &budget);
        let entry_bytes = (size_of::<Queued<u64>>() + 24) as u64;
        let mut number = 0;
        while queue.push((0, number, 0_u64)).is_ok() {
            number += 1;
            assert_eq!(BYTES - budget.memory_bytes_left(), queue.heap.capacity() as u64 * entry_bytes);
        }
        assert!(number > 400 && number as u64 * entry_bytes <= BYTES, "{number}");
        drop(queue);
        assert_eq!(budget.memory_bytes_left(), BYTES);
    }
}
