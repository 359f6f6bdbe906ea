//! Boards of up to 4 × 4 squares in 64 bits, one nibble per rank, with tables of all 65,536 rows.
//!
//! A row is sixteen bits, its first square in the low nibble, and the upper row is the lowest. Sizes below 4 leave the
//! last columns and rows empty. A slide along the rows looks up each row; a slide along the columns does the same on
//! the transposed board. One set of tables serves all sizes: a row of four squares slid to its last square, shifted
//! down by the missing nibbles, is the slid shorter row. The idea of the tables comes from the published 2048 players
//! (nneonneo/2048-ai, 2014).
//!
//! # What a nibble cannot hold
//!
//! A nibble holds ranks 0 to 15, in the game tiles up to 32768, so it cannot hold the result of merging two tiles of
//! 32768. [`PackedBoard::from_sliding`] returns `None` for a board with a larger tile, and the board of any size takes
//! over. Two tiles of 32768 that a slide would merge both stay, side by side. So a slide is right as long as there is
//! at most one of them; [`PackedBoard::may_outgrow`] checks this in a few instructions.

use std::sync::LazyLock;

use super::line::Line;
use super::sliding::{Direction, SlidingBoard};

/// Maximum number of squares on a side.
pub const SIZE_MAX: usize = 4;
/// Largest rank that fits in a square.
pub const RANK_MAX: u8 = 15;
/// Squares of the largest board.
pub const SQUARES: usize = SIZE_MAX * SIZE_MAX;

/// Number of different rows.
const ROWS: usize = 1 << 16;
/// The lowest bit of every square.
const LOW_BITS: u64 = 0x1111_1111_1111_1111;
/// Nibbles in an even row and an odd column. Transposing swaps each with the nibble 3 places higher.
const SWAP_SQUARES: u64 = 0x0000_F0F0_0000_F0F0;
/// The top right quarter. Transposing swaps each of its nibbles with the nibble 6 places higher.
const SWAP_QUARTERS: u64 = 0x0000_0000_FF00_FF00;

/// The ranks of a board of at most 4 × 4 squares, four bits per square.
///
/// ```
/// use tabuleiro_puzzles::board::packed::PackedBoard;
/// use tabuleiro_puzzles::board::sliding::{Direction, SlidingBoard};
///
/// let board = SlidingBoard::new(3, vec![0, 1, 1, 0, 0, 2, 0, 0, 2]);
/// let packed = PackedBoard::from_sliding(&board).expect("3 x 3, and small ranks");
/// let slid = packed.slide(Direction::Left, 3).to_sliding(3);
/// assert_eq!(slid.ranks(), [2, 0, 0, 2, 0, 0, 2, 0, 0]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PackedBoard(u64);

/// The result of a slide of a 4 × 4 board, before a new piece appears.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct After {
    /// The board after the slide; the same board if the slide changes nothing.
    pub board: PackedBoard,
    /// The sum of the values 2^rank of the tiles made by merging.
    pub points: u32,
}

impl PackedBoard {
    /// Packs a board. Returns `None` if it has more than 4 × 4 squares or a rank above 15.
    pub fn from_sliding(board: &SlidingBoard) -> Option<Self> {
        let size = board.size();
        if size > SIZE_MAX || board.ranks().iter().any(|&rank| rank > RANK_MAX) {
            return None;
        }
        let squares = board.ranks().iter().enumerate();
        Some(Self(
            squares.fold(0, |bits, (square, &rank)| {
                bits | u64::from(rank) << shift(square / size, square % size)
            }),
        ))
    }

    /// Returns the board as one of `size` × `size` squares. Drops the other squares.
    ///
    /// # Panics
    /// Panics if `size` is above 4.
    pub fn to_sliding(self, size: usize) -> SlidingBoard {
        assert!(size <= SIZE_MAX, "a packed board has at most {SIZE_MAX} squares on a side");
        let ranks = (0..size * size).map(|square| self.rank(square / size, square % size));
        SlidingBoard::new(size, ranks.collect())
    }

    /// Returns all squares as one number.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// Returns the rank at `row`, `column`, both below 4.
    pub fn rank(self, row: usize, column: usize) -> u8 {
        (self.0 >> shift(row, column)) as u8 & RANK_MAX
    }

    /// Returns the board with `rank` (at most 15) on an empty square.
    pub fn with(self, row: usize, column: usize, rank: u8) -> Self {
        debug_assert!(self.rank(row, column) == 0 && rank <= RANK_MAX);
        Self(self.0 | u64::from(rank) << shift(row, column))
    }

    /// Returns the four squares of a row in 16 bits, the first column lowest.
    pub fn row(self, row: usize) -> u16 {
        (self.0 >> (16 * row)) as u16
    }

    /// Returns the empty squares of all 4 × 4, in row order.
    pub fn empty_squares(self) -> EmptySquares {
        let occupied = self.0 | self.0 >> 1;
        let occupied = occupied | occupied >> 2;
        EmptySquares(!occupied & LOW_BITS)
    }

    /// Returns the board with a tile of `rank` (at most 15) on an empty square.
    pub fn with_piece(self, square: EmptySquare, rank: u8) -> Self {
        Self(self.0 | (square.0 * u64::from(rank)))
    }

    /// Returns whether some square holds `rank`, from 1 to 15.
    pub fn holds(self, rank: u8) -> bool {
        Self(self.0 ^ (LOW_BITS * u64::from(rank))).empty_squares().0 != 0
    }

    /// Returns the board with every tile above `rank` (at least 1) a rank lower.
    pub fn lowered_above(self, rank: u8) -> Self {
        let is_above = |shift: u32| u64::from((self.0 >> shift) as u8 & RANK_MAX > rank);
        Self((0..u64::BITS).step_by(4).fold(self.0, |bits, shift| bits - (is_above(shift) << shift)))
    }

    /// Returns whether there are two tiles of rank 15. A slide could merge them into rank 16, which does not fit.
    pub fn may_outgrow(self) -> bool {
        let largest = Self(!self.0).empty_squares().0;
        largest & largest.wrapping_sub(1) != 0
    }

    /// Slides every tile of a board of `size` × `size` squares, `size` at most 4. The squares outside must be empty.
    /// Two tiles of rank 15 do not merge.
    #[inline]
    pub fn slide(self, direction: Direction, size: usize) -> Self {
        debug_assert!(size <= SIZE_MAX);
        let tables = &*TABLES;
        // Shifts from the last of four squares to the last of `size` squares.
        let short = (SIZE_MAX - size) as u32;
        match direction {
            Direction::Left => self.slide_rows(|row| tables.to_first[row]),
            Direction::Right => Self(self.slide_rows(|row| tables.to_last[row]).0 >> (4 * short)),
            Direction::Up => self.transposed().slide_rows(|row| tables.to_first[row]).transposed(),
            Direction::Down => {
                let slid = self.transposed().slide_rows(|row| tables.to_last[row]);
                Self(slid.0 >> (4 * short)).transposed()
            }
        }
    }

    /// Returns the result of each slide of a 4 × 4 board, in the order of [`Direction::ALL`].
    pub fn moves(self) -> [After; 4] {
        let points = |rows: Self| (0..SIZE_MAX).map(|row| TABLES.points[usize::from(rows.row(row))]).sum();
        let (along_rows, along_columns) = (points(self), points(self.transposed()));
        Direction::ALL.map(|direction| After {
            board: self.slide(direction, SIZE_MAX),
            points: match direction {
                Direction::Left | Direction::Right => along_rows,
                Direction::Up | Direction::Down => along_columns,
            },
        })
    }

    /// Returns the slides that change a 4 × 4 board, each with its result.
    pub fn legal_moves(self) -> impl Iterator<Item = (Direction, After)> {
        Direction::ALL.into_iter().zip(self.moves()).filter(move |(_, after)| after.board != self)
    }

    /// Transposes the board: swaps squares within each quarter, then swaps the quarters.
    #[inline]
    pub fn transposed(self) -> Self {
        let swap = |squares: u64, shift: u32, mask: u64| {
            let differences = (squares ^ squares >> shift) & mask;
            squares ^ differences ^ differences << shift
        };
        Self(swap(swap(self.0, 12, SWAP_SQUARES), 24, SWAP_QUARTERS))
    }

    /// Returns a 4 × 4 board with left and right exchanged.
    pub fn mirrored(self) -> Self {
        let squares = self.0;
        let squares = (squares & 0x0F0F_0F0F_0F0F_0F0F) << 4 | squares >> 4 & 0x0F0F_0F0F_0F0F_0F0F;
        Self((squares & 0x00FF_00FF_00FF_00FF) << 8 | squares >> 8 & 0x00FF_00FF_00FF_00FF)
    }

    /// Returns a 4 × 4 board with top and bottom exchanged.
    pub fn upside_down(self) -> Self {
        let squares = self.0.rotate_left(32);
        Self((squares & 0x0000_FFFF_0000_FFFF) << 16 | squares >> 16 & 0x0000_FFFF_0000_FFFF)
    }

    #[inline]
    fn slide_rows(self, slid: impl Fn(usize) -> u16) -> Self {
        let row = |row| u64::from(slid(usize::from(self.row(row)))) << (16 * row);
        Self(row(0) | row(1) | row(2) | row(3))
    }
}

fn shift(row: usize, column: usize) -> usize {
    16 * row + 4 * column
}

/// An empty square of a board, as the lowest bit of its nibble.
#[derive(Debug, Clone, Copy)]
pub struct EmptySquare(u64);

/// The empty squares of a board, in row order.
#[derive(Debug, Clone)]
pub struct EmptySquares(u64);

impl EmptySquares {
    /// Returns how many empty squares are left.
    pub fn left(&self) -> usize {
        self.0.count_ones() as usize
    }
}

impl Iterator for EmptySquares {
    type Item = EmptySquare;

    fn next(&mut self) -> Option<EmptySquare> {
        let lowest = self.0 & self.0.wrapping_neg();
        self.0 ^= lowest;
        (lowest != 0).then_some(EmptySquare(lowest))
    }
}

/// The results of slides for all rows of four squares, indexed by their sixteen bits.
struct Tables {
    /// The row slid towards its first square.
    to_first: Box<[u16; ROWS]>,
    /// The row slid towards its last square.
    to_last: Box<[u16; ROWS]>,
    /// The points, which are the same in both directions.
    points: Box<[u32; ROWS]>,
}

/// Made once, on first use: 512 KiB.
static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

impl Tables {
    fn new() -> Self {
        Self {
            to_first: table(|row| slid_to_first(row).0),
            to_last: table(|row| reversed(slid_to_first(reversed(row)).0)),
            points: table(|row| slid_to_first(row).1),
        }
    }
}

#[expect(clippy::unnecessary_box_returns, reason = "up to 256 KiB, too much for the stack")]
fn table<T>(of_row: impl Fn(u16) -> T) -> Box<[T; ROWS]> {
    let entries: Box<[T]> = (0..=u16::MAX).map(of_row).collect();
    entries.try_into().unwrap_or_else(|_| unreachable!("an entry a row"))
}

/// Returns the row after the slide, and its points.
fn slid_to_first(row: u16) -> (u16, u32) {
    let mut line = Line::new(RANK_MAX);
    let mut slid = [0_u8; SIZE_MAX];
    let mut points = 0;
    for landing in (0..SIZE_MAX).filter_map(|square| line.push((row >> (4 * square)) as u8 & RANK_MAX)) {
        slid[landing.square] = landing.rank;
        points += if landing.merged { 1 << landing.rank } else { 0 };
    }
    (slid.into_iter().rev().fold(0, |row, rank| row << 4 | u16::from(rank)), points)
}

/// Returns the four nibbles in reverse order.
fn reversed(row: u16) -> u16 {
    let bytes = row.swap_bytes();
    (bytes & 0x0F0F) << 4 | bytes >> 4 & 0x0F0F
}

#[cfg(test)]
#[path = "packed_tests.rs"]
mod tests;
