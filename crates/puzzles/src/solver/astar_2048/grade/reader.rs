//! Where answers begin and end.

use std::cell::Cell;

use super::shape::{Shape, board_at, count, follows, has_won};
use crate::input::Line;
use crate::solver::grading::{
    Answer, AnswerReader, FindPart, Seam, has_digit, is_number_or_word, number_part, words_part,
};
use crate::words::{Phrase, messages};

/// Tells words, counts and lists of boards apart.
pub struct Lists {
    goal_rank: u8,
    /// The answer that is being read, as far as it goes.
    list: Cell<List>,
}

/// What is known of an answer, so that its lines are looked at once.
#[derive(Debug, Clone, Copy)]
struct List {
    begin: Begin,
    /// The board that was begun last.
    board: Option<Board>,
    /// The board before it, where that is whole.
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
    /// An answer of one line, of which `behind` is the next one.
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

    /// Whether a line belongs to the answer, which has so many lines. `is_doubled`: the line behind it is the same.
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
    /// Whether the lines before that index are its rows, and nothing else.
    fn is_whole(&self, at: usize) -> bool {
        (at - self.at) as u64 == self.size.saturating_add(1)
    }
}

/// Whether the board of that line is all that there is of a list: it has none before it, and no count says that more follow.
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
