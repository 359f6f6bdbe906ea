//! A line a submission; where there is one, every answer that is not right before it.

use std::io::{self, Write};

use super::writer::GradeWriter;
use crate::grading::{Grade, Graded, Told};
use tabuleiro_puzzles::solver::Mark;

/// Writes lines.
pub struct Text<'a> {
    told: Told,
    is_one: bool,
    submission: String,
    out: &'a mut dyn Write,
}

impl<'a> Text<'a> {
    /// Nothing is written yet.
    pub fn new(told: Told, is_one: bool, out: &'a mut dyn Write) -> Self {
        Self { told, is_one, submission: String::new(), out }
    }
}

impl GradeWriter for Text<'_> {
    fn begin(&mut self, submission: &str) -> io::Result<()> {
        submission.clone_into(&mut self.submission);
        Ok(())
    }

    fn puzzle(&mut self, graded: &Graded<'_>) -> io::Result<()> {
        if !self.is_one || !self.told.has_puzzles() || graded.finding.mark == Mark::Accepted {
            return Ok(());
        }
        writeln!(self.out, "{}: {}", self.submission, self.told.at(graded.number, graded.finding))
    }

    fn end(&mut self, grade: &Grade) -> io::Result<()> {
        writeln!(self.out, "{}: {}", self.submission, self.told.line(grade))
    }
}
