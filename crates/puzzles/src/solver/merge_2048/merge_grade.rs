//! Answers in a submission: a number, with or without its slides (`3 D C E` or `3 DCE`), or `no solution`.

use serde_json::Value;

use super::merge_puzzle::{Case, letters};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::input::{Line, Place, digits_value};
use crate::solver::grading::{
    Best, FindPart, Number, Reason, TooMany, claimed, has_digit, is_number_or_word, is_words, number_part,
    quoted, without_mark, words_part,
};
use crate::solver::{Answer, AnswerReader, Finding, Gradable, Known};
use crate::words::{Argument, Phrase, messages};

/// The answer to a case that M slides do not solve.
pub(super) const NO_SOLUTION: &str = "no solution";

/// Reads answers of one line each.
pub(super) struct Numbers;

impl AnswerReader for Numbers {
    fn form(&self) -> Phrase {
        Misstep::Form.into()
    }

    fn begins(&self, line: Line<'_>) -> bool {
        // A line of one or two words counts as an answer too, since `no solution` has two words.
        is_number_or_word(line) || line.tokens().nth(2).is_none()
    }

    fn among_words(&self) -> FindPart {
        |text| {
            words_part(text, &WITHOUT).or_else(|| {
                number_part(text, |token| has_digit(token) || is_slides(&token[..without_mark(token)]))
            })
        }
    }
}

/// What a program can mean by an answer without a number; only the first is right.
const WITHOUT: [&str; 3] = [NO_SOLUTION, "sem solução", "sem solucao"];

/// Returns whether a token consists of the letters of slides.
fn is_slides(token: &[u8]) -> bool {
    !token.is_empty() && token.iter().all(|&letter| Direction::from_letter(letter.into()).is_some())
}

messages! {
    "merge-grade"
    /// What answers look like, and what is wrong with slides.
    enum Misstep {
        Form = "form",
        NoSlide = "no-slide" { found: Argument },
        TooMany = "too-many" { slide: u64, most: u64 },
        TilesLeft = "tiles-left" { slides: u64, tiles: u64 },
        NoSlides = "no-slides",
    }
}

impl Gradable for Case {
    fn check(&self, known: &Known, answer: &Answer) -> Finding {
        if is_words(answer.first(), NO_SOLUTION) {
            return known.check_no_solution(answer.place());
        }
        let mut tokens = answer.tokens();
        let number = tokens.next().and_then(|(place, token)| Some((place, digits_value(0, token)?)));
        let Some((place, value)) = number else { return Finding::unreadable(answer.first()) };
        let mut has_slides = false;
        for (place, token) in tokens {
            if !is_slides(token) {
                return Finding::presentation(place, Misstep::NoSlide { found: quoted(token) });
            }
            has_slides = true;
        }
        // The finding does not say what is wrong with the number, or students could guess it.
        if !has_slides && known.needs_witness && value > 0 {
            return Finding::wrong(Reason::NoWitness, place, Misstep::NoSlides);
        }
        let board = if has_slides { self.whole_board() } else { None };
        let proof = board.map(|board| replay(board, answer, self.moves_max, known));
        known.check_number(Number { place, value, proof }, Best::Fewest)
    }

    fn claimed(&self, answer: &Answer) -> Result<Value, TooMany> {
        let slides = claimed(slides(answer).map(|(_, direction)| direction))?;
        Ok(if slides.is_empty() { Value::Null } else { letters(&slides) })
    }
}

/// Returns the slides of an answer, each with its place.
fn slides(answer: &Answer) -> impl Iterator<Item = (Place, Direction)> {
    let letters = answer.tokens().skip(1).flat_map(|(place, token)| {
        token.iter().zip(place.column..).map(move |(&letter, column)| (Place { column, ..place }, letter))
    });
    letters.filter_map(|(place, letter)| Some((place, Direction::from_letter(letter.into())?)))
}

/// Replays the slides and returns how many of them merge all tiles. Slides after the last merge count too, unless the
/// slides before them refute our answer.
fn replay(
    mut board: SlidingBoard,
    answer: &Answer,
    moves_max: u64,
    known: &Known,
) -> Result<(Place, u64), Box<Finding>> {
    let mut tiles = board.ranks().iter().filter(|&&rank| rank != 0).count() as u64;
    let mut done = (tiles <= 1).then_some(0);
    let (mut slide, mut last, mut surplus) = (0, answer.place(), None);
    for (place, direction) in slides(answer) {
        slide += 1;
        last = place;
        if slide > moves_max {
            surplus = surplus.or(Some((place, slide)));
        } else if done.is_none() {
            tiles -= u64::from(board.slide(direction).merges);
            done = (tiles <= 1).then_some(slide);
        }
    }
    let first = slides(answer).next().map_or(last, |(place, _)| place);
    if let Some(done) = done {
        if known.refuted(first, done, Best::Fewest).is_some() {
            return Ok((first, done));
        }
        if surplus.is_none() {
            return Ok((first, slide));
        }
    }
    let (place, what) = match surplus {
        Some((place, slide)) => (place, Misstep::TooMany { slide, most: moves_max }),
        None => (last, Misstep::TilesLeft { slides: slide, tiles }),
    };
    Err(Box::new(Finding::wrong(Reason::IllegalMove, place, what)))
}
