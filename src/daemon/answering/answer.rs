//! One claimed file: routed, read, solved, its result made under a temporary name. Runs on a worker thread.

use std::io::{self, BufWriter, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};
use tracing::{Span, info_span};

use crate::config::{self, Config, IfExists, ResolvedJob, Route};
use crate::daemon::answering::progress::{Counts, Registry};
use crate::daemon::claims::claim::Claim;
use crate::daemon::fs::disk::{Access, Disk, OpenFile, Stat};
use crate::daemon::fs::folders::Folders;
use crate::input::{ReadDirectivesError, Scanner, printable, read_directives};
use crate::job::{self, JobError, JobInfo, JsonSink, Pool, Rejection, Sink, Summary, TextSink};
use crate::naming::Output;
use crate::solver::{Cancel, SOLVERS, Solver};

/// Times a file may have killed the process before it is set aside.
pub const TRIES_MAX: u32 = 2;
/// Puzzles tried per solver to find out who can read a file that no route takes.
const PROBE_PUZZLES: usize = 3;
/// Bytes read for that, by each solver.
const PROBE_BYTES_MAX: u64 = 4 << 20;
const PATH_BYTES_MAX: usize = 1024;

/// What all workers share.
pub struct Answerer {
    /// Where things lie.
    pub folders: Folders,
    /// Through which all of it is done.
    pub disk: Arc<dyn Disk>,
    /// Who solves.
    pub pool: Pool,
    /// Set when the service must end now.
    pub cancel: Cancel,
    /// The jobs that are being answered.
    pub progress: Registry,
}

/// A file with what is to be published for it.
#[derive(Debug)]
pub struct Prepared {
    /// The claim, still standing.
    pub claim: Claim,
    /// The job's span, for its log lines.
    pub span: Span,
    /// The file's printable path below the inbox.
    pub file: String,
    /// How long it waited between being seen and being begun.
    pub waited: Duration,
    /// The route's name.
    pub route: Option<String>,
    /// What to do when the result exists.
    pub if_exists: IfExists,
    /// What came out.
    pub made: Made,
}

/// What came out of a job.
#[derive(Debug)]
pub enum Made {
    /// Results under temporary names.
    Results {
        /// The temporary file of each output.
        files: Vec<(Output, PathBuf)>,
        /// The solver.
        solver: &'static str,
        /// What was done.
        summary: Box<Summary>,
    },
    /// The file gets a report.
    Rejected(Rejection),
    /// The file changed while it was read, or the service ends: back into the inbox.
    PutBack(&'static str),
    /// Something outside the file failed: the job is tried again later.
    Failed(String),
}

impl Answerer {
    /// A answerer without jobs, that nobody has told to end.
    #[must_use]
    pub fn new(folders: Folders, disk: Arc<dyn Disk>, pool: Pool) -> Self {
        Self { folders, disk, pool, cancel: Cancel::default(), progress: Registry::default() }
    }

    /// Answers a claim under `config`.
    #[cfg(test)]
    pub fn answer(&self, claim: Claim, config: &Config) -> Prepared {
        let route = config.route(&claim.origin).cloned();
        self.answer_for(claim, route, config)
    }

    /// Answers a claim under `config`, by which `route` takes its file.
    pub fn answer_for(&self, mut claim: Claim, route: Option<Arc<Route>>, config: &Config) -> Prepared {
        let file = printable(claim.origin.as_os_str().as_encoded_bytes(), PATH_BYTES_MAX);
        let span = info_span!("job", id = %claim.id);
        let _entered = span.clone().entered();
        let waited = claim.seen.elapsed();
        let made = if claim.tries >= TRIES_MAX {
            Made::Rejected(Rejection::SetAside { tries: claim.tries })
        } else {
            self.attempt(&mut claim, &file, route.as_deref(), config)
        };
        let if_exists = route.as_ref().map_or(IfExists::Replace, |route| route.if_exists());
        let route = route.map(|route| route.name().to_owned());
        Prepared { claim, span, file, waited, route, if_exists, made }
    }

    /// Gives a claim back unanswered.
    pub fn give_up(claim: Claim, why: &'static str) -> Prepared {
        let file = printable(claim.origin.as_os_str().as_encoded_bytes(), PATH_BYTES_MAX);
        let span = info_span!("job", id = %claim.id);
        let waited = claim.seen.elapsed();
        let made = Made::PutBack(why);
        Prepared { claim, span, file, waited, route: None, if_exists: IfExists::Replace, made }
    }

    fn attempt(&self, claim: &mut Claim, file: &str, route: Option<&Route>, config: &Config) -> Made {
        if let Err(error) = claim.begin_try(&*self.disk) {
            return Made::Failed(format!("cannot write to the working folder: {error}"));
        }
        let job = self.progress.begin(&claim.id, file, route.map(Route::name));
        let made = match guarded(|| self.make(claim, file, route, config, job.counts())) {
            Ok(made) => made,
            Err(Trouble::Job(JobError::Rejected(rejection))) => Made::Rejected(rejection),
            Err(Trouble::Job(JobError::Cancelled)) => Made::PutBack("the service ends"),
            // The reader or the writer was interrupted, wherever it just was.
            Err(Trouble::Job(JobError::Read(_) | JobError::Write(_)) | Trouble::Make(_))
                if self.cancel.is_cancelled() =>
            {
                Made::PutBack("the service ends")
            }
            Err(Trouble::Job(JobError::Read(error)) | Trouble::Unreadable(error)) if is_shortage(&error) => {
                Made::Failed(format!("cannot read the file for now: {error}"))
            }
            Err(Trouble::Job(JobError::Read(error)) | Trouble::Unreadable(error)) => {
                Made::Rejected(Rejection::Unreadable { message: error.to_string() })
            }
            Err(Trouble::Job(JobError::Write(error)) | Trouble::Make(error))
                if error.kind() == io::ErrorKind::FileTooLarge =>
            {
                Made::Rejected(Rejection::ResultTooLarge { bytes_max: config.results.size_limit_bytes })
            }
            Err(Trouble::Job(error)) => Made::Failed(error.to_string()),
            Err(Trouble::Make(error)) => Made::Failed(format!("cannot make the result: {error}")),
        };
        // The danger is over: what dies from here on is not this file's fault.
        claim.end_try(&*self.disk);
        if !matches!(made, Made::Results { .. }) {
            self.remove_temporaries(&claim.id);
        }
        made
    }

    fn make(
        &self,
        claim: &Claim,
        file: &str,
        route: Option<&Route>,
        config: &Config,
        counts: &Arc<Counts>,
    ) -> Result<Made, Trouble> {
        let disk = &*self.disk;
        // Between the look and the claim's rename the name may have got another file, or a link, which nobody has judged.
        let is_another = |found: &Stat| claim.inode.is_some_and(|inode| inode != found.inode);
        let another = Made::PutBack("another file took its name before it was taken");
        let mut input = match disk.open(&claim.input()) {
            Ok(input) => input,
            Err(_) if disk.stat(&claim.input()).is_ok_and(|found| is_another(&found)) => return Ok(another),
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
        let with_json = config.results.formats == config::Formats::TextAndJson;
        let digest = with_json.then(|| Arc::new(Mutex::new(Sha256::new())));
        let source = Source {
            file: &mut *input,
            left: bytes_max,
            cancel: self.cancel.clone(),
            digest: digest.clone(),
            counts: Arc::clone(counts),
        };
        let mut scanner = Scanner::new(source, file).map_err(JobError::Read)?;
        job::refuse_by_head(&scanner)?;
        let Some(route) = route else {
            let tried = config.tried().collect();
            return Err(Rejection::NoRoute { tried, readable_by: readable_by(&claim.input(), disk) }.into());
        };
        let job = resolve(&mut scanner, route)?;
        let info = JobInfo { file, solver: job.solver.id(), options: &job.options };
        let text = self.temporary(&claim.id, Output::Result, config)?;
        let mut sink =
            Outputs { text: TextSink(BufWriter::new(text)), json: None, counts: Arc::clone(counts) };
        let mut files = vec![(Output::Result, self.temporary_path(&claim.id, Output::Result))];
        if with_json {
            let json = BufWriter::new(self.temporary(&claim.id, Output::ResultJson, config)?);
            sink.json = Some(JsonSink::new(json, &info).map_err(Trouble::Make)?);
            files.push((Output::ResultJson, self.temporary_path(&claim.id, Output::ResultJson)));
        }
        let solver = job.solver.id();
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
        let hex = digest
            .map(|digest| hex(&digest.lock().unwrap_or_else(PoisonError::into_inner).clone().finalize()));
        sink.finish(&summary, hex.as_deref()).map_err(Trouble::Make)?;
        let after = input.stat().map_err(Trouble::Unreadable)?;
        let state = |stat: &Stat| (stat.bytes, stat.modified);
        if state(&before) != state(&after) {
            return Ok(Made::PutBack("the file changed while it was read"));
        }
        Ok(Made::Results { files, solver, summary: Box::new(summary) })
    }

    /// Makes a new file for an output, with the permissions that the configuration asks for.
    fn temporary(&self, id: &str, output: Output, config: &Config) -> Result<Temporary, Trouble> {
        let make = || {
            let (path, access) = (self.temporary_path(id, output), access(config)?);
            let file = match self.disk.create(&path, access) {
                // Somebody deleted the outbox.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    self.disk.create_folders(&self.folders.staging)?;
                    self.disk.create(&path, access)?
                }
                other => other?,
            };
            // A report is bounded by itself: by the routes of a configuration.
            let is_result = output != Output::Report;
            let left = if is_result { config.results.size_limit_bytes } else { u64::MAX };
            Ok(Temporary { file, left, cancel: is_result.then(|| self.cancel.clone()) })
        };
        make().map_err(Trouble::Make)
    }

    fn temporary_path(&self, id: &str, output: Output) -> PathBuf {
        let kind = match output {
            Output::Result => "result",
            Output::ResultJson => "json",
            Output::Report => "report",
        };
        self.folders.staging.join(format!("{id}.{kind}"))
    }

    /// Writes a report under a temporary name.
    ///
    /// # Errors
    /// When the outbox cannot be written.
    pub fn make_report(&self, id: &str, text: &str, config: &Config) -> io::Result<PathBuf> {
        let mut file = self.temporary(id, Output::Report, config).map_err(|trouble| match trouble {
            Trouble::Make(error) | Trouble::Unreadable(error) => error,
            Trouble::Job(error) => io::Error::other(error),
        })?;
        file.write_all(text.as_bytes())?;
        Ok(self.temporary_path(id, Output::Report))
    }

    /// Removes what a job made and nobody will publish.
    pub fn remove_temporaries(&self, id: &str) {
        for output in [Output::Result, Output::ResultJson, Output::Report] {
            // Most of them do not exist, and the rest goes at the next start.
            let _ = self.disk.remove_file(&self.temporary_path(id, output));
        }
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

/// The solvers that can read the beginning of a file.
fn readable_by(path: &Path, disk: &dyn Disk) -> Vec<&'static str> {
    let reads = |solver: &&dyn Solver| -> io::Result<bool> {
        let mut scanner = Scanner::new(disk.open(path)?.take(PROBE_BYTES_MAX), "")?;
        let mut reader = solver.open(&crate::solver::default_options(*solver));
        let mut valid = 0;
        for _ in 0..PROBE_PUZZLES {
            match reader.read(&mut scanner)? {
                Some(job_entry) if matches!(job_entry.work, crate::solver::Work::Solve(_)) => valid += 1,
                Some(_) => return Ok(false),
                None => break,
            }
        }
        Ok(valid > 0)
    };
    SOLVERS.iter().filter(|solver| reads(solver).unwrap_or(false)).map(|solver| solver.id()).collect()
}

/// A file in the making that may have so many bytes and no more: a short puzzle can have a long answer.
struct Temporary {
    file: Box<dyn Write + Send>,
    left: u64,
    /// Ends the writing: one answer can be very long.
    cancel: Option<Cancel>,
}

impl Write for Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            return Err(io::Error::other("cancelled"));
        }
        if bytes.len() as u64 > self.left {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let count = self.file.write(bytes)?;
        self.left -= count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Who may use results.
fn access(config: &Config) -> io::Result<Access> {
    let group = config.results.group.as_deref().map(group_id).transpose()?;
    Ok(Access { mode: Some(config.results.mode), group })
}

/// The number of a group given by name or number.
pub fn group_id(group: &str) -> io::Result<u32> {
    if let Ok(number) = group.parse() {
        return Ok(number);
    }
    nix::unistd::Group::from_name(group)?
        .map(|group| group.gid.as_raw())
        .ok_or_else(|| io::Error::other(format!("there is no group '{group}' (results.group)")))
}

/// The claimed file, bounded, cancellable, counted and digested on the way.
struct Source<'a> {
    file: &'a mut dyn OpenFile,
    left: u64,
    cancel: Cancel,
    digest: Option<Arc<Mutex<Sha256>>>,
    counts: Arc<Counts>,
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("cancelled"));
        }
        let most = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let count = self.file.read(&mut buffer[..most])?;
        self.left -= count as u64;
        self.counts.read(count as u64);
        if let Some(digest) = &self.digest {
            digest.lock().unwrap_or_else(PoisonError::into_inner).update(&buffer[..count]);
        }
        Ok(count)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The text and, if asked for, the JSON of one job; its puzzles are counted on the way.
struct Outputs {
    text: TextSink<BufWriter<Temporary>>,
    json: Option<JsonSink<BufWriter<Temporary>>>,
    counts: Arc<Counts>,
}

impl Outputs {
    fn finish(self, summary: &Summary, digest: Option<&str>) -> io::Result<()> {
        self.text.0.into_inner()?;
        if let Some(json) = self.json {
            json.finish(summary, digest.unwrap_or_default())?.into_inner()?;
        }
        Ok(())
    }
}

impl Sink for Outputs {
    fn outcome(
        &mut self,
        number: u64,
        place: crate::input::Place,
        outcome: &crate::solver::Outcome,
        wall: Duration,
    ) -> io::Result<()> {
        self.counts.set_puzzles(number);
        self.text.outcome(number, place, outcome, wall)?;
        match &mut self.json {
            Some(json) => json.outcome(number, place, outcome, wall),
            None => Ok(()),
        }
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
