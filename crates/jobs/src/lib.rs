//! Answering one file: puzzles are read in batches, solved in parallel on a pool, and written in order.
//!
//! A job knows nothing of folders, clocks on the wall or logs; the daemon and `tabuleiro solve` bring the
//! input and the place for the result. Memory is bounded by the largest puzzle and the number of threads: at
//! most [`Pool::threads`] + 2 batches are in hand (and one for each guest, see [`Guests`], to 64), and a batch closes at 64 KiB of input or 512 puzzles.

// Archives, read with care and written the same way every time.
pub mod archive;
// The puzzles of a file, those that are wrong looked at by their lines.
mod diagnosis;
// Submissions compared with what is proved.
pub mod grading;
// Names of results, reports and archived inputs.
pub mod naming;
// Pages of pictures.
pub mod page;
// Worker threads that solve the puzzles of a batch.
mod pool;
// How far a job is.
mod progress;
// Which solvers read all of a file.
mod recognise;
// Files that get a report instead of a result.
mod reject;
// Where outcomes go.
mod sink;
// What a job did.
mod summary;

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tabuleiro_puzzles::input::{Place, Scanner, printable};
use tabuleiro_puzzles::solver::{
    Budget, Cancel, Entry, Options, Outcome, Problem, Puzzle, Solver, Verdict, Work,
};

pub use diagnosis::{Reading, excerpt_lines};
use pool::Pending;
pub use pool::{
    Failure, Guests, Limits, List, Memory, Origin, Pool, RemoteFacts, Solved, WorkerFact, guarded,
};
pub use progress::{Progress, Solving};
pub use recognise::{BYTES_MAX as RECOGNISED_BYTES_MAX, Recognised, recognise};
pub use reject::{NotText, Rejection, refuse_by_head};
pub use sink::{Answered, JobInfo, JsonOrigin, JsonSink, Sink, Sinks, TextSink};
pub use summary::Summary;

const BATCH_BYTES: u64 = 64 * 1024;
const BATCH_PUZZLES_MAX: usize = 512;
/// Answers kept for the log line.
const HEADLINES_MAX: usize = 5;
/// How much of an answer the log line shows.
const HEADLINE_BYTES_MAX: usize = 60;
/// Problems kept for the log; the rest are counted.
const PROBLEMS_MAX: usize = 20;

/// Why a job has no result.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The file is no board file; it gets a report.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// Reading the input failed.
    #[error("cannot read: {0}")]
    Read(#[source] io::Error),
    /// Writing the result failed.
    #[error("cannot write the result: {0}")]
    Write(#[source] io::Error),
    /// A submission cannot be graded, which is not its fault.
    #[error("cannot grade: the reference {path} cannot be used: {why}")]
    Reference {
        /// Where it is.
        path: String,
        /// Why.
        why: String,
    },
    /// A submission cannot be graded yet, because somebody may be writing the reference.
    #[error("cannot grade yet: the reference {path} {why}")]
    Unsettled {
        /// Where it is.
        path: String,
        /// Why that may be.
        why: &'static str,
        /// How long to wait at least.
        pause: Duration,
    },
    /// Somebody asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// A solver panicked, which is a mistake in it.
    #[error("internal error in the solver at puzzle {number}: {message}")]
    Panicked {
        /// The puzzle, from 1.
        number: u64,
        /// What the panic said.
        message: String,
    },
}

impl JobError {
    /// Why a submission cannot be graded, where this befell the reference at `path`.
    #[must_use]
    pub fn of_reference(self, path: &Path) -> Self {
        match self {
            Self::Cancelled | Self::Reference { .. } | Self::Unsettled { .. } => self,
            error => Self::Reference { path: path.display().to_string(), why: error.to_string() },
        }
    }
}

/// Answers everything in `input`, in order, into `sink`, and tells `progress` how far it is.
///
/// The directives must have been read already.
///
/// # Errors
/// [`JobError`]; what went into the sink until then is no result.
pub fn answer(
    input: &mut Scanner<'_>,
    solver: &dyn Solver,
    options: &Options,
    pool: &Pool,
    cancel: &Cancel,
    progress: &Arc<Progress>,
    sink: &mut dyn Sink,
) -> Result<Summary, JobError> {
    let limits = Limits::of(options, pool.memory(), cancel);
    let (puzzle_time, job_end) = limits.times();
    progress.begin(pool.threads(), puzzle_time, job_end);
    let origin = pool.origin(solver, options, input);
    let mut run = Run {
        origin,
        reader: Reading::open(solver, options),
        solver,
        limits,
        progress: Arc::clone(progress),
        read: 0,
        summary: Summary::default(),
        recognised: false,
        first_problem: None,
        ended: false,
    };
    run.all(input, pool, cancel, sink)?;
    let (warnings, dropped) = input.take_warnings();
    run.summary.warnings = warnings;
    run.summary.warnings_dropped = dropped;
    run.summary.ignored = input.take_ignored();
    run.summary.bytes = input.bytes_consumed();
    let empty = run.summary.puzzles == 0;
    let complete = run.recognised || (empty && run.reader.allows_empty());
    if !complete {
        return Err(Rejection::no_puzzle(solver.id(), run.summary.puzzles, run.first_problem, input).into());
    }
    Ok(run.summary)
}

/// Reads and solves all of `text`, one puzzle after the other and without limits of time or memory: for tests
/// and library users. Services read and solve in parallel, through [`answer`].
///
/// # Errors
/// Never with text in memory; the signature is that of reading.
pub fn answer_all(
    solver: &dyn Solver,
    options: &Options,
    name: &str,
    text: &[u8],
) -> io::Result<Vec<Outcome>> {
    let mut scanner = Scanner::new(text, name)?;
    let mut reading = Reading::open(solver, options);
    let mut outcomes = Vec::new();
    while let Some(entry) = reading.read(&mut scanner)? {
        outcomes.push(match entry.work {
            Work::Solve(puzzle) => puzzle.solve(&Budget::unlimited()),
            Work::Invalid(problem) => Outcome::invalid(solver.info().noun, *problem, name),
            Work::Settled(outcome) => *outcome,
        });
    }
    Ok(outcomes)
}

/// A batch in hand: outcomes known already stand between puzzles that are being solved.
struct Batch {
    turns: Vec<Turn>,
    pending: Pending,
}

/// Where a puzzle begins, and its outcome where that was known when it was read.
struct Turn {
    place: Place,
    /// Of input.
    bytes: u64,
    settled: Option<Box<Outcome>>,
}

/// The turns of a batch, and the puzzles among them that are to be solved, with their numbers.
type Read = (Vec<Turn>, Vec<(u64, Arc<dyn Puzzle>)>);

struct Run<'a> {
    /// What guests of the pool are told.
    origin: Option<Arc<Origin>>,
    reader: Reading,
    solver: &'a dyn Solver,
    limits: Limits,
    progress: Arc<Progress>,
    /// Puzzles read.
    read: u64,
    summary: Summary,
    recognised: bool,
    first_problem: Option<Problem>,
    ended: bool,
}

impl Run<'_> {
    fn all(
        &mut self,
        input: &mut Scanner<'_>,
        pool: &Pool,
        cancel: &Cancel,
        sink: &mut dyn Sink,
    ) -> Result<(), JobError> {
        let mut batches = VecDeque::new();
        loop {
            while !self.ended && batches.len() < pool.batches_max() {
                let started = Instant::now();
                let (turns, puzzles) = self.read_batch(input).map_err(|error| {
                    if cancel.is_cancelled() { JobError::Cancelled } else { JobError::Read(error) }
                })?;
                self.summary.parse += started.elapsed();
                let alone = self.ended && batches.is_empty();
                batches.push_back(Batch {
                    turns,
                    pending: pool.solve(puzzles, &self.limits, &self.progress, self.origin.as_ref(), alone),
                });
            }
            let Some(batch) = batches.pop_front() else { return Ok(()) };
            let started = Instant::now();
            self.summary.solve_cpu += batch.pending.wait();
            self.summary.solve += started.elapsed();
            if cancel.is_cancelled() {
                return Err(JobError::Cancelled);
            }
            let started = Instant::now();
            self.write(&batch, sink)?;
            self.summary.write += started.elapsed();
        }
    }

    fn read_batch(&mut self, input: &mut Scanner<'_>) -> io::Result<Read> {
        let (mut turns, mut puzzles) = (Vec::new(), Vec::new());
        let until = input.bytes_consumed() + BATCH_BYTES;
        while turns.len() < BATCH_PUZZLES_MAX && input.bytes_consumed() < until {
            let before = input.bytes_consumed();
            let Some(Entry { place, work }) = self.reader.read(input)? else {
                self.ended = true;
                break;
            };
            let bytes = input.bytes_consumed() - before;
            self.read += 1;
            match work {
                Work::Solve(puzzle) => {
                    turns.push(Turn { place, bytes, settled: None });
                    puzzles.push((self.read, puzzle));
                }
                Work::Invalid(problem) => {
                    let outcome = Outcome::invalid(self.solver.info().noun, *problem, input.name());
                    turns.push(Turn { place, bytes, settled: Some(Box::new(outcome)) });
                }
                Work::Settled(outcome) => turns.push(Turn { place, bytes, settled: Some(outcome) }),
            }
        }
        self.progress.has_read(self.read, self.ended);
        Ok((turns, puzzles))
    }

    fn write(&mut self, batch: &Batch, sink: &mut dyn Sink) -> Result<(), JobError> {
        let mut answers = batch.pending.answers();
        for &Turn { place, bytes, ref settled } in &batch.turns {
            self.summary.puzzles += 1;
            let number = self.summary.puzzles;
            let (outcome, wall, puzzle) = match settled {
                Some(outcome) => (&**outcome, Duration::ZERO, None),
                None => match answers.next() {
                    Some((puzzle, Solved { result: Ok(outcome), wall })) => (outcome, *wall, Some(puzzle)),
                    Some((_, Solved { result: Err(failure), .. })) => return Err(failed(number, failure)),
                    None => unreachable!("a batch has as many answers as puzzles"),
                },
            };
            self.note(number, place, outcome);
            let answered = Answered { number, place, outcome, wall, puzzle, bytes };
            sink.outcome(&answered).map_err(JobError::Write)?;
            self.progress.has_answered(number);
        }
        Ok(())
    }

    /// Counts an outcome and keeps what the log will say of it.
    fn note(&mut self, number: u64, place: Place, outcome: &Outcome) {
        let summary = &mut self.summary;
        summary.differing += u64::from(outcome.differs_by_rules);
        match &outcome.verdict {
            Verdict::Answered => self.recognised = true,
            Verdict::Undecided { stop, .. } => {
                self.recognised = true;
                summary.undecided += 1;
                if summary.stops.len() < PROBLEMS_MAX {
                    summary.stops.push((number, place, *stop));
                }
            }
            Verdict::Invalid(problem) => {
                self.recognised |= problem.recognised;
                summary.invalid += 1;
                if self.first_problem.is_none() {
                    self.first_problem = Some((**problem).clone());
                }
                if summary.problems.len() < PROBLEMS_MAX {
                    summary.problems.push((number, (**problem).clone()));
                }
            }
        }
        if summary.headlines.len() < HEADLINES_MAX {
            summary.headlines.push(printable(outcome.headline.as_bytes(), HEADLINE_BYTES_MAX));
        }
    }
}

/// Why a job ends with a puzzle that has no answer.
fn failed(number: u64, failure: &Failure) -> JobError {
    match failure {
        Failure::Panicked(message) => JobError::Panicked { number, message: message.clone() },
        Failure::Deadly { deaths } => Rejection::Deadly { number, deaths: *deaths }.into(),
        Failure::Cancelled => JobError::Cancelled,
    }
}

#[cfg(test)]
mod tests;
