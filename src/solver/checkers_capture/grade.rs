//! Answers of a submission: a number, with or without the squares of the capturing piece, `7 7,3 5,5 …`.

use serde_json::Value;

use super::capture::{Fault, Square, index, play};
use crate::board::checkers::CheckersBoard;
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

/// Compares an answer with what is known of a board; that is made only where squares are to be replayed on it.
pub fn check(board: impl FnOnce() -> CheckersBoard, known: &Known, answer: &Answer) -> Finding {
    let mut tokens = answer.tokens();
    let number = tokens.next().and_then(|(place, token)| Some((place, digits_value(0, token)?)));
    let Some((place, value)) = number else { return Finding::unreadable(answer.first()) };
    let (mut places, mut squares) = (Vec::new(), Vec::new());
    for (place, token) in tokens {
        let Some((row, column)) = row_and_column(token) else {
            return Finding::presentation(place, Remark::Behind { found: quoted(token) });
        };
        places.push(place);
        squares.push((whole(row), whole(column)));
    }
    let proof = (!squares.is_empty()).then(|| replay(&board(), &places, &squares));
    Claim::Number(Number { place, value, proof }).check(known, Best::Most)
}

/// The squares that an answer gives, each a row and a column; `Null` where it gives none.
pub fn claimed(answer: &Answer) -> Value {
    let squares = answer.tokens().skip(1).map_while(|(_, token)| row_and_column(token));
    let squares: Vec<Value> = squares.map(|(row, column)| Value::from(vec![row, column])).collect();
    if squares.is_empty() { Value::Null } else { Value::from(squares) }
}

/// Moves a piece along its squares, and gives how many it takes.
fn replay(board: &CheckersBoard, places: &[Place], squares: &[Square]) -> Result<(Place, u64), Box<Finding>> {
    let told = |number: usize| format!("{},{}", squares[number].0, squares[number].1);
    let illegal = |number: usize, what: Misstep| {
        Err(Box::new(Finding::wrong(Reason::IllegalMove, places[number], what)))
    };
    // A square that there is not is told before any move.
    if let Some(number) = squares.iter().position(|&square| index(board, square).is_none()) {
        return illegal(number, Misstep::OffBoard { square: told(number) });
    }
    let played = play(board, squares);
    match played.fault {
        None => Ok((places[0], played.jumps.len() as u64)),
        Some((number, Fault::WithoutCapture)) => {
            let (from, to) = (told(number - 1), told(number));
            illegal(number, Misstep::WithoutCapture { from, to, step: number })
        }
        Some((number, _)) => illegal(number, Misstep::WithoutPiece { square: told(number) }),
    }
}

/// One beyond any board where it is too large for that.
fn whole(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
