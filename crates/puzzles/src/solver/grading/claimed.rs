//! What an answer gives to be drawn, as far as a picture has room for it.

use serde_json::Value;

use super::answer::Answer;
use super::submission::row_and_column;

/// Squares, slides, moves or lines of an answer that are drawn.
pub const CLAIMED_MAX: usize = 1 << 16;
/// Bytes that making a list of them takes at most.
pub const CLAIMED_BYTES_MAX: u64 = 12 * 1024 * 1024;

/// An answer gives more than `CLAIMED_MAX` squares, slides, moves or lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany;

/// Collects what an answer gives.
///
/// # Errors
/// When that is more than is drawn.
pub fn claimed<T>(items: impl Iterator<Item = T>) -> Result<Vec<T>, TooMany> {
    let items: Vec<T> = items.take(CLAIMED_MAX + 1).collect();
    if items.len() > CLAIMED_MAX { Err(TooMany) } else { Ok(items) }
}

/// The squares that an answer gives behind its first `skipped` tokens, each a row and a column; `Null` where it gives none.
/// The first `most` tell all that is wrong with them.
///
/// # Errors
/// When these are more than are drawn.
pub fn claimed_squares(answer: &Answer, skipped: usize, most: usize) -> Result<Value, TooMany> {
    let squares = answer.tokens().skip(skipped).map_while(|(_, token)| row_and_column(token));
    let squares = claimed(squares.take(most).map(|(row, column)| Value::from(vec![row, column])))?;
    Ok(if squares.is_empty() { Value::Null } else { Value::from(squares) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_is_not_collected() {
        let mut asked = 0;
        assert_eq!(claimed((0..10 * CLAIMED_MAX).inspect(|_| asked += 1)), Err(TooMany));
        assert_eq!(asked, CLAIMED_MAX + 1);
        assert_eq!(claimed(0..CLAIMED_MAX).map(|items| items.len()), Ok(CLAIMED_MAX));
    }
}
