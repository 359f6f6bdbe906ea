//! Grades as JSON objects, for programs.

use std::io::{self, Write};

use serde::Serialize;

use super::GradeWriter;
use crate::grading::class::NOTHING_TO_GRADE;
use crate::grading::{AnswerKey, Grade, Graded, Modified, Points, Standing, Wording};

/// Writes an array with one object per submission. Puzzles are streamed, one per line.
pub struct Json<'a> {
    solver: &'static str,
    submissions: u64,
    object: GradeObject<'a>,
}

/// Where a submission came from.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct SubmissionOrigin<'a> {
    /// The printable path of the submission below the inbox.
    pub submission: &'a str,
    /// The student, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub student: Option<&'a str>,
    /// The student's ID in another system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub student_id: Option<&'a str>,
    /// The name of the route that took the submission.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route: Option<&'a str>,
    /// The ID of the job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<&'a str>,
    /// The standing of the submission among those of its student.
    #[serde(flatten)]
    pub standing: Option<Standing>,
    /// When the file was last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submitted: Option<Modified>,
    /// When the service first found the file, and the file's digest.
    #[serde(flatten)]
    pub received: Option<Received<'a>>,
}

/// A file as the service found it.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Received<'a> {
    /// When the service found it.
    pub received: &'a str,
    /// The SHA-256 digest of its content.
    pub sha256: &'a str,
}

/// Writes one grade as an object.
pub(crate) struct GradeObject<'a> {
    wording: Wording,
    puzzles: u64,
    out: &'a mut dyn Write,
}

/// The beginning of a grade's object.
#[derive(Serialize)]
struct Head<'a> {
    #[serde(flatten)]
    origin: SubmissionOrigin<'a>,
    solver: &'a str,
    version: &'static str,
}

/// The verdict on one answer.
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

/// The end of a grade's object.
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

/// The end of the object if nothing can be graded. It has no points.
#[derive(Serialize)]
struct NoGrade<'a> {
    verdict: &'static str,
    text: &'a str,
}

/// Returns the `nota.json` of a student who has no file that can be graded. `text` says why.
pub fn no_grade_json(origin: &SubmissionOrigin<'_>, solver: &str, text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    // Writing to memory does not fail.
    let _ = write_head(&mut out, origin, solver);
    let _ = write_end(&mut out, &NoGrade { verdict: NOTHING_TO_GRADE, text });
    out.push(b'\n');
    out
}

/// Writes the beginning of an object, which stays open for the puzzles.
fn write_head(out: &mut dyn Write, origin: &SubmissionOrigin<'_>, solver: &str) -> io::Result<()> {
    let head = Head { origin: *origin, solver, version: env!("CARGO_PKG_VERSION") };
    let head = serde_json::to_string(&head)?;
    let head = head.strip_suffix('}').unwrap_or(&head);
    write!(out, "{head},\n\"puzzles\": [")
}

/// Writes the end of an object.
fn write_end(out: &mut dyn Write, grade: &impl Serialize) -> io::Result<()> {
    out.write_all(b"\n],\n\"grade\": ")?;
    serde_json::to_writer(&mut *out, grade)?;
    out.write_all(b"}")
}

impl<'a> Json<'a> {
    /// Creates the writer without writing anything.
    pub fn new(wording: Wording, key: &AnswerKey, out: &'a mut dyn Write) -> Self {
        let object = GradeObject { wording, puzzles: 0, out };
        Self { solver: key.solver.id(), submissions: 0, object }
    }
}

impl GradeWriter for Json<'_> {
    fn begin(&mut self, submission: &str) -> io::Result<()> {
        self.object.out.write_all(if self.submissions == 0 { b"[\n" } else { b",\n" })?;
        self.submissions += 1;
        self.object.puzzles = 0;
        let origin = SubmissionOrigin { submission, ..SubmissionOrigin::default() };
        write_head(self.object.out, &origin, self.solver)
    }

    fn puzzle(&mut self, _: &str, graded: &Graded<'_>) -> io::Result<()> {
        self.object.puzzle(graded)
    }

    fn end(&mut self, _: &str, grade: &Grade) -> io::Result<()> {
        self.object.end(grade)
    }

    fn nothing(&mut self, name: &str, why: &str) -> io::Result<()> {
        self.begin(name)?;
        write_end(self.object.out, &NoGrade { verdict: NOTHING_TO_GRADE, text: why })
    }

    fn finish(&mut self) -> io::Result<()> {
        self.object.out.write_all(if self.submissions == 0 { b"[]\n" } else { b"\n]\n" })
    }
}

impl<'a> GradeObject<'a> {
    /// Begins `nota.json`. It includes the points even if students do not see them, because class lists need them.
    pub(crate) fn begin(
        key: &AnswerKey,
        origin: &SubmissionOrigin<'_>,
        out: &'a mut dyn Write,
    ) -> io::Result<Self> {
        write_head(out, origin, key.solver.id())?;
        Ok(Self { wording: Wording::to_students(&key.options).with_points(), puzzles: 0, out })
    }

    pub(crate) fn puzzle(&mut self, graded: &Graded<'_>) -> io::Result<()> {
        if !self.wording.has_puzzles() {
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
            text: self.wording.remark(finding),
            rule: finding.remark.as_ref().map(|remark| remark.name),
            expected: finding.expected.as_deref().filter(|_| self.wording.has_answers()),
        };
        self.out.write_all(if self.puzzles == 0 { b"\n" } else { b",\n" })?;
        self.puzzles += 1;
        serde_json::to_writer(&mut *self.out, &line)?;
        Ok(())
    }

    pub(crate) fn end(&mut self, grade: &Grade) -> io::Result<()> {
        let tail = self.wording.has_points().then(|| Tail {
            verdict: grade.name(),
            points: grade.points,
            total: grade.total,
            puzzles: grade.puzzles,
            accepted: grade.accepted,
            not_graded: grade.not_graded,
            extra: grade.extra,
            first_wrong: grade.first_wrong().filter(|_| self.wording.has_puzzles()),
            text: self.wording.line(grade),
        });
        write_end(self.out, &tail)
    }
}
