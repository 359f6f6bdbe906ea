//! One claimed file: read, solved, its result made under a temporary name. Runs on a worker thread.

use std::io::{self, BufWriter};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::config::{self, Config, Formats, ResolvedJob, Route};
use crate::daemon::answering::input::{InputDigest, Source, readable_by};
use crate::daemon::answering::prepared::{Made, Prepared};
use crate::daemon::answering::progress::{Counts, Registry};
use crate::daemon::answering::staging::{Staged, Staging};
use crate::daemon::claims::claim::Claim;
use crate::daemon::claims::gate::Gate;
use crate::daemon::fs::disk::{Disk, OpenFile, Stat};
use crate::daemon::fs::folders::Folders;
use crate::input::{Place, ReadDirectivesError, Scanner, read_directives};
use crate::job::{self, JobError, JobInfo, JsonSink, Pool, Rejection, Sink, Summary, TextSink};
use crate::naming::Output;
use crate::solver::{Cancel, Outcome, SOLVERS};

/// Times a file may have killed the process before it is set aside.
pub const TRIES_MAX: u32 = 2;

/// What all workers share.
pub struct Answerer {
    /// Where things lie.
    pub folders: Folders,
    /// Through which all of it is done.
    pub disk: Arc<dyn Disk>,
    /// Passed by whoever claims or puts back.
    pub gate: Arc<Gate>,
    /// Outputs under temporary names.
    pub staging: Staging,
    /// Who solves.
    pub pool: Pool,
    /// Set when the service must end now.
    pub cancel: Cancel,
    /// The jobs that are being answered.
    pub progress: Registry,
    /// Syncs of the outbox's file system that failed: what was written before one may be lost.
    pub failed_syncs: AtomicU64,
}

impl Answerer {
    /// An answerer without jobs, that nobody has told to end.
    #[must_use]
    pub fn new(folders: Folders, disk: Arc<dyn Disk>, pool: Pool) -> Self {
        let staging = Staging::new(folders.staging.clone(), Arc::clone(&disk));
        let (cancel, progress, failed_syncs) = (Cancel::default(), Registry::default(), AtomicU64::new(0));
        let gate = Arc::default();
        Self { folders, disk, gate, staging, pool, cancel, progress, failed_syncs }
    }

    /// Answers a claim under `config`.
    #[cfg(test)]
    pub fn answer(&self, claim: Claim, config: &Config) -> Prepared {
        let route = config.route(&claim.origin).cloned();
        self.answer_for(claim, route.as_deref(), config)
    }

    /// Answers a claim under `config`, by which `route` takes its file.
    pub fn answer_for(&self, claim: Claim, route: Option<&Route>, config: &Config) -> Prepared {
        let rejection = Rejection::SetAside { tries: claim.tries };
        let mut prepared = Prepared::new(claim, Made::Rejected(rejection)).routed(route);
        prepared.failed_syncs = self.failed_syncs.load(Ordering::Acquire);
        let _entered = prepared.span.clone().entered();
        if prepared.claim.tries < TRIES_MAX {
            prepared.made = self.attempt(&mut prepared.claim, &prepared.file, route, config);
            if matches!(prepared.made, Made::Results { .. }) {
                let staged = |output: &Output| (*output, self.staging.path(&prepared.claim.id, *output));
                prepared.staged = outputs(config).iter().map(staged).collect();
            } else {
                self.staging.remove(&prepared.claim.id);
            }
        }
        prepared
    }

    fn attempt(&self, claim: &mut Claim, file: &str, route: Option<&Route>, config: &Config) -> Made {
        if let Err(error) = claim.begin_try(&*self.disk) {
            return Made::Failed(format!("cannot write to the working folder: {error}"));
        }
        let limit = route.and_then(|route| route.options.get(crate::solver::JOB_TIME_LIMIT));
        let job = self.progress.begin(&claim.id, file, route.map(|route| route.name.as_str()), limit);
        let made = guarded(|| self.make(claim, file, route, config, job.counts()));
        let made = made.unwrap_or_else(|trouble| self.made_of(trouble, config));
        // Crashes after this point do not count against the file.
        claim.end_try(&*self.disk);
        made
    }

    /// What a job comes to that has no result.
    fn made_of(&self, trouble: Trouble, config: &Config) -> Made {
        match trouble {
            Trouble::Job(JobError::Rejected(rejection)) => Made::Rejected(rejection),
            Trouble::Job(JobError::Cancelled) => Made::PutBack("the service ends"),
            // The reader or the writer was interrupted, wherever it just was.
            Trouble::Job(JobError::Read(_) | JobError::Write(_)) | Trouble::Make(_)
                if self.cancel.is_cancelled() =>
            {
                Made::PutBack("the service ends")
            }
            Trouble::Job(JobError::Read(error)) | Trouble::Unreadable(error) if is_shortage(&error) => {
                Made::Failed(format!("cannot read the file for now: {error}"))
            }
            Trouble::Job(JobError::Read(error)) | Trouble::Unreadable(error) => {
                Made::Rejected(Rejection::Unreadable { message: error.to_string() })
            }
            Trouble::Job(JobError::Write(error)) | Trouble::Make(error)
                if error.kind() == io::ErrorKind::FileTooLarge =>
            {
                Made::Rejected(Rejection::ResultTooLarge { bytes_max: config.results.size_limit_bytes })
            }
            Trouble::Job(error) => Made::Failed(error.to_string()),
            Trouble::Make(error) => Made::Failed(format!("cannot make the result: {error}")),
        }
    }

    /// Judges the claimed file, and has it answered if it did not change meanwhile.
    fn make(
        &self,
        claim: &Claim,
        file: &str,
        route: Option<&Route>,
        config: &Config,
        counts: &Arc<Counts>,
    ) -> Result<Made, Trouble> {
        // Between the look and the claim's rename the name may have got another file, or a link, which nobody has judged.
        let is_another = |found: &Stat| claim.inode.is_some_and(|inode| inode != found.inode);
        let another = Made::PutBack("another file took its name before it was taken");
        let mut input = match self.disk.open(&claim.input()) {
            Ok(input) => input,
            Err(_) if self.disk.stat(&claim.input()).is_ok_and(|found| is_another(&found)) => {
                return Ok(another);
            }
            Err(error) => return Err(Trouble::Unreadable(error)),
        };
        let before = input.stat().map_err(Trouble::Unreadable)?;
        if is_another(&before) {
            return Ok(another);
        }
        let (bytes, bytes_max) = (before.bytes, config.intake.size_limit_bytes);
        counts.set_bytes(bytes);
        if bytes > bytes_max {
            return Err(Rejection::TooLarge { bytes, bytes_max }.into());
        }
        let made = self.solve(&mut *input, claim, file, route, config, counts)?;
        let after = input.stat().map_err(Trouble::Unreadable)?;
        let state = |stat: &Stat| (stat.bytes, stat.modified);
        if state(&before) != state(&after) {
            return Ok(Made::PutBack("the file changed while it was read"));
        }
        Ok(made)
    }

    /// Reads the file to its end and writes its outputs.
    fn solve(
        &self,
        input: &mut dyn OpenFile,
        claim: &Claim,
        file: &str,
        route: Option<&Route>,
        config: &Config,
        counts: &Arc<Counts>,
    ) -> Result<Made, Trouble> {
        let digest = InputDigest::new(outputs(config).contains(&Output::ResultJson));
        let source = Source {
            file: input,
            left: config.intake.size_limit_bytes,
            cancel: self.cancel.clone(),
            digest: digest.clone(),
            counts: Arc::clone(counts),
        };
        let mut scanner = Scanner::new(source, file).map_err(JobError::Read)?;
        job::refuse_by_head(&scanner)?;
        let Some(route) = route else {
            let (tried, readable_by) = (config.tried().collect(), readable_by(&claim.input(), &*self.disk));
            return Err(Rejection::NoRoute { tried, readable_by }.into());
        };
        let job = resolve(&mut scanner, route)?;
        let solver = job.solver.id();
        let info = JobInfo { file, solver, options: &job.options };
        let mut sink = self.sink(&claim.id, &info, config, counts).map_err(Trouble::Make)?;
        let summary =
            job::answer(&mut scanner, job.solver, &job.options, &self.pool, &self.cancel, &mut sink)
                .map_err(|error| match error {
                    JobError::Panicked { number, message } => {
                        Rejection::SolverPanicked { solver, number, message }.into()
                    }
                    error => error,
                })?;
        scanner.drain().map_err(JobError::Read)?;
        drop(scanner);
        sink.finish(&summary, &digest.hex()).map_err(Trouble::Make)?;
        Ok(Made::Results { solver, summary: Box::new(summary) })
    }

    /// Where the outcomes of a job go.
    fn sink(
        &self,
        id: &str,
        info: &JobInfo<'_>,
        config: &Config,
        counts: &Arc<Counts>,
    ) -> io::Result<Outputs> {
        let staged = |output| self.staging.result(id, output, config, &self.cancel).map(BufWriter::new);
        let with_json = outputs(config).contains(&Output::ResultJson);
        let json = with_json.then(|| JsonSink::new(staged(Output::ResultJson)?, info)).transpose()?;
        Ok(Outputs { text: TextSink(staged(Output::Result)?), json, counts: Arc::clone(counts) })
    }
}

/// The outputs of a file that is answered.
fn outputs(config: &Config) -> &'static [Output] {
    match config.results.formats {
        Formats::Text => &[Output::Result],
        Formats::TextAndJson => &[Output::Result, Output::ResultJson],
    }
}

/// A panic outside the pool would take the worker with it, and with it the claim and its lane: the file gets a
/// report instead.
fn guarded(make: impl FnOnce() -> Result<Made, Trouble>) -> Result<Made, Trouble> {
    catch_unwind(AssertUnwindSafe(make)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let message = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(Rejection::ReaderPanicked { message }.into())
    })
}

/// Whether this process or the system ran out of something, which is not the file's fault.
fn is_shortage(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE | libc::ENOMEM))
}

/// What went wrong inside a job, by whose fault it is.
enum Trouble {
    Job(JobError),
    Unreadable(io::Error),
    Make(io::Error),
}

impl From<JobError> for Trouble {
    fn from(error: JobError) -> Self {
        Self::Job(error)
    }
}

impl From<Rejection> for Trouble {
    fn from(rejection: Rejection) -> Self {
        Self::Job(JobError::Rejected(rejection))
    }
}

fn resolve(scanner: &mut Scanner<'_>, route: &Route) -> Result<ResolvedJob, Trouble> {
    let name = Arc::clone(scanner.name());
    let directives = match read_directives(scanner) {
        Ok(directives) => directives,
        Err(ReadDirectivesError::Io(error)) => return Err(JobError::Read(error).into()),
        Err(ReadDirectivesError::Faulty(error)) => {
            return Err(Rejection::Directive { message: error.to_string() }.into());
        }
    };
    config::resolve(&name, Some(route), &directives, &[], SOLVERS, None)
        .map_err(|error| Rejection::Directive { message: error.to_string() }.into())
}

/// The text and, if asked for, the JSON of one job; its puzzles are counted on the way.
struct Outputs {
    text: TextSink<BufWriter<Staged>>,
    json: Option<JsonSink<BufWriter<Staged>>>,
    counts: Arc<Counts>,
}

impl Outputs {
    fn finish(self, summary: &Summary, digest: &str) -> io::Result<()> {
        self.text.0.into_inner()?;
        match self.json {
            Some(json) => json.finish(summary, digest)?.into_inner().map(drop).map_err(Into::into),
            None => Ok(()),
        }
    }
}

impl Sink for Outputs {
    fn outcome(&mut self, number: u64, place: Place, outcome: &Outcome, wall: Duration) -> io::Result<()> {
        self.counts.set_puzzles(number);
        self.text.outcome(number, place, outcome, wall)?;
        self.json.as_mut().map_or(Ok(()), |json| json.outcome(number, place, outcome, wall))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_while_a_file_is_read_is_a_rejection() {
        let made = guarded(|| panic!("no {}", "way"));
        let Err(Trouble::Job(JobError::Rejected(rejection))) = made else { panic!("no rejection") };
        assert_eq!(rejection.rule(), "internal-error");
        assert!(rejection.report("a").contains("while the file was read: no way"));
    }

    #[test]
    fn a_shortage_is_not_the_files_fault() {
        assert!(is_shortage(&io::Error::from_raw_os_error(libc::EMFILE)));
        assert!(!is_shortage(&io::Error::from_raw_os_error(libc::EIO)));
        assert!(!is_shortage(&io::Error::other("x")));
    }
}
