//! The grades of submissions as Moodle's worksheet.

use std::collections::BTreeMap;
use std::io;

use super::formats::{Mark, moodle};
use tabuleiro_jobs::grading::formats::GradeWriter;
use tabuleiro_jobs::grading::{Grade, Graded, Points, Wording};
use tabuleiro_jobs::naming::MoodleName;
use tabuleiro_puzzles::words::Language;

/// Collects a row for each participant, who is known by the folder of the submission. Of several grades the best counts.
pub struct Worksheet {
    told: Wording,
    submission: String,
    /// Full name, points and comment by the number of the participant.
    rows: BTreeMap<String, (String, Option<Points>, String)>,
    /// Submissions of nobody that Moodle knows.
    unknown: Vec<String>,
}

impl Worksheet {
    /// Nothing is graded yet; comments are told like that.
    pub fn new(told: Wording) -> Self {
        Self { told, submission: String::new(), rows: BTreeMap::new(), unknown: Vec::new() }
    }

    /// The text, and what is left out of it, a line each.
    pub fn text(self, language: Language) -> (String, Vec<String>) {
        let marks = self.rows.iter().map(|(id, (student, points, comment))| Mark {
            id,
            student,
            points: *points,
            comment,
        });
        let hint = "Moodle's folders are called Name_ID_assignsubmission_file_";
        let left_out =
            |name| format!("{name}: no ID of Moodle is known, so this submission is left out; {hint}");
        (moodle(marks, language), self.unknown.iter().map(left_out).collect())
    }

    fn add(&mut self, name: &str, points: Option<Points>, comment: String) -> bool {
        let Some(found) = MoodleName::of_path(name) else { return false };
        let row = (found.student.to_owned(), points, comment);
        let known = self.rows.entry(found.id.to_owned()).or_insert_with(|| row.clone());
        if points > known.1 {
            *known = row;
        }
        true
    }
}

impl GradeWriter for Worksheet {
    fn begin(&mut self, submission: &str) -> io::Result<()> {
        submission.clone_into(&mut self.submission);
        Ok(())
    }

    fn puzzle(&mut self, _: &Graded<'_>) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self, grade: &Grade) -> io::Result<()> {
        let name = std::mem::take(&mut self.submission);
        let points = (!grade.is_ungraded()).then_some(grade.points);
        if !self.add(&name, points, self.told.line(grade)) {
            self.unknown.push(name);
        }
        Ok(())
    }

    fn nothing(&mut self, name: &str, why: &str) -> io::Result<()> {
        // It has been told; without a grade there is nothing to leave out.
        self.add(&format!("{name}/"), None, why.to_owned());
        Ok(())
    }
}
