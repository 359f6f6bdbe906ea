//! What a claimed file holds, and what is made of it: puzzles are answered, a submission is graded, an archive has both done
//! with its members.

// Archives.
mod archive_members;
// Submissions: which attempt of its student one is, and its grade.
mod attempts;
// What submissions are graded by.
mod references;

use std::cell::Cell;
use std::io::{self, BufWriter, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use sha2::{Digest, Sha256};

use crate::config::{Config, IfExists, Route, Routed};
use crate::daemon::answering::answerer::Answerer;
use crate::daemon::answering::job_progress::Counts;
use crate::daemon::answering::pending_publication::{Made, PATH_BYTES_MAX, Syncing};
use crate::daemon::answering::staging::Staged;
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::claims::outputs::Collision;
use crate::daemon::fs::disk::OpenFile;
use tabuleiro_jobs::archive::is_zip;
use tabuleiro_jobs::naming::Output;
use tabuleiro_jobs::{Job, JobError, JobInfo, JsonOrigin, Sinks};
use tabuleiro_puzzles::input::{Scanner, printable};
use tabuleiro_puzzles::solver::{Cancel, LANGUAGE, Options, PICTURE};
use tabuleiro_puzzles::words::Language;

pub use attempts::{Attempts, Counted};
pub use references::References;

/// Reads the file to its end and writes its outputs under temporary names.
///
/// # Errors
/// Why there are none.
pub fn make(attempt: &Attempt<'_>, input: &mut dyn OpenFile) -> Result<Made, JobError> {
    if is_zip(&attempt.claim.origin) {
        return archive_members::answer(attempt, input);
    }
    match attempt.route.and_then(|route| Some((route, route.grade.as_deref()?))) {
        Some((route, reference)) => attempts::grade(attempt, route, reference, input),
        None => answer(attempt, input),
    }
}

/// Answers all puzzles.
fn answer(attempt: &Attempt<'_>, input: &mut dyn OpenFile) -> Result<Made, JobError> {
    let Attempt { config, claim, route, file, counts, .. } = attempt;
    let Answerer { pool, cancel, disk, .. } = attempt.answerer;
    let mut source = attempt.source(input, attempt.has(Output::ResultJson).then(Sha256::new));
    let mut scanner = Scanner::new(&mut source, *file).map_err(JobError::Read)?;
    let open = || disk.open(&claim.input());
    let routed = Routed { config, path: &claim.origin, route: *route, open };
    let (job, directives) = routed.resolve(&mut scanner)?;
    attempt.begin(&job.options);
    let solver = job.solver.id();
    let info = JobInfo { file, solver: job.solver, options: &job.options };
    let mut sink = sink(attempt, &info).map_err(JobError::Write)?;
    let job = Job { solver: job.solver, options: &job.options, pool, cancel, progress: &counts.progress };
    let summary = routed.answer(&mut scanner, &job, &directives, &mut sink)?;
    drop(scanner);
    let written = sink.finish(&summary, source.digest, &job.limits()).map_err(JobError::Write)?;
    attempt.finish(written).map_err(JobError::Write)?;
    Ok(Made::Results { solver, summary: Box::new(summary) })
}

/// Makes what the outcomes of a job are written to.
fn sink<'i>(attempt: &Attempt<'_>, info: &JobInfo<'i>) -> io::Result<Sinks<'i, BufWriter<Staged>>> {
    let Attempt { claim, route, config, .. } = attempt;
    let Answerer { folders, disk, .. } = attempt.answerer;
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
    let collision = || Collision::find(&**disk, &folders.outbox, place, all);
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

/// A claimed file that is being answered.
pub struct Attempt<'a> {
    pub answerer: &'a Answerer,
    pub claim: &'a Claim,
    /// The file's printable path below the inbox.
    pub file: &'a str,
    /// The route that takes it.
    pub route: Option<&'a Route>,
    pub config: &'a Config,
    pub syncing: &'a Syncing,
    pub counts: Arc<Counts>,
    /// The outputs name their input.
    pub is_labelled: Cell<bool>,
    /// What people are told in.
    pub language: Cell<Language>,
    /// A page is wanted.
    pub has_page: Cell<bool>,
}

impl Attempt<'_> {
    /// Notes the options by which the file is answered.
    fn begin(&self, options: &Options) {
        self.language.set(options.get(LANGUAGE));
        self.has_page.set(options.get(PICTURE));
    }

    /// Returns whether it leads to an output of that kind.
    fn has(&self, output: Output) -> bool {
        self.config.outputs(&self.claim.origin, self.route, self.has_page.get()).contains(&output)
    }

    fn source<'s>(&'s self, file: &'s mut dyn OpenFile, digest: Option<Sha256>) -> Source<'s> {
        let (left, cancel) = (self.config.intake.size_limit_bytes, &self.answerer.cancel);
        Source { file, left, cancel, digest, counts: &self.counts }
    }

    fn staged(&self, output: Output) -> io::Result<Staged> {
        self.staged_for(output, false)
    }

    /// Begins an output under a temporary name; no student may read one that is `for_staff`.
    fn staged_for(&self, output: Output, for_staff: bool) -> io::Result<Staged> {
        let Answerer { staging, cancel, .. } = self.answerer;
        staging.result(self.claim, output, for_staff, self.config, cancel)
    }

    /// Ends the writing of outputs.
    fn finish(&self, outputs: impl IntoIterator<Item = BufWriter<Staged>>) -> io::Result<()> {
        let mut are_labelled = true;
        for output in outputs {
            are_labelled &= output.into_inner()?.finish(self.syncing)?;
        }
        self.is_labelled.set(are_labelled);
        Ok(())
    }
}

/// A claimed file being read: bounded, cancellable, counted, digested.
pub struct Source<'a> {
    file: &'a mut dyn OpenFile,
    /// Bytes that may still be read.
    left: u64,
    cancel: &'a Cancel,
    digest: Option<Sha256>,
    counts: &'a Counts,
}

/// Members of an archive are read where they lie, each twice: to be sure that it is whole, and to be answered. The size of the
/// archive was checked before, so the bound counts only for files that are read from end to end.
impl Seek for Source<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = self.file.seek(to)?;
        self.left = u64::MAX;
        self.counts.bytes_read.store(at, Ordering::Relaxed);
        Ok(at)
    }
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("cancelled"));
        }
        let most = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let count = self.file.read(&mut buffer[..most])?;
        self.left -= count as u64;
        self.counts.bytes_read.fetch_add(count as u64, Ordering::Relaxed);
        if let Some(digest) = &mut self.digest {
            digest.update(&buffer[..count]);
        }
        Ok(count)
    }
}
