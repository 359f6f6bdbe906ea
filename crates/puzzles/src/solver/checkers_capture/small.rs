//! The longest capture on a small board: a depth-first search on the bits of [`HalfGrids`].
//!
//! The search serves boards with few captures. It counts its steps instead of asking a budget, and gives up after
//! some microseconds. The exact algorithm then takes over.
//!
//! The moving piece stays in its half grid. An opponent piece of the *other* half grid stands in a *cell*: the place
//! between four squares of the moving piece's half grid. The bit x of its upper left corner names the cell. With
//! `stride` columns the corners are the bits x, x + 1, x + stride and x + stride + 1. A jump keeps the parity of
//! row + column in the half grid. So if the named corner has that parity, the piece can only jump between the upper
//! left and the lower right ("falling"), otherwise only between the other two corners ("rising"). A few shifts find
//! all jumps of all pieces.
//!
//! Proofs: docs/proofs/checkers.md, section 11.

use super::capture::Best;
use super::half_grids::HalfGrids;

/// The steps, of some 5 ns each, after which the exact algorithm is faster.
const STEPS_MAX: u32 = 256;
/// For each n, the word whose every n-th bit is set.
const EVERY: [u64; 65] = {
    let (mut every, mut n) = ([0; 65], 1);
    while n <= 64 {
        let mut bit = 0;
        while bit < 64 {
            every[n] |= 1 << bit;
            bit += n;
        }
        n += 1;
    }
    every
};

/// Returns the longest capture on `board`, with its path if `witness`; `None` if the search runs out of steps.
pub fn solve(board: &HalfGrids, witness: bool) -> Option<Best> {
    let mut best = Best::default();
    // Smaller boards leave no room for a jump, and have no cells.
    if board.rows() < 3 || board.columns() < 3 {
        return Some(best);
    }
    let mut steps = STEPS_MAX;
    let mut longest_from = None;
    for (index, half_grid) in half_grids(board).into_iter().enumerate() {
        for start in bits(half_grid.starts()) {
            let jumps = half_grid.jumps(start);
            let captures = jumps.longest(start, &mut steps);
            if u64::from(captures) > best.captures {
                best.captures = u64::from(captures);
                longest_from = Some((index, jumps, start, captures));
            }
        }
    }
    if steps == 0 {
        return None;
    }
    if witness && let Some((index, jumps, start, captures)) = longest_from {
        let path = jumps.longest_path(start, captures);
        best.path = path.into_iter().map(|bit| board.square(index, bit)).collect();
    }
    Some(best)
}

/// A half grid on which pieces move, and the opponent pieces that they can capture there.
#[derive(Clone, Copy)]
struct HalfGrid {
    stride: u32,
    own: u64,
    empty: u64,
    /// The cells that hold an opponent piece.
    cells: u64,
    /// The squares whose row + column is even.
    even: u64,
}

/// Returns the half grids of the even rows and of the odd rows, each with the other's opponent pieces in its cells.
/// The board must have at least three rows and columns.
fn half_grids(board: &HalfGrids) -> [HalfGrid; 2] {
    let (rows, columns, stride) = (board.rows(), board.columns(), board.stride());
    // Sets the first `columns` bits of every `step`-th row from `first` on. All rows together have at most 64 bits.
    let block = |first: usize, step: usize, rows: usize, columns: usize| {
        let row = (1_u64 << columns) - 1;
        let begins = EVERY[step * stride] << (first * stride);
        row * (begins & u64::MAX.checked_shr((64 - rows * stride) as u32).unwrap_or(0))
    };
    // The named corner has squares to its right and below it, so the last row and column name no cell.
    let cells = |rows: usize, columns: usize| block(0, 1, rows - 1, columns - 1);
    // If rows have an even number of squares, every row of the pattern starts alike: flip every second row.
    let shifted = if stride.is_multiple_of(2) { block(1, 2, rows.div_ceil(2), stride) } else { 0 };
    let [even_rows, odd_rows] = *board.grids();
    let above = odd_rows.opponents & cells(rows.div_ceil(2), stride);
    let below = even_rows.opponents >> (stride + 1) & cells(rows / 2, columns / 2);
    [(even_rows, above), (odd_rows, below)].map(|(grid, cells)| HalfGrid {
        stride: stride as u32,
        own: grid.own,
        empty: !(grid.own | grid.opponents),
        cells,
        even: EVERY[2] ^ shifted,
    })
}

impl HalfGrid {
    /// Returns the own pieces that can capture.
    fn starts(&self) -> u64 {
        let Self { stride, own, empty, cells, .. } = *self;
        let to_lower_right = cells & empty >> (stride + 1);
        let to_upper_left = (cells & empty) << (stride + 1);
        let to_lower_left = (cells & empty >> stride) << 1;
        let to_upper_right = (cells & empty >> 1) << stride;
        own & (to_lower_right | to_upper_left | to_lower_left | to_upper_right)
    }

    /// Returns all jumps of pieces with the same parity as the piece on `start`; the square `start` counts as empty.
    fn jumps(&self, start: u64) -> Jumps {
        let Self { stride, cells, even, .. } = *self;
        let squares = self.empty | start;
        let alike = if start & even == 0 { !even } else { even };
        Jumps {
            stride,
            falling: cells & alike & squares & squares >> (stride + 1),
            rising: cells & !alike & squares >> 1 & squares >> stride,
        }
    }
}

/// What one piece can still capture: the cells of opponent pieces between two empty squares. The two sets have no
/// cell in common.
#[derive(Debug, Clone, Copy)]
struct Jumps {
    stride: u32,
    /// Cells with a jump from the upper left to the lower right corner, and back.
    falling: u64,
    /// Cells with a jump from the upper right to the lower left corner, and back.
    rising: u64,
}

/// A jump: the cell it passes, which is in one of the two sets, and the square it leads to.
#[derive(Clone, Copy)]
struct Jump {
    falling: u64,
    rising: u64,
    to: u64,
}

impl Jumps {
    /// Returns the largest number of captures from `at`. The result means nothing if `steps` reaches 0.
    fn longest(self, at: u64, steps: &mut u32) -> u32 {
        let mut best = 0;
        for jump in self.from(at) {
            if *steps == 0 {
                break;
            }
            *steps -= 1;
            best = best.max(1 + self.without(jump).longest(jump.to, steps));
        }
        best
    }

    /// Returns the squares of a longest path from `at`, which has `captures` captures.
    fn longest_path(mut self, mut at: u64, captures: u32) -> Vec<u64> {
        let mut path = vec![at];
        // The first search took few steps, so each search for the rest of the path takes as few.
        let mut steps = u32::MAX;
        for left in (0..captures).rev() {
            let goes_on = |jump: &Jump| self.without(*jump).longest(jump.to, &mut steps) == left;
            let Some(jump) = self.from(at).find(goes_on) else { break };
            (self, at) = (self.without(jump), jump.to);
            path.push(at);
        }
        path
    }

    /// Returns the jumps from the square `at`.
    #[inline]
    fn from(self, at: u64) -> impl Iterator<Item = Jump> {
        let Self { stride, falling, rising } = self;
        let (up_left, left, up) = (at >> (stride + 1), at >> 1, at >> stride);
        [
            Jump { falling: falling & up_left, rising: 0, to: up_left },
            Jump { falling: 0, rising: rising & up, to: up << 1 },
            Jump { falling: 0, rising: rising & left, to: left << stride },
            Jump { falling: falling & at, rising: 0, to: at << (stride + 1) },
        ]
        .into_iter()
        .filter(|jump| jump.falling | jump.rising != 0)
    }

    fn without(self, jump: Jump) -> Self {
        Self { falling: self.falling ^ jump.falling, rising: self.rising ^ jump.rising, ..self }
    }
}

/// Yields the single bits of a word, the lowest first.
fn bits(mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = word & word.wrapping_neg();
        word ^= bit;
        (bit != 0).then_some(bit)
    })
}

#[cfg(test)]
#[path = "small_tests.rs"]
mod tests;
