//! The checkers board: which squares are playable, what stands on them, and what a jump is.
//!
//! Only the squares with an even row + column are kept, one byte each, row by row. The square at position `row *
//! columns + column` of the full board has half that position as its index, whether the number of columns is even or
//! odd.

use std::fmt;

/// An empty square.
pub const EMPTY: u8 = 0;
/// A piece of the player who captures.
pub const OWN: u8 = 1;
/// A piece that can be captured.
pub const OPPONENT: u8 = 2;

/// The four diagonal directions as steps of row and column.
pub const DIAGONALS: [(isize, isize); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// A board of any size with its pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckersBoard {
    rows: usize,
    columns: usize,
    squares: Box<[u8]>,
}

/// Displays the board as files hold it: the numbers of rows and columns, then the playable squares row by row.
impl fmt::Display for CheckersBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}", self.rows, self.columns)?;
        let (mut rest, mut line) = (&self.squares[..], String::new());
        for row in 0..self.rows {
            let playable = if row % 2 == 0 { self.columns.div_ceil(2) } else { self.columns / 2 };
            let (here, below) = rest.split_at(playable);
            rest = below;
            line.clear();
            for &square in here {
                line.extend([char::from(b'0' + square), ' ']);
            }
            line.pop();
            line.push('\n');
            f.write_str(&line)?;
        }
        Ok(())
    }
}

/// A capture, with the indices of the square jumped over and of the landing square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Jump {
    /// The square of the opponent's piece.
    pub over: usize,
    /// The empty square behind it.
    pub to: usize,
}

impl CheckersBoard {
    /// Returns the number of playable squares of a board: half of all, rounded up. Never overflows.
    pub fn playable(rows: u64, columns: u64) -> u128 {
        (u128::from(rows) * u128::from(columns)).div_ceil(2)
    }

    /// Creates a board with these squares ([`EMPTY`], [`OWN`], [`OPPONENT`]), row by row.
    ///
    /// # Panics
    /// Panics unless there are exactly [`playable`](Self::playable) squares.
    pub fn new(rows: usize, columns: usize, squares: Vec<u8>) -> Self {
        let playable = Self::playable(rows as u64, columns as u64);
        assert_eq!(squares.len() as u128, playable, "a {rows} x {columns} board has {playable} squares");
        Self { rows, columns, squares: squares.into_boxed_slice() }
    }

    /// Returns the number of rows of the full board.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns of the full board.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns what stands on the playable squares, row by row.
    pub fn squares(&self) -> &[u8] {
        &self.squares
    }

    /// Returns what stands on the playable squares, for modification.
    pub fn squares_mut(&mut self) -> &mut [u8] {
        &mut self.squares
    }

    /// Returns how many squares hold `piece`.
    pub fn count(&self, piece: u8) -> usize {
        self.squares.iter().map(|&square| usize::from(square == piece)).sum()
    }

    /// Returns the row and column of the playable square with that index.
    pub fn place(&self, index: usize) -> (usize, usize) {
        Self::place_of(index, self.columns)
    }

    /// Returns the row and column of the playable square with that index on a board of `columns` columns.
    pub fn place_of(index: usize, columns: usize) -> (usize, usize) {
        let row = 2 * index / columns;
        if columns % 2 == 1 { (row, 2 * index % columns) } else { (row, 2 * index % columns + row % 2) }
    }

    /// Returns the index of a playable square.
    pub fn index(&self, row: usize, column: usize) -> usize {
        debug_assert!((row + column).is_multiple_of(2) && row < self.rows && column < self.columns);
        let position = row * self.columns + column;
        position / 2
    }

    /// Returns the jump from the square `from` in one of the [`DIAGONALS`], if an opponent piece stands next to it
    /// with an empty square behind.
    pub fn jump(&self, from: usize, direction: (isize, isize)) -> Option<Jump> {
        let jump = self.way(from, direction)?;
        (self.squares[jump.over] == OPPONENT && self.squares[jump.to] == EMPTY).then_some(jump)
    }

    /// Returns the captures from a square by the piece that stood on `start`.
    pub fn jumps(&self, start: usize, from: usize) -> impl Iterator<Item = Jump> {
        let ways = DIAGONALS.into_iter().filter_map(move |direction| self.way(from, direction));
        ways.filter(move |jump| {
            let is_free = self.squares[jump.to] == EMPTY || jump.to == start;
            is_free && self.squares[jump.over] == OPPONENT
        })
    }

    /// Returns the jump from a square in a direction, whatever stands there. `None` if it leaves the board.
    fn way(&self, from: usize, (down, right): (isize, isize)) -> Option<Jump> {
        let (row, column) = self.place(from);
        let to_row = row.checked_add_signed(2 * down).filter(|&row| row < self.rows)?;
        let to_column = column.checked_add_signed(2 * right).filter(|&column| column < self.columns)?;
        let over = self.index(row.midpoint(to_row), column.midpoint(to_column));
        Some(Jump { over, to: self.index(to_row, to_column) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_follow_the_playable_squares_row_by_row() {
        for rows in 1..7 {
            for columns in 1..8 {
                let playable = CheckersBoard::playable(rows as u64, columns as u64) as usize;
                let board = CheckersBoard::new(rows, columns, vec![EMPTY; playable]);
                let squares = (0..rows)
                    .flat_map(|row| (0..columns).map(move |column| (row, column)))
                    .filter(|(row, column)| (row + column) % 2 == 0);
                let mut count = 0;
                for (index, (row, column)) in squares.enumerate() {
                    assert_eq!(board.index(row, column), index);
                    assert_eq!(board.place(index), (row, column));
                    count += 1;
                }
                assert_eq!(count, playable);
            }
        }
    }

    #[test]
    fn a_jump_needs_a_piece_and_an_empty_square_behind() {
        // x is the opponent's piece, o the piece that moves:  . _ .  /  _ x _  /  . _ o.
        let board = CheckersBoard::new(3, 3, vec![EMPTY, EMPTY, OPPONENT, EMPTY, OWN]);
        let from = board.index(2, 2);
        assert_eq!(board.jump(from, (-1, -1)), Some(Jump { over: 2, to: 0 }));
        assert_eq!(board.jump(from, (1, 1)), None);
        assert_eq!(board.jump(board.index(0, 0), (1, 1)), None);
    }

    #[test]
    fn the_number_of_squares_never_overflows() {
        assert_eq!(CheckersBoard::playable(u64::MAX, u64::MAX), (1_u128 << 127) - (1_u128 << 64) + 1);
    }
}
