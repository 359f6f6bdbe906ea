//! Which puzzles are drawn: those that are invalid, undecided or wrong, then the largest answers, then the first ones. Of a file of
//! any length little is held, and a puzzle that is not chosen costs a comparison.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use tabuleiro_puzzles::input::Place;
use tabuleiro_puzzles::solver::{Bounds, Outcome, Problem, Puzzle, Shown, Teller, Verdict};
use tabuleiro_puzzles::words::Language;

/// Puzzles drawn on a page.
const DRAWN_MAX: usize = 200;
/// Bytes of all puzzles and witnesses that are held for a page.
pub const HELD_BYTES_MAX: u64 = 8 * 1024 * 1024;
/// The same of one of them: it takes the place of many, and little of it would be seen.
const PUZZLE_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// Bytes that a puzzle takes for each byte of its input, about: a number of four bytes has a blank behind it.
const INPUT_FACTOR: u64 = 2;

/// The more it is, the sooner a puzzle is drawn.
type Rank = (bool, u64, Reverse<u64>);

/// The puzzles that are to be drawn, as far as they are known.
#[derive(Default)]
pub struct Gallery {
    chosen: BTreeMap<Rank, (Exhibit, u64)>,
    bytes: u64,
    /// Of those that are chosen, once there is room for no more: whatever is less is not.
    least: Option<Rank>,
}

impl Gallery {
    /// Takes a puzzle of so many bytes of input, with a witness of ours of so many, made by `exhibit` where it is to be drawn as things
    /// stand. What is `odd`, being invalid, undecided or wrong, comes before the answers, whose size the bounds say.
    #[inline]
    pub fn offer(
        &mut self,
        number: u64,
        (is_odd, bounds): (bool, Bounds),
        (input_bytes, witness_bytes): (u64, u64),
        exhibit: impl FnOnce() -> Exhibit,
    ) {
        let size = bounds.at_most.or(bounds.at_least).unwrap_or(0);
        // Among those that come first, the first ones do.
        let rank = (is_odd, if is_odd { 0 } else { size }, Reverse(number));
        if self.least.is_some_and(|least| rank < least) {
            return;
        }
        let bytes = INPUT_FACTOR * input_bytes + witness_bytes;
        // Its witness is copied only where there is room for it.
        if bytes <= PUZZLE_BYTES_MAX {
            self.take(rank, bytes, exhibit());
        }
    }

    #[cold]
    fn take(&mut self, rank: Rank, mut bytes: u64, mut exhibit: Exhibit) {
        bytes += exhibit.claimed_bytes();
        if bytes > PUZZLE_BYTES_MAX {
            bytes -= exhibit.claimed_bytes();
            exhibit.shorten();
        }
        self.bytes += bytes;
        self.chosen.insert(rank, (exhibit, bytes));
        while self.chosen.len() > DRAWN_MAX || self.bytes > HELD_BYTES_MAX {
            let Some((_, (_, bytes))) = self.chosen.pop_first() else { break };
            self.bytes -= bytes;
        }
        let is_full = self.chosen.len() == DRAWN_MAX;
        self.least = self.chosen.first_key_value().map(|(least, _)| *least).filter(|_| is_full);
    }

    /// Those that are to be drawn, in the order of the file.
    #[must_use]
    pub fn into_exhibits(self) -> Vec<Exhibit> {
        let mut exhibits: Vec<_> = self.chosen.into_values().map(|(exhibit, _)| exhibit).collect();
        exhibits.sort_by_key(|exhibit| exhibit.number);
        exhibits
    }
}

/// A puzzle on a page.
pub struct Exhibit {
    /// Its number in the file, from 1.
    pub number: u64,
    /// Where it begins.
    pub place: Place,
    /// What became of it.
    pub content: Content,
    /// What a submission answers.
    pub attempt: Option<Attempt>,
}

/// What became of a puzzle.
pub enum Content {
    /// It is none, for this reason.
    Invalid {
        /// What is wrong.
        problem: Box<Problem>,
        /// The same as people are told it.
        told: String,
    },
    /// It has an outcome.
    Solved(Box<Solved>),
}

/// An outcome, as far as it is drawn.
pub struct Solved {
    /// The puzzle; `None` where a limit did not allow to read it.
    pub puzzle: Option<Arc<dyn Puzzle>>,
    /// The answer as people are told it.
    pub headline: String,
    /// The answer is exact.
    pub is_answered: bool,
    /// The answer for machines.
    pub answer: Value,
    /// What proves it, where that is known.
    pub witness: Value,
    /// What is proved of a number.
    pub bounds: Bounds,
}

/// What a submission answers to a puzzle.
pub struct Attempt {
    /// It is right.
    pub is_right: bool,
    /// The verdict and what is wrong, as people are told it.
    pub told: String,
    /// What it answers, in a line; printable.
    pub answer: String,
    /// The right answer may be shown.
    pub shows_right: bool,
    /// Its own witness; `Null` where it gives none.
    pub witness: Value,
    /// It gives one that is too long to be drawn.
    pub is_too_long: bool,
}

impl Exhibit {
    /// A puzzle of a job with its outcome.
    #[must_use]
    pub fn of(
        (number, place): (u64, Place),
        puzzle: Option<&Arc<dyn Puzzle>>,
        outcome: &Outcome,
        teller: &Teller<'_>,
    ) -> Self {
        let headline = outcome.headline_for(teller).into_owned();
        let content = match &outcome.verdict {
            Verdict::Invalid(problem) => Content::Invalid { problem: problem.clone(), told: headline },
            verdict => Content::Solved(Box::new(Solved {
                puzzle: puzzle.cloned(),
                headline,
                is_answered: matches!(verdict, Verdict::Answered),
                answer: outcome.answer.clone(),
                witness: outcome.witness.clone(),
                bounds: outcome.bounds,
            })),
        };
        Self { number, place, content, attempt: None }
    }

    /// Bytes that the witness of a submission takes, about.
    #[must_use]
    pub fn claimed_bytes(&self) -> u64 {
        self.attempt.as_ref().map_or(0, |attempt| bytes_of(&attempt.witness))
    }

    /// Gives up the witness of a submission, as too long to be drawn.
    pub fn shorten(&mut self) {
        if let Some(attempt) = &mut self.attempt {
            (attempt.witness, attempt.is_too_long) = (Value::Null, true);
        }
    }

    /// The answer in a few words.
    #[must_use]
    pub fn headline(&self) -> &str {
        match &self.content {
            Content::Invalid { told, .. } => told,
            Content::Solved(solved) => &solved.headline,
        }
    }
}

impl Solved {
    /// What is drawn of it.
    #[must_use]
    pub fn shown(&self, language: Language) -> Shown<'_> {
        let Self { headline, is_answered, answer, witness, bounds, .. } = self;
        Shown { language, headline, is_answered: *is_answered, answer, witness, bounds: *bounds }
    }
}

/// Bytes that a value takes, about.
#[must_use]
pub fn bytes_of(value: &Value) -> u64 {
    let own = size_of::<Value>() as u64;
    match value {
        Value::Array(items) => own + items.iter().map(bytes_of).sum::<u64>(),
        Value::String(text) => own + text.len() as u64,
        _ => own,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use tabuleiro_puzzles::input::Place;

    fn exhibit(number: u64, bounds: Bounds) -> Exhibit {
        Exhibit {
            number,
            place: Place { line: number, column: 1 },
            content: Content::Solved(Box::new(Solved {
                puzzle: None,
                headline: String::new(),
                is_answered: true,
                answer: Value::Null,
                witness: Value::Null,
                bounds,
            })),
            attempt: None,
        }
    }

    fn offer(gallery: &mut Gallery, number: u64, is_odd: bool, size: u64, bytes: u64) {
        let bounds = Bounds { at_least: Some(size), at_most: Some(size) };
        let sizes = (bytes / INPUT_FACTOR, 0);
        gallery.offer(number, (is_odd, bounds), sizes, || exhibit(number, bounds));
    }

    fn numbers(gallery: Gallery) -> Vec<u64> {
        gallery.into_exhibits().iter().map(|exhibit| exhibit.number).collect()
    }

    #[test]
    fn odd_ones_come_first_then_the_largest_then_the_first() {
        let mut gallery = Gallery::default();
        for number in 1..=1000 {
            offer(&mut gallery, number, number % 10 == 0, number / 500, 10);
        }
        let odd: Vec<u64> = (1..=100).map(|tenth| 10 * tenth).collect();
        // 1000 alone has the answer 2, and is odd; the answers of 1 follow in the order of the file.
        let rest = (500..1000).filter(|number| number % 10 != 0).take(100);
        let mut expected: Vec<u64> = odd.into_iter().chain(rest).collect();
        expected.sort_unstable();
        assert_eq!(numbers(gallery), expected);
    }

    #[test]
    fn what_has_no_room_is_not_made() {
        let mut gallery = Gallery::default();
        let [none, most] = [0, PUZZLE_BYTES_MAX].map(|bytes| (bytes, PUZZLE_BYTES_MAX + 1 - bytes));
        for sizes in [none, most] {
            gallery.offer(1, (true, Bounds::default()), sizes, || unreachable!("it is too large"));
        }
    }

    #[test]
    fn a_puzzle_is_drawn_without_a_witness_that_is_too_long() {
        let mut gallery = Gallery::default();
        let long: Value = vec![Value::from(vec![0, 1]); 1 << 16].into();
        assert!(bytes_of(&long) > PUZZLE_BYTES_MAX);
        let attempt = Attempt {
            is_right: false,
            told: String::new(),
            answer: String::new(),
            shows_right: false,
            witness: long,
            is_too_long: false,
        };
        let exhibit = || Exhibit { attempt: Some(attempt), ..exhibit(1, Bounds::default()) };
        gallery.offer(1, (true, Bounds::default()), (10, 0), exhibit);
        let attempt = gallery.into_exhibits().remove(0).attempt.unwrap();
        assert!(attempt.witness.is_null() && attempt.is_too_long);
    }

    #[test]
    fn what_is_held_is_bounded() {
        let mut gallery = Gallery::default();
        for number in 1..=20 {
            offer(&mut gallery, number, false, number, PUZZLE_BYTES_MAX / 2);
        }
        offer(&mut gallery, 21, false, 21, 2 * PUZZLE_BYTES_MAX);
        let held = HELD_BYTES_MAX / (PUZZLE_BYTES_MAX / 2);
        assert_eq!(numbers(gallery), (21 - held..=20).collect::<Vec<_>>());
    }
}
