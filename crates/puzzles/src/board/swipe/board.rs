//! The `Board` that the assignment asks for: values, scores and neighbours.

use std::fmt;
use std::str::FromStr;

use super::{RANK_MAX, distance_weighted, left_weighted, rank_of, refill, rows, swiped, value_of};
use crate::board::sliding::{Direction, SlidingBoard};

/// Minimum number of squares on a side.
const SIZE_MIN: usize = 2;
/// Maximum number of characters of a wrong number that an error quotes.
const NUMBER_CHARS_MAX: usize = 24;

/// A board of n × n squares with tiles that are powers of two. Offers what the assignment asks of its `Board`.
///
/// ```
/// use tabuleiro_puzzles::puzzle_2048::Board;
///
/// let board = Board::from_rows(&[[0, 0, 0, 2], [0, 0, 0, 0], [0, 0, 0, 0], [16, 2, 8, 4]])?;
/// assert_eq!(board.tile_at(3, 2), Ok(8));
/// assert_eq!(board.largest_tile(), 16);
/// assert_eq!((board.distance_weighted(), board.left_weighted()), (150, 216));
/// assert!(board.is_won(16) && !board.is_won(2048));
/// assert_eq!(board.neighbours().count(), 3); // nothing moves to the right
/// assert_eq!(board.to_string(), "4\n0 0 0 2\n0 0 0 0\n0 0 0 0\n16 2 8 4");
/// assert_eq!(board.to_string().parse(), Ok(board));
/// # Ok::<(), tabuleiro_puzzles::puzzle_2048::BoardError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Board {
    squares: SlidingBoard,
    largest_rank: u8,
    distance_weighted: u128,
    left_weighted: i128,
}

/// A row or a column that the board does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no square at row {row}, column {column} of a board of size {size}")]
pub struct OutsideBoard {
    /// The row asked for, from 0.
    pub row: usize,
    /// The column asked for, from 0.
    pub column: usize,
    /// Squares on a side.
    pub size: usize,
}

/// Why a board cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Fewer than two squares on a side.
    #[error("a board of size {0}; the size must be at least 2")]
    Size(u64),
    /// The number of values differs from the number of squares.
    #[error("{found} values for a board of size {size}")]
    Count {
        /// Number of values given.
        found: usize,
        /// Squares on a side.
        size: usize,
    },
    /// A row whose length differs from the number of rows.
    #[error("{found} values in row {row} of a board of size {size}")]
    Row {
        /// The row, from 0.
        row: usize,
        /// Number of its values.
        found: usize,
        /// Squares on a side.
        size: usize,
    },
    /// A value that is neither 0 nor a power of two from 2 on.
    #[error("{0} is neither 0 nor a power of two from 2")]
    Value(u64),
    /// A word of a text that is not a 64-bit number. Only the beginning of a long word is kept.
    #[error("'{0}' is no number of 64 bits")]
    Number(String),
    /// An empty text.
    #[error("no board in an empty text")]
    Empty,
}

impl Board {
    /// Creates a board from rows of values, the top row first; 0 is a blank square. Takes O(n²).
    ///
    /// # Errors
    /// Fails if there are fewer than two rows, if the length of a row differs from the number of rows, or if a value is
    /// neither 0 nor a power of two from 2 on.
    ///
    /// ```
    /// use tabuleiro_puzzles::puzzle_2048::{Board, BoardError};
    ///
    /// assert!(Board::from_rows(&[vec![0, 2], vec![4, 8]]).is_ok());
    /// let error = BoardError::Row { row: 1, found: 1, size: 2 };
    /// assert_eq!(Board::from_rows(&[vec![0, 2], vec![4]]), Err(error));
    /// ```
    pub fn from_rows<R: AsRef<[u64]>>(rows: &[R]) -> Result<Self, BoardError> {
        let size = rows.len();
        for (row, values) in rows.iter().enumerate() {
            let found = values.as_ref().len();
            if found != size {
                return Err(BoardError::Row { row, found, size });
            }
        }
        let values: Vec<u64> = rows.iter().flat_map(|row| row.as_ref().iter().copied()).collect();
        Self::from_values(size, &values)
    }

    /// Creates a board of `size` × `size` values, row by row; 0 is a blank square. Takes O(n²).
    ///
    /// # Errors
    /// Fails if `size` is below 2, if there are not `size`² values, or if a value is neither 0 nor a power of two
    /// from 2 on.
    ///
    /// ```
    /// use tabuleiro_puzzles::puzzle_2048::{Board, BoardError};
    ///
    /// assert_eq!(Board::from_values(2, &[0, 2, 6, 8]), Err(BoardError::Value(6)));
    /// ```
    pub fn from_values(size: usize, values: &[u64]) -> Result<Self, BoardError> {
        if size < SIZE_MIN {
            return Err(BoardError::Size(size as u64));
        }
        if size.checked_mul(size) != Some(values.len()) {
            return Err(BoardError::Count { found: values.len(), size });
        }
        let ranks = values.iter().map(|&value| rank_of(value).ok_or(BoardError::Value(value)));
        Ok(Self::of_ranks(SlidingBoard::new(size, ranks.collect::<Result<_, _>>()?)))
    }

    /// Returns the board on which every puzzle of the assignment begins: one 2 in the upper right corner.
    ///
    /// # Panics
    /// Panics if `size` is below 2.
    ///
    /// ```
    /// use tabuleiro_puzzles::puzzle_2048::Board;
    ///
    /// assert_eq!(Board::start(2).to_string(), "2\n0 2\n0 0");
    /// ```
    pub fn start(size: usize) -> Self {
        assert!(size >= SIZE_MIN, "a board has at least {SIZE_MIN} squares on a side");
        let mut squares = SlidingBoard::new(size, vec![0; size * size]);
        refill(&mut squares);
        Self::of_ranks(squares)
    }

    /// Creates the board with these ranks, each at most [`RANK_MAX`]. Takes O(n²) because it computes the scores.
    fn of_ranks(squares: SlidingBoard) -> Self {
        let largest_rank = squares.ranks().iter().copied().max().unwrap_or(0);
        debug_assert!(largest_rank <= RANK_MAX);
        let (distance_weighted, left_weighted) = (distance_weighted(&squares), left_weighted(&squares));
        Self { squares, largest_rank, distance_weighted, left_weighted }
    }

    /// Returns the number of squares on a side.
    pub fn size(&self) -> usize {
        self.squares.size()
    }

    /// Returns the ranks of the squares.
    pub fn squares(&self) -> &SlidingBoard {
        &self.squares
    }

    /// Returns the value at `row` and `column`, both from 0; 0 is a blank square. Takes constant time.
    ///
    /// # Errors
    /// Fails if the board has no such row or column.
    ///
    /// ```
    /// use tabuleiro_puzzles::puzzle_2048::Board;
    ///
    /// let outside = Board::start(4).tile_at(0, 4).unwrap_err();
    /// assert_eq!(outside.to_string(), "no square at row 0, column 4 of a board of size 4");
    /// ```
    pub fn tile_at(&self, row: usize, column: usize) -> Result<u64, OutsideBoard> {
        let size = self.size();
        if row >= size || column >= size {
            return Err(OutsideBoard { row, column, size });
        }
        Ok(value_of(self.squares.ranks()[row * size + column]))
    }

    /// Returns the value of the largest tile; 0 on an empty board. Takes constant time.
    pub fn largest_tile(&self) -> u64 {
        value_of(self.largest_rank)
    }

    /// Returns whether some tile is at least `goal`. Takes constant time.
    pub fn is_won(&self, goal: u64) -> bool {
        self.largest_tile() >= goal
    }

    /// Returns the score [`distance_weighted`]. Takes constant time.
    pub fn distance_weighted(&self) -> u128 {
        self.distance_weighted
    }

    /// Returns the score [`left_weighted`]. Takes constant time.
    pub fn left_weighted(&self) -> i128 {
        self.left_weighted
    }

    /// Returns the board after a swipe. `None` if the swipe is invalid; a swipe that makes 2^64, which no value can
    /// hold, counts as invalid. Takes O(n²).
    ///
    /// ```
    /// use tabuleiro_puzzles::puzzle_2048::{Board, Direction};
    ///
    /// let board = Board::from_rows(&[[2, 2], [4, 8]])?;
    /// assert_eq!(board.swiped(Direction::Left), Some(Board::from_rows(&[[4, 2], [4, 8]])?));
    /// assert_eq!(board.swiped(Direction::Up), None);
    /// # Ok::<(), tabuleiro_puzzles::puzzle_2048::BoardError>(())
    /// ```
    pub fn swiped(&self, direction: Direction) -> Option<Self> {
        swiped(&self.squares, direction).map(|(squares, _)| Self::of_ranks(squares))
    }

    /// Returns the boards after the valid swipes, at most four, in the order left, right, up, down. Each is made when
    /// the iterator reaches it, in O(n²).
    ///
    /// ```
    /// use tabuleiro_puzzles::puzzle_2048::{Board, Direction};
    ///
    /// let board = Board::start(2);
    /// let swipes: Vec<_> = board.neighbours().map(|(direction, _)| direction).collect();
    /// assert_eq!(swipes, [Direction::Left, Direction::Down]);
    /// ```
    pub fn neighbours(&self) -> impl Iterator<Item = (Direction, Self)> + '_ {
        Direction::ALL.into_iter().filter_map(|direction| Some((direction, self.swiped(direction)?)))
    }
}

/// Writes the size and the rows of values, one line each, without a final line feed. [`str::parse`] reads the same
/// board.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", self.size(), rows(&self.squares).to_string().trim_end())
    }
}

/// Parses the size and size² values, separated by blanks or line ends. Takes O(length of the text).
///
/// ```
/// use tabuleiro_puzzles::puzzle_2048::{Board, BoardError};
///
/// let board: Board = "2  0 2  4 8".parse()?;
/// assert_eq!(board.to_string(), "2\n0 2\n4 8");
/// assert_eq!("2 0 2 4".parse::<Board>(), Err(BoardError::Count { found: 3, size: 2 }));
/// assert_eq!("2 0 2 4 x".parse::<Board>(), Err(BoardError::Number("x".to_owned())));
/// # Ok::<(), BoardError>(())
/// ```
impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        let mut numbers = text.split_whitespace().map(number);
        let size = numbers.next().unwrap_or(Err(BoardError::Empty))?;
        let values = numbers.collect::<Result<Vec<_>, _>>()?;
        // If the size exceeds the address space, the number of values does not match either.
        Self::from_values(usize::try_from(size).unwrap_or(usize::MAX), &values)
    }
}

/// Parses a number that consists only of digits: a sign is not allowed.
fn number(token: &str) -> Result<u64, BoardError> {
    let digits = token.bytes().all(|byte| byte.is_ascii_digit());
    digits
        .then(|| token.parse().ok())
        .flatten()
        .ok_or_else(|| BoardError::Number(token.chars().take(NUMBER_CHARS_MAX).collect()))
}
