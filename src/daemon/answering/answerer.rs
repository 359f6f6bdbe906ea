//! One claimed file: read, solved, its result made under a temporary name. Runs on a worker thread.

use std::cell::Cell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use tracing::warn;

use crate::config::{Config, Durability, IfExists, Readers, Route};
use crate::daemon::answering::changing::{self, Changing};
use crate::daemon::answering::content::{self, Attempt, Attempts, References};
use crate::daemon::answering::io_errors::{is_shortage, may_pass};
use crate::daemon::answering::job_progress::Registry;
use crate::daemon::answering::pending_publication::{Made, PendingPublication, SERVICE_ENDS, Syncing};
use crate::daemon::answering::staging::Staging;
use crate::daemon::claims::gate::Gate;
use crate::daemon::fs::disk::{Disk, OpenFile, Stat};
use crate::daemon::fs::file_systems::FileSystems;
use crate::daemon::fs::service_folders::Folders;
use tabuleiro_jobs::naming::Output;
use tabuleiro_jobs::{JobError, Pool, Rejection};
use tabuleiro_puzzles::solver::Cancel;

/// Times a file may have killed the process before it is set aside.
pub const TRIES_MAX: u32 = 2;

/// Times that reading a file may fail for reasons that may pass, within half a minute; then it is rejected. Likewise that
/// removing an older report may fail; then it stays.
const IO_TRIES_MAX: u32 = 6;
const CHANGED: &str = "the file changed while it was read";

/// What all workers share: answers claims.
pub struct Answerer {
    pub folders: Folders,
    pub disk: Arc<dyn Disk>,
    pub gate: Arc<Gate>,
    /// Outputs under temporary names.
    pub staging: Staging,
    pub pool: Pool,
    /// Set when the service must end now.
    pub cancel: Cancel,
    /// What submissions are graded by.
    pub references: References,
    /// Counts how many times students handed in.
    pub attempts: Attempts,
    /// The jobs that are being answered.
    pub progress: Registry,
    /// Syncs of the outbox's file system that failed: what was written before one may be lost.
    pub failed_syncs: AtomicU64,
    /// Files that changed while they were read.
    changing: Changing,
    /// Times that reading a file, or removing an older report, may fail.
    pub io_tries_max: u32,
    /// Open while a job is in hand that is synced through them.
    file_systems: Mutex<Weak<FileSystems>>,
}

impl Answerer {
    /// Makes an answerer without jobs.
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
            references: References::default(),
            attempts: Attempts::default(),
            progress,
            failed_syncs,
            changing: Changing::default(),
            io_tries_max: IO_TRIES_MAX,
            file_systems: Mutex::default(),
        }
    }

    /// Returns how a job that begins now is to be synced. Called before the job writes anything.
    fn syncing(&self, durability: Durability) -> io::Result<Syncing> {
        if durability == Durability::None {
            return Ok(Syncing::Never);
        }
        let mut current = self.file_systems.lock();
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

    /// Called after a failed sync: nothing that any job wrote before can be trusted to be on disk. The next job opens the file
    /// systems again, which may be others by now.
    pub fn invalidate_unsynced(&self) {
        self.failed_syncs.fetch_add(1, Ordering::AcqRel);
        *self.file_systems.lock() = Weak::new();
    }

    /// Answers a claim under `config`.
    #[cfg(test)]
    pub fn answer(
        &self,
        claim: crate::daemon::claims::file_claim::Claim,
        config: &Config,
    ) -> PendingPublication {
        let route = config.route(&claim.origin).cloned();
        let mut pending = *PendingPublication::unanswered(claim);
        self.answer_for(&mut pending, route.as_deref(), config);
        pending
    }

    /// Answers a claim under `config`, by which `route` takes its file.
    pub fn answer_for(&self, pending: &mut PendingPublication, route: Option<&Route>, config: &Config) {
        pending.begin(route, config, self.failed_syncs.load(Ordering::Acquire));
        let _entered = pending.span.clone().entered();
        match self.syncing(config.results.durability) {
            Ok(syncing) => pending.syncing = syncing,
            Err(error) => {
                pending.made = Made::Failed(format!("cannot open the outbox: {error}"));
                return;
            }
        }
        let tries = pending.claim.tries;
        if tries >= TRIES_MAX {
            pending.made = Made::Rejected(Rejection::SetAside { tries });
            return;
        }
        pending.made = self.attempt(pending, route, config);
        if let Made::Grade(graded) = &pending.made
            && graded.keeps_other
        {
            pending.if_exists = IfExists::Version;
        }
        let outputs = config.outputs(&pending.claim.origin, route, pending.has_page);
        if pending.made.has_result() {
            let staged = |output: &Output| (*output, self.staging.path(&pending.claim.id, *output));
            pending.staged = outputs.iter().map(staged).collect();
        } else {
            self.staging.remove(&pending.claim.id, outputs);
        }
    }

    fn attempt(&self, pending: &mut PendingPublication, route: Option<&Route>, config: &Config) -> Made {
        let PendingPublication { claim, file, syncing, is_labelled, language, has_page, .. } = pending;
        if let Err(error) = claim.begin_try(&*self.disk) {
            return Made::Failed(format!("cannot write to the working folder: {error}"));
        }
        let limit = route.and_then(|route| route.options.get(tabuleiro_puzzles::solver::JOB_TIME_LIMIT));
        let attempt = Attempt {
            answerer: self,
            claim,
            file,
            route,
            config,
            syncing,
            counts: self.progress.begin(&claim.id, file, route.map(|route| route.name.as_str()), limit),
            is_labelled: Cell::new(false),
            language: Cell::new(*language),
            has_page: Cell::new(*has_page),
        };
        let tried = Try { attempt, is_copied: Cell::new(false) };
        let made = guarded(|| tried.make());
        *is_labelled = tried.attempt.is_labelled.get();
        *language = tried.attempt.language.get();
        *has_page = tried.attempt.has_page.get();
        if tried.is_copied.get() {
            claim.inode = None;
        }
        let made = made.unwrap_or_else(|error| {
            if may_pass(&error) {
                claim.failed_reads += 1;
            }
            self.made_of(error, config, claim.failed_reads)
        });
        // Crashes after this point do not count against the file.
        claim.end_try(&*self.disk);
        made
    }

    /// Decides what becomes of a job without a result.
    fn made_of(&self, error: JobError, config: &Config, failed_reads: u32) -> Made {
        let is_tried_again = may_pass(&error) && failed_reads < self.io_tries_max;
        match error {
            JobError::Rejected(rejection) => Made::Rejected(rejection),
            JobError::Cancelled => Made::PutBack(SERVICE_ENDS),
            JobError::Unsettled { pause, .. } => Made::Waits(pause),
            // The reader or the writer was interrupted, wherever it just was.
            JobError::Read(_) | JobError::Write(_) if self.cancel.is_cancelled() => {
                Made::PutBack(SERVICE_ENDS)
            }
            JobError::Read(error) if is_shortage(&error) || is_tried_again => {
                Made::Failed(format!("cannot read the file for now: {error}"))
            }
            JobError::Read(error) => Made::Rejected(Rejection::Unreadable { message: error.to_string() }),
            JobError::Write(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                Made::Rejected(Rejection::ResultTooLarge { bytes_max: config.results.size_limit_bytes })
            }
            error => Made::Failed(error.to_string()),
        }
    }
}

/// An answer that is being tried.
struct Try<'a> {
    attempt: Attempt<'a>,
    /// A copy has taken the place of the claimed file, perhaps.
    is_copied: Cell<bool>,
}

impl Try<'_> {
    /// Judges the claimed file, and has it answered. A file that changed meanwhile goes back, or is copied.
    fn make(&self) -> Result<Made, JobError> {
        let Answerer { disk, changing, cancel, .. } = self.attempt.answerer;
        let claim = self.attempt.claim;
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
        if let Some(made) = self.make_of(&mut *input)? {
            changing.forget(&before);
            return Ok(made);
        }
        if changing.may_go_back(&before) {
            return Ok(Made::PutBack(CHANGED));
        }
        changing.forget(&before);
        self.is_copied.set(true);
        let bytes_max = self.attempt.config.intake.size_limit_bytes;
        let copied = changing::replace_by_copy(claim, bytes_max, cancel, &**disk);
        // The error is about the copy, not about a result, so its kind (too large, for example) must not reach the caller.
        let not_copied = |error| io::Error::other(format!("the file changes, and cannot be copied: {error}"));
        if copied.map_err(|error| JobError::Write(not_copied(error)))? {
            let mut copy = disk.open(&claim.input()).map_err(JobError::Read)?;
            let is_lost = copy.stat().is_ok_and(|copy| copy.owner != before.owner);
            if is_lost && self.attempt.config.results.readers == Readers::Owner {
                warn!(
                    "the file kept changing, and its copy could not be given to its owner, who may not read the result"
                );
            }
            if let Some(made) = self.make_of(&mut *copy)? {
                return Ok(made);
            }
        }
        Err(Rejection::Changing.into())
    }

    /// Answers an open file; `None` if it changed while it was read.
    fn make_of(&self, input: &mut dyn OpenFile) -> Result<Option<Made>, JobError> {
        let Attempt { counts, config, syncing, .. } = &self.attempt;
        let before = input.stat().map_err(JobError::Read)?;
        let (bytes, bytes_max) = (before.bytes, config.intake.size_limit_bytes);
        counts.bytes.store(bytes, Ordering::Relaxed);
        if bytes > bytes_max {
            return Err(Rejection::TooLarge { bytes, bytes_max }.into());
        }
        let made = content::make(&self.attempt, input)?;
        if !changing::is_unchanged(&before, &input.stat().map_err(JobError::Read)?) {
            return Ok(None);
        }
        if matches!(syncing, Syncing::OneByOne) {
            input.sync().map_err(JobError::Write)?;
        }
        Ok(Some(made))
    }
}

/// A panic outside the pool would take the worker with it, and with it the claim and its result queue: the file
/// gets a report instead.
fn guarded(make: impl FnOnce() -> Result<Made, JobError>) -> Result<Made, JobError> {
    catch_unwind(AssertUnwindSafe(make)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let message = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(Rejection::ReaderPanicked { message }.into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabuleiro_puzzles::words::Language;

    #[test]
    fn a_panic_while_a_file_is_read_is_a_rejection() {
        let made = guarded(|| panic!("no {}", "way"));
        let Err(JobError::Rejected(rejection)) = made else { panic!("no rejection") };
        assert_eq!(rejection.rule(), "internal-error");
        assert!(rejection.report("a", Language::English).contains("while the file was read: no way"));
        let told = rejection.report("a", Language::Portuguese);
        assert!(
            told.contains("enquanto o arquivo era lido, um defeito do programa e não do arquivo; "),
            "{told}"
        );
        assert!(told.contains("(a mensagem do programa: no way)"), "{told}");
    }
}
