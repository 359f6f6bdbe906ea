//! The 4 × 4 board in 64 bits: a nibble a rank, and tables of all 65,536 rows for moves and values.
//!
//! A nibble holds ranks 0 to 15, pieces up to 32768, and so cannot hold what two pieces of 32768 make. A
//! board with two of them, or with a larger piece, is no packed board: the players then think on the board
//! of any size. When a second 32768 arises while a player looks ahead, the tables let the two lie side by
//! side unmerged; the game itself is never played on this board.

use std::sync::LazyLock;

use super::meter::Meter;
use super::position::Position;
use super::value::line_value;
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::Stop;

const RANK_MAX: u8 = 15;
const SQUARES: usize = 16;

/// Nibbles whose row is even and column odd; each changes places with the one 3 nibbles on.
const SWAP_SQUARES: u64 = 0x0000_F0F0_0000_F0F0;
/// The top right quarter; each nibble changes places with the one 6 nibbles on.
const SWAP_QUARTERS: u64 = 0x0000_0000_FF00_FF00;

/// All rows, by their four nibbles; the first square of a row in the low one.
struct Tables {
    /// The row slid towards its first square.
    to_first: Box<[u16]>,
    /// The row slid towards its last square.
    to_last: Box<[u16]>,
    value: Box<[f32]>,
}

/// Made once, at the first use: 512 KiB.
static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

/// A 4 × 4 board, the first square in the low nibble.
#[derive(Clone, Copy)]
pub struct Packed {
    squares: u64,
    tables: &'static Tables,
}

impl Packed {
    /// `board` in 64 bits; `None` when it is not 4 × 4, or has a piece above 32768 or two of 32768.
    pub fn new(board: &SlidingBoard) -> Option<Self> {
        if board.size() != 4 || board.ranks().iter().any(|&rank| rank > RANK_MAX) {
            return None;
        }
        if board.ranks().iter().filter(|&&rank| rank == RANK_MAX).nth(1).is_some() {
            return None;
        }
        let squares = board.ranks().iter().rev().fold(0, |squares, &rank| squares << 4 | u64::from(rank));
        Some(Self { squares, tables: &TABLES })
    }

    /// The ranks, row by row.
    #[cfg(test)]
    fn ranks(self) -> Vec<u8> {
        (0..SQUARES).map(|square| self.rank(square)).collect()
    }

    fn rank(self, square: usize) -> u8 {
        (self.squares >> (4 * square) & 15) as u8
    }
}

impl Position for Packed {
    fn squares(&self) -> usize {
        SQUARES
    }

    fn is_empty(&self, square: usize) -> bool {
        self.rank(square) == 0
    }

    fn with_piece(&self, square: usize, rank: u8) -> Self {
        Self { squares: self.squares | u64::from(rank) << (4 * square), tables: self.tables }
    }

    fn slid(&self, direction: Direction, meter: &mut Meter<'_>) -> Result<Option<Self>, Stop> {
        meter.spend(SQUARES)?;
        let tables = self.tables;
        let squares = match direction {
            Direction::Left => slide_rows(self.squares, &tables.to_first),
            Direction::Right => slide_rows(self.squares, &tables.to_last),
            Direction::Up => transposed(slide_rows(transposed(self.squares), &tables.to_first)),
            Direction::Down => transposed(slide_rows(transposed(self.squares), &tables.to_last)),
        };
        Ok((squares != self.squares).then_some(Self { squares, tables }))
    }

    fn value(&self, _: &mut Meter<'_>) -> Result<f64, Stop> {
        let rows = add_rows(0.0, self.squares, &self.tables.value);
        Ok(add_rows(rows, transposed(self.squares), &self.tables.value))
    }
}

impl Tables {
    fn new() -> Self {
        let rows = 0..=u16::MAX;
        Self {
            to_first: rows.clone().map(|row| row_of(slid_to_first(nibbles(row)))).collect(),
            to_last: rows
                .clone()
                .map(|row| {
                    let mut reversed = nibbles(row);
                    reversed.reverse();
                    let mut slid = slid_to_first(reversed);
                    slid.reverse();
                    row_of(slid)
                })
                .collect(),
            value: rows.map(|row| line_value(nibbles(row).into_iter())).collect(),
        }
    }
}

fn nibbles(row: u16) -> [u8; 4] {
    [0, 4, 8, 12].map(|shift| (row >> shift & 15) as u8)
}

fn row_of(nibbles: [u8; 4]) -> u16 {
    nibbles.into_iter().rev().fold(0, |row, nibble| row << 4 | u16::from(nibble))
}

fn slid_to_first(row: [u8; 4]) -> [u8; 4] {
    let mut slid = [0; 4];
    let mut free = 0;
    let mut mergeable = false;
    for rank in row.into_iter().filter(|&rank| rank > 0) {
        if mergeable && slid[free - 1] == rank && rank < RANK_MAX {
            slid[free - 1] += 1;
            mergeable = false;
        } else {
            slid[free] = rank;
            free += 1;
            mergeable = true;
        }
    }
    slid
}

fn slide_rows(squares: u64, table: &[u16]) -> u64 {
    let row = |shift: u32| u64::from(table[usize::from((squares >> shift) as u16)]) << shift;
    row(0) | row(16) | row(32) | row(48)
}

fn add_rows(value: f64, squares: u64, table: &[f32]) -> f64 {
    [0, 16, 32, 48].into_iter().fold(value, |value, shift| {
        let row = (squares >> shift) as u16;
        value + f64::from(table[usize::from(row)])
    })
}

/// Rows as columns: first squares change places within each quarter, then the quarters.
fn transposed(squares: u64) -> u64 {
    let swap = |squares: u64, shift: u32, mask: u64| {
        let differences = (squares ^ squares >> shift) & mask;
        squares ^ differences ^ differences << shift
    };
    swap(swap(squares, 12, SWAP_SQUARES), 24, SWAP_QUARTERS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Budget, Random};

    #[test]
    fn agrees_with_the_board_of_any_size() {
        let mut random = Random::new(11);
        let budget = Budget::unlimited();
        let meter = &mut Meter::new(&budget);
        for round in 0..5_000 {
            let ranks_max = [3, 6, 15][round % 3];
            let ranks: Vec<u8> = (0..16).map(|_| random.below(ranks_max) as u8).collect();
            let board = SlidingBoard::new(4, ranks.clone());
            let packed = Packed::new(&board).unwrap();
            assert_eq!(packed.ranks(), ranks);
            assert_eq!(packed.value(meter).unwrap().to_bits(), board.value(meter).unwrap().to_bits());
            for direction in Direction::ALL {
                let slid = packed.slid(direction, meter).unwrap().map(Packed::ranks);
                let expected = board.slid(direction, meter).unwrap();
                assert_eq!(slid.as_deref(), expected.as_ref().map(SlidingBoard::ranks));
            }
        }
    }

    #[test]
    fn what_a_nibble_cannot_hold_is_no_packed_board() {
        let with = |ranks: &[u8]| {
            let mut all = vec![0; 16];
            all[..ranks.len()].copy_from_slice(ranks);
            Packed::new(&SlidingBoard::new(4, all)).is_some()
        };
        assert!(with(&[15, 14, 14]));
        assert!(!with(&[15, 0, 15]));
        assert!(!with(&[16]));
        assert!(Packed::new(&SlidingBoard::new(3, vec![0; 9])).is_none());
    }
}
