//! Answers of a submission: a number, with or without the squares of the capturing piece, `7 7,3 5,5 …`.

use super::capture::{Fault, Square, index, play};
use crate::board::checkers::{CheckersBoard, OPPONENT};
use crate::input::{Line, Place, digits_value};
use crate::solver::grading::{
    Best, Claim, FindPart, Number, Reason, Remark, has_digit, is_number_or_word, number_part, quoted,
    row_and_column,
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

    fn among_words(&self) -> FindPart {
        |text| number_part(text, has_digit)
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
        /// There are none, and they are needed.
        NoSquares = "no-squares",
    }
}

/// Compares an answer with what is known of a board; the board is made only if squares are to be replayed on it.
pub fn check(board: impl FnOnce() -> CheckersBoard, known: &Known, answer: &Answer) -> Finding {
    let mut tokens = answer.tokens();
    let number = tokens.next().and_then(|(place, token)| Some((place, digits_value(0, token)?)));
    let Some((place, value)) = number else { return Finding::unreadable(answer.first()) };
    let mut has_squares = false;
    for (place, token) in tokens {
        if row_and_column(token).is_none() {
            return Finding::presentation(place, Remark::Behind { found: quoted(token) });
        }
        has_squares = true;
    }
    // To take nothing is shown by no path. What is wrong with the number is not told: it might be guessed then.
    if !has_squares && known.needs_witness && value > 0 {
        return Finding::wrong(Reason::NoWitness, place, Misstep::NoSquares);
    }
    let proof = has_squares.then(|| replay(&board(), answer));
    Claim::Number(Number { place, value, proof }).check(known, Best::Most)
}

/// Returns the squares of an answer that consists of them, each with its place.
fn squares(answer: &Answer) -> impl Iterator<Item = (Place, Square)> {
    let tokens = answer.tokens().skip(1);
    tokens.filter_map(|(place, token)| {
        row_and_column(token).map(|(row, column)| (place, (whole(row), whole(column))))
    })
}

/// Moves a piece along the squares of an answer, and gives how many it takes.
fn replay(board: &CheckersBoard, answer: &Answer) -> Result<(Place, u64), Box<Finding>> {
    let told = |(row, column): Square| format!("{row},{column}");
    let illegal =
        |place: Place, what: Misstep| Err(Box::new(Finding::wrong(Reason::IllegalMove, place, what)));
    // A square that does not exist is reported before any move.
    if let Some((place, square)) = squares(answer).find(|&(_, square)| index(board, square).is_none()) {
        return illegal(place, Misstep::OffBoard { square: told(square) });
    }
    // No way over the board has more squares but one that breaks a rule.
    let (places, squares): (Vec<Place>, Vec<Square>) =
        squares(answer).take(board.count(OPPONENT) + 2).unzip();
    let played = play(board, &squares);
    match played.fault {
        None => Ok((places[0], played.jumps.len() as u64)),
        Some((number, Fault::WithoutCapture)) => {
            let (from, to) = (told(squares[number - 1]), told(squares[number]));
            illegal(places[number], Misstep::WithoutCapture { from, to, step: number })
        }
        Some((number, _)) => illegal(places[number], Misstep::WithoutPiece { square: told(squares[number]) }),
    }
}

/// A number too large for any board stays too large.
fn whole(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
