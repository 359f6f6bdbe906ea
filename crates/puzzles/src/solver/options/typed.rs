//! Connects options and their values to the types that they have in code.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::spec::{DirectiveRule, OptionSpec};
use super::value_kind::{Kind, OptionValue, Range};

/// The word that switches a limit off.
const NONE: &str = "none";

/// An enum whose values are written as words. The macro `choice!` defines one.
pub trait Choice: Copy + PartialEq + 'static {
    /// Every word with its value, the default first. If the choice is a limit, the order is by size.
    const ALL: &'static [(&'static str, Self)];
    /// The words without their values.
    const WORDS: &'static [&'static str];

    /// Returns the word for this value.
    fn word(self) -> &'static str {
        Self::ALL.iter().find(|(_, value)| *value == self).map_or("", |(word, _)| word)
    }

    /// Returns the value for a word.
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
    }
}

/// Defines an enum and the words for its values, from one table:
/// `choice! { /// Who goes first. enum Tie { /// Who was ahead. Previous = "previous-round", … } }`.
#[macro_export]
macro_rules! choice {
    ($(#[$about:meta])* $vis:vis enum $name:ident {
        $($(#[$meaning:meta])* $value:ident = $word:literal),+ $(,)?
    }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $name { $($(#[$meaning])* $value),+ }

        impl $crate::solver::Choice for $name {
            const ALL: &'static [(&'static str, Self)] = &[$(($word, Self::$value)),+];
            const WORDS: &'static [&'static str] = &[$($word),+];
        }
    };
}
pub use choice;

/// An option whose values are of type `T`: the key for [`Options::get`](super::Options::get), and the option's entry in
/// the solver's table.
#[derive(Debug, Clone, Copy)]
pub struct OptionKey<T> {
    /// The entry in the solver's table.
    pub spec: OptionSpec,
    pub(super) read: fn(OptionValue) -> Option<T>,
}

/// The values of an option, or of a key of the configuration, with their type `T` in code.
#[derive(Debug, Clone, Copy)]
pub struct Values<T> {
    /// The values that people can write.
    pub kind: Kind,
    /// Converts a value to `T`; returns `None` if it is of another kind.
    pub from: fn(OptionValue) -> Option<T>,
    /// Converts a `T` back to a value.
    pub to: fn(&Kind, T) -> OptionValue,
}

impl<T: Choice> Values<T> {
    /// Returns the values that are the words of `T`.
    pub const fn choice() -> Self {
        Self {
            kind: Kind { words: T::WORDS, range: Range::Nothing },
            from: |value| if let OptionValue::Word(word) = value { T::from_word(word) } else { None },
            to: |_, value| OptionValue::Word(value.word()),
        }
    }
}

impl Values<bool> {
    /// Returns the values `true` and `false`.
    pub const fn flag() -> Self {
        Self::flag_or(&[])
    }

    /// Returns the values `true` and `false`, and `words`. A word also means `true`; another key reads the word.
    pub const fn flag_or(words: &'static [&'static str]) -> Self {
        Self {
            kind: Kind { words, range: Range::Flag },
            from: |value| match value {
                OptionValue::Flag(flag) => Some(flag),
                value => Some(matches!(value, OptionValue::Word(_))),
            },
            to: |_, flag| OptionValue::Flag(flag),
        }
    }
}

impl Values<f64> {
    /// Returns the fractions from 0 to 1.
    pub const fn fraction() -> Self {
        Self {
            kind: Kind::of(Range::Fraction),
            from: |value| if let OptionValue::Fraction(fraction) = value { Some(fraction) } else { None },
            to: |_, fraction| OptionValue::Fraction(fraction),
        }
    }
}

impl Values<u64> {
    /// Returns the whole numbers in a range.
    pub const fn integer(range: RangeInclusive<u64>) -> Self {
        let range = Range::Integer { min: *range.start(), max: *range.end() };
        Self {
            kind: Kind::of(range),
            from: OptionValue::number,
            to: |_, number| OptionValue::Integer(number),
        }
    }

    /// Returns the powers of two in a range.
    pub const fn power_of_two(range: RangeInclusive<u64>) -> Self {
        let kind = Kind::of(Range::PowerOfTwo { min: *range.start(), max: *range.end() });
        Self { kind, ..Self::integer(range) }
    }

    /// Returns the sizes in bytes in a range.
    pub const fn size(range: RangeInclusive<u64>) -> Self {
        let range = Range::Size { min: *range.start(), max: *range.end() };
        Self { kind: Kind::of(range), from: OptionValue::number, to: |_, bytes| OptionValue::Size(bytes) }
    }
}

impl Values<Duration> {
    /// Returns the durations in a range.
    pub const fn duration(range: RangeInclusive<Duration>) -> Self {
        let range = Range::Duration { min: *range.start(), max: *range.end() };
        Self { kind: Kind::of(range), from: OptionValue::duration, to: |_, time| OptionValue::Duration(time) }
    }
}

impl Values<Option<u64>> {
    /// Returns the whole numbers in a range, and `words`, which stand for `None`. `None` is written as the first word.
    pub const fn integer_or(words: &'static [&'static str], range: RangeInclusive<u64>) -> Self {
        Self {
            kind: Kind { words, ..Values::integer(range).kind },
            from: |value| Some(value.number()),
            to: |kind, number| number.map_or(OptionValue::Word(kind.words[0]), OptionValue::Integer),
        }
    }
}

impl Values<Option<Duration>> {
    /// Returns the durations in a range, and `none`.
    pub const fn duration_or_none(range: RangeInclusive<Duration>) -> Self {
        Self {
            kind: Kind { words: &[NONE], ..Values::duration(range).kind },
            from: |value| Some(value.duration()),
            to: |_, time| time.map_or(OptionValue::Word(NONE), OptionValue::Duration),
        }
    }
}

impl<T: Copy> Values<T> {
    /// Returns an option with these values, which a directive may set freely. `default` has the form in which people
    /// write it.
    pub const fn option(self, name: &'static str, default: &'static str, help: &'static str) -> OptionKey<T> {
        let spec = OptionSpec { name, kind: self.kind, default, help, directive: DirectiveRule::Free };
        OptionKey { spec, read: self.from }
    }
}

impl<T: Copy> OptionKey<T> {
    /// Turns the option into a limit, which a directive may lower but never raise.
    pub const fn lower_only(mut self) -> Self {
        self.spec.directive = DirectiveRule::LowerOnly;
        self
    }
}

impl<T: Choice> OptionKey<T> {
    /// Returns an option whose values are the words of `T`; the first is the default.
    pub const fn choice(name: &'static str, help: &'static str) -> Self {
        Values::choice().option(name, T::WORDS[0], help)
    }
}
