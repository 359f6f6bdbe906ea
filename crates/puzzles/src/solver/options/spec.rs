//! Defines an option: its name, the values that it takes, its default and its meaning. Also defines the errors for
//! refused values, and suggests the word that was probably meant.

use std::fmt;

use super::value_kind::{Kind, OptionValue};
use crate::input::printable;
use crate::words::{Phrase, messages};

/// One option.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OptionSpec {
    /// The name in a configuration, a directive or `--set`.
    pub name: &'static str,
    /// The values that the option takes.
    pub kind: Kind,
    /// The default, in the form in which people write it.
    pub default: &'static str,
    /// One sentence for `tabuleiro solvers ID`.
    pub help: &'static str,
    /// What a directive may do to the option.
    pub directive: DirectiveRule,
}

/// What a directive inside an input file may do to an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DirectiveRule {
    /// A directive may set any value in range.
    Free,
    /// The option is a limit: a directive may not set a value above the route's. A word is above all words before it in
    /// [`Kind::words`].
    LowerOnly,
}

impl OptionSpec {
    /// Parses a value from a directive or the command line.
    ///
    /// # Errors
    /// Returns [`OptionError::OutOfRange`], which says what is allowed.
    pub fn parse(&self, text: &str) -> Result<OptionValue, OptionError> {
        self.kind.parse(text).ok_or_else(|| OptionError::OutOfRange {
            name: self.name,
            found: printable(text.as_bytes(), 40),
            expected: self.kind.into(),
            hint: meant(text, self.kind.words),
        })
    }

    /// Returns the default.
    ///
    /// # Panics
    /// Panics if the default is not in the option's range, which is a mistake in the table.
    pub fn default_value(&self) -> OptionValue {
        self.parse(self.default).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Returns whether `value` is a higher limit than `limit`.
    pub(super) fn is_above(&self, value: OptionValue, limit: OptionValue) -> bool {
        let rank = |word| self.kind.words.iter().position(|candidate| *candidate == word);
        match (value, limit) {
            (OptionValue::Word(value), OptionValue::Word(limit)) => rank(value) > rank(limit),
            (value, limit) => value > limit,
        }
    }
}

messages! {
    "option"
    /// Why a value was refused.
    pub enum OptionError {
        Unknown = "unknown" { name: String, hint: Option<Hint>, known: String },
        /// The option does not take this value.
        OutOfRange = "out-of-range" { name: &'static str, found: String, expected: Phrase, hint: Option<Hint> },
        /// A directive tried to raise a limit.
        Raised = "raised" { name: &'static str, found: String, max: String },
    }
}

messages! {
    "word"
    /// The end of a message about an unknown word: what was probably meant.
    pub enum Hint {
        Meant = "meant" { word: String },
    }
}

/// Formats the error in English, for the command line.
impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Phrase::from(self.clone()).fmt(f)
    }
}

impl std::error::Error for OptionError {}

/// Returns the end of a message about a misspelt word: the word in `known` that was probably meant, if there is one.
/// That is the nearest word, or else the only one that contains `word` as a part, as `jump-game` contains `jump`.
pub fn meant(word: &str, known: &[&str]) -> Option<Hint> {
    let word = word.to_lowercase();
    let distances = known.iter().map(|candidate| (strsim::damerau_levenshtein(&word, candidate), *candidate));
    let near = distances.filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 4).min();
    let candidate = near.map(|(_, candidate)| candidate).or_else(|| {
        let has_part = |candidate: &&&str| candidate.split(['-', '_']).any(|part| part == word);
        let mut candidates = known.iter().filter(has_part);
        candidates.next().filter(|_| candidates.next().is_none()).copied()
    })?;
    Some(Hint::Meant { word: candidate.to_owned() })
}

/// Returns the hint of [`meant`] in English, or an empty string if there is none.
pub fn did_you_mean(word: &str, known: &[&str]) -> String {
    meant(word, known).map(|hint| Phrase::from(hint).to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_that_was_meant_is_near_or_has_it_as_a_part() {
        let known = ["checkers-capture", "2048-merge", "2048-game", "jump-game", "time_limit"];
        for (word, meant) in [
            ("jmp-game", "jump-game"),
            ("JUMP", "jump-game"),
            ("jump", "jump-game"),
            ("checkers", "checkers-capture"),
            ("merge", "2048-merge"),
            ("limit", "time_limit"),
        ] {
            assert_eq!(did_you_mean(word, &known), format!(" (did you mean '{meant}'?)"));
        }
        // Several names have the word as a part, or none has it as a whole part.
        for word in ["game", "2048", "check", "", "-"] {
            assert_eq!(did_you_mean(word, &known), "", "{word}");
        }
    }
}
