//! A file of puzzles, answered.

use std::io::{self, BufWriter};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::attempt::Attempt;
use crate::config::{IfExists, Routed};
use crate::daemon::answering::prepared::{Made, PATH_BYTES_MAX};
use crate::daemon::answering::staging::Staged;
use crate::daemon::claims::outputs::Collision;
use crate::daemon::fs::disk::OpenFile;
use tabuleiro_jobs::naming::Output;
use tabuleiro_jobs::{Job, JobError, JobInfo, JsonOrigin, Sinks};
use tabuleiro_puzzles::input::{Scanner, printable};

/// Answers all puzzles.
///
/// # Errors
/// Why there is no result.
pub(super) fn answer(attempt: &Attempt<'_>, input: &mut dyn OpenFile) -> Result<Made, JobError> {
    let Attempt { config, claim, route, file, pool, cancel, counts, .. } = attempt;
    let mut source = attempt.source(input, attempt.has(Output::ResultJson).then(Sha256::new));
    let mut scanner = Scanner::new(&mut source, *file).map_err(JobError::Read)?;
    let open = || attempt.disk.open(&claim.input());
    let routed = Routed { config, path: &claim.origin, route: *route, open };
    let (job, directives) = routed.resolve(&mut scanner)?;
    attempt.begin(&job.options);
    let solver = job.solver.id();
    let info = JobInfo { file, solver: job.solver, options: &job.options };
    let mut sink = sink(attempt, &info).map_err(JobError::Write)?;
    let job = Job { solver: job.solver, options: &job.options, pool, cancel, progress: &counts.progress };
    let summary = routed.answer(&mut scanner, &job, &directives, &mut sink)?;
    drop(scanner);
    let limits = job.limits();
    let written = sink.finish(&summary, source.digest, &limits).map_err(JobError::Write)?;
    attempt.finish(written).map_err(JobError::Write)?;
    Ok(Made::Results { solver, summary: Box::new(summary) })
}

/// Where the outcomes of a job go.
fn sink<'i>(attempt: &Attempt<'_>, info: &JobInfo<'i>) -> io::Result<Sinks<'i, BufWriter<Staged>>> {
    let Attempt { claim, route, config, folders, disk, .. } = attempt;
    let text = attempt.staged(Output::Result)?;
    let is_labelled = text.is_labelled();
    let mut sinks = Sinks::new(BufWriter::new(text), info);
    if attempt.has(Output::ResultPage) {
        sinks = sinks.with_page(BufWriter::new(attempt.staged(Output::ResultPage)?), info);
    }
    if !attempt.has(Output::ResultJson) {
        return Ok(sinks);
    }
    // It is written before the result has a name. Nobody but a person takes or frees the plain one until then: outputs
    // that may meet there are made one after the other.
    let is_version = route.is_some_and(|route| route.if_exists == IfExists::Version);
    let place = (*claim, claim.origin.as_path(), is_labelled);
    let all = config.outputs(&claim.origin, *route, attempt.has_page.get()).iter().copied();
    let collision = || Collision::find(*disk, &folders.outbox, place, all);
    let collision = (!is_version).then(collision).flatten();
    let show = |path: &Path| printable(path.as_os_str().as_encoded_bytes(), PATH_BYTES_MAX);
    let origin = JsonOrigin {
        id: Some(&claim.id),
        name_taken: collision.as_ref().map(|collision| show(&collision.name)),
        taken_by: collision.as_ref().and_then(|collision| collision.input.as_deref()).map(show),
    };
    let json = BufWriter::new(attempt.staged(Output::ResultJson)?);
    sinks.with_json(json, &origin, info)
}
