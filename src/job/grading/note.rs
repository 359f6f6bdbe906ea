//! A submission graded into its two files, `nota.txt` and `nota.json`.

use std::io::{Read, Write};

use super::formats::{Format, GradeWriter, Note, NoteOrigin};
use super::grade::{Grade, GradeError};
use super::key::AnswerKey;
use crate::job::{JobError, Rejection};
use crate::solver::Cancel;

impl AnswerKey {
    /// Grades a submission, and writes its grade as text and as JSON.
    ///
    /// # Errors
    /// What was written until then is no grade; so it is where the submission proves that an answer of ours is wrong.
    pub fn note(
        &self,
        source: impl Read,
        origin: &NoteOrigin<'_>,
        (text, json): (&mut dyn Write, &mut dyn Write),
        cancel: &Cancel,
    ) -> Result<Grade, JobError> {
        let mut text = Format::Text.writer(self, true, text);
        let mut json = Note::new(self, origin, json);
        let begun = text.begin(origin.submission).and_then(|()| json.begin(origin.submission));
        begun.map_err(JobError::Write)?;
        let graded = self.grade(source, cancel, |graded| {
            text.puzzle(graded)?;
            json.puzzle(graded)
        });
        let grade = graded.map_err(|error| match error {
            GradeError::Read(error) => JobError::Read(error),
            GradeError::Write(error) => JobError::Write(error),
            GradeError::Cancelled => JobError::Cancelled,
        })?;
        if let Some((puzzle, _)) = grade.internal {
            return Err(Rejection::Refuted { puzzle }.into());
        }
        text.end(&grade).and_then(|()| json.end(&grade)).map_err(JobError::Write)?;
        Ok(grade)
    }
}
