//! Boards of up to 8 × 8 squares as eight rows of 64 bits, a byte a square: all columns slide at once.
//!
//! A slide up lets every row rise through the rows above it as long as these are empty, a column at a time as
//! all the bytes of a word; equals that then touch merge, from the top down, and what is below rises once more. No step
//! looks at a single square, and nothing branches on what the squares hold. The other directions are
//! the same on the board turned upside down, transposed, or both. What is done to all bytes of a word with
//! a few instructions follows Lamport, Multiple Byte Processing with Full-Word Instructions (1975).
//!
//! A byte holds ranks 0 to 127, so that its highest bit is free for that: tiles up to 2^127, more than any
//! puzzle has. Of boards up to 4 × 4 with small ranks, [`super::packed`] is the faster one.

use super::sliding::{Direction, SlidingBoard};

/// Squares on a side that fit.
pub const SIZE_MAX: usize = 8;
/// Largest rank that fits a square. Two tiles of it do not merge.
pub const RANK_MAX: u8 = 127;

/// The lowest bit of every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of every byte.
const HIGH: u64 = ONES << 7;

/// The rows, those below the board empty.
type Rows = [u64; SIZE_MAX];

/// The ranks of a board of at most 8 × 8 squares, eight bits a square.
///
/// ```
/// use tabuleiro::board::rows::RowBoard;
/// use tabuleiro::board::sliding::{Direction, SlidingBoard};
///
/// let mut ranks = vec![0; 36];
/// ranks[6..12].fill(20);
/// let board = RowBoard::from_sliding(&SlidingBoard::new(6, ranks)).expect("6 x 6");
/// let slid = board.slide(Direction::Right);
/// assert_eq!((0..6).map(|column| slid.rank(1, column)).collect::<Vec<_>>(), [0, 0, 0, 21, 21, 21]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RowBoard {
    rows: Rows,
    size: u8,
}

impl RowBoard {
    /// Packs a board; `None` when it has more than 8 × 8 squares or a rank above 127.
    #[must_use]
    pub fn from_sliding(board: &SlidingBoard) -> Option<Self> {
        let size = board.size();
        if size > SIZE_MAX || board.ranks().iter().any(|&rank| rank > RANK_MAX) {
            return None;
        }
        let mut rows = Rows::default();
        for (word, row) in rows.iter_mut().zip(board.ranks().chunks_exact(size.max(1))) {
            *word = row.iter().rev().fold(0, |word, &rank| word << 8 | u64::from(rank));
        }
        Some(Self { rows, size: size as u8 })
    }

    /// The board of any size with these squares.
    #[must_use]
    pub fn to_sliding(&self) -> SlidingBoard {
        SlidingBoard::new(self.size(), self.ranks().collect())
    }

    /// Squares on a side.
    #[must_use]
    pub fn size(&self) -> usize {
        usize::from(self.size)
    }

    /// The rows, a byte a square, the first column in the lowest one.
    #[must_use]
    pub fn rows(&self) -> &[u64] {
        &self.rows[..self.size()]
    }

    /// The ranks, row by row.
    pub fn ranks(&self) -> impl Iterator<Item = u8> {
        self.rows().iter().flat_map(|row| row.to_le_bytes().into_iter().take(self.size()))
    }

    /// The rank at `row`, `column`, both below 8.
    #[must_use]
    pub fn rank(&self, row: usize, column: usize) -> u8 {
        (self.rows[row] >> (8 * column)) as u8
    }

    /// The board with `rank` (at most 127) on an empty square of it.
    #[must_use]
    pub fn with(mut self, row: usize, column: usize, rank: u8) -> Self {
        debug_assert!(row.max(column) < self.size() && self.rank(row, column) == 0 && rank <= RANK_MAX);
        self.rows[row] |= u64::from(rank) << (8 * column);
        self
    }

    /// Whether some square holds `rank`, from 1 to 127.
    #[must_use]
    pub fn holds(&self, rank: u8) -> bool {
        self.rows.iter().any(|row| filled(row ^ (ONES * u64::from(rank))) != HIGH)
    }

    /// Slides every tile as far as it goes; pairs of equals merge, unless they are of rank 127.
    #[must_use]
    pub fn slide(mut self, direction: Direction) -> Self {
        let sideways = matches!(direction, Direction::Left | Direction::Right);
        let backwards = matches!(direction, Direction::Right | Direction::Down);
        let size = self.size();
        if sideways {
            transpose(&mut self.rows);
        }
        if backwards {
            self.rows[..size].reverse();
        }
        slide_up(&mut self.rows, size);
        if backwards {
            self.rows[..size].reverse();
        }
        if sideways {
            transpose(&mut self.rows);
        }
        self
    }
}

/// Slides the columns of a board of `size` squares on a side.
fn slide_up(rows: &mut Rows, size: usize) {
    // With the number of rows known the compiler unrolls everything and keeps the rows in registers.
    match size {
        0 | 1 => {}
        2 => slide_columns::<2>(rows),
        3 => slide_columns::<3>(rows),
        4 => slide_columns::<4>(rows),
        5 => slide_columns::<5>(rows),
        6 => slide_columns::<6>(rows),
        7 => slide_columns::<7>(rows),
        _ => slide_columns::<8>(rows),
    }
}

fn slide_columns<const SIZE: usize>(rows: &mut Rows) {
    for row in 1..SIZE {
        for above in (0..row).rev() {
            rise(rows, above);
        }
    }
    for above in 0..SIZE - 1 {
        merge(rows, above);
    }
    // A pair leaves one gap, so that half of a row's way is enough.
    for row in 2..SIZE {
        for above in (row.div_ceil(2)..row).rev() {
            rise(rows, above);
        }
    }
}

/// Where the row `above` is empty, the tiles of the next row move there.
#[inline]
fn rise(rows: &mut Rows, above: usize) {
    let held = bytes(filled(rows[above]));
    rows[above] |= rows[above + 1] & !held;
    rows[above + 1] &= held;
}

/// Where the row `above` and the next one are equal, they become one tile.
#[inline]
fn merge(rows: &mut Rows, above: usize) {
    let (here, below) = (rows[above], rows[above + 1]);
    // A byte of 127 and one more has its highest bit.
    let too_large = here + ONES;
    let merged = filled(here) & !filled(here ^ below) & !too_large;
    rows[above] += merged >> 7;
    rows[above + 1] &= !bytes(merged);
}

/// The highest bit of every byte that is not 0; no byte may be above 127.
#[inline]
fn filled(word: u64) -> u64 {
    (word + !HIGH) & HIGH
}

/// All bits of every byte whose highest bit is given.
#[inline]
fn bytes(high: u64) -> u64 {
    (high - (high >> 7)) | high
}

/// Rows as columns: halves of the square change places, then halves of each half, then neighbours (Warren,
/// Hacker's Delight, 7-3).
fn transpose(rows: &mut Rows) {
    for (distance, mask) in
        [(4, 0x0000_0000_FFFF_FFFF), (2, 0x0000_FFFF_0000_FFFF), (1, 0x00FF_00FF_00FF_00FF)]
    {
        for row in (0..SIZE_MAX).filter(|row| row & distance == 0) {
            let differences = (rows[row] >> (8 * distance) ^ rows[row + distance]) & mask;
            rows[row] ^= differences << (8 * distance);
            rows[row + distance] ^= differences;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn slides_as_the_board_of_any_size_does(
            size in 0_usize..=8,
            few in any::<bool>(),
            ranks in prop::collection::vec(prop_oneof![2 => Just(0_u8), 3 => 0_u8..RANK_MAX], 64),
        ) {
            let rank = |&rank: &u8| if few { rank % 4 } else { rank };
            let board = SlidingBoard::new(size, ranks[..size * size].iter().map(rank).collect());
            let packed = RowBoard::from_sliding(&board).unwrap();
            prop_assert_eq!(&packed.to_sliding(), &board);
            for direction in Direction::ALL {
                let mut expected = board.clone();
                expected.slide(direction);
                let slid = packed.slide(direction);
                // Equal as words too: nothing is left outside of the board.
                prop_assert_eq!(Some(slid), RowBoard::from_sliding(&expected));
            }
            for rank in 1..=RANK_MAX {
                prop_assert_eq!(packed.holds(rank), board.ranks().contains(&rank));
            }
        }
    }

    /// Whatever of up to five ranks stands in a line of up to eight squares.
    #[test]
    fn every_line_of_few_ranks_slides_as_it_should() {
        for (size, ranks) in [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5), (6, 4), (7, 3), (8, 3)] {
            for number in 0..u32::pow(ranks, size) {
                let line = (0..size).map(|at| (number / u32::pow(ranks, at) % ranks) as u8);
                let size = size as usize;
                let mut board = SlidingBoard::new(size, vec![0; size * size]);
                for (row, rank) in board.ranks_mut().chunks_exact_mut(size).zip(line) {
                    row[size - 1] = rank;
                }
                let packed = RowBoard::from_sliding(&board).unwrap();
                let slid = packed.slide(Direction::Up);
                board.slide(Direction::Up);
                assert_eq!(Some(slid), RowBoard::from_sliding(&board));
            }
        }
    }

    #[test]
    fn what_a_byte_cannot_hold_is_not_packed_and_not_made() {
        let board = |size, rank| RowBoard::from_sliding(&SlidingBoard::new(size, vec![rank; size * size]));
        assert_eq!((board(9, 1), board(2, RANK_MAX + 1)), (None, None));
        let full = board(3, RANK_MAX).unwrap();
        assert!(Direction::ALL.into_iter().all(|direction| full.slide(direction) == full));
        assert_eq!(board(2, 126).unwrap().slide(Direction::Left).rank(1, 0), RANK_MAX);
    }
}
