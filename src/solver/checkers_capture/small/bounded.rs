//! The longest trail on a [`HalfGrid`] by branch and bound.
//!
//! From a square v with a set of jumps left, consider the squares from which an odd number of them leads. A
//! trail from v leaves at most its end with an odd number unused-up: at all the others it leaves out a jump. What
//! is left out thus joins these squares in pairs by paths (a T-join); a path is a single jump only between
//! neighbours, one of them on an even row of the half grid and the other on an odd one, and two jumps or more
//! elsewhere. That is the bound. Jumps that cannot be reached any more do not count. And of the branches that
//! hang from what holds circles, a trail ends in one at most: the rest of them is taken off, leaf by leaf, and
//! the height of the highest put back.
//!
//! Starts and ways on are tried by their bounds, the best first, and positions that were searched already (the
//! same jumps left, the same square, as many captures at least) are not searched again, from whichever start:
//! what is longer than the best is then found already. All of that keeps the search exact.
//!
//! Proofs: docs/proofs/checkers.md, section 11.3.

use super::half_grid::{HalfGrid, bits};
use super::jumps::Jumps;
use crate::solver::checkers_capture::capture::Best;
use crate::solver::checkers_capture::half_grids::HalfGrids;

/// Steps, of some 30 ns, before the general algorithm is better.
const STEPS_MAX: u32 = 400;
/// Jumps of a trail: cells of a half grid.
const TRAIL_MAX: usize = 64;
/// Positions remembered; a later one takes the place of an earlier one.
const SEEN: usize = 1 << 11;

/// The longest trail found.
pub struct Longest {
    /// The half grid it lies on.
    grid: usize,
    /// Its squares, the start first; empty where there is no capture.
    trail: Vec<u64>,
    captures: usize,
}

impl Longest {
    /// With the squares as the board numbers them, if they are wanted.
    #[must_use]
    pub fn into_best(self, board: &HalfGrids, witness: bool) -> Best {
        let squares = self.trail.iter().filter(|_| witness);
        let path = squares.map(|&bit| board.square(self.grid, bit)).collect();
        Best { captures: self.captures as u64, path }
    }
}

/// The longest trail of any own piece; `None` where it is too hard to find.
#[must_use]
pub fn longest(half_grids: &[HalfGrid; 2]) -> Option<Longest> {
    let mut search = Search {
        best: 0,
        enough: 0,
        at: [0; TRAIL_MAX + 1],
        trail: [0; TRAIL_MAX + 1],
        even_rows: 0,
        class: 0,
        steps: 0,
        seen: Vec::new(),
    };
    let mut grid = 0;
    for (index, half) in half_grids.iter().enumerate() {
        search.even_rows = half.even_rows();
        let mut starts: Vec<_> = bits(half.starts())
            .map(|start| {
                let jumps = half.jumps(start).reached_from(start);
                (bound(jumps, start, search.even_rows), jumps, start)
            })
            .collect();
        starts.sort_by_key(|&(bound, ..)| std::cmp::Reverse(bound));
        for (enough, jumps, start) in starts {
            let before = search.best;
            if enough <= before {
                break;
            }
            search.enough = enough;
            // Never 0, which stands for no position.
            search.class = (2 * index as u32 + u32::from(start & half.squares_of(true) != 0) + 1) << 8;
            search.at[0] = start;
            search.extend(jumps, start, 0)?;
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
    /// The squares on even rows of the half grid.
    even_rows: u64,
    /// Tells apart the half grids and the parities of squares on them: the same cells mean other jumps.
    class: u32,
    steps: u32,
    seen: Vec<Seen>,
}

/// A position that was searched.
#[derive(Clone, Copy, Default)]
struct Seen {
    cells: u64,
    /// The class, and the square.
    key: u32,
    captures: u32,
}

impl Search {
    /// Searches the trails that begin with the one in hand, which ends `at` after so many captures.
    fn extend(&mut self, mut jumps: Jumps, mut at: u64, mut captures: usize) -> Option<()> {
        let (mut children, mut count) = ([(0, jumps, 0); 4], 0);
        // Where there is but one way, it is gone without a look at what lies behind.
        loop {
            let mut ways = jumps.from(at);
            let Some(only) = ways.next().filter(|_| ways.next().is_none()) else { break };
            (jumps, at, captures) = (jumps.without(only), only.to, captures + 1);
            self.at[captures] = at;
        }
        if captures > self.best {
            self.best = captures;
            self.trail[..=captures].copy_from_slice(&self.at[..=captures]);
        }
        if self.best >= self.enough || self.was_seen(jumps, at, captures) {
            return Some(());
        }
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
            Seen { cells: jumps.cells(), key: self.class | at.trailing_zeros(), captures: captures as u32 };
        let mixed = (now.cells ^ u64::from(now.key) << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = &mut self.seen[(mixed >> 40) as usize % SEEN];
        let seen = slot.cells == now.cells && slot.key == now.key && slot.captures >= now.captures;
        if !seen {
            *slot = now;
        }
        seen
    }
}

/// No trail from `at` has more jumps. All of them can be reached.
fn bound(jumps: Jumps, at: u64, even_rows: u64) -> usize {
    let whole = parity_bound(jumps, at, even_rows);
    let (core, height) = jumps.without_branches(at);
    if height == 0 {
        return whole;
    }
    whole.min(parity_bound(core, at, even_rows) + height)
}

/// No trail from `at` has more jumps, by parity alone.
fn parity_bound(jumps: Jumps, at: u64, even_rows: u64) -> usize {
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
