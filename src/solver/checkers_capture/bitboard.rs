//! The longest capture on a small board, by bits: depth-first search on one of the two grids of [`Quarters`].
//!
//! On a grid, vertices are squares, and an opponent piece of the *other* grid lies in the middle of four of
//! them: its *cell*, named by the bit of its upper left corner. A piece that moves keeps the parity of its
//! grid's row + column, so over a cell whose corner has that parity it can only jump between the upper left and
//! the lower right ("falling"), over the others only between the other two ("rising"). With `stride` columns
//! the four corners of a cell are the bits x, x + 1, x + stride and x + stride + 1, and all jumps of all pieces
//! are found by a few shifts.
//!
//! Boards on which little can be captured are searched as they are; the others by bounds ([`bounded`]), and so
//! are those whose path is wanted; the few that are too hard for that by dynamic programming ([`sweep`]). All
//! count their steps and give up after some hundred microseconds, so that they can do without a budget: the
//! general algorithm then takes their place.

use std::sync::LazyLock;

use super::quarters::Quarters;
use super::{Best, SIDE_MAX, bounded, sweep};

/// Steps of the plain search, of some 5 ns, before bounds are worth their while.
const PLAIN_STEPS_MAX: u32 = 256;
/// The even columns of a row.
const EVERY_SECOND: u64 = 0x5555_5555_5555_5555;

/// The longest capture on `board`, with its path if `witness`; `None` if it is too hard for this search.
#[must_use]
pub fn solve(board: &Quarters, witness: bool) -> Option<Best> {
    let halves = halves(board);
    if !witness && let Some(captures) = plain(&halves) {
        return Some(Best { captures: u64::from(captures), path: Vec::new() });
    }
    match bounded::longest(&halves) {
        Ok(longest) => Some(longest.into_best(board, witness)),
        // The sweep knows no path.
        Err(at_least) if !witness => {
            let captures = sweep::longest(&halves, at_least)?;
            Some(Best { captures: captures as u64, path: Vec::new() })
        }
        Err(_) => None,
    }
}

/// The most captures by plain search; `None` if that takes too long.
fn plain(halves: &[Half; 2]) -> Option<u32> {
    let (mut best, mut steps) = (0, PLAIN_STEPS_MAX);
    for half in halves {
        for start in bits(half.starts()) {
            best = best.max(half.jumps(start).longest(start, &mut steps));
        }
    }
    (steps > 0).then_some(best)
}

/// The single bits of a word, the lowest first.
pub fn bits(mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = word & word.wrapping_neg();
        word ^= bit;
        (bit != 0).then_some(bit)
    })
}

/// A grid on which pieces move, and what they can capture there.
#[derive(Clone, Copy)]
pub struct Half {
    rows: u32,
    stride: u32,
    own: u64,
    empty: u64,
    /// The cells that hold an opponent piece.
    cells: u64,
    /// The squares whose row + column is even, and those whose row is.
    even: u64,
    even_rows: u64,
}

/// What can still be captured by one piece: the opponent pieces' cells between two empty squares. The two sets
/// have no cell in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Jumps {
    stride: u32,
    /// From the upper left to the lower right corner, and back.
    pub falling: u64,
    /// From the upper right to the lower left corner, and back.
    pub rising: u64,
}

/// A jump: the cell it goes over, in one of the two sets, and the square it leads to.
#[derive(Clone, Copy)]
pub struct Jump {
    falling: u64,
    rising: u64,
    pub to: u64,
}

/// The grid of the even rows and that of the odd ones, each with the other's opponent pieces in its cells.
fn halves(board: &Quarters) -> [Half; 2] {
    let shape = if board.rows() <= SIDE_MAX as usize && board.columns() <= SIDE_MAX as usize {
        SHAPES[board.rows()][board.columns()]
    } else {
        Shape::new(board.rows(), board.columns())
    };
    let stride = board.stride() as u32;
    let [even, odd] = *board.grids();
    // A board of fewer than three columns or rows has no cells, and a stride that cannot be shifted by.
    let below = if shape.cells[1] == 0 { 0 } else { even.opponents >> (stride + 1) };
    let rows = board.rows() as u32;
    let even = (even, odd.opponents, shape.cells[0], rows.div_ceil(2));
    [even, (odd, below, shape.cells[1], rows / 2)].map(|(grid, over, cells, rows)| Half {
        rows,
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
    /// The cells of the grid of even rows and of that of odd rows.
    cells: [u64; 2],
    even: u64,
    even_rows: u64,
}

static SHAPES: LazyLock<[[Shape; SIDE_MAX as usize + 1]; SIDE_MAX as usize + 1]> = LazyLock::new(|| {
    let shape = |rows, columns| {
        if Quarters::fits(rows, columns) { Shape::new(rows, columns) } else { Shape::default() }
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

impl Half {
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

    /// Rows and columns.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.rows as usize, self.stride as usize)
    }

    /// The bit of a square.
    #[must_use]
    pub fn bit(&self, row: usize, column: usize) -> u64 {
        1 << (row * self.stride as usize + column)
    }

    /// Whether an own piece stands there.
    #[must_use]
    pub fn is_own(&self, square: u64) -> bool {
        square & self.own != 0
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
        self.jumps_between(self.empty | start, self.squares_of(start & self.even != 0))
    }

    /// All jumps of the own pieces on `starts`, squares whose row + column is `even` or not; but for those
    /// between two of them, of which one would stand in the other's way.
    #[must_use]
    pub fn jumps_of_all(&self, starts: u64, even: bool) -> Jumps {
        let alike = self.squares_of(even);
        let all = self.jumps_between(self.empty | starts, alike);
        let own = self.jumps_between(starts, alike);
        Jumps { falling: all.falling & !own.falling, rising: all.rising & !own.rising, ..all }
    }

    fn jumps_between(&self, squares: u64, alike: u64) -> Jumps {
        let Self { stride, cells, .. } = *self;
        Jumps {
            stride,
            falling: cells & alike & squares & squares >> (stride + 1),
            rising: cells & !alike & squares >> 1 & squares >> stride,
        }
    }
}

impl Jumps {
    /// The jumps from the square `at`.
    #[inline]
    pub fn from(self, at: u64) -> impl Iterator<Item = Jump> {
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

    /// What is left behind a jump.
    #[must_use]
    pub fn without(self, jump: Jump) -> Self {
        Self { falling: self.falling ^ jump.falling, rising: self.rising ^ jump.rising, ..self }
    }

    /// The most captures from `at`. Meaningless once no steps are left.
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

    /// The cells whichever way they are jumped over.
    #[must_use]
    pub fn cells(self) -> u64 {
        self.falling | self.rising
    }

    /// The jumps that a piece on `at` may come to, as far as single jumps lead.
    #[must_use]
    pub fn reached_from(self, at: u64) -> Self {
        let Self { stride, falling, rising } = self;
        let mut squares = at;
        loop {
            let from_upper_left = (squares & falling) << (stride + 1);
            let from_lower_right = squares >> (stride + 1) & falling;
            let from_upper_right = (squares >> 1 & rising) << stride;
            let from_lower_left = (squares >> stride & rising) << 1;
            let wider = squares | from_upper_left | from_lower_right | from_upper_right | from_lower_left;
            if wider == squares {
                return Self { stride, falling: falling & squares, rising: rising & squares >> 1 };
            }
            squares = wider;
        }
    }

    /// Without the branches that do not come back, however long; and how long the longest of them was. What
    /// leads from `at` to the rest is no such branch.
    #[must_use]
    pub fn without_branches(self, at: u64) -> (Self, usize) {
        let Self { stride, mut falling, mut rising } = self;
        let mut length = 0;
        loop {
            let [a, b, c, d] = [falling, falling << (stride + 1), rising << 1, rising << stride];
            // Squares with one jump: an odd number, but not three.
            let leaves = (a ^ b ^ c ^ d) & !(a & b | c & d) & !at;
            if leaves == 0 {
                return (Self { stride, falling, rising }, length);
            }
            falling &= !(leaves | leaves >> (stride + 1));
            rising &= !(leaves >> 1 | leaves >> stride);
            length += 1;
        }
    }

    /// The squares from which an odd number of jumps leads.
    #[must_use]
    pub fn odd_squares(self) -> u64 {
        let Self { stride, falling, rising } = self;
        falling ^ falling << (stride + 1) ^ rising << 1 ^ rising << stride
    }

    /// The squares one jump from any of `squares`.
    #[must_use]
    pub fn neighbours(self, squares: u64) -> u64 {
        let Self { stride, falling, rising } = self;
        (squares & falling) << (stride + 1)
            | squares >> (stride + 1) & falling
            | (squares >> 1 & rising) << stride
            | (squares >> stride & rising) << 1
    }
}

#[cfg(test)]
#[path = "bitboard_tests.rs"]
mod tests;
