//! The lines of an answer, and its tokens.

use std::ops::Range;

use crate::input::{Line, digits_value};
use crate::solver::grading::{
    FindPart, behind_label, has_digit, is_number, is_words, number_part, row_and_column, tokens,
    without_mark, words_part,
};
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

    fn among_words(&self) -> FindPart {
        |text| {
            words_part(text, &WITHOUT).or_else(|| number_part(text, has_digit)).or_else(|| winner_part(text))
        }
    }

    /// Two letters alone are a name if a round follows, which no banner has.
    fn begins_among_words(&self, line: Line<'_>, behind: Option<Line<'_>>) -> bool {
        let is_round = |line: Line<'_>| line.tokens().next().is_some_and(|(_, token)| is_numeric(token));
        line.text.len() != 2 || behind.is_some_and(is_round)
    }
}

/// What a program means by a game without a winner; the first is right.
const WITHOUT: [&str; 2] = [NO_WINNER, "sem vencedor"];

/// The winner of a line, a name of one letter or two, alone or with a number behind it.
fn winner_part(text: &[u8]) -> Option<Range<usize>> {
    let begin = behind_label(text)?;
    let text = &text[begin..];
    let mut tokens = tokens(text);
    let name = tokens.next()?;
    let Some(round) = tokens.next() else {
        let end = without_mark(text);
        return (matches!(end, 1 | 2) && is_name(&text[..end])).then_some(begin..begin + end);
    };
    if !matches!(name.len(), 1 | 2) || !is_name(&text[name]) || !is_number(&text[round.clone()]) {
        return None;
    }
    let last = tokens.filter(|token| has_digit(&text[token.clone()])).last().unwrap_or(round);
    Some(begin..begin + without_mark(&text[..last.end]))
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
