//! What an option is: its name, the values it takes, and how these are written.

use std::fmt;
use std::time::Duration;

use super::error::OptionError;
use super::units::{duration, format_size, size};

/// One option: its name, range, default and meaning.
#[derive(Debug, Clone, Copy)]
pub struct OptionSpec {
    /// As it is written in a configuration, a directive or `--set`.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// The value when nobody sets it, as it would be written.
    pub default: &'static str,
    /// One sentence for `tabuleiro solvers ID`.
    pub help: &'static str,
    /// Whether a directive may choose freely.
    pub directive: DirectiveRule,
}

/// What a directive inside an input file may do to an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DirectiveRule {
    /// Any value in range.
    Free,
    /// A limit: only values that are not above the route's. For a choice, not after it in its list.
    LowerOnly,
}

/// The values an option takes.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// A whole number in a range.
    Integer {
        /// Smallest value.
        min: u64,
        /// Largest value.
        max: u64,
    },
    /// A power of two in a range.
    PowerOfTwo {
        /// Smallest value.
        min: u64,
        /// Largest value.
        max: u64,
    },
    /// A word, or a whole number in a range.
    WordOrInteger {
        /// The word.
        word: &'static str,
        /// Smallest value.
        min: u64,
        /// Largest value.
        max: u64,
    },
    /// A fraction in a range.
    Fraction {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// A duration such as `10s` or `500ms`, at least 1 ms; or `none` where that is allowed.
    Duration {
        /// Whether `none` is a value.
        none: bool,
    },
    /// A size in bytes such as `512MiB`.
    Size {
        /// Smallest value in bytes.
        min: u64,
    },
}

/// A value of an option.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OptionValue {
    /// Of a [`Kind::Choice`], or the word of a [`Kind::WordOrInteger`].
    Word(&'static str),
    /// Of a [`Kind::Flag`].
    Flag(bool),
    /// Of the kinds that are whole numbers.
    Integer(u64),
    /// Of a [`Kind::Fraction`].
    Fraction(f64),
    /// Of a [`Kind::Duration`]; `None` is `none`.
    Duration(Option<Duration>),
    /// Of a [`Kind::Size`], in bytes.
    Size(u64),
}

impl PartialEq for OptionSpec {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl OptionSpec {
    /// Reads a value as it is written in a configuration, a directive or on the command line.
    ///
    /// # Errors
    /// [`OptionError::OutOfRange`] with what is allowed.
    pub fn parse(&self, text: &str) -> Result<OptionValue, OptionError> {
        let value = match self.kind {
            Kind::Choice(words) => {
                words.iter().find(|word| **word == text).map(|word| OptionValue::Word(word))
            }
            Kind::Flag => text.parse().ok().map(OptionValue::Flag),
            Kind::Integer { min, max } => integer(text, min, max),
            Kind::PowerOfTwo { min, max } => integer(text, min, max)
                .filter(|value| matches!(value, OptionValue::Integer(value) if value.is_power_of_two())),
            Kind::WordOrInteger { word, min, max } => {
                if text == word {
                    Some(OptionValue::Word(word))
                } else {
                    integer(text, min, max)
                }
            }
            Kind::Fraction { min, max } => {
                text.parse().ok().filter(|value| (min..=max).contains(value)).map(OptionValue::Fraction)
            }
            Kind::Duration { none } => {
                if none && text == "none" {
                    Some(OptionValue::Duration(None))
                } else {
                    duration(text).map(|value| OptionValue::Duration(Some(value)))
                }
            }
            Kind::Size { min } => size(text).filter(|bytes| *bytes >= min).map(OptionValue::Size),
        };
        value.ok_or_else(|| OptionError::OutOfRange {
            name: self.name,
            found: crate::input::printable(text.as_bytes(), 40),
            expected: self.kind.to_string(),
        })
    }

    /// Whether `value` is a higher limit than `limit`.
    pub(super) fn is_above(&self, value: OptionValue, limit: OptionValue) -> bool {
        match (value, limit) {
            (OptionValue::Duration(value), OptionValue::Duration(limit)) => {
                value.unwrap_or(Duration::MAX) > limit.unwrap_or(Duration::MAX)
            }
            (OptionValue::Size(value), OptionValue::Size(limit))
            | (OptionValue::Integer(value), OptionValue::Integer(limit)) => value > limit,
            (OptionValue::Word(value), OptionValue::Word(limit)) => match self.kind {
                Kind::Choice(words) => {
                    let rank = |word| words.iter().position(|candidate| *candidate == word);
                    rank(value) > rank(limit)
                }
                _ => value != limit,
            },
            _ => value != limit,
        }
    }
}

fn integer(text: &str, min: u64, max: u64) -> Option<OptionValue> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let value = text.parse().ok().filter(|value| digits && (min..=max).contains(value))?;
    Some(OptionValue::Integer(value))
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => f.write_str(word),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Integer(value) => write!(f, "{value}"),
            Self::Fraction(value) => write!(f, "{value}"),
            Self::Duration(None) => f.write_str("none"),
            Self::Duration(Some(value)) => write!(f, "{}", humantime::format_duration(*value)),
            Self::Size(bytes) => f.write_str(&format_size(*bytes)),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Choice(words) => f.write_str(&words.join(", ")),
            Self::Flag => f.write_str("true or false"),
            Self::Integer { min, max: u64::MAX } => write!(f, "a number from {min}"),
            Self::Integer { min, max } => write!(f, "a number from {min} to {max}"),
            Self::PowerOfTwo { min, max } => write!(f, "a power of two from {min} to {max}"),
            Self::WordOrInteger { word, min, max } => write!(f, "{word}, or a number from {min} to {max}"),
            Self::Fraction { min, max } => write!(f, "a fraction from {min} to {max}"),
            Self::Duration { none: true } => f.write_str("a duration such as 10s or 500ms, or none"),
            Self::Duration { none: false } => f.write_str("a duration such as 10s or 500ms"),
            Self::Size { min } => write!(f, "a size such as 512MiB, at least {}", format_size(*min)),
        }
    }
}
