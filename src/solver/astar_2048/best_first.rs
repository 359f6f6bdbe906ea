//! The published algorithms: the board with the highest score first, and no set of closed boards.
//!
//! Of equal scores the board generated later comes first. The search ends with the first won board that is
//! generated. A board reached in two ways is searched twice; but every swipe adds to the sum, so every path
//! ends, and when no board is left there is no solution.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::answer::Answer;
use super::meter::{Meter, Pacer};
use super::space::{Space, Swipe, lower_bound};
use super::trail::{LAYER_MAX, Link};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::{Budget, Stop};

/// A score of the source: the greater, the sooner.
pub(super) type Score = fn(&SlidingBoard) -> i128;

/// Searches from a board that is not won.
pub(super) fn solve<S: Space>(space: &S, start: &S::Board, score: Score, budget: &Budget) -> Answer {
    let Some(at_least) = lower_bound(&space.counts(start), space.goal_rank()) else {
        return Answer::Unsolvable;
    };
    match search(space, start, score, budget) {
        Ok(Some(moves)) => Answer::Path { moves, at_least },
        Ok(None) => Answer::Unsolvable,
        Err(stop) => Answer::Undecided { stop, at_least },
    }
}

/// A board in the queue.
struct Queued<B> {
    score: i128,
    /// Its number among all boards generated: also what breaks ties.
    number: usize,
    board: B,
}

impl<B> Ord for Queued<B> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.cmp(&other.score).then(self.number.cmp(&other.number))
    }
}

impl<B> PartialOrd for Queued<B> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<B> PartialEq for Queued<B> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<B> Eq for Queued<B> {}

fn search<S>(
    space: &S,
    start: &S::Board,
    score: Score,
    budget: &Budget,
) -> Result<Option<Vec<Direction>>, Stop>
where
    S: Space,
{
    let mut queue = Queue::new(space.board_bytes(), budget);
    // How every board was reached from the one of the number before the swipe; the start has no entry.
    let mut links = Links::new(budget);
    let mut pacer = Pacer::new(budget);
    queue.push(Queued { score: 0, number: 0, board: start.clone() })?;
    while let Some(Queued { number, board, .. }) = queue.heap.pop() {
        for direction in Direction::ALL {
            // A heap of millions of boards and a score of the general kind cost more than the swipe.
            pacer.step(8 * space.squares())?;
            match space.swipe(&board, direction) {
                Swipe::Invalid => {}
                Swipe::Won => return Ok(Some(links.path(Link::new(number, direction)))),
                Swipe::Board(child) => {
                    let number = links.push(Link::new(number, direction))?;
                    let score = score(&space.to_sliding(&child));
                    queue.push(Queued { score, number, board: child })?;
                }
            }
        }
    }
    Ok(None)
}

/// The priority queue, with its memory charged before it grows.
struct Queue<'a, B> {
    heap: BinaryHeap<Queued<B>>,
    meter: Meter<'a>,
    /// Bytes of an entry, and of what its board holds outside of it.
    entry_bytes: u64,
}

impl<'a, B> Queue<'a, B> {
    fn new(board_bytes: u64, budget: &'a Budget) -> Self {
        let outside = board_bytes - size_of::<B>() as u64;
        let entry_bytes = size_of::<Queued<B>>() as u64 + outside;
        Self { heap: BinaryHeap::new(), meter: Meter::new(budget), entry_bytes }
    }

    fn push(&mut self, entry: Queued<B>) -> Result<(), Stop> {
        if self.heap.len() == self.heap.capacity() {
            let room = (2 * self.heap.len()).max(8);
            self.meter.charge(room as u64 * self.entry_bytes)?;
            self.heap.reserve_exact(room - self.heap.len());
            self.meter.shrink_to(room as u64 * self.entry_bytes);
        }
        self.heap.push(entry);
        Ok(())
    }
}

/// The links of all boards generated; board number i + 1 has the link at i.
struct Links<'a> {
    links: Vec<Link>,
    meter: Meter<'a>,
}

impl<'a> Links<'a> {
    fn new(budget: &'a Budget) -> Self {
        Self { links: Vec::new(), meter: Meter::new(budget) }
    }

    /// The number of the board reached by `link`.
    fn push(&mut self, link: Link) -> Result<usize, Stop> {
        if self.links.len() == self.links.capacity() {
            let room = (2 * self.links.len()).max(64);
            if room > LAYER_MAX {
                return Err(Stop::MemoryLimit);
            }
            self.meter.charge((room * size_of::<Link>()) as u64)?;
            self.links.reserve_exact(room - self.links.len());
            self.meter.shrink_to((room * size_of::<Link>()) as u64);
        }
        self.links.push(link);
        Ok(self.links.len())
    }

    fn path(&self, last: Link) -> Vec<Direction> {
        let mut moves = vec![last.direction()];
        let mut number = last.parent();
        while number > 0 {
            let link = self.links[number - 1];
            moves.push(link.direction());
            number = link.parent();
        }
        moves.reverse();
        moves
    }
}
