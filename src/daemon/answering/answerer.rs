//! One claimed file: read, solved, its result made under a temporary name. Runs on a worker thread.

use std::io::{self, BufWriter};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::config::{self, Config, Formats, ResolvedJob, Route};
use crate::daemon::answering::input::{Source, readable_by};
use crate::daemon::answering::prepared::{Made, Prepared, SERVICE_ENDS};
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
        let mut prepared = *Prepared::unanswered(claim);
        self.answer_for(&mut prepared, route.as_deref(), config);
        prepared
    }

    /// Answers a claim under `config`, by which `route` takes its file.
    pub fn answer_for(&self, prepared: &mut Prepared, route: Option<&Route>, config: &Config) {
        prepared.begin(route, self.failed_syncs.load(Ordering::Acquire));
        let _entered = prepared.span.clone().entered();
        let tries = prepared.claim.tries;
        if tries >= TRIES_MAX {
            prepared.made = Made::Rejected(Rejection::SetAside { tries });
            return;
        }
        prepared.made = self.attempt(prepared, route, config);
        if matches!(prepared.made, Made::Results { .. }) {
            let staged = |output: &Output| (*output, self.staging.path(&prepared.claim.id, *output));
            prepared.staged = outputs(config).iter().map(staged).collect();
        } else {
            self.staging.remove(&prepared.claim.id);
        }
    }

    fn attempt(&self, prepared: &mut Prepared, route: Option<&Route>, config: &Config) -> Made {
        if let Err(error) = prepared.claim.begin_try(&*self.disk) {
            return Made::Failed(format!("cannot write to the working folder: {error}"));
        }
        let Prepared { claim, file, .. } = prepared;
        let limit = route.and_then(|route| route.options().get(crate::solver::JOB_TIME_LIMIT));
        let counts = self.progress.begin(&claim.id, file, route.map(Route::name), limit);
        let attempt = Attempt { answerer: self, claim, file, route, config, counts };
        let made = guarded(|| attempt.make()).unwrap_or_else(|error| attempt.made_of(error));
        // Crashes after this point do not count against the file.
        prepared.claim.end_try(&*self.disk);
        made
    }
}

/// An answer that is being tried.
struct Attempt<'a> {
    answerer: &'a Answerer,
    claim: &'a Claim,
    file: &'a str,
    route: Option<&'a Route>,
    config: &'a Config,
    counts: Arc<Counts>,
}

impl Attempt<'_> {
    /// Judges the claimed file, and has it answered if it did not change meanwhile.
    fn make(&self) -> Result<Made, JobError> {
        let (disk, claim) = (&self.answerer.disk, self.claim);
        // Between the look and the claim's rename the name may have got another file, or a link, which nobody has judged.
        let is_another = |found: &Stat| claim.inode.is_some_and(|inode| inode != found.inode);
        let another = Made::PutBack("another file took its name before it was taken");
        let mut input = match disk.open(&claim.input()) {
            Ok(input) => input,
            Err(_) if disk.stat(&claim.input()).is_ok_and(|found| is_another(&found)) => return Ok(another),
            Err(error) => return Err(JobError::Read(error)),
        };
        let before = input.stat().map_err(JobError::Read)?;
        if is_another(&before) {
            return Ok(another);
        }
        let (bytes, bytes_max) = (before.bytes, self.config.intake.size_limit_bytes);
        self.counts.bytes.store(bytes, Ordering::Relaxed);
        if bytes > bytes_max {
            return Err(Rejection::TooLarge { bytes, bytes_max }.into());
        }
        let made = self.solve(&mut *input)?;
        let after = input.stat().map_err(JobError::Read)?;
        let state = |stat: &Stat| (stat.bytes, stat.modified);
        if state(&before) != state(&after) {
            return Ok(Made::PutBack("the file changed while it was read"));
        }
        Ok(made)
    }

    /// Reads the file to its end and writes its outputs.
    fn solve(&self, input: &mut dyn OpenFile) -> Result<Made, JobError> {
        let Answerer { disk, pool, cancel, .. } = self.answerer;
        let mut source = Source {
            file: input,
            left: self.config.intake.size_limit_bytes,
            cancel,
            digest: self.has_json().then(Sha256::new),
            counts: &self.counts,
        };
        let mut scanner = Scanner::new(&mut source, self.file).map_err(JobError::Read)?;
        job::refuse_by_head(&scanner)?;
        let Some(route) = self.route else {
            let (tried, readable_by) =
                (self.config.tried().collect(), readable_by(&self.claim.input(), &**disk));
            return Err(Rejection::NoRoute { tried, readable_by }.into());
        };
        let job = resolve(&mut scanner, route)?;
        let solver = job.solver.id();
        let mut sink = self
            .sink(&JobInfo { file: self.file, solver, options: &job.options })
            .map_err(JobError::Write)?;
        let summary = job::answer(&mut scanner, job.solver, &job.options, pool, cancel, &mut sink).map_err(
            |error| match error {
                JobError::Panicked { number, message } => {
                    Rejection::SolverPanicked { solver, number, message }.into()
                }
                error => error,
            },
        )?;
        scanner.drain().map_err(JobError::Read)?;
        drop(scanner);
        sink.finish(&summary, source.digest).map_err(JobError::Write)?;
        Ok(Made::Results { solver, summary: Box::new(summary) })
    }

    /// Where the outcomes of a job go.
    fn sink(&self, info: &JobInfo<'_>) -> io::Result<Outputs> {
        let Answerer { staging, cancel, .. } = self.answerer;
        let staged = |output| staging.result(&self.claim.id, output, self.config, cancel).map(BufWriter::new);
        let json = self.has_json().then(|| JsonSink::new(staged(Output::ResultJson)?, info)).transpose()?;
        Ok(Outputs { text: TextSink(staged(Output::Result)?), json, counts: Arc::clone(&self.counts) })
    }

    fn has_json(&self) -> bool {
        outputs(self.config).contains(&Output::ResultJson)
    }

    /// What a job comes to that has no result.
    fn made_of(&self, error: JobError) -> Made {
        match error {
            JobError::Rejected(rejection) => Made::Rejected(rejection),
            JobError::Cancelled => Made::PutBack(SERVICE_ENDS),
            // The reader or the writer was interrupted, wherever it just was.
            JobError::Read(_) | JobError::Write(_) if self.answerer.cancel.is_cancelled() => {
                Made::PutBack(SERVICE_ENDS)
            }
            JobError::Read(error) if is_shortage(&error) => {
                Made::Failed(format!("cannot read the file for now: {error}"))
            }
            JobError::Read(error) => Made::Rejected(Rejection::Unreadable { message: error.to_string() }),
            JobError::Write(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                Made::Rejected(Rejection::ResultTooLarge { bytes_max: self.config.results.size_limit_bytes })
            }
            error => Made::Failed(error.to_string()),
        }
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
fn guarded(make: impl FnOnce() -> Result<Made, JobError>) -> Result<Made, JobError> {
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

fn resolve(scanner: &mut Scanner<'_>, route: &Route) -> Result<ResolvedJob, JobError> {
    let name = Arc::clone(scanner.name());
    let faulty = |message: String| JobError::from(Rejection::Directive { message });
    let directives = read_directives(scanner).map_err(|error| match error {
        ReadDirectivesError::Io(error) => JobError::Read(error),
        ReadDirectivesError::Faulty(error) => faulty(error.to_string()),
    })?;
    config::resolve(&name, Some(route), &directives, &[], SOLVERS, None)
        .map_err(|error| faulty(error.to_string()))
}

/// The text and, if asked for, the JSON of one job; its puzzles are counted on the way.
struct Outputs {
    text: TextSink<BufWriter<Staged>>,
    json: Option<JsonSink<BufWriter<Staged>>>,
    counts: Arc<Counts>,
}

impl Outputs {
    /// With the digest of the input, where there is JSON.
    fn finish(self, summary: &Summary, digest: Option<Sha256>) -> io::Result<()> {
        self.text.0.into_inner()?;
        if let (Some(json), Some(digest)) = (self.json, digest) {
            let hex: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
            json.finish(summary, &hex)?.into_inner()?;
        }
        Ok(())
    }
}

impl Sink for Outputs {
    fn outcome(&mut self, number: u64, place: Place, outcome: &Outcome, wall: Duration) -> io::Result<()> {
        self.counts.puzzles.store(number, Ordering::Relaxed);
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
        let Err(JobError::Rejected(rejection)) = made else { panic!("no rejection") };
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
