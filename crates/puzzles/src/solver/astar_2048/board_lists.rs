//! The lines of a submitted answer: what each one is, and where answers begin and end.

use std::cell::Cell;

use super::path_check::{Misstep, read};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::board::swipe::swiped;
use crate::input::{Line, Place, digits_value};
use crate::solver::grading::{
    Answer, AnswerReader, FindPart, Seam, begins_with, has_digit, is_number_or_word, is_words, number_part,
    words_part,
};
use crate::words::Phrase;

/// The words before a count. A submission can omit the first one, or all of them.
const TITLE: [&[u8]; 5] = [b"minimum", b"number", b"of", b"moves", b":"];

/// What a line of a submission is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `unsolvable`.
    Unsolvable,
    /// A line that begins with the words before a count.
    Titled,
    /// A number that is not a size.
    Number,
    /// The size of a board: the next line is a row of this many values.
    Size(u64),
    /// Several tokens. At least half of them begin with a digit.
    Row,
    /// Anything else.
    Other,
}

impl Shape {
    /// Returns the shape of a line; `following` is the line after it.
    pub fn of(line: Line<'_>, following: Option<Line<'_>>) -> Self {
        if let Some([number]) = line.numbers() {
            let is_size = number >= 2 && following.is_some_and(|row| row.count() == number && is_row(row));
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

/// Returns whether a line was meant as a row: it has several tokens, and at least half of them begin with a digit.
pub fn is_row(line: Line<'_>) -> bool {
    let (mut tokens, mut numbers) = (0_u64, 0_u64);
    for (_, token) in line.tokens() {
        tokens += 1;
        numbers += u64::from(token[0].is_ascii_digit());
    }
    tokens >= 2 && 2 * numbers >= tokens
}

/// Returns whether a line begins with `minimum` or `number`, or with at least the first two letters of one of them.
fn is_titled(line: Line<'_>) -> bool {
    let Some((_, word)) = line.tokens().next() else { return false };
    let begins = |title: &[u8]| title.len().min(word.len()) >= 2 && begins_with(title, word);
    TITLE[..2].iter().any(|title| begins(title))
}

/// Returns the count on a line and its place: `3`, `Minimum number of moves: 3`, `Number of moves: 3 (at least 2)`.
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

/// Returns whether a text is a lower bound such as `(at least 2)`.
fn is_bound(text: &[u8]) -> bool {
    let line = Line { number: 0, column: 0, text };
    let tokens: Vec<&[u8]> = line.tokens().map(|(_, token)| token).take(4).collect();
    let &[at, least, number] = &tokens[..] else { return false };
    let digits = number.strip_suffix(b")").unwrap_or_default();
    at.eq_ignore_ascii_case(b"(at")
        && least.eq_ignore_ascii_case(b"least")
        && !digits.is_empty()
        && digits.iter().all(u8::is_ascii_digit)
}

/// Returns the board whose size stands on line `at` of an answer, if the board is complete.
pub fn board_at(answer: &Answer, at: usize) -> Option<SlidingBoard> {
    let [size] = answer.line(at)?.numbers()?;
    let size = usize::try_from(size).ok().filter(|&size| size >= 2)?;
    read(size, answer, at, 0).ok().map(|read| read.board)
}

/// Returns whether a tile has reached the goal.
pub fn has_won(board: &SlidingBoard, goal_rank: u8) -> bool {
    board.ranks().iter().any(|&rank| rank >= goal_rank)
}

/// Returns the swipe that leads from one board to another.
pub fn swipe_between(before: &SlidingBoard, board: &SlidingBoard) -> Option<Direction> {
    let leads = |&direction: &Direction| swiped(before, direction).is_some_and(|(next, _)| next == *board);
    Direction::ALL.into_iter().find(leads)
}

/// Returns the line of `answer` at which the answer to the next puzzle begins. The board of that puzzle is `start`, and
/// the last lines must be this board. Either the board before it has won, or no swipe leads from that board
/// to `start`, and a count at the top, if there is one, matches the number of boards before `start`.
pub fn begins_in(start: &SlidingBoard, goal_rank: u8, answer: &Answer) -> Option<usize> {
    let lines = 1 + start.size();
    let at = answer.line_count().checked_sub(lines).filter(|&at| at > 0)?;
    let follows_row = is_row(answer.line(at - 1)?);
    if !follows_row || board_at(answer, at)? != *start {
        return None;
    }
    let before = at.checked_sub(lines).and_then(|before| board_at(answer, before));
    if before.as_ref().is_some_and(|before| has_won(before, goal_rank)) {
        return Some(at);
    }
    let is_path = before.is_some_and(|before| swipe_between(&before, start).is_some());
    let is_end = match count(answer.first()).filter(|_| board_at(answer, 0).is_none()) {
        Some((_, moves)) => (at - 1) as u64 == (moves.checked_add(1)?).checked_mul(lines as u64)?,
        None => true,
    };
    (is_end && !is_path).then_some(at)
}

/// Distinguishes words, counts and lists of boards.
pub struct Lists {
    goal_rank: u8,
    /// The state of the answer that is being read.
    list: Cell<List>,
}

/// The state of an answer. It is kept between lines, so that each line is read only once.
#[derive(Debug, Clone, Copy)]
struct List {
    /// The number of the answer's first line. An unreadable answer does not replace the state of the answer before it.
    first: u64,
    /// The shape of the first line. [`Shape::Other`] becomes [`Shape::Row`] when a row follows: it was a wrong size.
    begin: Shape,
    /// The last board that has begun.
    board: Option<Board>,
    /// The board before `board`, if it is whole.
    before: Option<Board>,
    /// The line at which the next answer begins, if that is already known.
    next: Option<usize>,
}

/// A board of a list.
#[derive(Debug, Clone, Copy)]
struct Board {
    /// The line of its size.
    at: usize,
    size: u64,
    /// Whether the board is whole, has won, and follows from the one before it: a wrong value must not end a list.
    has_won: bool,
}

impl Lists {
    /// Creates a reader that has read nothing yet.
    pub fn new(goal_rank: u8) -> Self {
        let list = List { first: 0, begin: Shape::Other, board: None, before: None, next: None };
        Self { goal_rank, list: Cell::new(list) }
    }
}

impl List {
    /// Starts with the first line of an answer; `following` is the line after it.
    fn new(line: Line<'_>, following: Line<'_>) -> Self {
        let shape = Shape::of(line, Some(following));
        let mut list = Self { first: line.number, begin: shape, board: None, before: None, next: None };
        list.push(shape, 0);
        list
    }

    /// Adds line `at` of the answer.
    fn push(&mut self, shape: Shape, at: usize) {
        match shape {
            Shape::Size(size) => {
                if let (Some(board), Some(Board { has_won: true, .. })) = (self.board, self.before)
                    && !board.is_whole(at)
                {
                    self.next = Some(board.at);
                }
                self.before = self.board.filter(|board| board.is_whole(at));
                self.board = Some(Board { at, size, has_won: false });
            }
            Shape::Row if self.begin == Shape::Other => self.begin = Shape::Row,
            _ => {}
        }
    }

    /// Returns whether a line belongs to the answer, which has `lines` lines so far. `is_doubled` says that the next
    /// line is the same.
    fn takes(&self, shape: Shape, lines: usize, following: Option<Shape>, is_doubled: bool) -> bool {
        let is_over = self.board.is_some_and(|board| board.has_won && board.is_whole(lines));
        match (self.begin, shape) {
            (Shape::Unsolvable, _) | (_, Shape::Unsolvable) => false,
            // Normally this is the next count. If only a size, row or number precedes it, that line is a stray one: no
            // program writes counts both with and without words.
            (begin, Shape::Titled) => lines == 1 && !matches!(begin, Shape::Titled | Shape::Other),
            (_, Shape::Row) => true,
            (Shape::Other, _) => false,
            (_, Shape::Size(_)) => true,
            // A row does not follow a count, so this is a wrong size.
            (_, Shape::Number) if following == Some(Shape::Row) => !is_over,
            // Counts have no words here, so this is the next count, unless it is a size that is written twice.
            (Shape::Number, Shape::Number) => self.board.is_some() && !is_over && is_doubled,
            // A mistyped size.
            (_, Shape::Other) if self.board.is_none() => following == Some(Shape::Row),
            // A fragment of a row or of a size.
            (Shape::Titled, Shape::Number) if self.board.is_none() => following != Some(Shape::Titled),
            (_, Shape::Number | Shape::Other) => !is_over,
        }
    }
}

impl Board {
    /// Returns whether the lines before line `at` are the rows of the board and nothing else.
    fn is_whole(&self, at: usize) -> bool {
        (at - self.at) as u64 == self.size.saturating_add(1)
    }
}

/// Returns whether the board at line `at` is the only one of its list: no board precedes it, and no count says that
/// others follow.
fn is_first(answer: &Answer, at: usize) -> bool {
    at == 0 || at == 1 && count(answer.first()).is_none_or(|(_, moves)| moves == 0)
}

impl AnswerReader for Lists {
    fn form(&self) -> Phrase {
        Misstep::Form.into()
    }

    fn begins(&self, line: Line<'_>) -> bool {
        is_number_or_word(line) || Shape::of(line, None) == Shape::Titled
    }

    fn among_words(&self) -> FindPart {
        |text| words_part(text, &["unsolvable"]).or_else(|| number_part(text, has_digit))
    }

    fn continues(&self, answer: &Answer, line: Line<'_>, following: Option<Line<'_>>) -> bool {
        let lines = answer.line_count();
        let mut list = if lines == 1 { List::new(answer.first(), line) } else { self.list.get() };
        let shape = Shape::of(line, following);
        let is_doubled = following.is_some_and(|following| following.text == line.text);
        let takes = list.takes(shape, lines, following.map(|line| Shape::of(line, None)), is_doubled);
        if takes {
            list.push(shape, lines);
        }
        self.list.set(list);
        takes
    }

    fn seam(&self, answer: &Answer, is_end: bool) -> Seam {
        let (mut list, lines) = (self.list.get(), answer.line_count());
        let is_current = lines > 1 && list.first == answer.first().number;
        let Some(board) = list.board.filter(|_| is_current) else { return Seam::None };
        if let Some(next) = list.next {
            return Seam::At(next);
        }
        let follows_win = list.before.is_some_and(|before| before.has_won);
        if !board.is_whole(lines) {
            // The last board is a fragment, and the one before it has won.
            return if is_end && follows_win { Seam::At(board.at) } else { Seam::None };
        }
        let here = board_at(answer, board.at);
        let has_won = here.as_ref().is_some_and(|here| has_won(here, self.goal_rank));
        let before = list.before.filter(|_| has_won || follows_win);
        let before = before.and_then(|before| board_at(answer, before.at));
        let leads_on = before.zip(here).is_some_and(|(before, here)| swipe_between(&before, &here).is_some());
        list.board = Some(Board { has_won: has_won && (leads_on || is_first(answer, board.at)), ..board });
        self.list.set(list);
        if follows_win && !leads_on { Seam::At(board.at) } else { Seam::Perhaps }
    }
}
