//! Objects for programs: what is told, as data.

use std::io::{self, Write};

use serde::Serialize;

use super::writer::GradeWriter;
use crate::job::grading::{AnswerKey, Grade, Graded, Points, Told};

/// Writes an array of objects, its puzzles streamed, one a line.
pub struct Json<'a> {
    solver: &'static str,
    told: Told,
    puzzles: u64,
    submissions: u64,
    out: &'a mut dyn Write,
}

/// The beginning of a grade.
#[derive(Serialize)]
struct Head<'a> {
    submission: &'a str,
    solver: &'a str,
    version: &'static str,
}

/// What became of one answer.
#[derive(Serialize)]
struct PuzzleLine<'a> {
    number: u64,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    points: Points,
    worth: Points,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u64>,
    #[serde(skip_serializing_if = "String::is_empty")]
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a str>,
}

/// The end of a grade.
#[derive(Serialize)]
struct Tail {
    verdict: &'static str,
    points: Points,
    total: Points,
    puzzles: u64,
    accepted: u64,
    not_graded: u64,
    extra: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_wrong: Option<u64>,
    text: String,
}

impl<'a> Json<'a> {
    /// Nothing is written yet.
    pub fn new(key: &AnswerKey, out: &'a mut dyn Write) -> Self {
        Self { solver: key.solver.id(), told: Told::new(&key.options), puzzles: 0, submissions: 0, out }
    }
}

impl GradeWriter for Json<'_> {
    fn begin(&mut self, submission: &str) -> io::Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        let head = serde_json::to_string(&Head { submission, solver: self.solver, version })?;
        // The object stays open for the puzzles.
        let head = head.strip_suffix('}').unwrap_or(&head);
        let before = if self.submissions == 0 { "[\n" } else { ",\n" };
        (self.puzzles, self.submissions) = (0, self.submissions + 1);
        write!(self.out, "{before}{head},\n\"puzzles\": [")
    }

    fn puzzle(&mut self, graded: &Graded<'_>) -> io::Result<()> {
        if !self.told.has_puzzles() {
            return Ok(());
        }
        let finding = graded.finding;
        let line = PuzzleLine {
            number: graded.number,
            verdict: finding.mark.name(),
            reason: finding.mark.reason(),
            points: graded.earned,
            worth: graded.worth,
            line: finding.place.map(|place| place.line),
            column: finding.place.map(|place| place.column),
            text: self.told.remark(finding),
            rule: finding.remark.as_ref().map(|remark| remark.name),
            expected: finding.expected.as_deref().filter(|_| self.told.has_answers()),
        };
        self.out.write_all(if self.puzzles == 0 { b"\n" } else { b",\n" })?;
        self.puzzles += 1;
        serde_json::to_writer(&mut *self.out, &line)?;
        Ok(())
    }

    fn end(&mut self, grade: &Grade) -> io::Result<()> {
        self.out.write_all(b"\n],\n\"grade\": ")?;
        if !self.told.has_points() {
            return self.out.write_all(b"null}");
        }
        let first = grade.internal.as_ref().or(grade.first.as_ref());
        let tail = Tail {
            verdict: grade.name(),
            points: grade.points,
            total: grade.total,
            puzzles: grade.puzzles,
            accepted: grade.accepted,
            not_graded: grade.not_graded,
            extra: grade.extra,
            first_wrong: first.map(|(number, _)| *number).filter(|_| self.told.has_puzzles()),
            text: self.told.line(grade),
        };
        serde_json::to_writer(&mut *self.out, &tail)?;
        self.out.write_all(b"}")
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.write_all(if self.submissions == 0 { b"[]\n" } else { b"\n]\n" })
    }
}
