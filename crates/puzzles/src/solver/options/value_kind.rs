//! Defines which values an option or a key of the configuration takes, and how they are written.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use bytesize::ByteSize;

use crate::words::{Phrase, messages};

/// A year of 365.25 days, as `humantime` counts it.
pub const YEAR: Duration = Duration::from_secs(31_557_600);
/// The shortest and the longest duration of any option.
pub const DURATIONS: RangeInclusive<Duration> =
    Duration::from_millis(1)..=Duration::from_secs(100 * YEAR.as_secs());
/// The largest size of any option, in bytes.
pub const SIZE_MAX: u64 = 1 << 50;

/// A set of values: some words, and the values in a range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kind {
    /// The words that are values.
    pub words: &'static [&'static str],
    /// The other values.
    pub range: Range,
}

/// Values other than words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Range {
    /// No values.
    Nothing,
    /// `true` or `false`.
    Flag,
    /// A whole number.
    Integer {
        /// Smallest value.
        min: u64,
        /// Largest value.
        max: u64,
    },
    /// A power of two.
    PowerOfTwo {
        /// Smallest value.
        min: u64,
        /// Largest value.
        max: u64,
    },
    /// A fraction from 0 to 1.
    Fraction,
    /// A duration such as `10s` or `500ms`.
    Duration {
        /// Shortest value.
        min: Duration,
        /// Longest value.
        max: Duration,
    },
    /// A size in bytes such as `512MiB`.
    Size {
        /// Smallest value in bytes.
        min: u64,
        /// Largest value in bytes.
        max: u64,
    },
}

/// A value. The order says which limit is higher: a word, such as `none`, is above every number.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub enum OptionValue {
    /// A value of [`Range::Flag`].
    Flag(bool),
    /// A value of [`Range::Integer`] or [`Range::PowerOfTwo`].
    Integer(u64),
    /// A value of [`Range::Fraction`].
    Fraction(f64),
    /// A value of [`Range::Duration`].
    Duration(Duration),
    /// A value of [`Range::Size`], in bytes.
    Size(u64),
    /// One of the words.
    Word(&'static str),
}

impl OptionValue {
    /// Returns the number if this is a whole number or a size in bytes.
    pub fn number(self) -> Option<u64> {
        if let Self::Integer(number) | Self::Size(number) = self { Some(number) } else { None }
    }

    /// Returns the duration if this is one.
    pub fn duration(self) -> Option<Duration> {
        if let Self::Duration(duration) = self { Some(duration) } else { None }
    }
}

impl Kind {
    /// Returns the kind with the values of a range and no words.
    pub const fn of(range: Range) -> Self {
        Self { words: &[], range }
    }

    /// Parses a value; returns `None` if the kind does not have it.
    pub fn parse(&self, text: &str) -> Option<OptionValue> {
        if let Some(word) = self.words.iter().find(|word| **word == text) {
            return Some(OptionValue::Word(word));
        }
        match self.range {
            Range::Nothing => None,
            Range::Flag => text.parse().ok().map(OptionValue::Flag),
            Range::Integer { min, max } => integer(text, min, max).map(OptionValue::Integer),
            Range::PowerOfTwo { min, max } => {
                integer(text, min, max).filter(|value| value.is_power_of_two()).map(OptionValue::Integer)
            }
            Range::Fraction => {
                text.parse().ok().filter(|value| (0.0..=1.0).contains(value)).map(OptionValue::Fraction)
            }
            Range::Duration { min, max } => {
                duration(text).filter(|value| (min..=max).contains(value)).map(OptionValue::Duration)
            }
            Range::Size { min, max } => {
                size(text).filter(|bytes| (min..=max).contains(bytes)).map(OptionValue::Size)
            }
        }
    }
}

fn integer(text: &str, min: u64, max: u64) -> Option<u64> {
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|value| is_digits && (min..=max).contains(value))
}

messages! {
    "kind"
    /// The part of a message that says what was expected.
    enum Expected {
        Words = "words" { words: String },
        WordsOr = "words-or" { words: String, rest: Phrase },
        Flag = "flag",
        Integer = "integer" { min: u64, max: u64 },
        PowerOfTwo = "power-of-two" { min: u64, max: u64 },
        Fraction = "fraction",
        Duration = "duration" { min: String, max: String },
        Size = "size" { min: String, max: String },
    }
}

impl From<Kind> for Phrase {
    fn from(kind: Kind) -> Self {
        let words = kind.words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ");
        let rest = match kind.range {
            Range::Nothing => return Expected::Words { words }.into(),
            Range::Flag => Expected::Flag,
            Range::Integer { min, max } => Expected::Integer { min, max },
            Range::PowerOfTwo { min, max } => Expected::PowerOfTwo { min, max },
            Range::Fraction => Expected::Fraction,
            Range::Duration { min, max } => {
                let [min, max] = [min, max].map(|time| humantime::format_duration(time).to_string());
                Expected::Duration { min, max }
            }
            Range::Size { min, max } => Expected::Size { min: format_size(min), max: format_size(max) },
        };
        if words.is_empty() { rest.into() } else { Expected::WordsOr { words, rest: rest.into() }.into() }
    }
}

/// Formats the kind in English, for errors of the configuration.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Phrase::from(*self).fmt(f)
    }
}

/// Formats the value as people write it.
impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Integer(value) => write!(f, "{value}"),
            Self::Fraction(value) => write!(f, "{value}"),
            Self::Duration(value) => write!(f, "{}", humantime::format_duration(*value)),
            Self::Size(bytes) => f.write_str(&format_size(*bytes)),
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// Parses a duration such as `10s`, `500ms`, `1h 30m`.
pub fn duration(text: &str) -> Option<Duration> {
    humantime::parse_duration(text).ok()
}

/// Parses a size in bytes such as `512MiB`, `2GiB`, `4096`.
pub fn size(text: &str) -> Option<u64> {
    text.parse::<ByteSize>().ok().map(|size| size.as_u64())
}

/// Formats `bytes` with the largest binary unit that divides the number, so that parsing gives the same number back.
pub fn format_size(bytes: u64) -> String {
    for (unit, shift) in [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)] {
        if bytes > 0 && bytes.is_multiple_of(1 << shift) {
            return format!("{}{unit}", bytes >> shift);
        }
    }
    format!("{bytes}B")
}
