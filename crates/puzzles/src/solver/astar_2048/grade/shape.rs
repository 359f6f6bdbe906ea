//! What the lines of an answer are: a word, a count, the size of a board, a row.

use crate::board::sliding::{Direction, SlidingBoard};
use crate::board::swipe::{rank_of, swiped};
use crate::input::{Line, Place, digits_value};
use crate::solver::Answer;
use crate::solver::grading::is_words;

/// What stands before a count, whole or in part.
const TITLE: [&[u8]; 5] = [b"minimum", b"number", b"of", b"moves", b":"];

/// What a line of a submission is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `unsolvable`.
    Unsolvable,
    /// It begins as a line with a count in words does.
    Titled,
    /// A number that is no size.
    Number,
    /// The size of a board: a row of so many values follows.
    Size(u64),
    /// Numbers, for the better part.
    Row,
    /// Anything else.
    Other,
}

impl Shape {
    /// The shape of a line, of which `behind` is the next one.
    pub fn of(line: Line<'_>, behind: Option<Line<'_>>) -> Self {
        if let Some([number]) = line.numbers() {
            let is_size = number >= 2 && behind.is_some_and(|row| row.count() == number && is_row(row));
            return if is_size { Self::Size(number) } else { Self::Number };
        }
        if is_row(line) {
            Self::Row
        } else if is_words(line, "unsolvable") {
            Self::Unsolvable
        } else if is_titled(line) {
            Self::Titled
        } else {
            Self::Other
        }
    }
}

/// Whether a line of several tokens was meant as a row: half of them at least are numbers.
pub fn is_row(line: Line<'_>) -> bool {
    let (mut tokens, mut numbers) = (0_u64, 0_u64);
    for (_, token) in line.tokens() {
        tokens += 1;
        numbers += u64::from(token[0].is_ascii_digit());
    }
    tokens >= 2 && 2 * numbers >= tokens
}

/// Whether a line begins with a word of the title, or with two letters of it at least.
fn is_titled(line: Line<'_>) -> bool {
    let Some((_, word)) = line.tokens().next() else { return false };
    let begins = |title: &[u8]| title.len().min(word.len()) >= 2 && begins_with(title, word);
    TITLE[..2].iter().any(|title| begins(title))
}

/// The count that a line gives, and where it stands: `3`, `Minimum number of moves: 3`, `Number of moves: 3 (at least 2)`.
pub fn count(line: Line<'_>) -> Option<(Place, u64)> {
    let mut rest = line.text;
    let is_minimum = begins_with(rest, TITLE[0]);
    if is_minimum || begins_with(rest, TITLE[1]) {
        for word in &TITLE[usize::from(!is_minimum)..] {
            rest = if begins_with(rest, word) { rest[word.len()..].trim_ascii_start() } else { return None };
        }
    }
    let column = line.column + (line.text.len() - rest.len()) as u64;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value = digits_value(0, &rest[..digits]).filter(|_| digits > 0)?;
    let bound = rest[digits..].trim_ascii();
    (bound.is_empty() || is_bound(bound)).then_some((Place { line: line.number, column }, value))
}

/// `(at least 2)`.
fn is_bound(text: &[u8]) -> bool {
    let words = Line { number: 0, column: 0, text };
    let mut tokens = words.tokens().map(|(_, token)| token);
    let is_next =
        |token: Option<&[u8]>, word: &[u8]| token.is_some_and(|token| token.eq_ignore_ascii_case(word));
    is_next(tokens.next(), b"(at")
        && is_next(tokens.next(), b"least")
        && tokens
            .next()
            .and_then(|number| number.strip_suffix(b")"))
            .is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
        && tokens.next().is_none()
}

fn begins_with(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word))
}

/// The board whose size is that line of an answer, where it is a whole one.
pub fn board_at(answer: &Answer, at: usize) -> Option<SlidingBoard> {
    let [size] = answer.line(at)?.numbers()?;
    let size = usize::try_from(size).ok().filter(|&size| size >= 2)?;
    let mut ranks = Vec::new();
    for row in 1..=size {
        let before = ranks.len();
        for (_, token) in answer.line(at.checked_add(row)?)?.tokens() {
            ranks.push(rank_of(digits_value(0, token)?)?);
        }
        if ranks.len() - before != size {
            return None;
        }
    }
    Some(SlidingBoard::new(size, ranks))
}

/// Whether a tile has reached the goal.
pub fn has_won(board: &SlidingBoard, goal_rank: u8) -> bool {
    board.ranks().iter().any(|&rank| rank >= goal_rank)
}

/// Whether a swipe of `before` gives `board`.
pub fn follows(before: &SlidingBoard, board: &SlidingBoard) -> bool {
    let is_it = |direction| swiped(before, direction).is_some_and(|(next, _)| next == *board);
    Direction::ALL.into_iter().any(is_it)
}

/// At which line of an answer the next one begins, whose puzzle has that board: where the last lines are that board, and the
/// board before them does not lead to it. A list with a count ends there only if it has so many boards.
pub fn begins_in(start: &SlidingBoard, goal_rank: u8, answer: &Answer) -> Option<usize> {
    let lines = 1 + start.size();
    let at = answer.line_count().checked_sub(lines).filter(|&at| at > 0)?;
    let is_behind_row = is_row(answer.line(at - 1)?);
    if !is_behind_row || board_at(answer, at)? != *start {
        return None;
    }
    let before = at.checked_sub(lines).and_then(|before| board_at(answer, before));
    if before.as_ref().is_some_and(|before| has_won(before, goal_rank)) {
        return Some(at);
    }
    let is_path = before.is_some_and(|before| follows(&before, start));
    let is_end = match count(answer.first()).filter(|_| board_at(answer, 0).is_none()) {
        Some((_, moves)) => (at - 1) as u64 == (moves.checked_add(1)?).checked_mul(lines as u64)?,
        None => true,
    };
    (is_end && !is_path).then_some(at)
}
