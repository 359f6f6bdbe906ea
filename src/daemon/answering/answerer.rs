//! One claimed file: read, solved, its result made under a temporary name. Runs on a worker thread.

use std::cell::Cell;
use std::io::{self, BufWriter};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use crate::config::{self, Config, Durability, Formats, ResolvedJob, Route};
use crate::daemon::answering::changing::{self, Changing};
use crate::daemon::answering::input::{InputDigest, Source, readable_by};
use crate::daemon::answering::prepared::{Made, Prepared, Syncing};
use crate::daemon::answering::progress::{Counts, Registry};
use crate::daemon::answering::staging::{Staged, Staging};
use crate::daemon::answering::trouble::{Trouble, is_shortage};
use crate::daemon::claims::claim::Claim;
use crate::daemon::claims::gate::Gate;
use crate::daemon::fs::disk::{Disk, OpenFile, Stat};
use crate::daemon::fs::file_systems::FileSystems;
use crate::daemon::fs::folders::Folders;
use crate::input::{Place, ReadDirectivesError, Scanner, read_directives};
use crate::job::{self, JobError, JobInfo, JsonSink, Pool, Rejection, Sink, Summary, TextSink};
use crate::naming::Output;
use crate::solver::{Cancel, Outcome, SOLVERS};

/// Times a file may have killed the process before it is set aside.
pub const TRIES_MAX: u32 = 2;

/// Times that reading a file may fail for reasons that may pass, within half a minute; then it is rejected.
const READ_TRIES_MAX: u32 = 6;
/// Why a file goes back that somebody changed.
const CHANGED: &str = "the file changed while it was read";

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
    /// Files that changed while they were read.
    changing: Changing,
    /// Times that reading a file may fail for reasons that may pass.
    pub read_tries_max: u32,
    /// Open while a job is in hand that is synced through them.
    file_systems: Mutex<Weak<FileSystems>>,
}

impl Answerer {
    /// An answerer without jobs, that nobody has told to end.
    #[must_use]
    pub fn new(folders: Folders, disk: Arc<dyn Disk>, pool: Pool) -> Self {
        let staging = Staging::new(folders.staging.clone(), Arc::clone(&disk));
        let (cancel, progress, failed_syncs) = (Cancel::default(), Registry::default(), AtomicU64::new(0));
        let gate = Arc::default();
        Self {
            folders,
            disk,
            gate,
            staging,
            pool,
            cancel,
            progress,
            failed_syncs,
            changing: Changing::default(),
            read_tries_max: READ_TRIES_MAX,
            file_systems: Mutex::default(),
        }
    }

    /// How a job that begins now is to be synced: asked for before it writes anything.
    fn syncing(&self, durability: Durability) -> io::Result<Syncing> {
        if durability == Durability::None {
            return Ok(Syncing::Never);
        }
        let mut current = self.file_systems.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = current.upgrade() {
            return Ok(Syncing::Together(opened));
        }
        let Some(opened) = FileSystems::open(&*self.disk, &self.folders)? else {
            return Ok(Syncing::OneByOne);
        };
        let opened = Arc::new(opened);
        *current = Arc::downgrade(&opened);
        Ok(Syncing::Together(opened))
    }

    /// After a failed sync: nothing that any job wrote before can be trusted to be on disk. The next job opens the file
    /// systems anew, which may be others by now.
    pub fn condemn(&self) {
        self.failed_syncs.fetch_add(1, Ordering::AcqRel);
        *self.file_systems.lock().unwrap_or_else(PoisonError::into_inner) = Weak::new();
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
        let _entered = prepared.span.clone().entered();
        prepared.failed_syncs = self.failed_syncs.load(Ordering::Acquire);
        match self.syncing(config.results.durability) {
            Ok(syncing) => prepared.syncing = syncing,
            Err(error) => {
                prepared.made = Made::Failed(format!("cannot open the outbox: {error}"));
                return prepared;
            }
        }
        if prepared.claim.tries < TRIES_MAX {
            prepared.made = self.attempt(&mut prepared, route, config);
            if matches!(prepared.made, Made::Results { .. }) {
                let staged = |output: &Output| (*output, self.staging.path(&prepared.claim.id, *output));
                prepared.staged = outputs(config).iter().map(staged).collect();
            } else {
                self.staging.remove(&prepared.claim.id);
            }
        }
        prepared
    }

    fn attempt(&self, prepared: &mut Prepared, route: Option<&Route>, config: &Config) -> Made {
        let Prepared { claim, file, syncing, is_labelled, .. } = prepared;
        if let Err(error) = claim.begin_try(&*self.disk) {
            return Made::Failed(format!("cannot write to the working folder: {error}"));
        }
        let limit = route.and_then(|route| route.options().get(crate::solver::JOB_TIME_LIMIT));
        let progress = self.progress.begin(&claim.id, file, route.map(Route::name), limit);
        let is_copied = Cell::new(false);
        let job =
            Job { claim, file, route, config, syncing, counts: progress.counts(), is_copied: &is_copied };
        let made = guarded(|| self.make(&job, is_labelled));
        if is_copied.get() {
            claim.inode = None;
        }
        let made = made.unwrap_or_else(|trouble| {
            if trouble.may_pass() {
                claim.failed_reads += 1;
            }
            self.made_of(trouble, config, claim.failed_reads)
        });
        // Crashes after this point do not count against the file.
        claim.end_try(&*self.disk);
        made
    }

    /// What a job comes to that has no result.
    fn made_of(&self, trouble: Trouble, config: &Config, failed_reads: u32) -> Made {
        let may_pass = trouble.may_pass() && failed_reads < self.read_tries_max;
        match trouble {
            Trouble::Job(JobError::Rejected(rejection)) => Made::Rejected(rejection),
            Trouble::Job(JobError::Cancelled) => Made::PutBack("the service ends"),
            // The reader or the writer was interrupted, wherever it just was.
            Trouble::Job(JobError::Read(_) | JobError::Write(_)) | Trouble::Make(_)
                if self.cancel.is_cancelled() =>
            {
                Made::PutBack("the service ends")
            }
            Trouble::Job(JobError::Read(error)) | Trouble::Unreadable(error)
                if is_shortage(&error) || may_pass =>
            {
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

    /// Judges the claimed file, and has it answered. A file that changed meanwhile goes back, or is copied.
    fn make(&self, job: &Job<'_>, is_labelled: &mut bool) -> Result<Made, Trouble> {
        let claim = job.claim;
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
        if let Some(made) = self.make_of(&mut *input, job, is_labelled)? {
            self.changing.forget(&before);
            return Ok(made);
        }
        if self.changing.may_go_back(&before) {
            return Ok(Made::PutBack(CHANGED));
        }
        self.changing.forget(&before);
        let bytes_max = job.config.intake.size_limit_bytes;
        job.is_copied.set(true);
        if changing::replace_by_copy(claim, bytes_max, &self.cancel, &*self.disk).map_err(Trouble::Make)? {
            let mut copy = self.disk.open(&claim.input()).map_err(Trouble::Unreadable)?;
            if let Some(made) = self.make_of(&mut *copy, job, is_labelled)? {
                return Ok(made);
            }
        }
        Err(Rejection::Changing.into())
    }

    /// Answers an open file; `None` when it changed while it was read.
    fn make_of(
        &self,
        input: &mut dyn OpenFile,
        job: &Job<'_>,
        is_labelled: &mut bool,
    ) -> Result<Option<Made>, Trouble> {
        let before = input.stat().map_err(Trouble::Unreadable)?;
        let (bytes, bytes_max) = (before.bytes, job.config.intake.size_limit_bytes);
        job.counts.set_bytes(bytes);
        if bytes > bytes_max {
            return Err(Rejection::TooLarge { bytes, bytes_max }.into());
        }
        let made = self.solve(input, job, is_labelled)?;
        if !changing::is_unchanged(&before, &input.stat().map_err(Trouble::Unreadable)?) {
            return Ok(None);
        }
        if matches!(job.syncing, Syncing::OneByOne) {
            input.sync().map_err(Trouble::Make)?;
        }
        Ok(Some(made))
    }

    /// Reads the file to its end and writes its outputs.
    fn solve(
        &self,
        input: &mut dyn OpenFile,
        job: &Job<'_>,
        is_labelled: &mut bool,
    ) -> Result<Made, Trouble> {
        let Job { claim, file, route, config, counts, .. } = *job;
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
        let resolved = resolve(&mut scanner, route)?;
        let solver = resolved.solver.id();
        let info = JobInfo { file, solver, options: &resolved.options };
        let mut sink = self.sink(job, &info).map_err(Trouble::Make)?;
        let summary = job::answer(
            &mut scanner,
            resolved.solver,
            &resolved.options,
            &self.pool,
            &self.cancel,
            &mut sink,
        )
        .map_err(|error| match error {
            JobError::Panicked { number, message } => {
                Rejection::SolverPanicked { solver, number, message }.into()
            }
            error => error,
        })?;
        scanner.drain().map_err(JobError::Read)?;
        drop(scanner);
        *is_labelled = sink.finish(&summary, &digest.hex(), job.syncing).map_err(Trouble::Make)?;
        Ok(Made::Results { solver, summary: Box::new(summary) })
    }

    /// Where the outcomes of a job go.
    fn sink(&self, job: &Job<'_>, info: &JobInfo<'_>) -> io::Result<Outputs> {
        let staged =
            |output| self.staging.result(job.claim, output, job.config, &self.cancel).map(BufWriter::new);
        let with_json = outputs(job.config).contains(&Output::ResultJson);
        let json = with_json.then(|| JsonSink::new(staged(Output::ResultJson)?, info)).transpose()?;
        Ok(Outputs { text: TextSink(staged(Output::Result)?), json, counts: Arc::clone(job.counts) })
    }
}

/// What is known of a job while it is answered.
struct Job<'a> {
    claim: &'a Claim,
    file: &'a str,
    route: Option<&'a Route>,
    config: &'a Config,
    syncing: &'a Syncing,
    counts: &'a Arc<Counts>,
    /// A copy has taken the place of the claimed file, perhaps.
    is_copied: &'a Cell<bool>,
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
    /// Ends the writing. True when the outputs name their input.
    fn finish(self, summary: &Summary, digest: &str, syncing: &Syncing) -> io::Result<bool> {
        let is_labelled = self.text.0.into_inner()?.finish(syncing)?;
        match self.json {
            Some(json) => Ok(json.finish(summary, digest)?.into_inner()?.finish(syncing)? && is_labelled),
            None => Ok(is_labelled),
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
}
