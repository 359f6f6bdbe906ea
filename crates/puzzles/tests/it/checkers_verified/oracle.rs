//! An exact answer for boards of some dozens of jumps: deepening by the jumps that are left out.
//!
//! From each own piece a depth-first search asks for a trail that leaves out no jump of its component, then one,
//! then two, and so on. It gives a branch up when the jumps still in reach, less those that parity takes away
//! (half of the odd squares), are too few, and remembers each pair of square and captured set that failed.

use std::collections::HashSet;

use super::board::{Board, EMPTY};

/// The most captures, or `None` where the search for one length needs more than `steps_max` steps.
pub fn most_captures(board: &Board, steps_max: u64) -> Option<u64> {
    let mut best = 0;
    for start in board.own() {
        best = best.max(Search::new(board, start).longest(steps_max)?);
    }
    Some(best)
}

/// Jumps of the largest component of an own piece.
pub fn jumps_of_largest_component(board: &Board) -> usize {
    board.own().into_iter().map(|start| Search::new(board, start).ends.len()).max().unwrap_or(0)
}

struct Search {
    /// Each square's jumps: the number of the jump and the square behind.
    jumps: Vec<Vec<(usize, usize)>>,
    /// The two squares of each jump.
    ends: Vec<(usize, usize)>,
    failed: HashSet<(usize, u128)>,
    steps_left: u64,
}

impl Search {
    /// The component of `start`, whose number is 0.
    fn new(board: &Board, start: (usize, usize)) -> Self {
        let mut board = board.clone();
        board.set(start.0, start.1, EMPTY);
        let (mut squares, mut overs) = (vec![start], Vec::new());
        let mut search =
            Self { jumps: vec![Vec::new()], ends: Vec::new(), failed: HashSet::new(), steps_left: 0 };
        let mut next = 0;
        while next < squares.len() {
            let (row, column) = squares[next];
            for (over, to) in board.jumps(row, column).filter(|&(_, to)| board.at(to.0, to.1) == EMPTY) {
                let known = squares.iter().position(|&square| square == to);
                let behind = known.unwrap_or_else(|| {
                    squares.push(to);
                    search.jumps.push(Vec::new());
                    squares.len() - 1
                });
                if !overs.contains(&over) {
                    search.jumps[next].push((overs.len(), behind));
                    search.jumps[behind].push((overs.len(), next));
                    search.ends.push((next, behind));
                    overs.push(over);
                }
            }
            next += 1;
        }
        search
    }

    fn longest(&mut self, steps_max: u64) -> Option<u64> {
        assert!(self.ends.len() <= 128, "a bit a jump");
        for length in (1..=self.ends.len() as u32).rev() {
            self.failed.clear();
            self.steps_left = steps_max;
            if self.reaches(0, 0, length)? {
                return Some(length.into());
            }
        }
        Some(0)
    }

    /// Whether a trail goes on from `square` to `length` jumps in all; `None` when it gave up.
    fn reaches(&mut self, square: usize, taken: u128, length: u32) -> Option<bool> {
        if taken.count_ones() == length {
            return Some(true);
        }
        if taken.count_ones() + self.left(square, taken) < length || self.failed.contains(&(square, taken)) {
            return Some(false);
        }
        self.steps_left = self.steps_left.checked_sub(1)?;
        for index in 0..self.jumps[square].len() {
            let (jump, behind) = self.jumps[square][index];
            if taken >> jump & 1 == 0 && self.reaches(behind, taken | 1 << jump, length)? {
                return Some(true);
            }
        }
        self.failed.insert((square, taken));
        Some(false)
    }

    /// At most so many jumps can follow: those in reach, less one for every two odd squares that are neither
    /// where the trail stands nor where it ends.
    fn left(&self, square: usize, taken: u128) -> u32 {
        let mut seen = vec![false; self.jumps.len()];
        seen[square] = true;
        let (mut waiting, mut ends, mut odd) = (vec![square], 0, 0_u32);
        while let Some(at) = waiting.pop() {
            let mut degree = 0;
            for &(jump, behind) in self.jumps[at].iter().filter(|(jump, _)| taken >> jump & 1 == 0) {
                debug_assert!(jump < self.ends.len());
                degree += 1;
                if !seen[behind] {
                    seen[behind] = true;
                    waiting.push(behind);
                }
            }
            ends += degree;
            odd += u32::from((degree % 2 == 1) != (at == square));
        }
        // Both ends of each jump were counted; `odd` is odd, and one of them may be the trail's end.
        ends / 2 - odd.saturating_sub(1) / 2
    }
}
