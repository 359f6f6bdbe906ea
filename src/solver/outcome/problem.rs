//! What is wrong with a puzzle: the rule that it breaks and the place to mend, as data; in words by the catalogues.

use std::ops::Range;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::proposal::Proposal;
use crate::input::{Lexeme, Place};
use crate::words::{Argument, Language, Phrase};

/// Why a puzzle is invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where a person would mend it.
    pub place: Place,
    /// What is wrong. Its name is the rule that is broken.
    pub what: Phrase,
    /// What makes the puzzle valid, where that was tried and does.
    pub proposal: Option<Box<Proposal>>,
    /// The line of the file, where it was at hand.
    pub excerpt: Option<Box<Excerpt>>,
    /// The beginning of the puzzle was readable, so the file does hold puzzles of this kind.
    pub recognised: bool,
}

/// A piece of a line of a file, and what of it is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// Printable, and bounded.
    pub text: String,
    /// What is meant, in bytes of the text.
    pub marked: Range<usize>,
}

impl Problem {
    /// A problem with what stands at a place, of a puzzle whose beginning was readable.
    #[must_use]
    pub fn new(place: Place, what: impl Into<Phrase>) -> Self {
        Self { place, what: what.into(), proposal: None, excerpt: None, recognised: true }
    }

    /// The same, where only that says that the beginning was readable.
    #[must_use]
    pub fn recognised_if(self, recognised: bool) -> Self {
        Self { recognised, ..self }
    }

    /// BRIDGE until every reader declares its messages.
    #[must_use]
    pub fn old(
        place: Place,
        rule: &'static str,
        found: impl Into<Argument>,
        expected: String,
        recognised: bool,
    ) -> Self {
        let arguments = vec![("found", found.into()), ("expected", expected.into())];
        Self::new(place, Phrase { scope: "old", name: rule, arguments }).recognised_if(recognised)
    }

    /// BRIDGE: a problem with one token.
    #[must_use]
    pub fn token(lexeme: &Lexeme, rule: &'static str, expected: impl Into<String>, recognised: bool) -> Self {
        Self::old(lexeme.place, rule, lexeme.token.quoted(), expected.into(), recognised)
    }

    /// The rule that is broken, as a stable name: `square-value`, `board-size`.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        self.what.name
    }

    /// The same with what makes the puzzle valid, where there is something.
    #[must_use]
    pub fn proposing(self, proposal: Option<Proposal>) -> Self {
        Self { proposal: proposal.map(Box::new), ..self }
    }

    /// What is wrong, and what to write instead where that is known.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        let what = self.what.say(language);
        match &self.proposal {
            Some(proposal) => format!("{what}; {}", proposal.phrase().say(language)),
            None => what,
        }
    }
}

/// Line, column, rule, arguments, proposal. The names of the fields are those of a JSON result; they stay.
impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Problem", 5)?;
        object.serialize_field("line", &self.place.line)?;
        object.serialize_field("column", &self.place.column)?;
        object.serialize_field("rule", self.rule())?;
        object.serialize_field("arguments", &self.what.data())?;
        if let Some(proposal) = &self.proposal {
            object.serialize_field("proposal", proposal)?;
        }
        object.end()
    }
}
