//! Writes one CSV row per submission, for a spreadsheet.

use std::borrow::Cow;
use std::io::{self, Write};

use super::GradeWriter;
use crate::grading::class::NOTHING_TO_GRADE;
use crate::grading::{Grade, Standing, Wording, standing};

const COLUMNS: [&str; 9] =
    ["submission", "points", "total", "not_graded", "verdict", "puzzle", "line", "reason", "text"];

/// Further columns of a class list.
const STANDING_COLUMNS: [&str; 2] = ["attempt", "mark"];

/// Writes one row per submission.
pub struct Csv<'a> {
    wording: Wording,
    list: ClassList<&'a mut dyn Write>,
}

impl<'a> Csv<'a> {
    /// Creates the writer without writing anything.
    pub fn new(wording: Wording, out: &'a mut dyn Write) -> Self {
        Self { wording, list: ClassList::new(out, false) }
    }
}

impl GradeWriter for Csv<'_> {
    fn end(&mut self, submission: &str, grade: &Grade) -> io::Result<()> {
        self.list.add(self.wording, None, submission, grade)
    }

    fn nothing(&mut self, name: &str, why: &str) -> io::Result<()> {
        self.list.nothing(None, name, why)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.list.head()?;
        self.list.csv.flush()
    }
}

/// Writes one row per submission. In `notas.csv` a row also names the student, and its standing among the student's
/// submissions.
pub struct ClassList<W: Write> {
    csv: csv::Writer<W>,
    has_students: bool,
    is_begun: bool,
}

impl ClassList<Vec<u8>> {
    /// Returns the text; `None` if nothing was added.
    pub fn text(self) -> Option<Vec<u8>> {
        self.is_begun.then(|| self.csv.into_inner().unwrap_or_default())
    }
}

impl<W: Write> ClassList<W> {
    /// Creates the list without writing anything. With `has_students` it is `notas.csv`.
    pub fn new(out: W, has_students: bool) -> Self {
        Self { csv: csv::Writer::from_writer(out), has_students, is_begun: false }
    }

    fn head(&mut self) -> io::Result<()> {
        if !self.is_begun {
            self.is_begun = true;
            let (student, standing) =
                if self.has_students { (Some(&"student"), &STANDING_COLUMNS[..]) } else { (None, &[][..]) };
            self.csv.write_record(student.into_iter().chain(&COLUMNS).chain(standing))?;
        }
        Ok(())
    }

    /// Adds a submission, with as much of its grade as `wording` allows.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn add(
        &mut self,
        wording: Wording,
        student: Option<&str>,
        submission: &str,
        grade: &Grade,
    ) -> io::Result<()> {
        let points = |text: String| if wording.has_points() { text } else { String::new() };
        let first = grade.shown_finding().filter(|_| wording.has_puzzles());
        let finding = first.map(|(_, finding)| finding);
        let row = [
            submission.to_owned(),
            points(grade.points.to_string()),
            points(grade.total.to_string()),
            points(grade.not_graded.to_string()),
            points(grade.name().to_owned()),
            first.map(|(number, _)| number.to_string()).unwrap_or_default(),
            finding.and_then(|finding| finding.place).map(|place| place.line.to_string()).unwrap_or_default(),
            finding.and_then(|finding| finding.mark.reason()).unwrap_or_default().to_owned(),
            wording.line(grade),
        ];
        self.record(student, &row, grade.standing)
    }

    /// Adds a folder in which nothing can be graded; `why` is the reason.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn nothing(&mut self, student: Option<&str>, name: &str, why: &str) -> io::Result<()> {
        let mut row = [const { String::new() }; COLUMNS.len()];
        name.clone_into(&mut row[0]);
        NOTHING_TO_GRADE.clone_into(&mut row[4]);
        why.clone_into(&mut row[COLUMNS.len() - 1]);
        self.record(student, &row, None)
    }

    fn record(
        &mut self,
        student: Option<&str>,
        row: &[String],
        standing: Option<Standing>,
    ) -> io::Result<()> {
        self.head()?;
        let student = self.has_students.then(|| student.unwrap_or_default().to_owned());
        let standing = self.has_students.then(|| match standing {
            Some(standing) => {
                let mark = standing::mark(standing.is_late(), standing.is_over_attempts());
                [standing.attempt.to_string(), mark.to_owned()]
            }
            None => [const { String::new() }; 2],
        });
        let cells = student.iter().chain(row).chain(standing.iter().flatten());
        let cells = cells.map(|cell| defused(cell).into_owned());
        Ok(self.csv.write_record(cells)?)
    }
}

/// Returns a cell that spreadsheets do not read as a formula.
pub fn defused(cell: &str) -> Cow<'_, str> {
    match cell.bytes().next() {
        Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r') => format!("'{cell}").into(),
        _ => cell.into(),
    }
}
