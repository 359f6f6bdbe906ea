//! A submission graded into its files: `nota.txt`, `nota.json` and, where it is wanted, `nota.html`.

use std::io::{Read, Write};

use super::formats::{GradeWriter, Note, NoteOrigin, Text};
use super::grade::{Grade, GradeError};
use super::key::AnswerKey;
use super::told::Told;
use crate::page::GradePage;
use crate::{JobError, Limits, Pool, Rejection};
use tabuleiro_puzzles::solver::Cancel;

/// Where a grade goes.
pub struct NoteOut<'a> {
    /// For people.
    pub text: &'a mut dyn Write,
    /// For programs.
    pub json: &'a mut dyn Write,
    /// For browsers.
    pub page: Option<&'a mut dyn Write>,
}

impl AnswerKey {
    /// Grades a submission within the memory of the pool, and writes its grade. What a page lacks is looked for within it, too.
    ///
    /// # Errors
    /// What was written until then is no grade; so it is where the submission proves that an answer of ours is wrong.
    pub fn note(
        &self,
        source: impl Read,
        origin: &NoteOrigin<'_>,
        NoteOut { text, json, page }: NoteOut<'_>,
        (pool, cancel): (&Pool, &Cancel),
    ) -> Result<Grade, JobError> {
        let mut text = Text::new(Told::to_students(&self.options), true, text);
        let mut json = Note::new(self, origin, json);
        let mut page = page.map(|page| GradePage::new(page, self, origin.submission));
        let begun = text.begin(origin.submission).and_then(|()| json.begin(origin.submission));
        begun.map_err(JobError::Write)?;
        let limits = Limits::of(&self.options, pool.memory(), cancel);
        let budget = limits.untimed_budget();
        let graded = self.grade_within(source, &budget, |graded| {
            if let Some(page) = &mut page {
                page.puzzle(graded, &budget);
            }
            text.puzzle(graded)?;
            json.puzzle(graded)
        });
        let mut grade = graded.map_err(|error| match error {
            GradeError::Read(error) => JobError::Read(error),
            GradeError::Write(error) => JobError::Write(error),
            GradeError::Cancelled => JobError::Cancelled,
        })?;
        if let Some((puzzle, _)) = grade.internal {
            return Err(Rejection::Refuted { puzzle }.into());
        }
        grade.standing = origin.standing;
        text.end(&grade).and_then(|()| json.end(&grade)).map_err(JobError::Write)?;
        // Whoever traces a path may need its permit.
        drop(budget);
        if let Some(page) = page {
            page.finish(&grade, &limits).map_err(JobError::Write)?;
        }
        Ok(grade)
    }
}
