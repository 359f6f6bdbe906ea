//! How grades are written: for people, for programs, and for the systems that show marks to students.

// Rows for a spreadsheet.
mod csv;
// Objects for programs.
mod grade_json;
// The XML of `JUnit`, which build servers show.
mod junit;

use std::io::{self, Write};

use serde::Serialize;

use self::csv::Csv;
use self::grade_json::Json;
use self::junit::Junit;
use crate::grading::{AnswerKey, Grade, Graded, Points, Wording};
use tabuleiro_puzzles::solver::Mark;

pub use csv::{ClassList, defused};
pub use grade_json::{Note, NoteOrigin, nothing_note};

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
            Self::Text | Self::Json | Self::Csv => Wording::to_staff(&key.options),
            // Systems that show marks to students, or whose reports they read.
            Self::Gradescope | Self::Vpl | Self::Junit => Wording::to_students(&key.options),
        };
        match self {
            Self::Text => Box::new(Text::new(told, is_one, out)),
            Self::Json => Box::new(Json::new(told, key, out)),
            Self::Csv => Box::new(Csv::new(told, out)),
            Self::Gradescope => Box::new(Gradescope { told, tests: 0, out }),
            Self::Vpl => Box::new(Vpl { told, comments: 0, out }),
            Self::Junit => Box::new(Junit::new(told, key, out)),
        }
    }
}

/// Writes grades, one submission after the other: [`begin`](Self::begin), every [`puzzle`](Self::puzzle), [`end`](Self::end). Names
/// of submissions are printable. All methods fail only if writing fails.
#[allow(clippy::missing_errors_doc, reason = "the trait says it for all")]
pub trait GradeWriter {
    /// Begins a submission.
    fn begin(&mut self, _submission: &str) -> io::Result<()> {
        Ok(())
    }

    /// Writes what became of the next answer of the submission.
    fn puzzle(&mut self, _submission: &str, _graded: &Graded<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Writes the grade of the submission.
    fn end(&mut self, submission: &str, grade: &Grade) -> io::Result<()>;

    /// Writes that nothing can be graded in a folder, or of a submission, and the sentence that says why. A format for one submission
    /// has no room for it.
    fn nothing(&mut self, _name: &str, _why: &str) -> io::Result<()> {
        Ok(())
    }

    /// Ends the document.
    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes lines.
pub struct Text<'a> {
    told: Wording,
    is_one: bool,
    out: &'a mut dyn Write,
}

impl<'a> Text<'a> {
    /// Nothing is written yet.
    pub fn new(told: Wording, is_one: bool, out: &'a mut dyn Write) -> Self {
        Self { told, is_one, out }
    }
}

impl GradeWriter for Text<'_> {
    fn puzzle(&mut self, submission: &str, graded: &Graded<'_>) -> io::Result<()> {
        if !self.is_one || !self.told.has_puzzles() || graded.finding.mark == Mark::Accepted {
            return Ok(());
        }
        writeln!(self.out, "{submission}: {}", self.told.at(graded.number, graded.finding))
    }

    fn end(&mut self, submission: &str, grade: &Grade) -> io::Result<()> {
        writeln!(self.out, "{submission}: {}", self.told.line(grade))
    }
}

/// Answers that comments describe; the page of a student shows them all.
const COMMENTS_MAX: u64 = 100;

/// Writes lines.
struct Vpl<'a> {
    told: Wording,
    comments: u64,
    out: &'a mut dyn Write,
}

impl GradeWriter for Vpl<'_> {
    fn puzzle(&mut self, _: &str, graded: &Graded<'_>) -> io::Result<()> {
        if !self.told.has_puzzles() || graded.finding.mark == Mark::Accepted || self.comments == COMMENTS_MAX
        {
            return Ok(());
        }
        self.comments += 1;
        writeln!(self.out, "Comment :=>> {}", self.told.at(graded.number, graded.finding))
    }

    fn end(&mut self, _: &str, grade: &Grade) -> io::Result<()> {
        writeln!(self.out, "Comment :=>> {}", self.told.line(grade))?;
        // Without a line for it no grade is proposed.
        if grade.is_ungraded() { Ok(()) } else { writeln!(self.out, "Grade :=>> {}", grade.points) }
    }
}

/// Writes one object.
struct Gradescope<'a> {
    told: Wording,
    tests: u64,
    out: &'a mut dyn Write,
}

/// A test.
#[derive(Serialize)]
struct Test {
    name: String,
    score: Points,
    max_score: Points,
    status: &'static str,
    output: String,
}

impl GradeWriter for Gradescope<'_> {
    fn begin(&mut self, _: &str) -> io::Result<()> {
        self.out.write_all(b"{\"tests\": [")
    }

    fn puzzle(&mut self, _: &str, graded: &Graded<'_>) -> io::Result<()> {
        if !self.told.has_puzzles() || graded.finding.mark == Mark::NotGraded {
            return Ok(());
        }
        let is_accepted = graded.finding.mark == Mark::Accepted;
        let test = Test {
            name: self.told.puzzle(graded.number),
            score: graded.earned,
            max_score: graded.worth,
            status: if is_accepted { "passed" } else { "failed" },
            output: self.told.verdict_of(graded.finding),
        };
        self.out.write_all(if self.tests == 0 { b"\n" } else { b",\n" })?;
        self.tests += 1;
        serde_json::to_writer(&mut *self.out, &test)?;
        Ok(())
    }

    fn end(&mut self, _: &str, grade: &Grade) -> io::Result<()> {
        // What has no points yet has a score all the same: the system asks for one.
        let score = serde_json::to_string(&grade.points)?;
        let output = serde_json::to_string(&self.told.line(grade))?;
        writeln!(self.out, "\n],\n\"score\": {score},\n\"output\": {output}}}")
    }
}
