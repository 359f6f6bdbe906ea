//! Grades as JSON objects, for programs.

use std::io::{self, Write};

use super::GradeWriter;
use crate::grading::class::NOTHING_TO_GRADE;
use crate::grading::{AnswerKey, Grade, Graded, Modified, Standing, Wording};
use crate::json_object::Object;

/// Writes an array with one object per submission. Puzzles are streamed, one per line.
pub struct Json<'a> {
    solver: &'static str,
    submissions: u64,
    object: GradeObject<'a>,
}

/// Where a submission came from.
#[derive(Debug, Clone, Copy, Default)]
pub struct SubmissionOrigin<'a> {
    /// The printable path of the submission below the inbox.
    pub submission: &'a str,
    /// The student, if known.
    pub student: Option<&'a str>,
    /// The student's ID in another system.
    pub student_id: Option<&'a str>,
    /// The name of the route that took the submission.
    pub route: Option<&'a str>,
    /// The ID of the job.
    pub job: Option<&'a str>,
    /// The standing of the submission among those of its student.
    pub standing: Option<Standing>,
    /// When the file was last changed.
    pub submitted: Option<Modified>,
    /// When the service first found the file.
    pub received: Option<&'a str>,
    /// The SHA-256 digest of the file.
    pub sha256: Option<&'a str>,
}

/// Writes one grade as an object.
pub(crate) struct GradeObject<'a> {
    wording: Wording,
    puzzles: u64,
    out: &'a mut dyn Write,
}

/// Returns the `nota.json` of a student who has no file that can be graded. `text` says why.
pub fn no_grade_json(origin: &SubmissionOrigin<'_>, solver: &str, text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    // Writing to memory does not fail.
    let _ = write_head(&mut out, origin, solver).and_then(|()| write_no_grade(&mut out, text));
    out.push(b'\n');
    out
}

/// Writes the beginning of an object, which stays open for the puzzles.
fn write_head(out: &mut dyn Write, origin: &SubmissionOrigin<'_>, solver: &str) -> io::Result<()> {
    let SubmissionOrigin { submission, student, student_id, route, job, .. } = *origin;
    let SubmissionOrigin { standing, submitted, received, sha256, .. } = *origin;
    Object::begin(out)
        .field("submission", submission)?
        .optional("student", student)?
        .optional("student_id", student_id)?
        .optional("route", route)?
        .optional("job", job)?
        .optional("attempt", standing.map(|standing| standing.attempt))?
        .optional("late", standing.filter(Standing::is_late).map(|_| true))?
        .optional("over_attempts", standing.filter(Standing::is_over_attempts).map(|_| true))?
        .optional("submitted", submitted.map(|time| time.to_string()))?
        .optional("received", received)?
        .optional("sha256", sha256)?
        .field("solver", solver)?
        .field("version", env!("CARGO_PKG_VERSION"))?
        .begin_puzzles()
}

/// Begins the end of an object.
fn begin_grade(out: &mut dyn Write) -> io::Result<Object<&mut dyn Write>> {
    out.write_all(b"\n],\n\"grade\": ")?;
    Ok(Object::begin(out))
}

/// Writes the end of an object if nothing can be graded. It has no points.
fn write_no_grade(out: &mut dyn Write, text: &str) -> io::Result<()> {
    begin_grade(out)?.field("verdict", NOTHING_TO_GRADE)?.field("text", text)?.end()?;
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
        write_no_grade(self.object.out, why)
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
        let text = self.wording.remark(finding);
        self.out.write_all(if self.puzzles == 0 { b"\n" } else { b",\n" })?;
        self.puzzles += 1;
        Object::begin(&mut *self.out)
            .field("number", graded.number)?
            .field("verdict", finding.mark.name())?
            .optional("reason", finding.mark.reason())?
            .field("points", graded.earned)?
            .field("worth", graded.worth)?
            .optional("line", finding.place.map(|place| place.line))?
            .optional("column", finding.place.map(|place| place.column))?
            .optional("text", Some(text).filter(|text| !text.is_empty()))?
            .optional("rule", finding.remark.as_ref().map(|remark| remark.name))?
            .optional("expected", finding.expected.as_deref().filter(|_| self.wording.has_answers()))?
            .end()
    }

    pub(crate) fn end(&mut self, grade: &Grade) -> io::Result<()> {
        if !self.wording.has_points() {
            return self.out.write_all(b"\n],\n\"grade\": null}");
        }
        begin_grade(self.out)?
            .field("verdict", grade.name())?
            .field("points", grade.points)?
            .field("total", grade.total)?
            .field("puzzles", grade.puzzles)?
            .field("accepted", grade.accepted)?
            .field("not_graded", grade.not_graded)?
            .field("extra", grade.extra)?
            .optional("first_wrong", grade.first_wrong().filter(|_| self.wording.has_puzzles()))?
            .field("text", self.wording.line(grade))?
            .end()?;
        self.out.write_all(b"}")
    }
}
