//! Makes the outputs of a claimed file by what it holds: puzzles are answered, a submission is graded, and an archive
//! has both done with its members.

// Grades submissions, and numbers the attempts of each student.
mod attempts;
// The references by which submissions are graded.
mod references;

use std::io::{self, BufWriter, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use crate::config::{Done, IfExists, Members, Route, Routed};
use crate::daemon::answering::answerer::{Answerer, Attempt};
use crate::daemon::answering::job_progress::JobCounters;
use crate::daemon::answering::pending_publication::{Made, PendingPublication, Unpacked};
use crate::daemon::answering::staging::{Audience, Bounded, Staged, end};
use crate::daemon::base::json_path::show;
use crate::daemon::claims::outputs::{Collision, Lookup};
use crate::daemon::fs::disk::OpenFile;
use tabuleiro_jobs::archive::{Archive, ArchiveError, ArchiveWriter, Member, is_zip};
use tabuleiro_jobs::naming::{self, Output};
use tabuleiro_jobs::page::{PageLinks, PageSink, address};
use tabuleiro_jobs::{Digesting, Job, JobError, JobInfo, JsonOrigin, JsonSink, Rejection, Sinks, TextSink};
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{COMMON, Cancel, JOB_TIME_LIMIT, LANGUAGE, Options, PICTURE};

pub use attempts::{Attempts, Counted};
pub use references::References;

/// Reads the file to its end and writes its outputs under temporary names.
///
/// # Errors
/// Returns why the file has no outputs.
pub fn make(attempt: &Attempt<'_>, input: &mut dyn OpenFile) -> Result<Made, JobError> {
    if is_zip(&attempt.job.claim.origin) {
        return answer_archive(attempt, input);
    }
    match attempt.route.and_then(|route| Some((route, route.grade.as_deref()?))) {
        Some((route, reference)) => attempts::grade(attempt, route, reference, input),
        None => answer(attempt, input),
    }
}

/// Answers all puzzles of the file.
fn answer(attempt: &Attempt<'_>, input: &mut dyn OpenFile) -> Result<Made, JobError> {
    let Attempt { route, counts, .. } = attempt;
    let PendingPublication { config, claim, file, .. } = attempt.job;
    let Answerer { pool, cancel, disk, .. } = attempt.answerer;
    let mut source = Digesting::new(attempt.source(input), attempt.has(Output::ResultJson));
    let mut scanner = Scanner::new(&mut source, file.as_str()).map_err(JobError::Read)?;
    let open = || disk.open(&claim.input());
    let routed = Routed { config, path: &claim.origin, route: *route, open };
    let (job, directives) = routed.resolve(&mut scanner)?;
    attempt.begin(&job.options);
    let solver = job.solver.id();
    let info = JobInfo { file, solver: job.solver, options: &job.options };
    let mut sink = sink(attempt, &info)?;
    let job = Job { solver: job.solver, options: &job.options, pool, cancel, progress: &counts.progress };
    let summary = routed.answer(&mut scanner, &job, &directives, &mut sink)?;
    drop(scanner);
    let written = sink.finish(&summary, source.finish(), &job.limits()).map_err(JobError::Write)?;
    attempt.finish(written)?;
    Ok(Made::Results { solver, summary: Box::new(summary) })
}

/// Opens the outputs that the outcomes of a job are written to.
fn sink<'i>(attempt: &Attempt<'_>, info: &JobInfo<'i>) -> Result<Sinks<'i, BufWriter<Staged>>, JobError> {
    let staged = |output| attempt.staged(output, Audience::Readers);
    let text = TextSink::new(staged(Output::Result)?, info);
    let (has_json, has_page) = (attempt.has(Output::ResultJson), attempt.has(Output::ResultPage));
    let collision = if has_json || has_page { attempt.collision() } else { None };
    let links = attempt.links(Output::Result, collision.is_some());
    let page = has_page.then(|| staged(Output::ResultPage)).transpose()?;
    let page = page.map(|page| PageSink::new(page, info, links));
    let origin = JsonOrigin {
        id: Some(&attempt.job.claim.id),
        name_taken: collision.as_ref().map(|collision| show(&collision.name)),
        taken_by: collision.as_ref().and_then(|collision| collision.input.as_deref()).map(show),
    };
    let begin = |json| JsonSink::new(json, info, &origin).map_err(JobError::Write);
    let json = has_json.then(|| staged(Output::ResultJson).and_then(begin));
    Ok(Sinks { text, json: json.transpose()?, page })
}

impl Attempt<'_> {
    /// Stores in the job which language and page the options of the file ask for.
    fn begin(&self, options: &Options) {
        self.job.language.set(options.get(LANGUAGE));
        self.job.has_page.set(options.get(PICTURE));
    }

    /// Returns whether the job has an output of this kind.
    fn has(&self, output: Output) -> bool {
        let PendingPublication { config, claim, has_page, .. } = self.job;
        config.outputs(&claim.origin, self.route, has_page.get()).contains(&output)
    }

    /// Returns whether the outputs always have the job's ID in their names.
    fn is_version(&self) -> bool {
        self.route.is_some_and(|route| route.if_exists == IfExists::Version)
    }

    /// Returns what has the plain name of one of the outputs. Outputs are written before they are named. Until then
    /// only a person can take or free the plain name, because jobs that may share it run one after the other.
    fn collision(&self) -> Option<Collision> {
        let Answerer { folders, disk, .. } = self.answerer;
        let PendingPublication { config, claim, has_page, is_labelled, .. } = self.job;
        let lookup = Lookup { disk: &**disk, outbox: &folders.outbox, claim, labelled: is_labelled };
        let outputs = config.outputs(&claim.origin, self.route, has_page.get());
        if self.is_version() { None } else { lookup.collision(&claim.origin, &outputs) }
    }

    /// Returns the links of a page, to the text next to it and to the page of the service.
    fn links(&self, text: Output, has_collision: bool) -> PageLinks {
        let (PendingPublication { claim, config, .. }, outbox) = (self.job, &self.answerer.folders.outbox);
        let id = (has_collision || self.is_version()).then_some(claim.id.as_str());
        let name = naming::result_path(&claim.origin, text, id);
        let name = name.file_name().filter(|_| self.has(text));
        // The configuration may give both paths relative to the current folder.
        let outboxes = [outbox, &config.folders.outbox];
        let page = config.page.path.as_ref();
        let index = page.and_then(|page| outboxes.iter().find_map(|outbox| page.strip_prefix(outbox).ok()));
        let up = "../".repeat(claim.origin.components().count().saturating_sub(1));
        PageLinks {
            text: name.map(|name| address(Path::new(name))),
            index: index.map(|page| up + &address(page)),
        }
    }

    fn source<'s>(&'s self, file: &'s mut dyn OpenFile) -> Source<'s> {
        let (left, cancel) = (self.job.config.intake.size_limit_bytes, &self.answerer.cancel);
        Source { file, left, cancel, counts: &self.counts }
    }

    /// Creates an output under a temporary name.
    fn staged(&self, output: Output, audience: Audience) -> Result<BufWriter<Staged>, JobError> {
        self.answerer.stage(self.job, output, audience).map(BufWriter::new).map_err(JobError::Write)
    }

    /// Finishes the outputs.
    fn finish(&self, outputs: impl IntoIterator<Item = BufWriter<Staged>>) -> Result<(), JobError> {
        let mut finish = |output: BufWriter<Staged>| end(&mut *output.into_inner()?.file, &self.job.syncing);
        outputs.into_iter().try_for_each(&mut finish).map_err(JobError::Write)
    }
}

/// A claimed file being read. Reads are bounded, cancellable and counted.
pub struct Source<'a> {
    file: &'a mut dyn OpenFile,
    /// Bytes that may still be read.
    left: u64,
    cancel: &'a Cancel,
    counts: &'a JobCounters,
}

/// Members of an archive are read in place, each twice: to check that it is whole, and to answer it. The size of the
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
        Ok(count)
    }
}

/// Maximum number of members with a report, and of members with a noteworthy result, that the log names. The others are
/// only counted.
const NAMED_MAX: usize = 20;

/// Answers and grades the members of an archive into one archive.
fn answer_archive(attempt: &Attempt<'_>, input: &mut dyn OpenFile) -> Result<Made, JobError> {
    let Attempt { route, counts, .. } = attempt;
    let PendingPublication { claim, config, .. } = attempt.job;
    let Answerer { pool, cancel, references, disk, folders, .. } = attempt.answerer;
    let started = Instant::now();
    let archive = Archive::open(attempt.source(input)).map_err(|error| match error {
        ArchiveError::Refused(why) => Rejection::NotRead(why).into(),
        ArchiveError::Read(error) => JobError::Read(error),
    })?;
    let scratch = |name: &str| {
        let path = folders.staging.join(format!("{}.{name}", claim.id));
        disk.scratch(&path).map(|file| Bounded::new(file, config, cancel)).map_err(JobError::Write)
    };
    let [first, second, third] = ["first", "second", "third"].map(scratch);
    let mut results = ArchiveWriter::new([first?, second?, third?]);
    let options = route.map_or_else(|| Options::defaults(&[COMMON]), |route| route.options.clone());
    let limit = options.get(JOB_TIME_LIMIT);
    let members = Members {
        config,
        pool,
        cancel,
        deadline: limit.and_then(|limit| started.checked_add(limit)),
        reference: &|route: &Route, path: &Path| references.get(route, path, pool, cancel, &counts.progress),
        progress: &counts.progress,
    };
    let (mut unpacked, mut audience) = (Unpacked::default(), Audience::Readers);
    let lacking = members.answer(&archive, &claim.origin, &mut results, |member, done| {
        if matches!(done, Ok(Done::Graded { is_for_staff: true })) {
            audience = Audience::Staff;
        }
        note(&mut unpacked, member, done);
    })?;
    let staged = attempt.staged(Output::Archive, audience)?;
    attempt.finish([results.finish(staged).map_err(JobError::Write)?])?;
    unpacked.lacking = lacking;
    unpacked.bytes = counts.bytes.load(Ordering::Relaxed);
    unpacked.took = started.elapsed();
    Ok(Made::Archive(Box::new(unpacked)))
}

/// Counts a member, and keeps what the log says about it.
fn note(unpacked: &mut Unpacked, member: &Member, done: Result<Done, Rejection>) {
    unpacked.members += 1;
    match done {
        Ok(Done::Answered(summary)) => {
            unpacked.puzzles += summary.puzzles;
            unpacked.invalid += summary.invalid;
            unpacked.mistakes += summary.mistakes.entries;
            unpacked.undecided += summary.undecided;
            let is_noteworthy = summary.undecided > 0 || summary.has_warnings();
            if is_noteworthy && unpacked.noteworthy.len() < NAMED_MAX {
                unpacked.noteworthy.push((member.printable_path(), summary));
            }
        }
        Ok(Done::Graded { .. }) => unpacked.graded += 1,
        Err(rejection) => {
            unpacked.rejected += 1;
            if unpacked.reasons.len() < NAMED_MAX {
                unpacked.reasons.push((member.printable_path(), rejection));
            }
        }
    }
}
