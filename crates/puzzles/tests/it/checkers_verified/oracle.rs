//! An exact answer for boards of a few dozen jumps, by iterative deepening on the number of jumps left out.
//!
//! From each own piece, a depth-first search looks for a trail that leaves out no jump of its component, then one, then
//! two, and so on. It abandons a branch if too few jumps are in reach, after subtracting those that parity excludes
//! (half of the odd squares). It remembers each pair of square and captured set that failed.

use std::collections::HashSet;

use super::board::{Board, EMPTY};

/// Returns the most captures. `None` if the search for one length needs more than `steps_max` steps.
pub fn most_captures(board: &Board, steps_max: u64) -> Option<u64> {
    let mut best = 0;
    for start in board.own() {
        best = best.max(Search::new(board, start).longest(steps_max)?);
    }
    Some(best)
}

/// Returns the number of jumps in the largest component of an own piece.
pub fn jumps_of_largest_component(board: &Board) -> usize {
    board.own().into_iter().map(|start| Search::new(board, start).ends.len()).max().unwrap_or(0)
}

struct Search {
    /// The jumps from each square: the number of the jump and the landing square.
    jumps: Vec<Vec<(usize, usize)>>,
    /// The two squares of each jump.
    ends: Vec<(usize, usize)>,
    failed: HashSet<(usize, u128)>,
    steps_left: u64,
}

impl Search {
    /// Builds the component of `start`, which gets number 0.
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

    /// Returns whether a trail can continue from `square` to `length` jumps in all. `None` if the search gave up.
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

    /// Returns an upper bound on the jumps that can follow: those in reach, minus one for every two odd squares that
    /// are neither the current square nor the end of the trail.
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
        // The loop counted both ends of each jump. `odd` is odd, and one odd square may be the trail's end.
        ends / 2 - odd.saturating_sub(1) / 2
    }
}
