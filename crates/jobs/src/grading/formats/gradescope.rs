//! Gradescope's `results.json`: the score, and a test a puzzle.

use std::io::{self, Write};

use serde::Serialize;

use super::writer::GradeWriter;
use crate::grading::{Grade, Graded, Points, Told};
use tabuleiro_puzzles::solver::Mark;

/// Writes one object.
pub struct Gradescope<'a> {
    told: Told,
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

impl<'a> Gradescope<'a> {
    /// Nothing is written yet.
    pub fn new(told: Told, out: &'a mut dyn Write) -> Self {
        Self { told, tests: 0, out }
    }
}

impl GradeWriter for Gradescope<'_> {
    fn begin(&mut self, _: &str) -> io::Result<()> {
        self.out.write_all(b"{\"tests\": [")
    }

    fn puzzle(&mut self, graded: &Graded<'_>) -> io::Result<()> {
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

    fn end(&mut self, grade: &Grade) -> io::Result<()> {
        // What has no points yet has a score all the same: the system asks for one.
        let score = serde_json::to_string(&grade.points)?;
        let output = serde_json::to_string(&self.told.line(grade))?;
        writeln!(self.out, "\n],\n\"score\": {score},\n\"output\": {output}}}")
    }
}
