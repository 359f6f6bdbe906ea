//! The lines of an answer, and where answers begin and end.

use std::cell::Cell;

use super::Flaw;
use crate::board::sliding::Direction;
use crate::input::{Line, Place, digits_value, is_blank};
use crate::solver::grading::{Answer, AnswerReader, FindPart, begins_with};
use crate::solver::{Choice, choice};
use crate::words::Phrase;

/// The kinds of lines without a key, and `skipped`. All kinds are numbered in the order of the solver's page, from
/// `score` on.
const BOARD: u8 = Key::Seed as u8 + 1;
const TRANSCRIPT: u8 = BOARD + 1;
const SKIPPED: u8 = TRANSCRIPT + 1;
/// If an answer has this many kinds of lines in the order of the page, its program keeps to that order.
const KINDS_KNOWN: u32 = 4;

choice! {
    /// The word that begins a line with one value, in the order in which results have them.
    pub enum Key {
        Score = "score",
        Moves = "moves",
        Max = "max",
        Over = "over",
        Seed = "seed",
        Skipped = "skipped",
    }
}

/// What a line looks like, whether right or wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A line that begins with a key, or with the beginning of one.
    Key(Key),
    /// A row of the board, with the number of its values.
    Row(u64),
    /// A line of the transcript.
    Step,
    /// `undecided (…)`.
    Undecided,
    /// Anything else.
    Other,
}

/// A line of the transcript: its mark, and the piece after it.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// `None` for `+`.
    pub direction: Option<Direction>,
    /// Row, column and value.
    pub numbers: [u64; 3],
    /// The places of the mark and the numbers.
    pub places: [Place; 4],
}

/// Returns the key that begins with `word`, which must have at least two letters.
fn begun_key(word: &[u8]) -> Option<Key> {
    let is_begun = |(known, _): &&(&str, Key)| word.len() >= 2 && begins_with(known.as_bytes(), word);
    Key::ALL.iter().find(is_begun).map(|&(_, key)| key)
}

impl Shape {
    /// Returns the shape of a line.
    pub fn of(line: Line<'_>) -> Self {
        let first = line.tokens().next().map_or(&b""[..], |(_, token)| token);
        match first {
            [b'0'..=b'9', ..] => Self::Row(line.count()),
            [b'+', ..] | [_] => Self::Step,
            _ if line.text.starts_with(b"undecided") => Self::Undecided,
            _ => begun_key(word(line)).map_or(Self::Other, Self::Key),
        }
    }
}

/// Returns the letters at the beginning of a line.
fn word(line: Line<'_>) -> &[u8] {
    let letters = line.text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    &line.text[..letters]
}

/// Returns the only value of a line that begins with a key (`score 18`, `score: 18` or `score = 18`), and its place.
pub fn value(line: Line<'_>, key: Key) -> Option<(Place, &[u8])> {
    let length = key.word().len();
    let is_key = word(line).eq_ignore_ascii_case(key.word().as_bytes());
    let behind = line.text.get(length..).filter(|_| is_key)?;
    let blanks = |text: &[u8]| text.iter().take_while(|&&byte| is_blank(byte)).count();
    let mark = blanks(behind);
    let has_mark = matches!(behind.get(mark), Some(b':' | b'='));
    if mark == 0 && !has_mark {
        return None;
    }
    let from = length + mark + usize::from(has_mark);
    let rest = Line { number: line.number, column: line.column + from as u64, text: &line.text[from..] };
    let mut tokens = rest.tokens();
    tokens.next().filter(|_| tokens.next().is_none())
}

/// Parses a line of the transcript: `+ r c v` or `D r c v`.
pub fn step(line: Line<'_>) -> Option<Step> {
    let mut tokens = line.tokens();
    let (place, mark) = tokens.next()?;
    let direction = match mark {
        b"+" => None,
        &[letter] => Some(Direction::from_letter(char::from(letter))?),
        _ => return None,
    };
    let mut step = Step { direction, numbers: [0; 3], places: [place; 4] };
    for index in 0..3 {
        let (place, token) = tokens.next()?;
        step.numbers[index] = digits_value(0, token)?;
        step.places[1 + index] = place;
    }
    tokens.next().is_none().then_some(step)
}

/// Returns whether a line is a line of an answer and nothing else. A row has at least two values.
fn is_whole(line: Line<'_>) -> bool {
    match Shape::of(line) {
        Shape::Key(key) => value(line, key).is_some_and(|(_, value)| is_value(key, value)),
        Shape::Row(values) => values > 1 && line.tokens().all(|(_, token)| number(token).is_some()),
        Shape::Step => step(line).is_some(),
        Shape::Undecided => true,
        Shape::Other => false,
    }
}

/// Returns whether a key can have this value.
pub fn is_value(key: Key, value: &[u8]) -> bool {
    match key {
        Key::Over => value.eq_ignore_ascii_case(b"yes") || value.eq_ignore_ascii_case(b"no"),
        _ => number(value).is_some(),
    }
}

/// Parses a number of any length. Returns `None` if a byte is not a digit; a number beyond 128 bits saturates.
pub fn number(digits: &[u8]) -> Option<u128> {
    let add = |value: u128, &byte: &u8| {
        let digit = u128::from(byte.wrapping_sub(b'0'));
        (digit <= 9).then(|| value.saturating_mul(10).saturating_add(digit))
    };
    digits.iter().try_fold(0, add)
}

/// Separates the answers to different games.
#[derive(Default)]
pub struct Games(Cell<AnswerSoFar>);

/// What is known of the current answer, kept so that each line is read once.
#[derive(Debug, Clone, Copy, Default)]
struct AnswerSoFar {
    /// The kind of the first line that has a kind.
    first: Option<u8>,
    /// The kinds seen so far, one bit each.
    seen: u16,
    /// The kind of the last line that has a kind.
    last: Option<u8>,
    /// Whether some lines broke the order of the page.
    is_mixed: bool,
    /// Values in the first row of the board.
    width: u64,
    rows: u64,
    /// Lines since the last row.
    since_row: u64,
    /// The number of moves that the answer states.
    moves: Option<u64>,
    /// Whether the answer ended with `undecided`.
    is_over: bool,
}

impl AnswerSoFar {
    /// Creates an answer of one line.
    fn new(line: Line<'_>) -> Self {
        let mut so_far = Self::default();
        so_far.push(line);
        so_far
    }

    /// Adds another line.
    fn push(&mut self, line: Line<'_>) {
        let shape = Shape::of(line);
        self.since_row += 1;
        match shape {
            Shape::Row(width) => {
                self.width = if self.rows == 0 { width } else { self.width };
                self.rows += 1;
                self.since_row = 0;
            }
            Shape::Key(Key::Moves) => {
                self.moves = value(line, Key::Moves).and_then(|(_, digits)| digits_value(0, digits));
            }
            Shape::Undecided => self.is_over = true,
            _ => {}
        }
        let kind = kind(shape);
        if let Some(kind) = kind {
            self.is_mixed |= self.last.is_some_and(|last| kind < last);
            self.first = self.first.or(Some(kind));
            self.seen |= 1 << kind;
        }
        self.last = kind.or(self.last);
    }

    /// Returns whether a line belongs to the answer. `is_doubled` says that it equals the line before.
    fn takes(&self, shape: Shape, is_doubled: bool, behind: Option<Shape>) -> bool {
        if self.is_over {
            return false;
        }
        match shape {
            Shape::Key(_) => self.takes_key(kind(shape), is_doubled, behind.and_then(kind)),
            Shape::Row(_) => self.takes_row(),
            // If a program begins with the transcript, a later transcript begins the next answer.
            Shape::Step => self.first != Some(TRANSCRIPT) || self.last == Some(TRANSCRIPT),
            Shape::Undecided | Shape::Other => !self.is_whole(),
        }
    }

    fn takes_key(&self, kind: Option<u8>, is_doubled: bool, behind: Option<u8>) -> bool {
        let Some(kind) = kind else { return false };
        if self.seen & (1 << kind) == 0 {
            return match self.first {
                // The lines so far have no kind; they stand in the place of the score line.
                None => kind != Key::Score as u8,
                // Otherwise this is the first line of the next answer, and the current answer lacks such a line.
                Some(first) => self.is_mixed || kind > first || self.seen.count_ones() < KINDS_KNOWN,
            };
        }
        if is_doubled {
            let is_only = self.seen == 1 << kind;
            return !is_only || behind.is_some_and(|behind| behind != kind);
        }
        // A second line of a kind belongs to the answer only if the next answer begins after it.
        self.last.is_some_and(|last| kind > last) && Some(kind) != self.first && behind == self.first
    }

    fn takes_row(&self) -> bool {
        if self.rows < self.width || self.rows == 0 {
            // One other line may stand among the rows: a row can have changed places with it.
            return self.rows == 0 || self.since_row < 2;
        }
        // This is one row too many, unless the program prints nothing but boards.
        self.since_row == 0 && self.seen != 1 << BOARD
    }

    /// Returns whether the answer has the minimum, which is the board or all keys.
    fn is_whole(&self) -> bool {
        let keys = (1 << BOARD) - 1;
        if self.rows > 0 { self.rows >= self.width } else { self.seen & keys == keys }
    }
}

/// Returns the kind of a line, by its place in the order of the page.
fn kind(shape: Shape) -> Option<u8> {
    match shape {
        Shape::Key(Key::Skipped) => Some(SKIPPED),
        Shape::Key(key) => Some(key as u8),
        Shape::Row(_) => Some(BOARD),
        Shape::Step => Some(TRANSCRIPT),
        Shape::Undecided | Shape::Other => None,
    }
}

impl Games {
    /// Returns what is known of an answer.
    fn so_far(&self, answer: &Answer) -> AnswerSoFar {
        if answer.line_count() == 1 { AnswerSoFar::new(answer.first()) } else { self.0.get() }
    }

    /// Adds a line if it belongs to the answer.
    fn take(&self, mut so_far: AnswerSoFar, line: Line<'_>, takes: bool) -> bool {
        if takes {
            so_far.push(line);
        }
        self.0.set(so_far);
        takes
    }
}

impl AnswerReader for Games {
    fn form(&self) -> Phrase {
        Flaw::Form.into()
    }

    fn begins(&self, _: Line<'_>) -> bool {
        true
    }

    fn continues(&self, answer: &Answer, line: Line<'_>, behind: Option<Line<'_>>) -> bool {
        let so_far = self.so_far(answer);
        let last = answer.line(answer.line_count() - 1);
        let is_doubled = last.is_some_and(|last| last.text == line.text);
        self.take(so_far, line, so_far.takes(Shape::of(line), is_doubled, behind.map(Shape::of)))
    }

    /// Returns whether `line` says that a limit ended the game, after the number of moves that an earlier line states.
    fn ends_with(&self, answer: &Answer, line: Line<'_>) -> bool {
        let so_far = self.so_far(answer);
        let mut numbers = line.tokens().filter_map(|(_, token)| digits_value(0, token));
        let is_its_own =
            Shape::of(line) == Shape::Undecided && so_far.moves.is_some() && numbers.next() == so_far.moves;
        self.take(so_far, line, is_its_own && !so_far.is_over)
    }

    fn among_words(&self) -> FindPart {
        |text| is_whole(Line { number: 0, column: 0, text }).then_some(0..text.len())
    }
}
