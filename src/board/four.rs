//! The 4 × 4 board in 64 bits: a nibble a rank, and tables of all 65,536 rows for moves and points.
//!
//! A nibble holds ranks 0 to 15, pieces up to 32768, and so cannot hold what two pieces of 32768 make. A
//! board with two of them, or with a larger piece, is no such board. When a second 32768 arises on it, the two
//! lie side by side unmerged: this board is for players that look ahead, no game is played on it.
//!
//! [`super::packed`] packs the smaller boards too, and says what was merged instead of the points.

use std::sync::LazyLock;

use super::sliding::{Direction, SlidingBoard};

/// Squares of the board.
pub const SQUARES: usize = 16;

const RANK_MAX: u8 = 15;
/// The lowest bit of every square.
const LOW_BITS: u64 = 0x1111_1111_1111_1111;
/// Nibbles whose row is even and column odd; each changes places with the one 3 nibbles on.
const SWAP_SQUARES: u64 = 0x0000_F0F0_0000_F0F0;
/// The top right quarter; each nibble changes places with the one 6 nibbles on.
const SWAP_QUARTERS: u64 = 0x0000_0000_FF00_FF00;

/// A 4 × 4 board, the first square in the low nibble.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board4(u64);

/// What a move makes of a board, before the new piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct After {
    /// The board; the same one when the move changes nothing.
    pub board: Board4,
    /// The sum of the pieces made by merging.
    pub points: u32,
}

impl Board4 {
    /// Packs a board; `None` when it is not 4 × 4, or has a piece above 32768 or two of 32768.
    #[must_use]
    pub fn from_sliding(board: &SlidingBoard) -> Option<Self> {
        if board.size() != 4 || board.ranks().iter().any(|&rank| rank > RANK_MAX) {
            return None;
        }
        if board.ranks().iter().filter(|&&rank| rank == RANK_MAX).nth(1).is_some() {
            return None;
        }
        Some(Self(board.ranks().iter().rev().fold(0, |squares, &rank| squares << 4 | u64::from(rank))))
    }

    /// All squares in one number.
    #[must_use]
    pub fn bits(self) -> u64 {
        self.0
    }

    /// The rank of a square, counted in row order.
    #[must_use]
    pub fn rank(self, square: usize) -> u8 {
        (self.0 >> (4 * square)) as u8 & RANK_MAX
    }

    /// The empty squares, in row order.
    #[must_use]
    pub fn empty_squares(self) -> EmptySquares {
        let occupied = self.0 | self.0 >> 1;
        let occupied = occupied | occupied >> 2;
        EmptySquares(!occupied & LOW_BITS)
    }

    /// The board with a piece of that rank on one empty square.
    #[must_use]
    pub fn with_piece(self, square: EmptySquare, rank: u8) -> Self {
        Self(self.0 | (square.0 * u64::from(rank)))
    }

    /// What each move makes of it, in the order of [`Direction::ALL`].
    #[must_use]
    pub fn moves(self) -> [After; 4] {
        let tables = &*TABLES;
        let columns = self.transposed();
        let (row_points, column_points) = (tables.points(self.0), tables.points(columns.0));
        let sideways = |table| After { board: Self(slide_rows(self.0, table)), points: row_points };
        let upright =
            |table| After { board: Self(slide_rows(columns.0, table)).transposed(), points: column_points };
        [
            sideways(&tables.to_first),
            sideways(&tables.to_last),
            upright(&tables.to_first),
            upright(&tables.to_last),
        ]
    }

    /// The moves that change it, each with what it makes of it.
    pub fn legal_moves(self) -> impl Iterator<Item = (Direction, After)> {
        Direction::ALL.into_iter().zip(self.moves()).filter(move |(_, after)| after.board != self)
    }

    /// Rows as columns: squares change places within each quarter, then the quarters.
    #[must_use]
    pub fn transposed(self) -> Self {
        let swap = |squares: u64, shift: u32, mask: u64| {
            let differences = (squares ^ squares >> shift) & mask;
            squares ^ differences ^ differences << shift
        };
        Self(swap(swap(self.0, 12, SWAP_SQUARES), 24, SWAP_QUARTERS))
    }

    /// Left and right exchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        let squares = self.0;
        let squares = (squares & 0x0F0F_0F0F_0F0F_0F0F) << 4 | squares >> 4 & 0x0F0F_0F0F_0F0F_0F0F;
        Self((squares & 0x00FF_00FF_00FF_00FF) << 8 | squares >> 8 & 0x00FF_00FF_00FF_00FF)
    }

    /// Top and bottom exchanged.
    #[must_use]
    pub fn upside_down(self) -> Self {
        let squares = self.0.rotate_left(32);
        Self((squares & 0x0000_FFFF_0000_FFFF) << 16 | squares >> 16 & 0x0000_FFFF_0000_FFFF)
    }
}

/// An empty square of a board: one bit, the lowest of its nibble.
#[derive(Debug, Clone, Copy)]
pub struct EmptySquare(u64);

/// The empty squares of a board, in row order.
#[derive(Debug, Clone)]
pub struct EmptySquares(u64);

impl EmptySquares {
    /// How many are left.
    #[must_use]
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

/// All rows, by their four nibbles; the first square of a row in the low one.
struct Tables {
    /// The row slid towards its first square.
    to_first: Box<[u16]>,
    /// The row slid towards its last square.
    to_last: Box<[u16]>,
    /// The points of either.
    points: Box<[u32]>,
}

/// Made once, at the first use: 512 KiB.
static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

impl Tables {
    fn new() -> Self {
        let rows = 0..=u16::MAX;
        let to_last = |row| {
            let mut reversed = nibbles(row);
            reversed.reverse();
            let (mut slid, _) = slid_to_first(reversed);
            slid.reverse();
            row_of(slid)
        };
        Self {
            to_first: rows.clone().map(|row| row_of(slid_to_first(nibbles(row)).0)).collect(),
            to_last: rows.clone().map(to_last).collect(),
            points: rows.map(|row| slid_to_first(nibbles(row)).1).collect(),
        }
    }

    fn points(&self, squares: u64) -> u32 {
        [0, 16, 32, 48].into_iter().map(|shift| self.points[usize::from((squares >> shift) as u16)]).sum()
    }
}

fn nibbles(row: u16) -> [u8; 4] {
    [0, 4, 8, 12].map(|shift| (row >> shift & 15) as u8)
}

fn row_of(nibbles: [u8; 4]) -> u16 {
    nibbles.into_iter().rev().fold(0, |row, nibble| row << 4 | u16::from(nibble))
}

/// The row after the slide, and its points.
fn slid_to_first(row: [u8; 4]) -> ([u8; 4], u32) {
    let (mut slid, mut points) = ([0; 4], 0);
    let mut free = 0;
    let mut mergeable = false;
    for rank in row.into_iter().filter(|&rank| rank > 0) {
        if mergeable && slid[free - 1] == rank && rank < RANK_MAX {
            slid[free - 1] += 1;
            points += 1 << (rank + 1);
            mergeable = false;
        } else {
            slid[free] = rank;
            free += 1;
            mergeable = true;
        }
    }
    (slid, points)
}

fn slide_rows(squares: u64, table: &[u16]) -> u64 {
    let row = |shift: u32| u64::from(table[usize::from((squares >> shift) as u16)]) << shift;
    row(0) | row(16) | row(32) | row(48)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Random;

    fn random_board(random: &mut Random, ranks: u64) -> SlidingBoard {
        SlidingBoard::new(4, (0..SQUARES).map(|_| random.below(ranks) as u8).collect())
    }

    fn ranks(board: Board4) -> Vec<u8> {
        (0..SQUARES).map(|square| board.rank(square)).collect()
    }

    #[test]
    fn slides_as_the_board_of_any_size_does() {
        let mut random = Random::new(11);
        for round in 0..5_000 {
            // At most one piece of 32768, as the board is used.
            let mut board = random_board(&mut random, [3, 6, 15][round % 3]);
            board.ranks_mut()[round % SQUARES] = if round % 4 == 0 { RANK_MAX } else { 0 };
            let packed = Board4::from_sliding(&board).unwrap();
            assert_eq!(ranks(packed), board.ranks());
            let empties: Vec<_> =
                packed.empty_squares().map(|square| ranks(packed.with_piece(square, 2))).collect();
            let expected = (0..SQUARES).filter(|&square| board.ranks()[square] == 0).map(|square| {
                let mut with_piece = board.ranks().to_vec();
                with_piece[square] = 2;
                with_piece
            });
            assert_eq!(empties, expected.collect::<Vec<_>>());
            assert_eq!(packed.empty_squares().left(), empties.len());
            for (direction, after) in Direction::ALL.into_iter().zip(packed.moves()) {
                let (mut slid, mut points) = (board.clone(), 0);
                slid.slide_with(direction, |rank| points += 1 << rank);
                assert_eq!(ranks(after.board), slid.ranks());
                assert_eq!(after.points, points);
            }
        }
    }

    #[test]
    fn turns_are_turns() {
        let mut random = Random::new(12);
        for _ in 0..100 {
            let board = random_board(&mut random, 15);
            let packed = Board4::from_sliding(&board).unwrap();
            for (turned, square) in [
                (packed.transposed(), (|row, column| 4 * column + row) as fn(usize, usize) -> usize),
                (packed.mirrored(), |row, column| 4 * row + 3 - column),
                (packed.upside_down(), |row, column| 4 * (3 - row) + column),
            ] {
                for at in 0..SQUARES {
                    assert_eq!(turned.rank(at), board.ranks()[square(at / 4, at % 4)]);
                }
            }
        }
    }

    #[test]
    fn what_a_nibble_cannot_hold_is_no_such_board() {
        let with = |ranks: &[u8]| {
            let mut all = vec![0; SQUARES];
            all[..ranks.len()].copy_from_slice(ranks);
            Board4::from_sliding(&SlidingBoard::new(4, all)).is_some()
        };
        assert!(with(&[15, 14, 14]));
        assert!(!with(&[15, 0, 15]));
        assert!(!with(&[16]));
        assert!(Board4::from_sliding(&SlidingBoard::new(3, vec![0; 9])).is_none());
    }
}
