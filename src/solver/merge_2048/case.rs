//! One case: what its tiles alone decide, which search answers the rest, and how the outcome reads.

use serde_json::Value;

use super::{Algorithm, bound, breadth_first, depth_first, shortest};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::{Bounds, Budget, Outcome, Puzzle, Stop, Text};

/// The text of a case that M slides do not solve.
const NO_SOLUTION: &str = "no solution";

/// Distinct values that can occur where every tile is s/2^k and fits 64 bits.
const CLASSES_MAX: usize = 64;

/// Memory a square costs before the search stores positions: the reader's copy and the searches' few.
pub(super) const BYTES_PER_SQUARE: u64 = 8;

/// How often each value occurs: all that can be known about tiles without their places.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    /// Values and the tiles that have them, in the order of their first tiles.
    classes: Vec<(u64, u64)>,
    /// Of all tiles; 2^64 tiles of 64 bits are more than can be read.
    sum: u128,
    tiles: u64,
    /// There are more than [`CLASSES_MAX`] values, so no power of two relates them all.
    too_many: bool,
}

impl Tally {
    /// Counts one tile (`value` > 0) and gives its class from 1; 0 where there are too many classes.
    pub(super) fn add(&mut self, value: u64) -> u8 {
        self.sum = self.sum.saturating_add(u128::from(value));
        self.tiles += 1;
        let class = self.classes.iter().position(|&(known, _)| known == value);
        if let Some(class) = class {
            self.classes[class].1 += 1;
            return class as u8 + 1;
        }
        if self.classes.len() == CLASSES_MAX {
            self.too_many = true;
            return 0;
        }
        self.classes.push((value, 1));
        self.classes.len() as u8
    }

    /// The rank of each class: k + 1 for the smallest value times 2^k. `None` when some tile is not s/2^k for
    /// the sum s of all, so that they never become one.
    pub(super) fn ranks(&self) -> Option<Vec<u8>> {
        let smallest = u128::from(self.classes.iter().map(|&(value, _)| value).min()?);
        let rank = |&(value, _): &(u64, u64)| {
            let (value, sum) = (u128::from(value), self.sum);
            let whole = !self.too_many && sum % value == 0 && (sum / value).is_power_of_two();
            whole.then(|| (value / smallest).trailing_zeros() as u8 + 1)
        };
        self.classes.iter().map(rank).collect()
    }

    /// The rank of the last tile, made of all.
    fn rank_max(&self) -> u8 {
        let smallest = self.classes.iter().map(|&(value, _)| u128::from(value)).min().unwrap_or(1);
        (self.sum / smallest).max(1).ilog2() as u8 + 1
    }

    /// The slides that tiles of these `ranks` need at least, wherever they stand.
    fn at_least(&self, ranks: &[u8]) -> u64 {
        let mut counts = vec![0; usize::from(self.rank_max()) + 1];
        for (&rank, &(_, tiles)) in ranks.iter().zip(&self.classes) {
            counts[usize::from(rank)] = tiles;
        }
        u64::from(bound::rounds(&mut counts))
    }
}

/// A valid case.
#[derive(Debug)]
pub(super) struct Case {
    /// N, squares on a side.
    pub(super) size: u64,
    /// M, from 1.
    pub(super) moves_max: u64,
    /// The class of every square, row by row, 0 being empty; `None` when they exceed the memory limit.
    pub(super) squares: Option<Vec<u8>>,
    /// What the tiles are.
    pub(super) tally: Tally,
    /// Which search answers it.
    pub(super) algorithm: Algorithm,
    /// Whether the slides are wanted.
    pub(super) witness: bool,
}

/// What a search is asked.
pub(super) struct Task<'a> {
    /// The position; it has two tiles at least, and all make one power of two.
    pub(super) board: &'a SlidingBoard,
    /// The rank of the last tile.
    pub(super) rank_max: u8,
    /// M.
    pub(super) moves_max: u64,
    /// A lower bound from 1 to M, known already.
    pub(super) at_least: u64,
    /// Whether the slides are wanted.
    pub(super) witness: bool,
    /// What it may cost.
    pub(super) budget: &'a Budget,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    /// The least number of slides, and the slides where they are wanted.
    Slides(u64, Option<Vec<Direction>>),
    /// Proved: M slides do not suffice.
    None,
    /// A limit ended the search.
    Stopped {
        /// The limit.
        stop: Stop,
        /// Fewer slides are proved not to suffice.
        at_least: u64,
        /// So many are known to suffice.
        at_most: Option<u64>,
    },
}

impl Puzzle for Case {
    fn solve(&self, budget: &Budget) -> Outcome {
        match self.answer(budget) {
            Answer::Slides(count, slides) => self.solved(count, slides.as_deref()),
            Answer::None => Outcome::words(NO_SOLUTION),
            Answer::Stopped { stop, at_least, at_most } => {
                let bounds = Bounds { at_least: Some(at_least), at_most };
                Outcome::undecided(stop, bounds, bounds)
            }
        }
    }
}

impl Case {
    fn answer(&self, budget: &Budget) -> Answer {
        if self.tally.tiles <= 1 {
            return Answer::Slides(0, Some(Vec::new()));
        }
        let Some(ranks) = self.tally.ranks() else { return Answer::None };
        let at_least = self.tally.at_least(&ranks);
        if at_least > self.moves_max {
            return Answer::None;
        }
        let stopped = |stop| Answer::Stopped { stop, at_least, at_most: None };
        let Some(squares) = &self.squares else { return stopped(Stop::MemoryLimit) };
        let bytes = (squares.len() as u64).saturating_mul(BYTES_PER_SQUARE);
        if let Err(stop) = budget.check().and_then(|()| budget.charge(bytes)) {
            return stopped(stop);
        }
        let rank = |&class: &u8| if class == 0 { 0 } else { ranks[usize::from(class) - 1] };
        let board = SlidingBoard::new(self.size as usize, squares.iter().map(rank).collect());
        let task = Task {
            board: &board,
            rank_max: self.tally.rank_max(),
            moves_max: self.moves_max,
            at_least,
            witness: self.witness,
            budget,
        };
        let answer = match self.algorithm {
            Algorithm::Shortest => shortest::solve(&task),
            Algorithm::BreadthFirst => breadth_first::solve(&task),
            Algorithm::DepthFirst => depth_first::solve(&task),
        };
        budget.release(bytes);
        answer
    }

    /// `3`, or `3 D C E` where the slides are wanted.
    fn solved(&self, count: u64, slides: Option<&[Direction]>) -> Outcome {
        let mut outcome = Outcome::number(count);
        if let Some(slides) = slides.filter(|_| self.witness) {
            let mut line = outcome.headline.to_string();
            for slide in slides {
                line.push(' ');
                line.push(slide.letter());
            }
            outcome.text = Text::Lines(line);
            outcome.witness = slides.iter().map(|slide| slide.letter().to_string()).collect::<Value>();
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(values: &[u64]) -> Tally {
        let mut tally = Tally::default();
        for &value in values {
            tally.add(value);
        }
        tally
    }

    #[test]
    fn ranks_count_doublings_of_the_smallest_tile() {
        assert_eq!(tally(&[3, 3, 6, 12]).ranks(), Some(vec![1, 2, 3]));
        assert_eq!(tally(&[3, 3, 6, 12]).rank_max(), 4);
        assert_eq!(tally(&[1 << 63, 1 << 63]).ranks(), Some(vec![1]));
        assert_eq!(tally(&[u64::MAX, u64::MAX]).rank_max(), 2);
    }

    #[test]
    fn tiles_that_never_become_one_have_no_ranks() {
        assert_eq!(tally(&[2, 4]).ranks(), None);
        assert_eq!(tally(&[2, 6, 8]).ranks(), None);
        assert_eq!(tally(&[3, 5]).ranks(), None);
        assert_eq!(tally(&(1..100).collect::<Vec<_>>()).ranks(), None);
    }
}
