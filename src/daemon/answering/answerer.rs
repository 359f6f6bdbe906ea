//! Answers one claimed file on a worker thread, and writes its outputs under temporary names.

use std::cell::Cell;
use std::collections::HashMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use tracing::warn;

use crate::config::{Config, Durability, IfExists, Readers, Route};
use crate::daemon::answering::content::{self, Attempts, References};
use crate::daemon::answering::job_progress::{JobCounters, RunningJobs};
use crate::daemon::answering::pending_publication::{Made, PendingPublication, SERVICE_ENDS, Syncing};
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::claims::find::Gate;
use crate::daemon::fs::disk::{Disk, FileSystems, OpenFile, Stat};
use crate::daemon::fs::service_folders::Folders;
use tabuleiro_jobs::{JobError, Pool, Reason, Rejection, panic_text};
use tabuleiro_puzzles::solver::Cancel;

/// A file is set aside after this many crashes during its answer.
pub const TRIES_MAX: u32 = 2;

/// A file is rejected after this many failed reads with an error that can pass, which take about half a minute in all.
/// An older report stays after as many failed removals.
const IO_TRIES_MAX: u32 = 6;
const CHANGED: &str = "the file changed while it was read";

/// Answers claims. All workers share it.
pub struct Answerer {
    pub folders: Folders,
    pub disk: Arc<dyn Disk>,
    pub gate: Arc<Gate>,
    pub pool: Pool,
    /// Set when the service must end now.
    pub cancel: Cancel,
    /// The references by which submissions are graded.
    pub references: References,
    /// Numbers the attempts of each student.
    pub attempts: Attempts,
    /// The jobs that are being answered.
    pub progress: RunningJobs,
    /// Number of failed syncs of the outbox's file system. Data written before one may be lost.
    pub failed_syncs: AtomicU64,
    /// Files that changed while they were read.
    changing: Changing,
    /// Failed reads of a file, or failed removals of an older report, before the service gives up.
    pub io_tries_max: u32,
    /// Open while a job that is synced through them is in progress.
    file_systems: Mutex<Weak<FileSystems>>,
}

impl Answerer {
    /// Creates an answerer without jobs.
    pub fn new(folders: Folders, disk: Arc<dyn Disk>, pool: Pool) -> Self {
        Self {
            folders,
            disk,
            gate: Arc::default(),
            pool,
            cancel: Cancel::default(),
            references: References::default(),
            attempts: Attempts::default(),
            progress: RunningJobs::default(),
            failed_syncs: AtomicU64::new(0),
            changing: Changing::default(),
            io_tries_max: IO_TRIES_MAX,
            file_systems: Mutex::default(),
        }
    }

    /// Returns how a new job is to be synced. Must be called before the job writes anything.
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

    /// Invalidates everything written so far, after a failed sync: nothing that any job wrote before it can be trusted
    /// to be on disk. The next job opens the file systems again, since they may be different ones by now.
    pub fn invalidate_unsynced(&self) {
        self.failed_syncs.fetch_add(1, Ordering::AcqRel);
        *self.file_systems.lock() = Weak::new();
    }

    /// Answers the claim of `pending` with its configuration, and stores the outcome in it.
    pub fn answer(&self, pending: &mut PendingPublication) {
        let config = Arc::clone(&pending.config);
        let route = config.route(&pending.claim.origin).map(|route| &**route);
        pending.begin(route, self.failed_syncs.load(Ordering::Acquire));
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
            pending.made = Made::Rejected(Rejection::Because(Reason::SetAside { tries }));
            return;
        }
        pending.made = self.attempt(pending, route);
        if let Made::Grade(graded) = &pending.made
            && graded.keeps_other
        {
            pending.if_exists = IfExists::Version;
        }
        let outputs = config.outputs(&pending.claim.origin, route, pending.has_page.get());
        if pending.made.has_result() {
            pending.staged = outputs;
        } else {
            self.remove_staged(&pending.claim.id, &outputs);
        }
    }

    fn attempt(&self, pending: &mut PendingPublication, route: Option<&Route>) -> Made {
        if let Err(error) = pending.claim.begin_try(&*self.disk) {
            return Made::Failed(format!("cannot write to the working folder: {error}"));
        }
        let limit = route.and_then(|route| route.options.get(tabuleiro_puzzles::solver::JOB_TIME_LIMIT));
        let counts = self.progress.begin(&pending.claim.id, &pending.file, pending.route.as_deref(), limit);
        let attempt = Attempt { answerer: self, job: pending, route, counts, is_copied: Cell::new(false) };
        let made = guarded(|| attempt.make());
        let is_copied = attempt.is_copied.get();
        drop(attempt);
        let PendingPublication { claim, config, .. } = pending;
        if is_copied {
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

    /// Turns the error of a job without a result into its outcome.
    fn made_of(&self, error: JobError, config: &Config, failed_reads: u32) -> Made {
        let is_tried_again = may_pass(&error) && failed_reads < self.io_tries_max;
        match error {
            JobError::Rejected(rejection) => Made::Rejected(rejection),
            JobError::Cancelled => Made::PutBack(SERVICE_ENDS),
            JobError::Unsettled { pause, .. } => Made::Waits(pause),
            // Cancelling makes reads and writes fail, so the error says nothing about the file.
            JobError::Read(_) | JobError::Write(_) if self.cancel.is_cancelled() => {
                Made::PutBack(SERVICE_ENDS)
            }
            JobError::Read(error) if is_shortage(&error) || is_tried_again => {
                Made::Failed(format!("cannot read the file for now: {error}"))
            }
            JobError::Read(error) => {
                Made::Rejected(Rejection::Because(Reason::Unreadable { message: error.to_string() }))
            }
            JobError::Write(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                Made::Rejected(Rejection::Because(Reason::ResultTooLarge {
                    bytes_max: config.results.size_limit_bytes,
                }))
            }
            error => Made::Failed(error.to_string()),
        }
    }
}

/// A claimed file that is being answered.
pub struct Attempt<'a> {
    pub answerer: &'a Answerer,
    pub job: &'a PendingPublication,
    /// The route that takes the file.
    pub route: Option<&'a Route>,
    pub counts: Arc<JobCounters>,
    /// Whether a copy may have replaced the claimed file.
    is_copied: Cell<bool>,
}

impl Attempt<'_> {
    /// Answers the claimed file if it is the one that was judged. If it changes meanwhile, it is put back or copied.
    fn make(&self) -> Result<Made, JobError> {
        let Answerer { disk, changing, cancel, .. } = self.answerer;
        let PendingPublication { claim, config, .. } = self.job;
        // Between the intake's check and its rename, a file or link that nobody judged may have taken the name.
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
        let copied = replace_by_copy(claim, config.intake.size_limit_bytes, cancel, &**disk);
        // The error is about the copy, not about a result, so its kind (too large, for example) must not reach the
        // caller.
        let not_copied = |error| io::Error::other(format!("the file changes, and cannot be copied: {error}"));
        if copied.map_err(|error| JobError::Write(not_copied(error)))? {
            let mut copy = disk.open(&claim.input()).map_err(JobError::Read)?;
            let is_lost = copy.stat().is_ok_and(|copy| copy.owner != before.owner);
            if is_lost && config.results.readers == Readers::Owner {
                warn!(name: "owner-lost", file = self.job.file, "the file kept changing, and its copy could not be given to its owner");
            }
            if let Some(made) = self.make_of(&mut *copy)? {
                return Ok(made);
            }
        }
        Err(Rejection::Because(Reason::Changing).into())
    }

    /// Answers an open file. Returns `None` if the file changed while it was read.
    fn make_of(&self, input: &mut dyn OpenFile) -> Result<Option<Made>, JobError> {
        let PendingPublication { config, syncing, is_labelled, .. } = self.job;
        let before = input.stat().map_err(JobError::Read)?;
        let (bytes, bytes_max) = (before.bytes, config.intake.size_limit_bytes);
        self.counts.bytes.store(bytes, Ordering::Relaxed);
        if bytes > bytes_max {
            return Err(Rejection::Because(Reason::TooLarge { bytes, bytes_max }).into());
        }
        is_labelled.set(true);
        let made = content::make(self, input)?;
        if !is_unchanged(&before, &input.stat().map_err(JobError::Read)?) {
            return Ok(None);
        }
        if matches!(syncing, Syncing::OneByOne) {
            input.sync().map_err(JobError::Write)?;
        }
        Ok(Some(made))
    }
}

/// Returns whether the process or the system ran out of descriptors or memory, which is not the file's fault.
fn is_shortage(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE | libc::ENOMEM))
}

/// Returns whether reading failed because of the disk or the network, so that the error may pass.
fn may_pass(error: &JobError) -> bool {
    let is_transient = |code| matches!(code, libc::EIO | libc::ESTALE | libc::ETIMEDOUT);
    matches!(error, JobError::Read(error) if error.raw_os_error().is_some_and(is_transient))
}

/// Turns a panic outside the pool into a report on the file. Otherwise it would end the worker, and lose the claim and
/// its result queue.
fn guarded(make: impl FnOnce() -> Result<Made, JobError>) -> Result<Made, JobError> {
    catch_unwind(AssertUnwindSafe(make))
        .unwrap_or_else(|panic| Err(Rejection::reader_panicked(panic_text(&*panic).to_owned()).into()))
}

/// How often a file that changes is put back before it is copied.
const CHANGES_MAX: u32 = 2;
/// Maximum number of changing files that are remembered. Beyond it, a further one is copied at once.
const CHANGING_MAX: usize = 1024;
/// How often a file is copied before it is rejected.
const COPIES_MAX: usize = 3;

/// How often each file changed while it was read, by its device and inode number.
///
/// Such a file goes back into the inbox, where it waits until it is complete. Somebody who keeps changing it, perhaps
/// through another link, could hold a claim for ever that way. So after a few times the file is copied, and the copy is
/// answered. A file that changes during each of a few copies is rejected.
#[derive(Debug, Default)]
pub struct Changing(Mutex<HashMap<(u64, u64), u32>>);

impl Changing {
    /// Counts a change of `file`. Returns true if the file may go back once more.
    pub fn may_go_back(&self, file: &Stat) -> bool {
        let mut changes = self.0.lock();
        if changes.len() >= CHANGING_MAX && !changes.contains_key(&key(file)) {
            return false;
        }
        let count = changes.entry(key(file)).or_default();
        *count += 1;
        *count <= CHANGES_MAX
    }

    /// Forgets the changes of `file`.
    pub fn forget(&self, file: &Stat) {
        self.0.lock().remove(&key(file));
    }
}

fn key(file: &Stat) -> (u64, u64) {
    (file.device, file.inode)
}

/// Returns whether the size and the modification time of a file are still the same.
pub fn is_unchanged(before: &Stat, after: &Stat) -> bool {
    (before.bytes, before.modified) == (after.bytes, after.modified)
}

/// Replaces the claimed file by a copy, durably, so that nobody can change it any more. A file of more than `bytes_max`
/// bytes is not copied, since the caller rejects it. Returns false if the file changed during every copy.
///
/// # Errors
/// Fails if the file cannot be read, the copy cannot be written, or `cancel` is set. The claim then keeps its file.
pub fn replace_by_copy(claim: &Claim, bytes_max: u64, cancel: &Cancel, disk: &dyn Disk) -> io::Result<bool> {
    for _ in 0..COPIES_MAX {
        let input = disk.open(&claim.input())?;
        let before = input.stat()?;
        if before.bytes > bytes_max {
            return Ok(true);
        }
        disk.copy(&claim.input(), &claim.copy(), &|| !cancel.is_cancelled())?;
        if is_unchanged(&before, &input.stat()?) {
            // The copy is durable before it replaces the original. Otherwise a power failure could leave neither.
            return disk.rename(&claim.copy(), &claim.input()).map(|()| true);
        }
    }
    // If this fails, the next start removes the copy.
    let _ = disk.remove_file(&claim.copy());
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    use tabuleiro_jobs::MessageStyle;
    use tabuleiro_puzzles::words::Language;

    #[test]
    fn a_panic_while_a_file_is_read_is_a_rejection() {
        let made = guarded(|| panic!("no {}", "way"));
        let Err(JobError::Rejected(rejection)) = made else { panic!("no rejection") };
        assert_eq!(rejection.rule(), "internal-error");
        let report = |language| rejection.report("a", &MessageStyle::of_file(language)).replace("\n  ", " ");
        assert!(report(Language::English).contains("while the file was read: no way"));
        let told = report(Language::Portuguese);
        assert!(
            told.contains("enquanto o arquivo era lido, um defeito do programa e não do arquivo; "),
            "{told}"
        );
        assert!(told.contains("(a mensagem do programa: no way)"), "{told}");
    }

    fn file(inode: u64) -> Stat {
        Stat {
            is_file: true,
            is_folder: false,
            is_link: false,
            device: 1,
            inode,
            bytes: 0,
            modified: (0, 0),
            changed: (0, 0),
            owner: 0,
        }
    }

    #[test]
    fn a_file_goes_back_a_few_times_and_many_files_no_longer() {
        let changing = Changing::default();
        assert_eq!([1, 2, 3, 4].map(|_| changing.may_go_back(&file(1))), [true, true, false, false]);
        changing.forget(&file(1));
        assert!(changing.may_go_back(&file(1)));
        assert!((2..).take(CHANGING_MAX - 1).all(|inode| changing.may_go_back(&file(inode))));
        assert!(!changing.may_go_back(&file(5000)) && changing.may_go_back(&file(2)));
    }
}
