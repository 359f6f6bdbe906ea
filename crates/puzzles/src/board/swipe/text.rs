//! Boards as text: the size, and the values row by row, as files hold them.

use std::fmt;
use std::str::FromStr;

use super::board::{Board, BoardError};
use super::rules::Values;

/// Characters of a wrong number that an error keeps.
const NUMBER_CHARS_MAX: usize = 24;

/// The size and the rows of values, a line each; [`str::parse`] gives the board again.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Values(self.squares()).fmt(f)
    }
}

/// The size and its square of values, separated by blanks or line ends; O(length of the text).
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
        // A size beyond the address space has not as many values either.
        Self::from_values(usize::try_from(size).unwrap_or(usize::MAX), &values)
    }
}

/// Digits only: a sign is none.
fn number(token: &str) -> Result<u64, BoardError> {
    let digits = token.bytes().all(|byte| byte.is_ascii_digit());
    digits
        .then(|| token.parse().ok())
        .flatten()
        .ok_or_else(|| BoardError::Number(token.chars().take(NUMBER_CHARS_MAX).collect()))
}
