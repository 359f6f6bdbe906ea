//! A half grid on which pieces move, by bits.
//!
//! Vertices are the squares of a half grid of [`HalfGrids`]. An opponent piece of the *other* half grid lies in the
//! middle of four of them: its *cell*, named by the bit of its upper left corner. With `stride` columns the corners
//! of a cell are the bits x, x + 1, x + stride and x + stride + 1. A piece that moves keeps the parity of its half
//! grid's row + column. So over a cell whose corner has that parity it can only jump between the upper left and the
//! lower right ("falling"), over the others only between the other two ("rising"). A few shifts find all jumps of
//! all pieces.
//!
//! Proofs: docs/proofs/checkers.md, section 11.1.

use super::jumps::Jumps;
use crate::solver::checkers_capture::half_grids::HalfGrids;

/// The even columns of a row.
const EVERY_SECOND: u64 = 0x5555_5555_5555_5555;

/// A half grid on which pieces move, and what they can capture there.
#[derive(Clone, Copy)]
pub struct HalfGrid {
    stride: u32,
    own: u64,
    empty: u64,
    /// The cells that hold an opponent piece.
    cells: u64,
    /// The squares whose row + column is even.
    even: u64,
}

/// The half grid of the even rows and that of the odd ones, each with the other's opponent pieces in its cells. The board
/// has three rows and columns at least: smaller ones have no cells.
pub fn half_grids(board: &HalfGrids) -> [HalfGrid; 2] {
    let (rows, columns, stride) = (board.rows(), board.columns(), board.stride());
    // So many squares of every row from `first`, or of every second one.
    let block = |first: usize, step: usize, rows: usize, columns: usize| {
        let row = (1_u64 << columns) - 1;
        (first..rows).step_by(step).fold(0, |block, at| block | row << (at * stride))
    };
    // A cell has squares to its right and below it.
    let cells = |rows: usize, columns: usize| block(0, 1, rows - 1, columns - 1);
    // Where rows have an even number of squares, the bits alone do not alternate from row to row.
    let shifted = if stride.is_multiple_of(2) { block(1, 2, rows.div_ceil(2), stride) } else { 0 };
    let [even_rows, odd_rows] = *board.grids();
    let above = odd_rows.opponents & cells(rows.div_ceil(2), stride);
    let below = even_rows.opponents >> (stride + 1) & cells(rows / 2, columns / 2);
    [(even_rows, above), (odd_rows, below)].map(|(grid, cells)| HalfGrid {
        stride: stride as u32,
        own: grid.own,
        empty: !(grid.own | grid.opponents),
        cells,
        even: EVERY_SECOND ^ shifted,
    })
}

impl HalfGrid {
    /// The own pieces that can capture.
    #[must_use]
    pub fn starts(&self) -> u64 {
        let Self { stride, own, empty, cells, .. } = *self;
        let to_lower_right = cells & empty >> (stride + 1);
        let to_upper_left = (cells & empty) << (stride + 1);
        let to_lower_left = (cells & empty >> stride) << 1;
        let to_upper_right = (cells & empty >> 1) << stride;
        own & (to_lower_right | to_upper_left | to_lower_left | to_upper_right)
    }

    /// All jumps of pieces with the parity of the one on `start`, whose square counts as empty.
    #[must_use]
    pub fn jumps(&self, start: u64) -> Jumps {
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

/// The single bits of a word, the lowest first.
pub fn bits(mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = word & word.wrapping_neg();
        word ^= bit;
        (bit != 0).then_some(bit)
    })
}
