//! Options of solvers: what there is, in which range, and the values chosen.
//!
//! A solver declares its options in a table of [`OptionSpec`]. Values arrive as text from three places
//! (configuration, directive, command line), and are checked here, once.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use bytesize::ByteSize;

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

/// Who sets an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authority {
    /// The configuration or the command line: anything in range.
    Owner,
    /// A directive in an input file: may lower limits, never raise them.
    Directive,
}

/// Why a value was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("unknown option '{name}'{}; known: {known}", nearest.map(|n| format!(", did you mean '{n}'?")).unwrap_or_default())]
    Unknown {
        /// What was written.
        name: String,
        /// The most similar name there is.
        nearest: Option<&'static str>,
        /// All names there are.
        known: String,
    },
    /// The value is not one of the option's.
    #[error("{name} = {found}: expected {expected}")]
    OutOfRange {
        /// The option.
        name: &'static str,
        /// What was written.
        found: String,
        /// What is allowed.
        expected: String,
    },
    /// A directive tried to raise a limit.
    #[error("{name} = {found}: a directive may lower this limit, never raise it; allowed up to {max}")]
    Raised {
        /// The option.
        name: &'static str,
        /// The value that was asked for.
        found: String,
        /// The limit in force.
        max: String,
    },
}

/// Options that every solver takes.
pub const COMMON: &[OptionSpec] = &[
    OptionSpec {
        name: "time_limit",
        kind: Kind::Duration { none: true },
        default: "60s",
        help: "time for one puzzle; a puzzle that needs more is undecided",
        directive: DirectiveRule::LowerOnly,
    },
    OptionSpec {
        name: "memory_limit",
        kind: Kind::Size { min: 1 << 20 },
        default: "1GiB",
        help: "memory for one puzzle; a puzzle that needs more is undecided",
        directive: DirectiveRule::LowerOnly,
    },
    OptionSpec {
        name: "job_time_limit",
        kind: Kind::Duration { none: true },
        default: "1h",
        help: "time for a whole file; puzzles not solved by then are undecided",
        directive: DirectiveRule::LowerOnly,
    },
    OptionSpec {
        name: "witness",
        kind: Kind::Flag,
        default: "false",
        help: "print the proof of every answer: a path, a list of moves",
        directive: DirectiveRule::Free,
    },
];

/// The chosen values of a solver's options, the defaults included.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    values: BTreeMap<&'static str, (OptionValue, usize)>,
    specs: Vec<&'static OptionSpec>,
}

impl PartialEq for OptionSpec {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Options {
    /// The defaults of the options in `tables`.
    ///
    /// # Panics
    /// When a default is not in its option's range, which is a mistake in the table.
    #[must_use]
    pub fn defaults(tables: &[&'static [OptionSpec]]) -> Self {
        let specs: Vec<_> = tables.iter().flat_map(|table| table.iter()).collect();
        let values = specs.iter().enumerate().map(|(index, spec)| {
            let value = spec.parse(spec.default).unwrap_or_else(|error| panic!("{error}"));
            (spec.name, (value, index))
        });
        Self { values: values.collect(), specs: specs.clone() }
    }

    /// Sets one option from text.
    ///
    /// # Errors
    /// When the option is unknown, the value is out of range, or a directive would raise a limit.
    pub fn set(&mut self, name: &str, text: &str, authority: Authority) -> Result<(), OptionError> {
        let Some((current, index)) = self.values.get_mut(name) else {
            return Err(self.unknown(name));
        };
        let spec = self.specs[*index];
        let value = spec.parse(text)?;
        if authority == Authority::Directive
            && spec.directive == DirectiveRule::LowerOnly
            && spec.is_above(value, *current)
        {
            return Err(OptionError::Raised {
                name: spec.name,
                // As the option writes it: what stands in the file may be long, and hold anything.
                found: value.to_string(),
                max: current.to_string(),
            });
        }
        *current = value;
        Ok(())
    }

    /// Every option with its value, in name order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, OptionValue)> + '_ {
        self.values.iter().map(|(name, (value, _))| (*name, *value))
    }

    /// Whether there is an option of that name.
    #[must_use]
    pub fn knows(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// A [`Kind::Choice`]'s word.
    ///
    /// # Panics
    /// Like the other getters: when the solver's table has no such option of that kind.
    #[must_use]
    pub fn choice(&self, name: &str) -> &'static str {
        match self.value(name) {
            OptionValue::Word(word) => word,
            other => panic!("option {name} is no choice: {other:?}"),
        }
    }

    /// A [`Kind::Flag`].
    ///
    /// # Panics
    /// When the solver's table has no such option of that kind.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        match self.value(name) {
            OptionValue::Flag(flag) => flag,
            other => panic!("option {name} is no flag: {other:?}"),
        }
    }

    /// A whole number; `None` where a [`Kind::WordOrInteger`] holds its word.
    ///
    /// # Panics
    /// When the solver's table has no such option of that kind.
    #[must_use]
    pub fn integer(&self, name: &str) -> Option<u64> {
        match self.value(name) {
            OptionValue::Integer(value) => Some(value),
            OptionValue::Word(_) => None,
            other => panic!("option {name} is no number: {other:?}"),
        }
    }

    /// A [`Kind::Fraction`].
    ///
    /// # Panics
    /// When the solver's table has no such option of that kind.
    #[must_use]
    pub fn fraction(&self, name: &str) -> f64 {
        match self.value(name) {
            OptionValue::Fraction(value) => value,
            other => panic!("option {name} is no fraction: {other:?}"),
        }
    }

    /// A [`Kind::Duration`]; `None` for `none`.
    ///
    /// # Panics
    /// When the solver's table has no such option of that kind.
    #[must_use]
    pub fn duration(&self, name: &str) -> Option<Duration> {
        match self.value(name) {
            OptionValue::Duration(value) => value,
            other => panic!("option {name} is no duration: {other:?}"),
        }
    }

    /// A [`Kind::Size`] in bytes.
    ///
    /// # Panics
    /// When the solver's table has no such option of that kind.
    #[must_use]
    pub fn size(&self, name: &str) -> u64 {
        match self.value(name) {
            OptionValue::Size(value) => value,
            other => panic!("option {name} is no size: {other:?}"),
        }
    }

    fn value(&self, name: &str) -> OptionValue {
        match self.values.get(name) {
            Some((value, _)) => *value,
            None => panic!("no option {name} in the table"),
        }
    }

    fn unknown(&self, name: &str) -> OptionError {
        let names: Vec<_> = self.values.keys().copied().collect();
        OptionError::Unknown {
            name: crate::input::printable(name.as_bytes(), 40),
            nearest: nearest(name, &names),
            known: names.join(", "),
        }
    }
}

/// The name in `known` that `name` was probably meant to be.
#[must_use]
pub fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    known
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(&name.to_lowercase(), candidate), *candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 4)
        .min()
        .map(|(_, candidate)| candidate)
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
    fn is_above(&self, value: OptionValue, limit: OptionValue) -> bool {
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

/// A duration such as `10s`, `500ms`, `1h 30m`, from 1 ms to 1000 years.
#[must_use]
pub fn duration(text: &str) -> Option<Duration> {
    let range = Duration::from_millis(1)..Duration::from_secs(1000 * 365 * 86_400);
    humantime::parse_duration(text).ok().filter(|value| range.contains(value))
}

/// A size in bytes such as `512MiB`, `2GiB`, `4096`.
#[must_use]
pub fn size(text: &str) -> Option<u64> {
    text.parse::<ByteSize>().ok().map(|size| size.as_u64())
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

/// `bytes` with the largest binary unit that divides it, so that parsing gives the same number back.
#[must_use]
pub fn format_size(bytes: u64) -> String {
    for (unit, shift) in [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)] {
        if bytes > 0 && bytes.is_multiple_of(1 << shift) {
            return format!("{}{unit}", bytes >> shift);
        }
    }
    format!("{bytes}B")
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

#[cfg(test)]
#[path = "options_tests.rs"]
mod tests;
