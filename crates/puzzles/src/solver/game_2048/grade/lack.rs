//! What an answer must have, and lacks.

use super::line::{Key, Shape};
use crate::input::Place;
use crate::solver::grading::{Answer, Finding, Reason};
use crate::words::{Phrase, messages};

messages! {
    "game-grade"
    /// Why an answer is incomplete.
    pub enum Lack {
        /// It lacks some of the parts that every answer has.
        Parts = "lacks" { what: Phrase },
        /// A game that `AUTO` plays has no transcript.
        Transcript = "no-transcript",
        /// The transcript is legal, and the game goes on.
        Moves = "goes-on" { moves: u64 },
    }
}

messages! {
    "game-grade"
    /// The parts that every answer has, and how they are listed.
    enum Part {
        Score = "score-line",
        Max = "max-line",
        Board = "board",
        Two = "two-parts" { first: Phrase, second: Phrase },
        Three = "three-parts" { first: Phrase, second: Phrase, third: Phrase },
    }
}

impl Lack {
    /// The finding on an answer that begins at `place`.
    pub fn of(self, place: Place) -> Finding {
        Finding::wrong(Reason::Incomplete, place, self)
    }
}

/// What an answer lacks of the score, the largest tile and the board: a part of them is easily guessed.
pub fn lacking(answer: &Answer) -> Option<Finding> {
    let shapes = || answer.lines().map(Shape::of);
    let has_key = |key| shapes().any(|shape| shape == Shape::Key(key));
    let parts = [
        (has_key(Key::Score), Part::Score),
        (has_key(Key::Max), Part::Max),
        (shapes().any(|shape| matches!(shape, Shape::Row(_))), Part::Board),
    ];
    let mut lacking = parts.into_iter().filter(|(is_there, _)| !is_there).map(|(_, part)| Phrase::from(part));
    let what = match (lacking.next()?, lacking.next(), lacking.next()) {
        (first, Some(second), Some(third)) => Part::Three { first, second, third }.into(),
        (first, Some(second), None) => Part::Two { first, second }.into(),
        (first, ..) => first,
    };
    Some(Lack::Parts { what }.of(answer.place()))
}
