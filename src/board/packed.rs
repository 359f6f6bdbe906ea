//! A sliding board of up to 4 × 4 squares in 64 bits, for searches over millions of boards.
//!
//! A square is four bits of rank (0 empty, up to 15), a row sixteen bits, the upper row lowest; sizes below
//! 4 leave the last columns and rows empty. A slide looks every row up in a table of all 65,536 rows, a
//! slide along the columns does so on the transposed board. The idea of the row tables is that of the
//! published 2048 players (nneonneo/2048-ai).

use std::sync::OnceLock;

use super::sliding::{Direction, SlidingBoard};

/// Squares on a side that fit.
pub const SIZE_MAX: usize = 4;
/// Largest rank that fits a square.
pub const RANK_MAX: u8 = 15;

const ROWS: usize = 1 << 16;

/// The ranks of a board of at most 4 × 4 squares, four bits a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PackedBoard(u64);

impl PackedBoard {
    /// Packs a board; `None` when it has more than 4 × 4 squares or a rank above 15.
    #[must_use]
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

    /// The board as one of `size` × `size` squares; the others are dropped.
    #[must_use]
    pub fn to_sliding(self, size: usize) -> SlidingBoard {
        let ranks = (0..size * size).map(|square| self.rank(square / size, square % size));
        SlidingBoard::new(size, ranks.collect())
    }

    /// The rank at `row`, `column`, both below 4.
    #[must_use]
    pub fn rank(self, row: usize, column: usize) -> u8 {
        (self.0 >> shift(row, column)) as u8 & RANK_MAX
    }

    /// The board with `rank` (at most 15) on an empty square.
    #[must_use]
    pub fn with(self, row: usize, column: usize, rank: u8) -> Self {
        debug_assert!(self.rank(row, column) == 0 && rank <= RANK_MAX);
        Self(self.0 | u64::from(rank) << shift(row, column))
    }

    /// All squares in one number.
    #[must_use]
    pub fn bits(self) -> u64 {
        self.0
    }

    /// The four squares of a row in 16 bits, the first column lowest.
    #[must_use]
    pub fn row(self, row: usize) -> u16 {
        (self.0 >> (16 * row)) as u16
    }

    /// Rows become columns.
    #[must_use]
    pub fn transposed(self) -> Self {
        // First the four 2 × 2 blocks are transposed within themselves, then among each other.
        let bits = self.0;
        let bits = bits & 0xf0f0_0f0f_f0f0_0f0f
            | (bits & 0x0000_f0f0_0000_f0f0) << 12
            | (bits & 0x0f0f_0000_0f0f_0000) >> 12;
        Self(
            bits & 0xff00_ff00_00ff_00ff
                | (bits & 0x00ff_00ff_0000_0000) >> 24
                | (bits & 0x0000_0000_ff00_ff00) << 24,
        )
    }

    /// Slides every tile as [`SlidingBoard::slide`] does on a board of `tables`' size.
    ///
    /// Returns the board and the highest rank that was made by a merge, 0 for none. When that is 16, its
    /// square is left empty, because 16 does not fit.
    #[must_use]
    pub fn slide(self, tables: &SlideTables, direction: Direction) -> (Self, u8) {
        match direction {
            Direction::Left => self.slide_rows(&tables.left),
            Direction::Right => self.slide_rows(&tables.right),
            Direction::Up => self.slide_columns(&tables.left),
            Direction::Down => self.slide_columns(&tables.right),
        }
    }

    fn slide_rows(self, table: &[Slid]) -> (Self, u8) {
        let mut bits = 0;
        let mut made = 0;
        for row in 0..SIZE_MAX {
            let slid = table[usize::from(self.row(row))];
            bits |= u64::from(slid.row) << (16 * row);
            made = made.max(slid.made);
        }
        (Self(bits), made)
    }

    fn slide_columns(self, table: &[Slid]) -> (Self, u8) {
        let (board, made) = self.transposed().slide_rows(table);
        (board.transposed(), made)
    }
}

fn shift(row: usize, column: usize) -> usize {
    16 * row + 4 * column
}

/// What a slide makes of one row.
#[derive(Debug, Clone, Copy, Default)]
struct Slid {
    row: u16,
    /// The highest rank made by a merge.
    made: u8,
}

/// Slides of all rows of a board of one size.
#[derive(Debug)]
pub struct SlideTables {
    left: Box<[Slid]>,
    right: Box<[Slid]>,
}

impl SlideTables {
    /// The tables for boards of `size` × `size` squares, made at the first call; `None` above 4.
    #[must_use]
    pub fn of_size(size: usize) -> Option<&'static Self> {
        static TABLES: [OnceLock<SlideTables>; SIZE_MAX + 1] = [const { OnceLock::new() }; SIZE_MAX + 1];
        Some(TABLES.get(size)?.get_or_init(|| Self::new(size)))
    }

    fn new(size: usize) -> Self {
        let table = |direction| (0..ROWS as u64).map(|row| slide_row(size, row, direction)).collect();
        Self { left: table(Direction::Left), right: table(Direction::Right) }
    }
}

/// Slides one row of `size` squares with the general board, whose only filled row it is.
fn slide_row(size: usize, row: u64, direction: Direction) -> Slid {
    let mut ranks = vec![0; size * size];
    for (column, rank) in ranks.iter_mut().take(size).enumerate() {
        *rank = (row >> (4 * column)) as u8 & RANK_MAX;
    }
    let mut board = SlidingBoard::new(size, ranks);
    let mut made = 0;
    board.slide_with(direction, |rank| made = made.max(rank));
    let squares = board.ranks().iter().take(size).enumerate();
    let row = squares.fold(0, |bits, (column, &rank)| bits | u16::from(rank & RANK_MAX) << (4 * column));
    Slid { row, made }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn slides_as_the_general_board_does(size in 1_usize..=4, seed in prop::collection::vec(0_u8..16, 16)) {
            let board = SlidingBoard::new(size, seed[..size * size].to_vec());
            let packed = PackedBoard::from_sliding(&board).unwrap();
            prop_assert_eq!(&packed.to_sliding(size), &board);
            for direction in Direction::ALL {
                let mut expected = board.clone();
                let mut expected_made = 0;
                expected.slide_with(direction, |rank| expected_made = expected_made.max(rank));
                let (slid, made) = packed.slide(SlideTables::of_size(size).unwrap(), direction);
                prop_assert_eq!(made, expected_made);
                for rank in expected.ranks_mut() {
                    *rank &= RANK_MAX;
                }
                prop_assert_eq!(slid.to_sliding(size), expected);
            }
        }

        #[test]
        fn transposing_swaps_rows_and_columns(bits in any::<u64>()) {
            let board = PackedBoard(bits);
            for row in 0..4 {
                for column in 0..4 {
                    prop_assert_eq!(board.transposed().rank(row, column), board.rank(column, row));
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_not_packed() {
        assert_eq!(PackedBoard::from_sliding(&SlidingBoard::new(5, vec![0; 25])), None);
        assert_eq!(PackedBoard::from_sliding(&SlidingBoard::new(2, vec![0, 0, 16, 0])), None);
        assert!(SlideTables::of_size(5).is_none());
    }
}
