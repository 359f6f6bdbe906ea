//! What Moodle's Virtual Programming Lab reads: comments and the grade, each a line with its mark.

use std::io::{self, Write};

use super::writer::GradeWriter;
use crate::grading::{Grade, Graded, Told};
use tabuleiro_puzzles::solver::Mark;

/// Answers of which a comment tells; the page of a student shows them all.
const COMMENTS_MAX: u64 = 100;

/// Writes lines.
pub struct Vpl<'a> {
    told: Told,
    comments: u64,
    out: &'a mut dyn Write,
}

impl<'a> Vpl<'a> {
    /// Nothing is written yet.
    pub fn new(told: Told, out: &'a mut dyn Write) -> Self {
        Self { told, comments: 0, out }
    }
}

impl GradeWriter for Vpl<'_> {
    fn begin(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn puzzle(&mut self, graded: &Graded<'_>) -> io::Result<()> {
        if !self.told.has_puzzles() || graded.finding.mark == Mark::Accepted || self.comments == COMMENTS_MAX
        {
            return Ok(());
        }
        self.comments += 1;
        writeln!(self.out, "Comment :=>> {}", self.told.at(graded.number, graded.finding))
    }

    fn end(&mut self, grade: &Grade) -> io::Result<()> {
        writeln!(self.out, "Comment :=>> {}", self.told.line(grade))?;
        // Without a line for it no grade is proposed.
        if grade.is_ungraded() { Ok(()) } else { writeln!(self.out, "Grade :=>> {}", grade.points) }
    }
}
