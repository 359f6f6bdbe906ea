//! What the lines of an answer are.

use crate::board::sliding::Direction;
use crate::input::{Line, Place, digits_value, is_blank};

/// What begins a line with one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    Score,
    Moves,
    Max,
    Over,
    Seed,
    Skipped,
}

/// What a line looks like, be it right or wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A key, or the beginning of one.
    Key(Key),
    /// A row of the board, of so many values.
    Row(u64),
    /// A line of the transcript.
    Step,
    /// `undecided (…)`.
    Undecided,
    /// Anything else.
    Other,
}

/// A line of the transcript: its mark, and the piece behind it.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// `None` for `+`.
    pub direction: Option<Direction>,
    /// Row, column and value.
    pub numbers: [u64; 3],
    /// Where the mark and the numbers stand.
    pub places: [Place; 4],
}

impl Key {
    /// All of them, in the order in which results have them.
    pub const ALL: [Self; 6] = [Self::Score, Self::Moves, Self::Max, Self::Over, Self::Seed, Self::Skipped];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::Moves => "moves",
            Self::Max => "max",
            Self::Over => "over",
            Self::Seed => "seed",
            Self::Skipped => "skipped",
        }
    }

    /// The key that a word is or, by two letters at least, begins to be.
    fn begun(word: &[u8]) -> Option<Self> {
        let is_it = |key: &Self| {
            key.word().as_bytes().get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word))
        };
        Self::ALL.into_iter().find(is_it).filter(|_| word.len() >= 2)
    }
}

impl Shape {
    /// The shape of a line.
    pub fn of(line: Line<'_>) -> Self {
        let first = line.tokens().next().map_or(&b""[..], |(_, token)| token);
        match first {
            [b'0'..=b'9', ..] => Self::Row(line.count()),
            [b'+', ..] | [_] => Self::Step,
            _ if line.text.starts_with(b"undecided") => Self::Undecided,
            _ => Key::begun(word(line)).map_or(Self::Other, Self::Key),
        }
    }
}

/// The letters at the beginning of a line.
fn word(line: Line<'_>) -> &[u8] {
    let letters = line.text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    &line.text[..letters]
}

/// The only value of a line that begins with a key, `score 18`, `score: 18` or `score = 18`, and where it stands.
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

/// A line of the transcript: `+ r c v` or `D r c v`.
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

/// Whether a line is one of an answer, without anything else in it. A row has two values at least.
pub fn is_whole(line: Line<'_>) -> bool {
    match Shape::of(line) {
        Shape::Key(key) => value(line, key).is_some_and(|(_, value)| is_value(key, value)),
        Shape::Row(values) => values > 1 && line.tokens().all(|(_, token)| number(token).is_some()),
        Shape::Step => step(line).is_some(),
        Shape::Undecided => true,
        Shape::Other => false,
    }
}

/// Whether a key may have such a value.
pub fn is_value(key: Key, value: &[u8]) -> bool {
    match key {
        Key::Over => value.eq_ignore_ascii_case(b"yes") || value.eq_ignore_ascii_case(b"no"),
        _ => number(value).is_some(),
    }
}

/// A number of any length: `None` where a byte is no digit, the largest there is where it is larger.
pub fn number(digits: &[u8]) -> Option<u128> {
    let add = |value: u128, &byte: &u8| {
        let digit = u128::from(byte.wrapping_sub(b'0'));
        (digit <= 9).then(|| value.saturating_mul(10).saturating_add(digit))
    };
    digits.iter().try_fold(0, add)
}
