//! What the lines of an answer are, and where answers begin and end.

use std::cell::Cell;

use crate::board::sliding::{Direction, SlidingBoard};
use crate::board::swipe::{rank_of, swiped};
use crate::input::{Line, Place, digits_value};
use crate::solver::grading::{
    Answer, AnswerReader, FindPart, Seam, has_digit, is_number_or_word, is_words, number_part, words_part,
};
use crate::words::{Phrase, messages};

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
    /// Returns the shape of a line; `behind` is the next line.
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

/// Returns whether a line of several tokens was meant as a row: half of them at least are numbers.
pub fn is_row(line: Line<'_>) -> bool {
    let (mut tokens, mut numbers) = (0_u64, 0_u64);
    for (_, token) in line.tokens() {
        tokens += 1;
        numbers += u64::from(token[0].is_ascii_digit());
    }
    tokens >= 2 && 2 * numbers >= tokens
}

/// Returns whether a line begins with a word of the title, or with two letters of it at least.
fn is_titled(line: Line<'_>) -> bool {
    let Some((_, word)) = line.tokens().next() else { return false };
    let begins = |title: &[u8]| title.len().min(word.len()) >= 2 && begins_with(title, word);
    TITLE[..2].iter().any(|title| begins(title))
}

/// Returns the count that a line gives, and where it stands: `3`, `Minimum number of moves: 3`, `Number of moves: 3 (at
/// least 2)`.
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

/// Returns the board whose size stands on that line of an answer, if it is complete.
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

/// Returns whether a tile has reached the goal.
pub fn has_won(board: &SlidingBoard, goal_rank: u8) -> bool {
    board.ranks().iter().any(|&rank| rank >= goal_rank)
}

/// Returns whether a swipe of `before` gives `board`.
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

/// Tells words, counts and lists of boards apart.
pub struct Lists {
    goal_rank: u8,
    /// The answer that is being read, as far as it goes.
    list: Cell<List>,
}

/// What is known of an answer, kept so that each line is read once.
#[derive(Debug, Clone, Copy)]
struct List {
    begin: Begin,
    /// The board that was begun last.
    board: Option<Board>,
    /// The board before it, if that is whole.
    before: Option<Board>,
    /// Line at which the next answer begins: a board that has won stands before it, which does not lead on.
    next: Option<usize>,
}

/// What an answer begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begin {
    Unsolvable,
    Title,
    Number,
    Rows,
    Other,
}

/// A board of a list.
#[derive(Debug, Clone, Copy)]
struct Board {
    /// Line of its size.
    at: usize,
    size: u64,
    /// It is whole, has won, and follows from the board before it: a wrong value ends no list.
    has_won: bool,
}

impl Lists {
    /// Nothing is read yet.
    pub fn new(goal_rank: u8) -> Self {
        let list = List { begin: Begin::Other, board: None, before: None, next: None };
        Self { goal_rank, list: Cell::new(list) }
    }
}

impl List {
    /// Creates an answer of one line; `behind` is the next line.
    fn new(line: Line<'_>, behind: Line<'_>) -> Self {
        let shape = Shape::of(line, Some(behind));
        let begin = match shape {
            Shape::Unsolvable => Begin::Unsolvable,
            Shape::Titled => Begin::Title,
            Shape::Number => Begin::Number,
            Shape::Size(_) | Shape::Row => Begin::Rows,
            Shape::Other => Begin::Other,
        };
        let mut list = Self { begin, board: None, before: None, next: None };
        list.push(shape, 0);
        list
    }

    /// Takes another line, the one of that index.
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
            // Rows make a list of what begins with a wrong size.
            Shape::Row if self.begin == Begin::Other => self.begin = Begin::Rows,
            _ => {}
        }
    }

    /// Returns whether a line belongs to the answer, which has so many lines. `is_doubled`: the line behind it is the
    /// same.
    fn takes(&self, shape: Shape, lines: usize, behind: Option<Shape>, is_doubled: bool) -> bool {
        let is_over = self.board.is_some_and(|board| board.has_won && board.is_whole(lines));
        match (self.begin, shape) {
            (Begin::Unsolvable, _) | (_, Shape::Unsolvable) => false,
            // A line too early, a size or a row: no program gives counts both with words and without.
            (begin, Shape::Titled) => lines == 1 && matches!(begin, Begin::Number | Begin::Rows),
            (_, Shape::Row) => true,
            (Begin::Other, _) => false,
            (_, Shape::Size(_)) => true,
            // A row would not follow a count: this is a wrong size.
            (_, Shape::Number) if behind == Some(Shape::Row) => !is_over,
            // Where counts are written without words, this is one, unless it is a size that stands there twice.
            (Begin::Number, Shape::Number) => self.board.is_some() && !is_over && is_doubled,
            // A size with a slip of the pen.
            (_, Shape::Other) if self.board.is_none() => behind == Some(Shape::Row),
            // What is left of a row, or of a size.
            (Begin::Title, Shape::Number) if self.board.is_none() => behind != Some(Shape::Titled),
            (_, Shape::Number | Shape::Other) => !is_over,
        }
    }
}

impl Board {
    /// Returns whether the lines before that index are its rows, and nothing else.
    fn is_whole(&self, at: usize) -> bool {
        (at - self.at) as u64 == self.size.saturating_add(1)
    }
}

/// Returns whether the board of that line is the only one of its list: none stands before it, and no count says that more
/// follow.
fn is_first(answer: &Answer, at: usize) -> bool {
    at == 0 || at == 1 && count(answer.first()).is_none_or(|(_, moves)| moves == 0)
}

messages! {
    "astar-grade"
    /// What answers look like.
    enum Form {
        /// In a sentence.
        Answer = "form",
    }
}

impl AnswerReader for Lists {
    fn form(&self) -> Phrase {
        Form::Answer.into()
    }

    fn begins(&self, line: Line<'_>) -> bool {
        is_number_or_word(line) || Shape::of(line, None) == Shape::Titled
    }

    fn among_words(&self) -> FindPart {
        |text| words_part(text, &["unsolvable"]).or_else(|| number_part(text, has_digit))
    }

    fn continues(&self, answer: &Answer, line: Line<'_>, behind: Option<Line<'_>>) -> bool {
        let lines = answer.line_count();
        let mut list = if lines == 1 { List::new(answer.first(), line) } else { self.list.get() };
        let shape = Shape::of(line, behind);
        let is_doubled = behind.is_some_and(|behind| behind.text == line.text);
        let takes = list.takes(shape, lines, behind.map(|behind| Shape::of(behind, None)), is_doubled);
        if takes {
            list.push(shape, lines);
        }
        self.list.set(list);
        takes
    }

    fn seam(&self, answer: &Answer, is_end: bool) -> Seam {
        let (mut list, lines) = (self.list.get(), answer.line_count());
        let Some(board) = list.board.filter(|_| lines > 1) else { return Seam::None };
        if let Some(next) = list.next {
            return Seam::At(next);
        }
        let is_behind_won = list.before.is_some_and(|before| before.has_won);
        if !board.is_whole(lines) {
            // What is left of a board behind one that has won.
            return if is_end && is_behind_won { Seam::At(board.at) } else { Seam::None };
        }
        let here = board_at(answer, board.at);
        let has_won = here.as_ref().is_some_and(|here| has_won(here, self.goal_rank));
        let before = list.before.filter(|_| has_won || is_behind_won);
        let before = before.and_then(|before| board_at(answer, before.at));
        let leads_on = before.zip(here).is_some_and(|(before, here)| follows(&before, &here));
        list.board = Some(Board { has_won: has_won && (leads_on || is_first(answer, board.at)), ..board });
        self.list.set(list);
        if is_behind_won && !leads_on { Seam::At(board.at) } else { Seam::Perhaps }
    }
}
