//! A file of puzzles, answered.

use std::io::{self, BufWriter};
use std::iter;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::attempt::Attempt;
use crate::config::{IfExists, Routed};
use crate::daemon::answering::prepared::{Made, PATH_BYTES_MAX};
use crate::daemon::answering::staging::Staged;
use crate::daemon::claims::outputs::Collision;
use crate::daemon::fs::disk::OpenFile;
use crate::input::{Scanner, printable};
use crate::job::{JobError, JobInfo, JsonOrigin, Sinks};
use crate::naming::Output;
use crate::solver::LANGUAGE;

/// Answers all puzzles.
///
/// # Errors
/// Why there is no result.
pub(super) fn answer(attempt: &Attempt<'_>, input: &mut dyn OpenFile) -> Result<Made, JobError> {
    let Attempt { config, claim, route, file, pool, cancel, counts, .. } = attempt;
    let mut source = attempt.source(input, has_json(attempt).then(Sha256::new));
    let mut scanner = Scanner::new(&mut source, *file).map_err(JobError::Read)?;
    let open = || attempt.disk.open(&claim.input());
    let routed = Routed { config, path: &claim.origin, route: *route, open };
    let (job, directives) = routed.resolve(&mut scanner)?;
    attempt.language.set(job.options.get(LANGUAGE));
    let solver = job.solver.id();
    let info = JobInfo { file, solver: job.solver, options: &job.options };
    let mut sink = sink(attempt, &info).map_err(JobError::Write)?;
    let summary =
        routed.answer(&mut scanner, (&job, &directives), pool, cancel, &counts.progress, &mut sink)?;
    drop(scanner);
    let (text, json) = sink.finish(&summary, source.digest).map_err(JobError::Write)?;
    attempt.finish(iter::once(text).chain(json)).map_err(JobError::Write)?;
    Ok(Made::Results { solver, summary: Box::new(summary) })
}

/// Where the outcomes of a job go.
fn sink<'i>(attempt: &Attempt<'_>, info: &JobInfo<'i>) -> io::Result<Sinks<'i, BufWriter<Staged>>> {
    let Attempt { claim, route, config, folders, disk, .. } = attempt;
    let text = attempt.staged(Output::Result)?;
    if !has_json(attempt) {
        return Sinks::new(BufWriter::new(text), None, info);
    }
    // It is written before the result has a name. Nobody but a person takes or frees the plain one until then: outputs
    // that may meet there are made one after the other.
    let is_version = route.is_some_and(|route| route.if_exists == IfExists::Version);
    let place = (*claim, claim.origin.as_path(), text.is_labelled());
    let all = config.outputs(&claim.origin, *route).iter().copied();
    let collision = || Collision::find(*disk, &folders.outbox, place, all);
    let collision = (!is_version).then(collision).flatten();
    let show = |path: &Path| printable(path.as_os_str().as_encoded_bytes(), PATH_BYTES_MAX);
    let origin = JsonOrigin {
        id: Some(&claim.id),
        name_taken: collision.as_ref().map(|collision| show(&collision.name)),
        taken_by: collision.as_ref().and_then(|collision| collision.input.as_deref()).map(show),
    };
    let json = BufWriter::new(attempt.staged(Output::ResultJson)?);
    Sinks::new(BufWriter::new(text), Some((json, &origin)), info)
}

fn has_json(attempt: &Attempt<'_>) -> bool {
    attempt.config.outputs(&attempt.claim.origin, attempt.route).contains(&Output::ResultJson)
}
