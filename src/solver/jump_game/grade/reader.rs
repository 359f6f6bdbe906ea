//! The lines of an answer, and its tokens.

use crate::input::{Line, digits_value};
use crate::solver::grading::{Skipped, is_words, row_and_column};
use crate::solver::{Answer, AnswerReader};
use crate::words::{Phrase, messages};

/// The published words where nobody can reach the last square.
pub const NO_WINNER: &str = "SEM VENCEDORES";

/// Bytes of a line that tell how far an answer has come.
const SEEN: usize = 64;

/// An answer has up to three lines.
pub struct Lines;

/// How far an answer has come.
enum Stage {
    /// It is none yet.
    Begun,
    /// The squares may follow.
    Round,
    /// Nothing more belongs to it.
    Whole,
}

messages! {
    "jump-grade"
    /// What answers look like.
    enum Form {
        /// In a sentence.
        Answer = "form",
    }
}

impl AnswerReader for Lines {
    fn form(&self) -> Phrase {
        Form::Answer.into()
    }

    /// A name does, alone or with its round; so do any two words, as there is an answer of two words.
    fn begins(&self, line: Line<'_>) -> bool {
        let mut tokens = line.tokens().map(|(_, token)| token);
        let begins = tokens.next().is_some_and(|first| !is_numeric(first));
        let is_round = tokens.next().is_some_and(is_numeric);
        begins && (is_round || tokens.next().is_none())
    }

    fn continues(&self, answer: &Answer, line: Line<'_>, _behind: Option<Line<'_>>) -> bool {
        match stage(answer) {
            // Whatever stands there instead of a round does not cost the next puzzle.
            Stage::Begun => !self.begins(line),
            Stage::Round => line.tokens().next().is_some_and(|(_, token)| row_and_column(token).is_some()),
            Stage::Whole => false,
        }
    }

    fn skipped(&self) -> Skipped {
        Skipped::ToMark
    }
}

fn stage(answer: &Answer) -> Stage {
    // A long line that is none would be looked at again with every line behind it.
    let seen = |line: Line<'_>| line.text.len().min(SEEN);
    let lines = || answer.lines().map(|line| Line { text: &line.text[..seen(line)], ..line });
    if lines().next().is_some_and(|first| is_words(first, NO_WINNER)) {
        return Stage::Whole;
    }
    let mut tokens = lines().flat_map(|line| line.tokens()).map(|(_, token)| token);
    let is_begun = !tokens.next().is_some_and(is_name) || tokens.next().and_then(round).is_none();
    match tokens.next() {
        _ if is_begun => Stage::Begun,
        None => Stage::Round,
        Some(_) => Stage::Whole,
    }
}

/// Whether a token may name a player: it consists of letters.
pub fn is_name(token: &[u8]) -> bool {
    token.iter().all(u8::is_ascii_alphabetic)
}

/// Whether a token may be a round or a square.
pub fn is_numeric(token: &[u8]) -> bool {
    matches!(token.first(), Some(b'0'..=b'9' | b'-' | b'+'))
}

/// The round.
pub fn round(token: &[u8]) -> Option<u64> {
    digits_value(0, token)
}
