//! What an option is: its name, the values it takes, its default and its meaning.

use super::error::{OptionError, meant};
use super::kind::{Kind, OptionValue};
use crate::input::printable;

/// One option.
#[derive(Debug, Clone, Copy, PartialEq)]
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

impl OptionSpec {
    /// Reads a value as it is written in a directive or on the command line.
    ///
    /// # Errors
    /// [`OptionError::OutOfRange`] with what is allowed.
    pub fn parse(&self, text: &str) -> Result<OptionValue, OptionError> {
        self.kind.parse(text).ok_or_else(|| OptionError::OutOfRange {
            name: self.name,
            found: printable(text.as_bytes(), 40),
            expected: self.kind.into(),
            hint: meant(text, self.kind.words),
        })
    }

    /// The value when nobody sets it.
    ///
    /// # Panics
    /// When the default is not in the option's range, which is a mistake in the table.
    #[must_use]
    pub fn default_value(&self) -> OptionValue {
        self.parse(self.default).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Whether `value` is a higher limit than `limit`.
    pub(super) fn is_above(&self, value: OptionValue, limit: OptionValue) -> bool {
        let rank = |word| self.kind.words.iter().position(|candidate| *candidate == word);
        match (value, limit) {
            (OptionValue::Word(value), OptionValue::Word(limit)) => rank(value) > rank(limit),
            (value, limit) => value > limit,
        }
    }
}
