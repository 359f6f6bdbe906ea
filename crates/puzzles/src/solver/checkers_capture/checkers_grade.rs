//! Grades the answers of a submission: a number, with or without the squares of the capturing piece, `7 7,3 5,5 …`.

use serde_json::Value;

use super::capture::{Fault, Square, index, play};
use super::checkers_puzzle::CheckersPuzzle;
use crate::board::checkers::{CheckersBoard, OPPONENT};
use crate::input::{Place, digits_value};
use crate::solver::grading::{
    Best, Number, Reason, Remark, TooMany, claimed_squares, quoted, row_and_column,
};
use crate::solver::{Answer, AnswerReader, Finding, Gradable, Known};
use crate::words::{Phrase, messages};

/// Reads the answers, one per line.
pub struct Numbers;

impl AnswerReader for Numbers {
    fn form(&self) -> Phrase {
        Misstep::Form.into()
    }
}

messages! {
    "checkers-grade"
    /// The expected form of an answer, and what can be wrong with its squares.
    enum Misstep {
        Form = "form",
        OffBoard = "no-square" { square: String },
        WithoutPiece = "no-piece" { square: String },
        WithoutCapture = "no-capture" { from: String, to: String, step: usize },
        NoSquares = "no-squares",
    }
}

impl Gradable for CheckersPuzzle {
    fn check(&self, known: &Known, answer: &Answer) -> Finding {
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
        // An answer of 0 needs no path. Without a path, do not say whether the number is right: it could be guessed.
        if !has_squares && known.needs_witness && value > 0 {
            return Finding::wrong(Reason::NoWitness, place, Misstep::NoSquares);
        }
        let proof = has_squares.then(|| replay(&self.board.expand(), answer));
        known.check_number(Number { place, value, proof }, Best::Most)
    }

    fn claimed(&self, answer: &Answer) -> Result<Value, TooMany> {
        // A legal path has at most one square more than there are opponents. One further square shows the fault.
        claimed_squares(answer, 1, self.board.opponents() as usize + 2)
    }
}

/// Returns the squares that follow the number in an answer, each with its place in the file.
fn squares(answer: &Answer) -> impl Iterator<Item = (Place, Square)> {
    let tokens = answer.tokens().skip(1);
    tokens.filter_map(|(place, token)| {
        row_and_column(token).map(|(row, column)| (place, (whole(row), whole(column))))
    })
}

/// Moves a piece along the squares of an answer. Returns the number of captures, with the place of the first square.
fn replay(board: &CheckersBoard, answer: &Answer) -> Result<(Place, u64), Box<Finding>> {
    let named = |(row, column): Square| format!("{row},{column}");
    let illegal =
        |place: Place, what: Misstep| Err(Box::new(Finding::wrong(Reason::IllegalMove, place, what)));
    // A square that does not exist is reported before any move.
    if let Some((place, square)) = squares(answer).find(|&(_, square)| index(board, square).is_none()) {
        return illegal(place, Misstep::OffBoard { square: named(square) });
    }
    // A legal path has at most one square more than there are opponents. One further square shows the fault.
    let (places, squares): (Vec<Place>, Vec<Square>) =
        squares(answer).take(board.count(OPPONENT) + 2).unzip();
    let played = play(board, &squares);
    match played.fault {
        None => Ok((places[0], played.jumps.len() as u64)),
        Some((number, Fault::WithoutCapture)) => {
            let (from, to) = (named(squares[number - 1]), named(squares[number]));
            illegal(places[number], Misstep::WithoutCapture { from, to, step: number })
        }
        Some((number, _)) => {
            illegal(places[number], Misstep::WithoutPiece { square: named(squares[number]) })
        }
    }
}

/// Converts a row or column; one that does not fit becomes the largest number, which is on no board.
fn whole(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
