//! A small board as bits: one *half grid* for the even rows and one for the odd ones.
//!
//! A jump keeps the parities of row and column, so a piece stays on the playable squares of the even rows or on those
//! of the odd rows. On a board of M columns each half grid has `ceil(M/2)` columns; if M is odd, the odd rows leave
//! the last one free. The square of row r, column c is the bit of row r/2, column c/2. A half grid holds up to 64
//! squares, enough for every board within the published limits.

use crate::board::checkers::{CheckersBoard, EMPTY, OPPONENT, OWN};

/// The largest number of squares in a half grid.
const GRID_SQUARES_MAX: usize = 64;

/// The pieces of one half grid.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pieces {
    /// The pieces of the player who captures.
    pub own: u64,
    pub opponents: u64,
}

/// A board whose half grids fit 64 bits each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HalfGrids {
    rows: u8,
    columns: u8,
    /// The even rows, then the odd ones.
    grids: [Pieces; 2],
}

impl HalfGrids {
    /// Makes a board, whose size must [fit](Self::fits). Every bit of `grids` must belong to a square of the board.
    pub fn new(rows: u8, columns: u8, grids: [Pieces; 2]) -> Self {
        debug_assert!(Self::fits(usize::from(rows), usize::from(columns)));
        Self { rows, columns, grids }
    }

    /// Returns whether both half grids of a board of this size fit 64 bits.
    pub fn fits(rows: usize, columns: usize) -> bool {
        let (rows, columns) = (rows.div_ceil(2), columns.div_ceil(2));
        rows.checked_mul(columns).is_some_and(|squares| squares <= GRID_SQUARES_MAX)
    }

    /// Converts `board`; returns `None` if its size does not fit.
    pub fn of(board: &CheckersBoard) -> Option<Self> {
        let (rows, columns) = (board.rows(), board.columns());
        if !Self::fits(rows, columns) {
            return None;
        }
        let mut half_grids = Self::new(rows as u8, columns as u8, [Pieces::default(); 2]);
        for (index, &piece) in board.squares().iter().enumerate() {
            let (row, column) = board.place(index);
            let bit = half_grids.bit(row, column);
            let grid = &mut half_grids.grids[row % 2];
            match piece {
                OWN => grid.own |= bit,
                OPPONENT => grid.opponents |= bit,
                _ => {}
            }
        }
        Some(half_grids)
    }

    /// Returns the same board with one byte per square.
    pub fn expand(&self) -> CheckersBoard {
        let (rows, columns) = (usize::from(self.rows), usize::from(self.columns));
        let squares = CheckersBoard::playable(rows as u64, columns as u64) as usize;
        let mut board = CheckersBoard::new(rows, columns, vec![EMPTY; squares]);
        for index in 0..squares {
            let (row, column) = board.place(index);
            let (grid, bit) = (self.grids[row % 2], self.bit(row, column));
            if grid.own & bit != 0 {
                board.squares_mut()[index] = OWN;
            } else if grid.opponents & bit != 0 {
                board.squares_mut()[index] = OPPONENT;
            }
        }
        board
    }

    /// Returns the number of rows of the full board, at most 128.
    pub fn rows(&self) -> usize {
        usize::from(self.rows)
    }

    /// Returns the number of columns of the full board, at most 128.
    pub fn columns(&self) -> usize {
        usize::from(self.columns)
    }

    /// Returns the half grids of the even rows and of the odd rows.
    pub fn grids(&self) -> &[Pieces; 2] {
        &self.grids
    }

    /// Returns the number of columns of a half grid.
    pub fn stride(&self) -> usize {
        self.columns().div_ceil(2)
    }

    /// Returns the numbers of own and of opponent pieces.
    pub fn pieces(&self) -> [u32; 2] {
        let [even, odd] = self.grids;
        [
            even.own.count_ones() + odd.own.count_ones(),
            even.opponents.count_ones() + odd.opponents.count_ones(),
        ]
    }

    /// Returns the [`CheckersBoard`] index of the square at `bit` of the half grid of even (0) or odd (1) rows.
    pub fn square(&self, grid: usize, bit: u64) -> usize {
        let position = bit.trailing_zeros() as usize;
        let row = 2 * (position / self.stride()) + grid;
        let column = 2 * (position % self.stride()) + grid;
        let position_on_board = row * self.columns() + column;
        position_on_board / 2
    }

    /// Returns the bit of a playable square in the half grid of its row.
    fn bit(&self, row: usize, column: usize) -> u64 {
        1 << (row / 2 * self.stride() + column / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Random;

    #[test]
    fn a_board_and_its_bits_are_the_same() {
        let mut random = Random::new(1);
        for rows in 1..22 {
            for columns in 1..22 {
                let squares = CheckersBoard::playable(rows, columns);
                let squares = (0..squares).map(|_| random.below(3) as u8).collect();
                let board = CheckersBoard::new(rows as usize, columns as usize, squares);
                let Some(half_grids) = HalfGrids::of(&board) else {
                    assert!(rows * columns > 200);
                    continue;
                };
                assert_eq!(half_grids.expand(), board);
                let count = |piece| board.count(piece) as u32;
                assert_eq!(half_grids.pieces(), [count(OWN), count(OPPONENT)]);
                for (index, &piece) in board.squares().iter().enumerate() {
                    let (row, column) = board.place(index);
                    let bit = half_grids.bit(row, column);
                    assert_eq!(half_grids.square(row % 2, bit), index);
                    assert_eq!(half_grids.grids[row % 2].own & bit != 0, piece == OWN);
                }
            }
        }
    }
}
