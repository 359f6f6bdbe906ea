//! Answers of a submission: a number, with or without the squares of the capturing piece, `7 7,3 5,5 …`.

use std::cmp::Ordering;

use crate::board::checkers::{CheckersBoard, DIAGONALS, EMPTY, OWN};
use crate::input::{Line, Place, digits_value};
use crate::solver::grading::{
    Best, Claim, Number, Reason, Remark, is_number_or_word, quoted, row_and_column,
};
use crate::solver::{Answer, AnswerReader, Finding, Known};
use crate::words::{Phrase, messages};

/// Every answer is a line.
pub struct Numbers;

messages! {
    "checkers-grade"
    /// What answers look like.
    enum Form {
        /// In a sentence.
        Answer = "form",
    }
}

impl AnswerReader for Numbers {
    fn form(&self) -> Phrase {
        Form::Answer.into()
    }

    fn begins(&self, line: Line<'_>) -> bool {
        is_number_or_word(line)
    }
}

messages! {
    "checkers-grade"
    /// What is wrong with the squares of a piece.
    enum Misstep {
        /// No such square, or none that is played on.
        OffBoard = "no-square" { square: String },
        /// Nothing to move stands there.
        WithoutPiece = "no-piece" { square: String },
        /// It takes nothing.
        WithoutCapture = "no-capture" { from: String, to: String, step: usize },
    }
}

/// A square as it is written.
type Square = (Place, usize, usize);

/// Compares an answer with what is known of a board; that is made only where squares are to be replayed on it.
pub fn check(board: impl FnOnce() -> CheckersBoard, known: &Known, answer: &Answer) -> Finding {
    let mut tokens = answer.tokens();
    let number = tokens.next().and_then(|(place, token)| Some((place, digits_value(0, token)?)));
    let Some((place, value)) = number else { return Finding::unreadable(answer.first()) };
    let mut squares = Vec::new();
    for (place, token) in tokens {
        let Some((row, column)) = row_and_column(token) else {
            return Finding::presentation(place, Remark::Behind { found: quoted(token) });
        };
        squares.push((place, index(row), index(column)));
    }
    let proof = (!squares.is_empty()).then(|| replay(board(), &squares));
    Claim::Number(Number { place, value, proof }).check(known, Best::Most)
}

/// Moves a piece along its squares, and gives how many it takes; a piece that is taken leaves the board at once.
fn replay(mut board: CheckersBoard, squares: &[Square]) -> Result<(Place, u64), Box<Finding>> {
    let illegal = |place, what: Misstep| Err(Box::new(Finding::wrong(Reason::IllegalMove, place, what)));
    for &(place, row, column) in squares {
        if row >= board.rows() || column >= board.columns() || !(row + column).is_multiple_of(2) {
            return illegal(place, Misstep::OffBoard { square: format!("{row},{column}") });
        }
    }
    let (start, row, column) = squares[0];
    let mut at = board.index(row, column);
    if board.squares()[at] != OWN {
        return illegal(start, Misstep::WithoutPiece { square: format!("{row},{column}") });
    }
    board.squares_mut()[at] = EMPTY;
    for (step, pair) in (1..).zip(squares.windows(2)) {
        let ((_, row, column), (place, to_row, to_column)) = (pair[0], pair[1]);
        let direction = (towards(row, to_row), towards(column, to_column));
        let to = board.index(to_row, to_column);
        let jump = if DIAGONALS.contains(&direction) { board.jump(at, direction) } else { None };
        let Some(jump) = jump.filter(|jump| jump.to == to) else {
            let (from, to) = (format!("{row},{column}"), format!("{to_row},{to_column}"));
            return illegal(place, Misstep::WithoutCapture { from, to, step });
        };
        board.squares_mut()[jump.over] = EMPTY;
        at = to;
    }
    Ok((start, squares.len() as u64 - 1))
}

/// One beyond any board where it is too large for that.
fn index(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn towards(from: usize, to: usize) -> isize {
    match to.cmp(&from) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }
}
