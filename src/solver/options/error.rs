//! Why a value of an option was refused.

use std::fmt;

use crate::words::{Phrase, messages};

messages! {
    "option"
    /// Why a value was refused.
    pub enum OptionError {
        /// There is no such option.
        Unknown = "unknown" { name: String, hint: Option<Phrase>, known: String },
        /// The value is not one of the option's.
        OutOfRange = "out-of-range" { name: &'static str, found: String, expected: Phrase },
        /// A directive tried to raise a limit.
        Raised = "raised" { name: &'static str, found: String, max: String },
    }
}

messages! {
    "word"
    /// A word that was probably meant, as the end of what says that there is none like the one that was written.
    pub enum Hint {
        /// It looks much like it.
        Meant = "meant" { word: String },
    }
}

/// In English, as the command line has it.
impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Phrase::from(self.clone()).fmt(f)
    }
}

impl std::error::Error for OptionError {}
