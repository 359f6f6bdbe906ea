//! Options and their values together with the types that they have in code.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::spec::{DirectiveRule, OptionSpec};
use super::value_kind::{Kind, OptionValue, Range};

/// The word for a limit that is switched off.
const NONE: &str = "none";

/// An enum whose values are written as words. The macro `choice!` makes one.
pub trait Choice: Copy + PartialEq + 'static {
    /// Every word with its meaning, the default first; in order of size if the choice is a limit.
    const ALL: &'static [(&'static str, Self)];
    /// The words alone.
    const WORDS: &'static [&'static str];

    /// Returns the word for this value.
    #[must_use]
    fn word(self) -> &'static str {
        Self::ALL.iter().find(|(_, value)| *value == self).map_or("", |(word, _)| word)
    }

    /// Returns the value for a word.
    #[must_use]
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
    }
}

/// Makes an enum and the words for its values, from one table:
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

/// An option whose values are of type `T`: what [`Options::get`](super::Options::get) reads it by, and its entry in
/// the solver's table.
#[derive(Debug, Clone, Copy)]
pub struct OptionKey<T> {
    /// The entry in the solver's table.
    pub spec: OptionSpec,
    pub(super) read: fn(OptionValue) -> Option<T>,
}

/// The values of an option, or of a key of the configuration, which code knows as `T`.
#[derive(Debug, Clone, Copy)]
pub struct Values<T> {
    /// What they are.
    pub kind: Kind,
    /// What code makes of one; `None` if it is of another kind.
    pub from: fn(OptionValue) -> Option<T>,
    /// The way back.
    pub to: fn(&Kind, T) -> OptionValue,
}

impl<T: Choice> Values<T> {
    /// One of the words of `T`.
    #[must_use]
    pub const fn choice() -> Self {
        Self {
            kind: Kind { words: T::WORDS, range: Range::Nothing },
            from: |value| if let OptionValue::Word(word) = value { T::from_word(word) } else { None },
            to: |_, value| OptionValue::Word(value.word()),
        }
    }
}

impl Values<bool> {
    /// `true` or `false`.
    #[must_use]
    pub const fn flag() -> Self {
        Self::flag_or(&[])
    }

    /// `true` or `false`, or one of the words, which mean `true` and more.
    #[must_use]
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
    /// Returns a fraction from 0 to 1.
    #[must_use]
    pub const fn fraction() -> Self {
        Self {
            kind: Kind::of(Range::Fraction),
            from: |value| if let OptionValue::Fraction(fraction) = value { Some(fraction) } else { None },
            to: |_, fraction| OptionValue::Fraction(fraction),
        }
    }
}

impl Values<u64> {
    /// Returns a whole number in a range.
    #[must_use]
    pub const fn integer(range: RangeInclusive<u64>) -> Self {
        let range = Range::Integer { min: *range.start(), max: *range.end() };
        Self {
            kind: Kind::of(range),
            from: OptionValue::number,
            to: |_, number| OptionValue::Integer(number),
        }
    }

    /// Returns a power of two in a range.
    #[must_use]
    pub const fn power_of_two(range: RangeInclusive<u64>) -> Self {
        let kind = Kind::of(Range::PowerOfTwo { min: *range.start(), max: *range.end() });
        Self { kind, ..Self::integer(range) }
    }

    /// Returns a size in bytes in a range.
    #[must_use]
    pub const fn size(range: RangeInclusive<u64>) -> Self {
        let range = Range::Size { min: *range.start(), max: *range.end() };
        Self { kind: Kind::of(range), from: OptionValue::number, to: |_, bytes| OptionValue::Size(bytes) }
    }
}

impl Values<Duration> {
    /// Returns a duration in a range.
    #[must_use]
    pub const fn duration(range: RangeInclusive<Duration>) -> Self {
        let range = Range::Duration { min: *range.start(), max: *range.end() };
        Self { kind: Kind::of(range), from: OptionValue::duration, to: |_, time| OptionValue::Duration(time) }
    }
}

impl Values<Option<u64>> {
    /// Returns a whole number in a range, or one of the words; the first stands for no number.
    #[must_use]
    pub const fn integer_or(words: &'static [&'static str], range: RangeInclusive<u64>) -> Self {
        Self {
            kind: Kind { words, ..Values::integer(range).kind },
            from: |value| Some(value.number()),
            to: |kind, number| number.map_or(OptionValue::Word(kind.words[0]), OptionValue::Integer),
        }
    }
}

impl Values<Option<Duration>> {
    /// Returns a duration in a range, or `none`.
    #[must_use]
    pub const fn duration_or_none(range: RangeInclusive<Duration>) -> Self {
        Self {
            kind: Kind { words: &[NONE], ..Values::duration(range).kind },
            from: |value| Some(value.duration()),
            to: |_, time| time.map_or(OptionValue::Word(NONE), OptionValue::Duration),
        }
    }
}

impl<T: Copy> Values<T> {
    /// Returns an option of these values, which a directive may set as it likes. The default is written as people write
    /// it.
    #[must_use]
    pub const fn option(self, name: &'static str, default: &'static str, help: &'static str) -> OptionKey<T> {
        let spec = OptionSpec { name, kind: self.kind, default, help, directive: DirectiveRule::Free };
        OptionKey { spec, read: self.from }
    }
}

impl<T: Copy> OptionKey<T> {
    /// Makes the option a limit, which a directive may lower but never raise.
    #[must_use]
    pub const fn lower_only(mut self) -> Self {
        self.spec.directive = DirectiveRule::LowerOnly;
        self
    }
}

impl<T: Choice> OptionKey<T> {
    /// One of the words of `T`, the first being the default.
    #[must_use]
    pub const fn choice(name: &'static str, help: &'static str) -> Self {
        Values::choice().option(name, T::WORDS[0], help)
    }
}
