//! The longest trail on a [`Half`] by branch and bound.
//!
//! From a square v with a set of jumps left, consider the squares from which an odd number of them leads. A
//! trail from v leaves at most its end with an odd number unused-up: at all the others it leaves out a jump. What
//! is left out thus joins these squares in pairs by paths (a T-join); a path is a single jump only between
//! neighbours, one of them on an even row of the grid and the other on an odd one, and two jumps or more
//! elsewhere. That is the bound. Jumps that cannot be reached any more do not count.
//!
//! Children are visited by their bounds, the best first, and positions that were searched already (the same
//! jumps left, the same square, as many captures at least) are not searched again. Both keep the search exact.

use super::Best;
use super::bitboard::{Half, Jumps, bits};
use super::quarters::Quarters;

/// Steps, of some 50 ns, before the general algorithm is better.
const STEPS_MAX: u32 = 4_000;
/// Jumps of a trail: cells of a grid.
const TRAIL_MAX: usize = 64;
/// Positions remembered; a later one takes the place of an earlier one.
const SEEN: usize = 1 << 11;

/// The longest trail found.
pub struct Longest {
    /// The grid it lies on.
    grid: usize,
    /// Its squares, the start first; empty where there is no capture.
    trail: Vec<u64>,
    captures: usize,
}

impl Longest {
    /// With the squares as the board numbers them, if they are wanted.
    #[must_use]
    pub fn into_best(self, board: &Quarters, witness: bool) -> Best {
        let squares = self.trail.iter().filter(|_| witness);
        let path = squares.map(|&bit| board.square(self.grid, bit)).collect();
        Best { captures: self.captures as u64, path }
    }
}

/// The longest trail of any own piece; `None` if it is too hard to find.
#[must_use]
pub fn longest(halves: &[Half; 2]) -> Option<Longest> {
    let mut search = Search {
        best: 0,
        enough: 0,
        at: [0; TRAIL_MAX + 1],
        trail: [0; TRAIL_MAX + 1],
        even_rows: 0,
        start: 0,
        steps: 0,
        seen: Vec::new(),
    };
    let mut grid = 0;
    for (index, half) in halves.iter().enumerate() {
        search.even_rows = half.even_rows();
        for start in bits(half.starts()) {
            let before = search.best;
            search.from(half, index, start)?;
            if search.best > before {
                grid = index;
            }
        }
    }
    let squares = if search.best == 0 { 0 } else { search.best + 1 };
    Some(Longest { grid, trail: search.trail[..squares].to_vec(), captures: search.best })
}

struct Search {
    best: usize,
    /// No trail from this start is longer.
    enough: usize,
    /// The squares of the trail in hand, and of the longest one.
    at: [u64; TRAIL_MAX + 1],
    trail: [u64; TRAIL_MAX + 1],
    /// The squares on even rows of the grid.
    even_rows: u64,
    /// Tells the starts apart in `seen`.
    start: u32,
    steps: u32,
    seen: Vec<Seen>,
}

/// A position that was searched.
#[derive(Clone, Copy, Default)]
struct Seen {
    cells: u64,
    /// The start, and the square.
    key: u32,
    captures: u32,
}

impl Search {
    /// Searches the trails from `start` for a longer one; `None` if that takes too long.
    fn from(&mut self, half: &Half, grid: usize, start: u64) -> Option<()> {
        let jumps = half.jumps(start).reached_from(start);
        self.enough = bound(jumps, start, self.even_rows);
        self.start = (grid as u32 * 64 + start.trailing_zeros() + 1) << 8;
        self.at[0] = start;
        if self.enough > self.best { self.extend(jumps, start, 0) } else { Some(()) }
    }

    /// Searches the trails that begin with the one in hand, which ends `at` after so many captures.
    fn extend(&mut self, jumps: Jumps, at: u64, captures: usize) -> Option<()> {
        if captures > self.best {
            self.best = captures;
            self.trail[..=captures].copy_from_slice(&self.at[..=captures]);
        }
        if self.best >= self.enough || self.was_seen(jumps, at, captures) {
            return Some(());
        }
        let mut children = [(0, jumps, 0); 4];
        let mut count = 0;
        for jump in jumps.from(at) {
            self.steps += 1;
            let left = jumps.without(jump).reached_from(jump.to);
            let bound = captures + 1 + bound(left, jump.to, self.even_rows);
            children[count] = (bound, left, jump.to);
            count += 1;
        }
        if self.steps > STEPS_MAX {
            return None;
        }
        children[..count].sort_by_key(|&(bound, ..)| std::cmp::Reverse(bound));
        for &(bound, left, to) in &children[..count] {
            if bound > self.best {
                self.at[captures + 1] = to;
                self.extend(left, to, captures + 1)?;
            }
        }
        Some(())
    }

    /// Whether this position was searched with as many captures; from now on it was.
    fn was_seen(&mut self, jumps: Jumps, at: u64, captures: usize) -> bool {
        if self.seen.is_empty() {
            self.seen = vec![Seen::default(); SEEN];
        }
        let now =
            Seen { cells: jumps.cells(), key: self.start | at.trailing_zeros(), captures: captures as u32 };
        let mixed = (now.cells ^ u64::from(now.key) << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = &mut self.seen[(mixed >> 40) as usize % SEEN];
        let seen = slot.cells == now.cells && slot.key == now.key && slot.captures >= now.captures;
        if !seen {
            *slot = now;
        }
        seen
    }
}

/// No trail from `at` has more jumps, of which all can be reached.
fn bound(jumps: Jumps, at: u64, even_rows: u64) -> usize {
    let all = jumps.cells().count_ones();
    let odd = jumps.odd_squares();
    let others = odd & !at;
    let count = others.count_ones();
    if count < 2 {
        return all as usize;
    }
    // One of them is the end of the trail; unless `at` is odd itself, which then must lose a jump in its place.
    let (to_join, joinable) = if odd & at == 0 { (count, others | at) } else { (count - 1, others) };
    let beside = jumps.neighbours(joinable) & joinable;
    let single = (beside & even_rows).count_ones().min((beside & !even_rows).count_ones()).min(to_join / 2);
    (all - (to_join - single)) as usize
}
