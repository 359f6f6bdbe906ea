//! An option together with the type that its values have in code.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::choice::Choice;
use super::spec::{DirectiveRule, Kind, OptionSpec, OptionValue};

/// An option whose values are of type `T`: what [`Options::get`](super::Options::get) reads it by, and its entry in
/// the solver's table.
#[derive(Debug, Clone, Copy)]
pub struct OptionKey<T> {
    /// The entry in the solver's table.
    pub spec: OptionSpec,
    pub(super) read: fn(OptionValue) -> Option<T>,
}

impl<T> OptionKey<T> {
    const fn new(
        name: &'static str,
        kind: Kind,
        default: &'static str,
        help: &'static str,
        read: fn(OptionValue) -> Option<T>,
    ) -> Self {
        let spec = OptionSpec { name, kind, default, help, directive: DirectiveRule::Free };
        Self { spec, read }
    }

    /// The same as a limit, which a directive may lower and never raise.
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
        Self::new(name, Kind::Choice(T::WORDS), T::WORDS[0], help, |value| match value {
            OptionValue::Word(word) => T::from_word(word),
            _ => None,
        })
    }
}

impl OptionKey<bool> {
    /// `true` or `false`.
    #[must_use]
    pub const fn flag(name: &'static str, default: bool, help: &'static str) -> Self {
        let default = if default { "true" } else { "false" };
        Self::new(name, Kind::Flag, default, help, |value| match value {
            OptionValue::Flag(flag) => Some(flag),
            _ => None,
        })
    }
}

impl OptionKey<u64> {
    /// A whole number in a range.
    #[must_use]
    pub const fn integer(
        name: &'static str,
        range: RangeInclusive<u64>,
        default: &'static str,
        help: &'static str,
    ) -> Self {
        let kind = Kind::Integer { min: *range.start(), max: *range.end() };
        Self::new(name, kind, default, help, read_integer)
    }

    /// A power of two in a range.
    #[must_use]
    pub const fn power_of_two(
        name: &'static str,
        range: RangeInclusive<u64>,
        default: &'static str,
        help: &'static str,
    ) -> Self {
        let kind = Kind::PowerOfTwo { min: *range.start(), max: *range.end() };
        Self::new(name, kind, default, help, read_integer)
    }

    /// A size in bytes.
    #[must_use]
    pub const fn size(name: &'static str, min: u64, default: &'static str, help: &'static str) -> Self {
        Self::new(name, Kind::Size { min }, default, help, |value| match value {
            OptionValue::Size(bytes) => Some(bytes),
            _ => None,
        })
    }
}

impl OptionKey<Option<u64>> {
    /// A whole number in a range, or a word, which is the default and no number.
    #[must_use]
    pub const fn word_or_integer(
        name: &'static str,
        word: &'static str,
        range: RangeInclusive<u64>,
        help: &'static str,
    ) -> Self {
        let kind = Kind::WordOrInteger { word, min: *range.start(), max: *range.end() };
        Self::new(name, kind, word, help, |value| match value {
            OptionValue::Word(_) => Some(None),
            value => read_integer(value).map(Some),
        })
    }
}

impl OptionKey<f64> {
    /// A fraction from 0 to 1.
    #[must_use]
    pub const fn fraction(name: &'static str, default: &'static str, help: &'static str) -> Self {
        Self::new(name, Kind::Fraction { min: 0.0, max: 1.0 }, default, help, |value| match value {
            OptionValue::Fraction(fraction) => Some(fraction),
            _ => None,
        })
    }
}

impl OptionKey<Option<Duration>> {
    /// A duration, or `none`.
    #[must_use]
    pub const fn duration(name: &'static str, default: &'static str, help: &'static str) -> Self {
        Self::new(name, Kind::Duration { none: true }, default, help, |value| match value {
            OptionValue::Duration(duration) => Some(duration),
            _ => None,
        })
    }
}

fn read_integer(value: OptionValue) -> Option<u64> {
    match value {
        OptionValue::Integer(value) => Some(value),
        _ => None,
    }
}
