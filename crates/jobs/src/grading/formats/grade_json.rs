//! Objects for programs: what is told, as data.

use std::io::{self, Write};

use serde::Serialize;

use super::GradeWriter;
use crate::grading::class::NOTHING_TO_GRADE;
use crate::grading::{AnswerKey, Grade, Graded, Modified, Points, Standing, Wording};

/// Writes an array of objects, their puzzles streamed, one a line.
pub struct Json<'a> {
    solver: &'static str,
    submissions: u64,
    object: Object<'a>,
}

/// Writes `nota.json`: one object, which a class list is made from, so that it has the points whatever students are told.
pub struct Note<'a> {
    head: Head<'a>,
    object: Object<'a>,
}

/// Where a submission came from.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoteOrigin<'a> {
    /// Its printable path below the inbox.
    pub submission: &'a str,
    /// Whose it is, where that is known.
    pub student: Option<&'a str>,
    /// The number that another system has for that student.
    pub student_id: Option<&'a str>,
    /// The name of the route that took it.
    pub route: Option<&'a str>,
    /// The ID of the job.
    pub job: Option<&'a str>,
    /// How it stands beside the others of its student.
    pub standing: Option<Standing>,
    /// When it was changed last.
    pub submitted: Option<Modified>,
    /// When the service found it first, and the SHA-256 of its content.
    pub received: Option<(&'a str, &'a str)>,
}

/// A grade as an object that is being written.
struct Object<'a> {
    told: Wording,
    puzzles: u64,
    out: &'a mut dyn Write,
}

/// The beginning of a grade.
#[derive(Serialize)]
struct Head<'a> {
    submission: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    student: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    student_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    route: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    job: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attempt: Option<u64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    late: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    over_attempts: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    submitted: Option<Modified>,
    #[serde(skip_serializing_if = "Option::is_none")]
    received: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<&'a str>,
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

/// The end where nothing can be graded: there are no points.
#[derive(Serialize)]
struct NoGrade<'a> {
    verdict: &'static str,
    text: &'a str,
}

/// Returns the `nota.json` of a student of whom nothing can be graded; `text` says why.
#[must_use]
pub fn nothing_note(origin: &NoteOrigin<'_>, solver: &str, text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    // Writing into memory does not fail.
    let _ = write_nothing(&mut out, &Head::of(origin, solver), text);
    out.push(b'\n');
    out
}

fn write_nothing(out: &mut dyn Write, head: &Head<'_>, text: &str) -> io::Result<()> {
    let grade = serde_json::to_string(&NoGrade { verdict: NOTHING_TO_GRADE, text })?;
    let head = serde_json::to_string(head)?;
    let head = head.strip_suffix('}').unwrap_or(&head);
    write!(out, "{head},\n\"puzzles\": [\n],\n\"grade\": {grade}}}")
}

impl<'a> Json<'a> {
    /// Nothing is written yet.
    pub fn new(told: Wording, key: &AnswerKey, out: &'a mut dyn Write) -> Self {
        let object = Object { told, puzzles: 0, out };
        Self { solver: key.solver.id(), submissions: 0, object }
    }

    fn next<'s>(&mut self, submission: &'s str) -> io::Result<Head<'s>> {
        self.object.out.write_all(if self.submissions == 0 { b"[\n" } else { b",\n" })?;
        self.submissions += 1;
        let origin = NoteOrigin { submission, ..NoteOrigin::default() };
        Ok(Head::of(&origin, self.solver))
    }
}

impl GradeWriter for Json<'_> {
    fn begin(&mut self, submission: &str) -> io::Result<()> {
        let head = self.next(submission)?;
        self.object.begin(&head)
    }

    fn puzzle(&mut self, _: &str, graded: &Graded<'_>) -> io::Result<()> {
        self.object.puzzle(graded)
    }

    fn end(&mut self, _: &str, grade: &Grade) -> io::Result<()> {
        self.object.end(grade)
    }

    fn nothing(&mut self, name: &str, why: &str) -> io::Result<()> {
        let head = self.next(name)?;
        write_nothing(self.object.out, &head, why)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.object.out.write_all(if self.submissions == 0 { b"[]\n" } else { b"\n]\n" })
    }
}

impl<'a> Note<'a> {
    /// Nothing is written yet.
    pub fn new(key: &AnswerKey, origin: &NoteOrigin<'a>, out: &'a mut dyn Write) -> Self {
        let object = Object { told: Wording::to_students(&key.options).with_points(), puzzles: 0, out };
        Self { head: Head::of(origin, key.solver.id()), object }
    }
}

impl GradeWriter for Note<'_> {
    fn begin(&mut self, _: &str) -> io::Result<()> {
        self.object.begin(&self.head)
    }

    fn puzzle(&mut self, _: &str, graded: &Graded<'_>) -> io::Result<()> {
        self.object.puzzle(graded)
    }

    fn end(&mut self, _: &str, grade: &Grade) -> io::Result<()> {
        self.object.end(grade)?;
        self.object.out.write_all(b"\n")
    }
}

impl<'a> Head<'a> {
    fn of(origin: &NoteOrigin<'a>, solver: &'a str) -> Self {
        let NoteOrigin { submission, student, student_id, route, job, standing, submitted, received } =
            *origin;
        Self {
            submission,
            student,
            student_id,
            route,
            job,
            attempt: standing.map(|standing| standing.attempt),
            late: standing.is_some_and(|standing| standing.is_late()),
            over_attempts: standing.is_some_and(|standing| standing.is_over_attempts()),
            submitted,
            received: received.map(|(time, _)| time),
            sha256: received.map(|(_, sha256)| sha256),
            solver,
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

impl Object<'_> {
    fn begin(&mut self, head: &Head<'_>) -> io::Result<()> {
        let head = serde_json::to_string(head)?;
        // The object stays open for the puzzles.
        let head = head.strip_suffix('}').unwrap_or(&head);
        self.puzzles = 0;
        write!(self.out, "{head},\n\"puzzles\": [")
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
        let tail = Tail {
            verdict: grade.name(),
            points: grade.points,
            total: grade.total,
            puzzles: grade.puzzles,
            accepted: grade.accepted,
            not_graded: grade.not_graded,
            extra: grade.extra,
            first_wrong: grade.first_wrong().filter(|_| self.told.has_puzzles()),
            text: self.told.line(grade),
        };
        serde_json::to_writer(&mut *self.out, &tail)?;
        self.out.write_all(b"}")
    }
}
