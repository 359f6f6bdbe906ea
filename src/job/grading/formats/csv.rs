//! A row a submission, for a spreadsheet.

use std::borrow::Cow;
use std::io::{self, Write};

use super::writer::GradeWriter;
use crate::job::grading::{Grade, Graded, Told};

/// The columns.
const COLUMNS: [&str; 9] =
    ["submission", "points", "total", "not_graded", "verdict", "puzzle", "line", "reason", "text"];

/// Writes rows.
pub struct Csv<'a> {
    told: Told,
    submission: String,
    rows: csv::Writer<&'a mut dyn Write>,
    is_begun: bool,
}

impl<'a> Csv<'a> {
    /// Nothing is written yet.
    pub fn new(told: Told, out: &'a mut dyn Write) -> Self {
        Self { told, submission: String::new(), rows: csv::Writer::from_writer(out), is_begun: false }
    }

    fn head(&mut self) -> io::Result<()> {
        if !self.is_begun {
            self.is_begun = true;
            self.rows.write_record(COLUMNS)?;
        }
        Ok(())
    }
}

impl GradeWriter for Csv<'_> {
    fn begin(&mut self, submission: &str) -> io::Result<()> {
        submission.clone_into(&mut self.submission);
        Ok(())
    }

    fn puzzle(&mut self, _: &Graded<'_>) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self, grade: &Grade) -> io::Result<()> {
        self.head()?;
        let (has_points, has_puzzles) = (self.told.has_points(), self.told.has_puzzles());
        let points = |text: String| if has_points { text } else { String::new() };
        let first = grade.internal.as_ref().or(grade.first.as_ref()).filter(|_| has_puzzles);
        let finding = first.map(|(_, finding)| finding);
        let row = [
            self.submission.clone(),
            points(grade.points.to_string()),
            points(grade.total.to_string()),
            points(grade.not_graded.to_string()),
            points(grade.name().to_owned()),
            first.map(|(number, _)| number.to_string()).unwrap_or_default(),
            finding.and_then(|finding| finding.place).map(|place| place.line.to_string()).unwrap_or_default(),
            finding.and_then(|finding| finding.mark.reason()).unwrap_or_default().to_owned(),
            self.told.line(grade),
        ];
        self.rows.write_record(row.iter().map(|cell| defused(cell).into_owned()))?;
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.head()?;
        self.rows.flush()
    }
}

/// A cell that no spreadsheet takes for a formula.
#[must_use]
pub fn defused(cell: &str) -> Cow<'_, str> {
    match cell.bytes().next() {
        Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r') => format!("'{cell}").into(),
        _ => cell.into(),
    }
}
