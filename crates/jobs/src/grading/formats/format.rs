//! A format, and what writes it.

use std::io::Write;

use super::csv::Csv;
use super::gradescope::Gradescope;
use super::json::Json;
use super::junit::Junit;
use super::text::Text;
use super::vpl::Vpl;
use super::writer::GradeWriter;
use crate::grading::{AnswerKey, Told};

/// A way to write grades.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A line a submission; where there is one, every answer that is not right before it.
    Text,
    /// An array of objects.
    Json,
    /// A row a submission.
    Csv,
    /// Gradescope's `results.json`, for one submission.
    Gradescope,
    /// What Moodle's VPL reads, for one submission.
    Vpl,
    /// The XML of `JUnit`.
    Junit,
}

impl Format {
    /// Whether it has room for one submission only.
    #[must_use]
    pub fn is_for_one(self) -> bool {
        matches!(self, Self::Gradescope | Self::Vpl)
    }

    /// What writes it to `out`, for one submission or several.
    pub fn writer<'a>(
        self,
        key: &'a AnswerKey,
        is_one: bool,
        out: &'a mut dyn Write,
    ) -> Box<dyn GradeWriter + 'a> {
        let told = match self {
            Self::Text | Self::Json | Self::Csv => Told::to_staff(&key.options),
            // Systems that show marks to students, or whose reports they read.
            Self::Gradescope | Self::Vpl | Self::Junit => Told::to_students(&key.options),
        };
        match self {
            Self::Text => Box::new(Text::new(told, is_one, out)),
            Self::Json => Box::new(Json::new(told, key, out)),
            Self::Csv => Box::new(Csv::new(told, out)),
            Self::Gradescope => Box::new(Gradescope::new(told, out)),
            Self::Vpl => Box::new(Vpl::new(told, out)),
            Self::Junit => Box::new(Junit::new(told, key, out)),
        }
    }
}
