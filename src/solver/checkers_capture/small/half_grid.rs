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

use std::sync::LazyLock;

use super::jumps::Jumps;
use crate::solver::checkers_capture::half_grids::HalfGrids;
use crate::solver::checkers_capture::options::SIDE_MAX;

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
    /// The squares whose row + column is even, and those whose row is.
    even: u64,
    even_rows: u64,
}

/// The half grid of the even rows and that of the odd ones, each with the other's opponent pieces in its cells.
pub fn half_grids(board: &HalfGrids) -> [HalfGrid; 2] {
    let shape = if board.rows() <= SIDE_MAX as usize && board.columns() <= SIDE_MAX as usize {
        SHAPES[board.rows()][board.columns()]
    } else {
        Shape::new(board.rows(), board.columns())
    };
    let stride = board.stride() as u32;
    let [even, odd] = *board.grids();
    // A board of fewer than three columns or rows has no cells, and a stride that cannot be shifted by.
    let below = if shape.cells[1] == 0 { 0 } else { even.opponents >> (stride + 1) };
    let even = (even, odd.opponents, shape.cells[0]);
    [even, (odd, below, shape.cells[1])].map(|(grid, over, cells)| HalfGrid {
        stride,
        own: grid.own,
        empty: !(grid.own | grid.opponents),
        cells: over & cells,
        even: shape.even,
        even_rows: shape.even_rows,
    })
}

/// The squares of boards of one size.
#[derive(Clone, Copy, Default)]
struct Shape {
    /// The cells of the half grid of even rows and of that of odd rows.
    cells: [u64; 2],
    even: u64,
    even_rows: u64,
}

static SHAPES: LazyLock<[[Shape; SIDE_MAX as usize + 1]; SIDE_MAX as usize + 1]> = LazyLock::new(|| {
    let shape = |rows, columns| {
        if HalfGrids::fits(rows, columns) { Shape::new(rows, columns) } else { Shape::default() }
    };
    std::array::from_fn(|rows| std::array::from_fn(|columns| shape(rows, columns)))
});

impl Shape {
    fn new(rows: usize, columns: usize) -> Self {
        let stride = columns.div_ceil(2);
        let cells = |rows: usize, columns: usize| {
            let row = (1 << columns.saturating_sub(1)) - 1;
            (0..rows.saturating_sub(1)).fold(0, |cells, at| cells | row << (at * stride))
        };
        let every_second = |from: usize| (from..rows.div_ceil(2)).step_by(2);
        let row = (1_u128 << stride) as u64;
        let row = row.wrapping_sub(1);
        let even_rows = every_second(0).fold(0, |even, at| even | row << (at * stride));
        let even = every_second(0).fold(0, |even, at| even | (row & EVERY_SECOND) << (at * stride));
        let even = every_second(1).fold(even, |even, at| even | (row & !EVERY_SECOND) << (at * stride));
        Self { cells: [cells(rows.div_ceil(2), stride), cells(rows / 2, columns / 2)], even, even_rows }
    }
}

impl HalfGrid {
    /// The own pieces that can capture.
    #[must_use]
    pub fn starts(&self) -> u64 {
        let Self { stride, own, empty, cells, .. } = *self;
        if cells == 0 {
            return 0;
        }
        let to_lower_right = cells & empty >> (stride + 1);
        let to_upper_left = (cells & empty) << (stride + 1);
        let to_lower_left = (cells & empty >> stride) << 1;
        let to_upper_right = (cells & empty >> 1) << stride;
        own & (to_lower_right | to_upper_left | to_lower_left | to_upper_right)
    }

    /// The squares whose row + column is even, or the others.
    #[must_use]
    pub fn squares_of(&self, even: bool) -> u64 {
        if even { self.even } else { !self.even }
    }

    /// The squares of every second row, the first included.
    #[must_use]
    pub fn even_rows(&self) -> u64 {
        self.even_rows
    }

    /// All jumps of pieces with the parity of the one on `start`, whose square counts as empty.
    #[must_use]
    pub fn jumps(&self, start: u64) -> Jumps {
        let Self { stride, cells, .. } = *self;
        let squares = self.empty | start;
        let alike = self.squares_of(start & self.even != 0);
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
