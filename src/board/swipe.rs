//! The board of the deterministic 2048: after every swipe a 2 appears in the right column.
//!
//! A swipe slides and merges as in [`SlidingBoard`], with rank r standing for the value 2^r. Then a 2
//! appears in the uppermost blank square of the right column. A swipe that changes nothing is invalid, and
//! so is one that leaves no blank in the right column.

use super::sliding::{Direction, SlidingBoard};

/// Largest rank of a tile: 2^63 is the largest power of two in 64 bits.
pub const RANK_MAX: u8 = 63;

/// A board of tiles with values that are powers of two, and what its assignment asks of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwipeBoard {
    squares: SlidingBoard,
    largest_rank: u8,
    distance_weighted: u128,
    left_weighted: i128,
}

/// A row or a column that the board does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no square at row {row}, column {column} of a board of size {size}")]
pub struct OutsideBoard {
    /// Row asked for, from 0.
    pub row: usize,
    /// Column asked for, from 0.
    pub column: usize,
    /// Squares on a side.
    pub size: usize,
}

/// Values that make no board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ValuesError {
    /// Not as many values as squares.
    #[error("{found} values for a board of size {size}")]
    Count {
        /// Values given.
        found: usize,
        /// Squares on a side.
        size: usize,
    },
    /// A value that is neither 0 nor a power of two from 2.
    #[error("{0} is neither 0 nor a power of two from 2")]
    Value(u64),
}

impl SwipeBoard {
    /// A board of `size` × `size` values, row by row.
    ///
    /// # Errors
    /// When there are not `size`² values, or one is neither 0 nor a power of two from 2.
    pub fn from_values(size: usize, values: &[u64]) -> Result<Self, ValuesError> {
        if size.checked_mul(size) != Some(values.len()) {
            return Err(ValuesError::Count { found: values.len(), size });
        }
        let ranks = values.iter().map(|&value| rank_of(value).ok_or(ValuesError::Value(value)));
        Ok(Self::new(SlidingBoard::new(size, ranks.collect::<Result<_, _>>()?)))
    }

    /// The board with these ranks, each at most [`RANK_MAX`]. Takes O(n²), for the scores.
    #[must_use]
    pub fn new(squares: SlidingBoard) -> Self {
        let largest_rank = squares.ranks().iter().copied().max().unwrap_or(0);
        debug_assert!(largest_rank <= RANK_MAX);
        let (distance_weighted, left_weighted) = (distance_weighted(&squares), left_weighted(&squares));
        Self { squares, largest_rank, distance_weighted, left_weighted }
    }

    /// The board on which every puzzle of the assignment begins: one 2 in the upper right corner.
    #[must_use]
    pub fn start(size: usize) -> Self {
        let mut squares = SlidingBoard::new(size, vec![0; size * size]);
        refill(&mut squares);
        Self::new(squares)
    }

    /// Squares on a side.
    #[must_use]
    pub fn size(&self) -> usize {
        self.squares.size()
    }

    /// The ranks of the squares.
    #[must_use]
    pub fn squares(&self) -> &SlidingBoard {
        &self.squares
    }

    /// The value at `row` and `column`, both from 0; 0 is blank.
    ///
    /// # Errors
    /// When the board has no such row or column.
    pub fn tile_at(&self, row: usize, column: usize) -> Result<u64, OutsideBoard> {
        let size = self.size();
        if row >= size || column >= size {
            return Err(OutsideBoard { row, column, size });
        }
        Ok(value_of(self.squares.ranks()[row * size + column]))
    }

    /// The value of the largest tile; 0 on an empty board. Takes constant time.
    #[must_use]
    pub fn largest_tile(&self) -> u64 {
        value_of(self.largest_rank)
    }

    /// Whether some tile is at least `goal`.
    #[must_use]
    pub fn is_won(&self, goal: u64) -> bool {
        self.largest_tile() >= goal
    }

    /// [`distance_weighted`] in constant time.
    #[must_use]
    pub fn distance_weighted(&self) -> u128 {
        self.distance_weighted
    }

    /// [`left_weighted`] in constant time.
    #[must_use]
    pub fn left_weighted(&self) -> i128 {
        self.left_weighted
    }

    /// The board after a swipe; `None` when the swipe is invalid. A swipe that would make 2^64, which no
    /// value can hold, counts as invalid.
    #[must_use]
    pub fn swiped(&self, direction: Direction) -> Option<Self> {
        let mut squares = self.squares.clone();
        let mut largest = 0;
        let slide = squares.slide_with(direction, |rank| largest = largest.max(rank));
        let valid = slide.changed && largest <= RANK_MAX && refill(&mut squares);
        valid.then(|| Self::new(squares))
    }

    /// The boards after the valid swipes, in the order left, right, up, down, in O(n²).
    pub fn neighbours(&self) -> impl Iterator<Item = (Direction, Self)> + '_ {
        Direction::ALL.into_iter().filter_map(|direction| Some((direction, self.swiped(direction)?)))
    }
}

/// Puts a 2 into the uppermost blank square of the right column; false when there is none.
pub fn refill(squares: &mut SlidingBoard) -> bool {
    let size = squares.size();
    let blank = squares.ranks_mut().chunks_exact_mut(size.max(1)).find(|row| row.last() == Some(&0));
    match blank.and_then(<[u8]>::last_mut) {
        Some(square) => {
            *square = 1;
            true
        }
        None => false,
    }
}

/// The rank of a value: 0 for 0, r for 2^r; `None` for 1 and whatever is no power of two.
#[must_use]
pub fn rank_of(value: u64) -> Option<u8> {
    match value {
        0 => Some(0),
        1 => None,
        value => value.is_power_of_two().then(|| value.trailing_zeros() as u8),
    }
}

/// The value of a rank of at most [`RANK_MAX`].
#[must_use]
pub fn value_of(rank: u8) -> u64 {
    if rank == 0 { 0 } else { 1 << rank }
}

/// Σ value × ((n − 1 − column) + row): how far the tiles are from the upper right corner.
///
/// The source prints 146 for its example, an error of addition: its own terms add up to 150.
#[must_use]
pub fn distance_weighted(board: &SlidingBoard) -> u128 {
    let size = board.size();
    let squares = board.ranks().iter().enumerate().filter(|(_, rank)| **rank > 0);
    squares
        .map(|(square, &rank)| {
            let distance = (size - 1 - square % size) + square / size;
            u128::from(value_of(rank)) * distance as u128
        })
        .sum()
}

/// The left column downwards × 2, 5, 9, 14, …, and a little for what can merge into it.
///
/// Row r's tile of the left column counts (r + 2)(r + 3)/2 − 1 times. A tile t of the second column counts
/// once when t or 2t stands on its left. The bottom row's tile in column n − 2 counts −1 times.
#[must_use]
pub fn left_weighted(board: &SlidingBoard) -> i128 {
    let size = board.size();
    if size < 2 {
        return 0;
    }
    let value = |rank: u8| i128::from(value_of(rank));
    let mut score = 0;
    for (row, squares) in board.ranks().chunks_exact(size).enumerate() {
        let (left, second) = (squares[0], squares[1]);
        let weight = (row as i128 + 2) * (row as i128 + 3) / 2 - 1;
        score += value(left) * weight;
        if second > 0 && (second == left || second + 1 == left) {
            score += value(second);
        }
    }
    score - value(board.ranks()[size * size - 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(values: &[u64]) -> SwipeBoard {
        SwipeBoard::from_values(values.len().isqrt(), values).unwrap()
    }

    fn first() -> SwipeBoard {
        board(&[0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 16, 2, 8, 4])
    }

    #[test]
    fn distance_weighted_of_the_source_is_150_and_not_146() {
        assert_eq!(first().distance_weighted(), 150);
    }

    #[test]
    fn left_weighted_of_the_source() {
        assert_eq!(first().left_weighted(), 216);
        let second = board(&[32, 16, 2, 2, 64, 16, 8, 0, 128, 2, 0, 0, 256, 0, 0, 0]);
        assert_eq!(second.left_weighted(), 32 * 2 + 16 + 64 * 5 + 128 * 9 + 256 * 14);
    }

    #[test]
    fn scores_of_the_largest_tiles_do_not_overflow() {
        let board = board(&[1 << 63; 400]);
        assert_eq!(board.distance_weighted(), (1_u128 << 63) * 7600);
        assert!(board.left_weighted() > 1 << 64);
    }

    #[test]
    fn a_two_appears_in_the_uppermost_blank_of_the_right_column() {
        let after = first().swiped(Direction::Right);
        assert_eq!(after, None, "nothing moves");
        let after = first().swiped(Direction::Down).unwrap();
        assert_eq!(after, board(&[0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 16, 2, 8, 4]));
        let after = board(&[0, 2, 4, 8]).swiped(Direction::Left).unwrap();
        assert_eq!(after, board(&[2, 2, 4, 8]));
        assert_eq!(board(&[2, 2, 4, 8]).swiped(Direction::Left).unwrap(), board(&[4, 2, 4, 8]));
    }

    #[test]
    fn a_swipe_that_fills_the_right_column_is_invalid() {
        let board = board(&[2, 0, 4, 8]);
        assert_eq!(board.swiped(Direction::Right), None);
        assert!(board.swiped(Direction::Left).is_none(), "nothing moves");
    }

    #[test]
    fn tiles_are_asked_for_by_row_and_column() {
        let board = first();
        assert_eq!(board.tile_at(3, 2), Ok(8));
        assert_eq!(board.tile_at(0, 3), Ok(2));
        let error = board.tile_at(4, 0).unwrap_err();
        assert_eq!(error.to_string(), "no square at row 4, column 0 of a board of size 4");
        assert!(board.tile_at(0, 4).is_err());
        assert_eq!((board.largest_tile(), board.is_won(16), board.is_won(32)), (16, true, false));
        assert_eq!(SwipeBoard::start(3).tile_at(0, 2), Ok(2));
    }

    #[test]
    fn two_tiles_of_2_to_the_63_do_not_merge() {
        let board = board(&[0, 1 << 63, 0, 1 << 63]);
        assert_eq!(board.swiped(Direction::Up), None);
        assert_eq!(board.swiped(Direction::Left).map(|board| board.largest_tile()), Some(1 << 63));
    }

    #[test]
    fn values_are_checked() {
        assert_eq!(SwipeBoard::from_values(2, &[0; 3]), Err(ValuesError::Count { found: 3, size: 2 }));
        assert_eq!(SwipeBoard::from_values(2, &[0, 1, 0, 0]), Err(ValuesError::Value(1)));
        assert_eq!(SwipeBoard::from_values(2, &[0, 6, 0, 0]), Err(ValuesError::Value(6)));
        assert!(SwipeBoard::from_values(2, &[0, 1 << 63, 0, 0]).is_ok());
    }

    #[test]
    fn neighbours_come_left_right_up_down() {
        let found: Vec<_> = board(&[0, 2, 0, 0]).neighbours().map(|(direction, _)| direction).collect();
        assert_eq!(found, [Direction::Left, Direction::Down]);
    }
}
