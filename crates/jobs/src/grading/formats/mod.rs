//! Writes grades for people, for programs, and for the systems that show marks to students.

mod csv;
mod grade_json;
mod junit;

use std::io::{self, Write};

use self::csv::Csv;
use self::grade_json::Json;
use self::junit::Junit;
use crate::grading::{AnswerKey, Grade, Graded, Wording};
use crate::json_object::Object;
use tabuleiro_puzzles::choice;
use tabuleiro_puzzles::solver::Mark;

pub use csv::{ClassList, defused};
pub(crate) use grade_json::GradeObject;
pub use grade_json::{SubmissionOrigin, no_grade_json};

choice! {
    /// A way to write grades.
    pub enum Format {
        /// One line per submission. If there is only one submission, a line for every answer that is not right comes
        /// before it.
        Text = "text",
        /// An array of objects.
        Json = "json",
        /// One row per submission.
        Csv = "csv",
        /// Gradescope's `results.json`, for one submission.
        Gradescope = "gradescope",
        /// The output that Moodle's VPL reads, for one submission.
        Vpl = "vpl",
        /// The XML of `JUnit`.
        Junit = "junit",
    }
}

impl Format {
    /// Returns the writer of this format. `is_one` says that there is only one submission.
    pub fn writer<'a>(
        self,
        key: &'a AnswerKey,
        is_one: bool,
        out: &'a mut dyn Write,
    ) -> Box<dyn GradeWriter + 'a> {
        let wording = match self {
            Self::Text | Self::Json | Self::Csv => Wording::to_staff(&key.options),
            // These formats go to systems that show marks or reports to students.
            Self::Gradescope | Self::Vpl | Self::Junit => Wording::to_students(&key.options),
        };
        match self {
            Self::Text => Box::new(Text::new(wording, is_one, out)),
            Self::Json => Box::new(Json::new(wording, key, out)),
            Self::Csv => Box::new(Csv::new(wording, out)),
            Self::Gradescope => Box::new(Gradescope { wording, tests: 0, out }),
            Self::Vpl => Box::new(Vpl { wording, comments: 0, out }),
            Self::Junit => Box::new(Junit::new(wording, key, out)),
        }
    }
}

/// Writes grades, one submission after the other: [`begin`](Self::begin), every [`puzzle`](Self::puzzle),
/// [`end`](Self::end). Names of submissions are printable. All methods fail only if writing fails.
#[allow(clippy::missing_errors_doc, reason = "the trait says it for all")]
pub trait GradeWriter {
    /// Begins a submission.
    fn begin(&mut self, _submission: &str) -> io::Result<()> {
        Ok(())
    }

    /// Writes the verdict on the next answer of the submission.
    fn puzzle(&mut self, _submission: &str, _graded: &Graded<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Writes the grade of the submission.
    fn end(&mut self, submission: &str, grade: &Grade) -> io::Result<()>;

    /// Writes that a folder or a submission has nothing to grade; `why` is the sentence with the reason. A format for
    /// one submission has no room for it.
    fn nothing(&mut self, _name: &str, _why: &str) -> io::Result<()> {
        Ok(())
    }

    /// Ends the document.
    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes grades as lines of text.
pub struct Text<'a> {
    wording: Wording,
    is_one: bool,
    out: &'a mut dyn Write,
}

impl<'a> Text<'a> {
    /// Creates the writer without writing anything.
    pub fn new(wording: Wording, is_one: bool, out: &'a mut dyn Write) -> Self {
        Self { wording, is_one, out }
    }
}

impl GradeWriter for Text<'_> {
    fn puzzle(&mut self, submission: &str, graded: &Graded<'_>) -> io::Result<()> {
        if !self.is_one || !self.wording.has_puzzles() || graded.finding.mark == Mark::Accepted {
            return Ok(());
        }
        writeln!(self.out, "{submission}: {}", self.wording.at(graded.number, graded.finding))
    }

    fn end(&mut self, submission: &str, grade: &Grade) -> io::Result<()> {
        writeln!(self.out, "{submission}: {}", self.wording.line(grade))
    }
}

/// Number of answers that comments describe; the student's page shows all of them.
const COMMENTS_MAX: u64 = 100;

/// Writes the lines that VPL reads.
struct Vpl<'a> {
    wording: Wording,
    comments: u64,
    out: &'a mut dyn Write,
}

impl GradeWriter for Vpl<'_> {
    fn puzzle(&mut self, _: &str, graded: &Graded<'_>) -> io::Result<()> {
        if !self.wording.has_puzzles()
            || graded.finding.mark == Mark::Accepted
            || self.comments == COMMENTS_MAX
        {
            return Ok(());
        }
        self.comments += 1;
        writeln!(self.out, "Comment :=>> {}", self.wording.at(graded.number, graded.finding))
    }

    fn end(&mut self, _: &str, grade: &Grade) -> io::Result<()> {
        writeln!(self.out, "Comment :=>> {}", self.wording.line(grade))?;
        // If no grade line is written, VPL proposes no grade.
        if grade.is_ungraded() { Ok(()) } else { writeln!(self.out, "Grade :=>> {}", grade.points) }
    }
}

/// Writes the object that Gradescope reads.
struct Gradescope<'a> {
    wording: Wording,
    tests: u64,
    out: &'a mut dyn Write,
}

impl GradeWriter for Gradescope<'_> {
    fn begin(&mut self, _: &str) -> io::Result<()> {
        self.out.write_all(b"{\"tests\": [")
    }

    fn puzzle(&mut self, _: &str, graded: &Graded<'_>) -> io::Result<()> {
        if !self.wording.has_puzzles() || graded.finding.mark == Mark::NotGraded {
            return Ok(());
        }
        let is_accepted = graded.finding.mark == Mark::Accepted;
        self.out.write_all(if self.tests == 0 { b"\n" } else { b",\n" })?;
        self.tests += 1;
        Object::begin(&mut *self.out)
            .field("name", self.wording.puzzle(graded.number))?
            .field("score", graded.earned)?
            .field("max_score", graded.worth)?
            .field("status", if is_accepted { "passed" } else { "failed" })?
            .field("output", self.wording.verdict_of(graded.finding))?
            .end()
    }

    fn end(&mut self, _: &str, grade: &Grade) -> io::Result<()> {
        // Gradescope requires a score, so an ungraded submission gets one, too.
        let score = serde_json::to_string(&grade.points)?;
        let output = serde_json::to_string(&self.wording.line(grade))?;
        writeln!(self.out, "\n],\n\"score\": {score},\n\"output\": {output}}}")
    }
}
