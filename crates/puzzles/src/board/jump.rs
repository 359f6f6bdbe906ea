//! The board of the jump game: a number on every square, and where a jump of that length ends.
//!
//! Squares are numbered row by row in 32 bits. A number takes four bytes if it is below 2³¹. The few larger ones stand
//! in a separate table, because their lengths still matter: jumps of equal reach are distinguished by length.

/// Maximum number of squares of a [`Board`]. Squares and table entries then fit in 31 bits, which leaves one bit for a
/// mark.
pub const SQUARES_MAX: u64 = (1 << 31) - 1;

/// A code of at least this is `LARGE` plus an index into the table of large numbers.
const LARGE: u32 = 1 << 31;

/// A board of numbers, filled row by row.
#[derive(Debug, Clone)]
pub struct Board {
    rows: u32,
    columns: u32,
    codes: Vec<u32>,
    /// How many codes fit in the reserved memory.
    room: usize,
    large: Vec<u64>,
    /// 2⁶⁴ divided by the number of columns, rounded up; 0 for one column.
    columns_inverse: u64,
}

impl Board {
    /// Creates an empty board of `rows` × `columns` squares. Returns `None` if there are no squares, or more than
    /// [`SQUARES_MAX`]. Memory is allocated only as numbers arrive.
    pub fn new(rows: u64, columns: u64) -> Option<Self> {
        let squares = rows.checked_mul(columns).filter(|squares| (1..=SQUARES_MAX).contains(squares))?;
        // Neither side exceeds the product.
        debug_assert!(rows <= squares && columns <= squares);
        Some(Self {
            rows: rows as u32,
            columns: columns as u32,
            codes: Vec::new(),
            room: 0,
            large: Vec::new(),
            columns_inverse: (u64::MAX / columns).wrapping_add(1),
        })
    }

    /// Writes `value` on the next square. Drops numbers beyond the last square.
    #[inline]
    pub fn push(&mut self, value: u64) {
        if self.codes.len() == self.room && !self.grow() {
            return;
        }
        if value < u64::from(LARGE) {
            self.codes.push(value as u32);
        } else {
            self.codes.push(LARGE + self.large.len() as u32);
            self.large.push(value);
        }
    }

    /// Doubles the room for numbers, but reserves no more than the board needs. Returns false if the board is full.
    #[cold]
    fn grow(&mut self) -> bool {
        let left = self.squares() - self.codes.len();
        let more = self.codes.len().clamp(256, 1 << 26).min(left);
        self.codes.reserve_exact(more);
        self.room = self.codes.len() + more;
        left > 0
    }

    /// Returns the bytes of a full board of `rows` × `columns` small numbers, at most [`u64::MAX`].
    pub fn bytes_at_least(rows: u64, columns: u64) -> u64 {
        rows.saturating_mul(columns).saturating_mul(4)
    }

    /// Returns the bytes that this board occupies.
    pub fn bytes(&self) -> u64 {
        4 * self.codes.capacity() as u64 + 8 * self.large.capacity() as u64
    }

    /// Returns the number of rows, at least 1.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Returns the number of columns, at least 1.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Returns the number of squares. Squares are numbered from 0, row by row.
    pub fn squares(&self) -> usize {
        self.rows as usize * self.columns as usize
    }

    /// Returns the last square, which the players try to reach.
    pub fn goal(&self) -> u32 {
        self.square(self.rows - 1, self.columns - 1)
    }

    /// Returns the square in `row` and `column`, which must be inside the board.
    pub fn square(&self, row: u32, column: u32) -> u32 {
        row * self.columns + column
    }

    /// Returns the row and column of a square.
    ///
    /// Searches call this for every square, so it divides by multiplying. The stored inverse exceeds the exact one by
    /// less than 1, so the result is too large by less than 2³² / 2⁶⁴, and no quotient of 32-bit numbers is that
    /// close below a whole number (Granlund and Montgomery, Division by Invariant Integers using Multiplication, 1994).
    pub fn position(&self, square: u32) -> (u32, u32) {
        let row = if self.columns == 1 {
            square
        } else {
            ((u128::from(square) * u128::from(self.columns_inverse)) >> 64) as u32
        };
        (row, square - row * self.columns)
    }

    /// Returns the number on a square, which is the length of the jump from it.
    pub fn value(&self, square: u32) -> u64 {
        let code = self.codes[square as usize];
        if code < LARGE { u64::from(code) } else { self.large[(code - LARGE) as usize] }
    }

    /// Returns the number on a square if it is below 2³¹; otherwise a larger code, and [`Board::value`] has the number.
    pub fn small_value(&self, square: u32) -> u32 {
        self.codes[square as usize]
    }

    /// Returns whether a walk of `length` unit steps inside the board can end on `to`. It may go back and forth.
    pub fn can_walk(&self, length: u64, from: u32, to: u32) -> bool {
        let (down, right) = self.distance(from, to);
        // A board of one square allows no step, but its only square is already the goal.
        length > 0 && down + right <= length && (down + right) % 2 == length % 2
    }

    /// Returns whether a jump of `length` squares in one direction can end on `to`.
    pub fn can_jump_straight(&self, length: u64, from: u32, to: u32) -> bool {
        let (down, right) = self.distance(from, to);
        length > 0 && (down == 0 || right == 0) && down + right == length
    }

    /// Returns how many rows and columns apart two squares are.
    fn distance(&self, from: u32, to: u32) -> (u64, u64) {
        let ((row, column), (row_to, column_to)) = (self.position(from), self.position(to));
        (u64::from(row.abs_diff(row_to)), u64::from(column.abs_diff(column_to)))
    }

    /// Returns the squares where a walk of `length` steps from `from` can end, row by row. A length of 0 is no walk.
    pub fn walks(&self, from: u32, length: u32) -> impl Iterator<Item = u32> {
        let (row, column) = self.position(from);
        let rows = row.saturating_sub(length)..=row.saturating_add(length).min(self.rows - 1);
        rows.filter(move |_| length > 0).flat_map(move |row_to| {
            let down = row.abs_diff(row_to);
            let left = column.saturating_sub(length - down);
            let right = column.saturating_add(length - down).min(self.columns - 1);
            // The parity of the whole distance equals that of the walk.
            let odd = (down ^ column.abs_diff(left) ^ length) % 2;
            (left + odd..=right).step_by(2).map(move |column_to| self.square(row_to, column_to))
        })
    }

    /// Returns the squares where a straight jump of `length` squares from `from` can end, at most four: up, left,
    /// right, down. A length of 0 is no jump.
    pub fn straight_jumps(&self, from: u32, length: u32) -> impl Iterator<Item = u32> + use<> {
        let (row, column) = self.position(from);
        let up = row.checked_sub(length);
        let left = column.checked_sub(length);
        let right = column.checked_add(length).filter(|&column| column < self.columns);
        let down = row.checked_add(length).filter(|&row| row < self.rows);
        let columns = self.columns;
        let ends = [up.zip(Some(column)), Some(row).zip(left), Some(row).zip(right), down.zip(Some(column))];
        let some = move |end: &(u32, u32)| length > 0 && *end != (row, column);
        ends.into_iter().flatten().filter(some).map(move |(row, column)| row * columns + column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(rows: u64, columns: u64, values: &[u64]) -> Board {
        let mut board = Board::new(rows, columns).unwrap();
        for &value in values {
            board.push(value);
        }
        board
    }

    #[test]
    fn sizes_are_checked_and_cost_nothing() {
        assert!(Board::new(0, 5).is_none());
        assert!(Board::new(1_000_000_000, 1_000_000_000).is_none());
        assert!(Board::new(u64::MAX, u64::MAX).is_none());
        assert_eq!(Board::new(1, SQUARES_MAX).unwrap().bytes(), 0);
    }

    #[test]
    fn numbers_of_any_size_come_back() {
        let values = [0, 5, (1 << 31) - 1, 1 << 31, u64::MAX, 1 << 32, 7, u64::MAX - 1];
        let board = board(2, 4, &values);
        let back: Vec<u64> = (0..8).map(|square| board.value(square)).collect();
        assert_eq!(back, values);
    }

    #[test]
    fn numbers_beyond_the_last_square_are_dropped() {
        let mut board = board(1, 2, &[1, 2]);
        board.push(3);
        assert_eq!(board.codes.len(), 2);
    }

    #[test]
    fn straight_jumps_are_those_that_reach() {
        let values: Vec<u64> = (0..20).map(|square| square % 6).chain([u64::MAX, 1 << 31, 3, 1]).collect();
        let board = board(6, 4, &values);
        for from in 0..24 {
            let length = u32::try_from(board.value(from)).unwrap_or(u32::MAX);
            let mut jumps: Vec<u32> = board.straight_jumps(from, length).collect();
            jumps.sort_unstable();
            let reached: Vec<u32> =
                (0..24).filter(|&to| board.can_jump_straight(board.value(from), from, to)).collect();
            assert_eq!(jumps, reached, "from {from}");
        }
    }

    #[test]
    fn positions_are_quotients() {
        for columns in [1, 2, 3, 7, 641, 65_535, 65_536, 1 << 30, SQUARES_MAX] {
            let board = Board::new(SQUARES_MAX / columns, columns).unwrap();
            let last = board.squares() as u64 - 1;
            let near =
                (0..9).flat_map(|k| [k, last.saturating_sub(k), last / 9 * k, last / columns * columns]);
            for square in near.flat_map(|square| [square.saturating_sub(1), square]) {
                let expected = ((square / columns) as u32, (square % columns) as u32);
                assert_eq!(board.position(square as u32), expected, "{square} of {columns} columns");
            }
        }
    }

    #[test]
    fn a_walk_reaches_what_its_unit_steps_reach() {
        for (rows, columns) in [(1, 2), (1, 7), (4, 5), (6, 1)] {
            for value in 0..12 {
                let board = board(rows, columns, &vec![value; (rows * columns) as usize]);
                let squares = board.squares() as u32;
                for from in 0..squares {
                    let mut reached = vec![false; board.squares()];
                    reached[from as usize] = value > 0;
                    for _ in 0..value {
                        let next = |to: u32| {
                            let (row, column) = board.position(to);
                            (0..squares).any(|by| {
                                let (r, c) = board.position(by);
                                reached[by as usize] && r.abs_diff(row) + c.abs_diff(column) == 1
                            })
                        };
                        reached = (0..squares).map(next).collect();
                    }
                    for to in 0..squares {
                        assert_eq!(board.can_walk(value, from, to), reached[to as usize]);
                    }
                    let ends: Vec<u32> = (0..squares).filter(|&to| reached[to as usize]).collect();
                    assert_eq!(board.walks(from, value as u32).collect::<Vec<_>>(), ends);
                }
            }
        }
    }
}
