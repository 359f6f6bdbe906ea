//! Answers of a submission: a number, with or without the slides, `3 D C E` or `3 DCE`; or `no solution`.

use crate::board::sliding::{Direction, SlidingBoard};
use crate::input::{Line, Place, digits_value};
use crate::solver::grading::{
    Best, Claim, FindPart, Number, Reason, has_digit, is_number_or_word, is_words, number_part, quoted,
    without_mark, words_part,
};
use crate::solver::{Answer, AnswerReader, Finding, Known};
use crate::words::{Argument, Phrase, messages};

/// The text of a case that M slides do not solve.
pub(super) const NO_SOLUTION: &str = "no solution";

/// Every answer is a line.
pub(super) struct Numbers;

messages! {
    "merge-grade"
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
        // Two words were meant as an answer, too, since there is one of two words.
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

/// What a program means by an answer without a number; the first is right.
const WITHOUT: [&str; 3] = [NO_SOLUTION, "sem solução", "sem solucao"];

/// Returns whether a token consists of the letters of slides.
fn is_slides(token: &[u8]) -> bool {
    !token.is_empty() && token.iter().all(|&letter| Direction::from_letter(letter.into()).is_some())
}

messages! {
    "merge-grade"
    /// What is wrong with slides.
    enum Misstep {
        /// No such slide.
        NoSlide = "no-slide" { found: Argument },
        /// There are more than M.
        TooMany = "too-many" { slide: u64, most: u64 },
        /// They do not merge all.
        TilesLeft = "tiles-left" { slides: u64, tiles: u64 },
        /// There are none, and they are needed.
        NoSlides = "no-slides",
    }
}

/// Compares an answer with what is known of a case of at most `moves_max` slides. The board is made if slides are to be
/// replayed; without it the number alone is compared.
pub(super) fn check(
    known: &Known,
    answer: &Answer,
    moves_max: u64,
    board: impl FnOnce() -> Option<SlidingBoard>,
) -> Finding {
    if is_words(answer.first(), NO_SOLUTION) {
        return Claim::NoSolution { place: answer.place() }.check(known, Best::Fewest);
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
    // What is wrong with the number is not told: it might be guessed then.
    if !has_slides && known.needs_witness && value > 0 {
        return Finding::wrong(Reason::NoWitness, place, Misstep::NoSlides);
    }
    let board = if has_slides { board() } else { None };
    let proof = board.map(|board| replay(board, answer, moves_max, known));
    Claim::Number(Number { place, value, proof }).check(known, Best::Fewest)
}

/// Returns the slides of an answer, each with its place.
pub(super) fn slides(answer: &Answer) -> impl Iterator<Item = (Place, Direction)> {
    let letters = answer.tokens().skip(1).flat_map(|(place, token)| {
        token.iter().zip(place.column..).map(move |(&letter, column)| (Place { column, ..place }, letter))
    });
    letters.filter_map(|(place, letter)| Some((place, Direction::from_letter(letter.into())?)))
}

/// Slides the tiles, and gives how many slides merge them all. Those behind the last merge count, too, unless what comes
/// before them proves that we are wrong.
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
