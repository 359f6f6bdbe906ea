//! A submission, graded by the reference of its route.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use super::attempt::Attempt;
use crate::config::Route;
use crate::daemon::answering::prepared::{Graded, Made};
use crate::daemon::answering::staging::Staged;
use crate::daemon::fs::disk::OpenFile;
use crate::job::grading::formats::{Format, GradeWriter, Note, NoteOrigin};
use crate::job::grading::{AnswerKey, Grade, GradeError};
use crate::job::{JobError, Rejection};
use crate::naming::Output;
use crate::solver::LANGUAGE;

/// Grades a submission by the reference at that path.
///
/// # Errors
/// Why there is no grade.
pub(super) fn grade(
    attempt: &Attempt<'_>,
    reference: (&Route, &Path),
    input: &mut dyn OpenFile,
) -> Result<Made, JobError> {
    let Attempt { pool, cancel, counts, references, .. } = attempt;
    let key = match references.get(reference, pool, cancel, &counts.progress) {
        Ok(key) => key,
        Err(JobError::Cancelled) => return Err(JobError::Cancelled),
        // It is not the submission's fault.
        Err(error) => {
            let path = reference.1.display();
            return Ok(Made::Failed(format!("cannot grade: the reference {path} cannot be used: {error}")));
        }
    };
    attempt.language.set(key.options.get(LANGUAGE));
    let (route, started) = (reference.0, Instant::now());
    let mut source = attempt.source(input, None);
    let origin = NoteOrigin {
        submission: attempt.file,
        student: None,
        student_id: None,
        route: Some(&route.name),
        job: Some(&attempt.claim.id),
    };
    let [text, json] = [Output::Grade, Output::GradeJson].map(|output| attempt.staged(output));
    let mut text = BufWriter::new(text.map_err(JobError::Write)?);
    let mut json = BufWriter::new(json.map_err(JobError::Write)?);
    let grade = write(&key, &origin, &mut source, (&mut text, &mut json), attempt)?;
    if let Some((puzzle, _)) = grade.internal {
        return Err(Rejection::Refuted { puzzle }.into());
    }
    let finish = |out: BufWriter<Staged>| out.into_inner()?.finish(attempt.syncing);
    let is_labelled = finish(text).and_then(|text| Ok(finish(json)? && text)).map_err(JobError::Write)?;
    attempt.is_labelled.set(is_labelled);
    let bytes = counts.bytes_read.load(std::sync::atomic::Ordering::Relaxed);
    let graded = Graded { solver: key.solver.id(), grade, student: None, bytes, took: started.elapsed() };
    Ok(Made::Grade(Box::new(graded)))
}

/// Writes both forms of a grade.
fn write(
    key: &AnswerKey,
    origin: &NoteOrigin<'_>,
    source: impl std::io::Read,
    (text, json): (&mut dyn Write, &mut dyn Write),
    attempt: &Attempt<'_>,
) -> Result<Grade, JobError> {
    let mut text = Format::Text.writer(key, true, text);
    let mut json = Note::new(key, origin, json);
    let begun = text.begin(origin.submission).and_then(|()| json.begin(origin.submission));
    begun.map_err(JobError::Write)?;
    let graded = key.grade(source, attempt.cancel, |graded| {
        text.puzzle(graded)?;
        json.puzzle(graded)
    });
    let grade = graded.map_err(|error| match error {
        GradeError::Read(error) => JobError::Read(error),
        GradeError::Write(error) => JobError::Write(error),
        GradeError::Cancelled => JobError::Cancelled,
    })?;
    text.end(&grade).and_then(|()| json.end(&grade)).map_err(JobError::Write)?;
    Ok(grade)
}
