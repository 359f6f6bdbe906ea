//! A submission, graded by the reference of its route.

use std::io::{self, BufWriter};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use sha2::{Digest, Sha256};

use super::attempt::Attempt;
use super::attempts::{Number, Submission};
use crate::config::Route;
use crate::daemon::answering::prepared::{Graded, Made};
use crate::daemon::base::clock;
use crate::daemon::fs::disk::OpenFile;
use tabuleiro_jobs::grading::formats::NoteOrigin;
use tabuleiro_jobs::grading::{Modified, NoteOut};
use tabuleiro_jobs::naming::Output;
use tabuleiro_jobs::{JobError, Limits};
use tabuleiro_puzzles::solver::{REVEAL, Reveal};

/// Grades a submission by the reference at that path.
///
/// # Errors
/// Why there is no grade.
pub(super) fn grade(
    attempt: &Attempt<'_>,
    (route, reference): (&Route, &Path),
    input: &mut dyn OpenFile,
) -> Result<Made, JobError> {
    let Attempt { pool, cancel, counts, claim, file, disk, folders, .. } = attempt;
    let key = attempt.references.get((route, reference), pool, cancel, &counts.progress);
    let key = key.map_err(|error| error.of_reference(reference))?;
    attempt.begin(&key.options);
    let who = route.whose(&attempt.claim.origin);
    let started = Instant::now();
    let sha256 = digest(attempt, input).map_err(JobError::Read)?;
    let submission = Submission { claim, file, route, who: who.as_ref(), sha256: &sha256 };
    let number = attempt.attempts.number(&submission, &folders.outbox, *disk);
    // Whatever hinders that passes, or the grade cannot be written either.
    let Number { standing, received, keeps_other, counted } = number.map_err(JobError::Write)?;
    let received = clock::stamp(received);
    let origin = NoteOrigin {
        submission: attempt.file,
        student: who.as_ref().map(|who| who.student.as_str()),
        student_id: who.as_ref().and_then(|who| who.id.as_deref()),
        route: Some(&route.name),
        job: Some(&attempt.claim.id),
        standing: Some(standing),
        submitted: Modified::since_1970(input.stat().map_err(JobError::Read)?.modified),
        received: Some((&received, &sha256)),
    };
    let mut text = BufWriter::new(attempt.staged(Output::Grade).map_err(JobError::Write)?);
    // It has the points, for the class list.
    let json = match key.options.get(REVEAL) {
        Reveal::None => attempt.staged_for_staff(Output::GradeJson),
        _ => attempt.staged(Output::GradeJson),
    };
    let mut json = BufWriter::new(json.map_err(JobError::Write)?);
    let page = attempt.has(Output::GradePage).then(|| attempt.staged(Output::GradePage)).transpose();
    let mut page = page.map_err(JobError::Write)?.map(BufWriter::new);
    let out = NoteOut { text: &mut text, json: &mut json, page: page.as_mut().map(|page| page as _) };
    let limits = Limits::of(&key.options, pool.memory(), cancel);
    let grade = key.note(attempt.source(input, None), &origin, out, &limits)?;
    attempt.finish([text, json].into_iter().chain(page)).map_err(JobError::Write)?;
    let (bytes, took) = (counts.bytes_read.load(Ordering::Relaxed), started.elapsed());
    let student = who.map(|who| who.student);
    let solver = key.solver.id();
    Ok(Made::Grade(Box::new(Graded { solver, grade, student, keeps_other, counted, bytes, took })))
}

/// Reads a submission for its digest, and goes back to its beginning.
fn digest(attempt: &Attempt<'_>, input: &mut dyn OpenFile) -> io::Result<String> {
    let mut source = attempt.source(input, Some(Sha256::new()));
    io::copy(&mut source, &mut io::sink())?;
    let digest = source.digest.unwrap_or_default().finalize();
    input.rewind()?;
    attempt.counts.bytes_read.store(0, Ordering::Relaxed);
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}
