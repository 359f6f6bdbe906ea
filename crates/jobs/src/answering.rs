//! A job: puzzles are read in batches, solved on the pool, and written in order.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::diagnosis::Reading;
use crate::pool::{Failure, Limits, Origin, Pending, Pool, Solved};
use crate::progress::Progress;
use crate::rejection::Rejection;
use crate::sinks::{Answered, Sink};
use crate::summary::Summary;
use tabuleiro_puzzles::input::{Place, Scanner, printable};
use tabuleiro_puzzles::solver::{
    Budget, Cancel, Entry, Options, Outcome, Problem, Puzzle, Solver, Verdict, Work,
};

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

/// A job: what solves the puzzles of a file, and within which limits.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The solver.
    pub solver: &'static dyn Solver,
    /// The solver's options, with the limits of the job.
    pub options: &'a Options,
    /// The threads that solve.
    pub pool: &'a Pool,
    /// Stops the job.
    pub cancel: &'a Cancel,
    /// Receives how far the job is.
    pub progress: &'a Arc<Progress>,
}

/// Answers everything in `input`, in order, into `sink`.
///
/// The directives must have been read already.
///
/// # Errors
/// [`JobError`]; what the sink received until then is no result.
pub fn answer(input: &mut Scanner<'_>, job: &Job<'_>, sink: &mut dyn Sink) -> Result<Summary, JobError> {
    let limits = job.limits();
    let (puzzle_time, job_end) = limits.times();
    job.progress.begin(job.pool.threads(), puzzle_time, job_end);
    let mut run = Run {
        job: *job,
        origin: job.pool.origin(job.solver, job.options, input),
        reader: Reading::open(job.solver, job.options),
        limits,
        read: 0,
        summary: Summary::default(),
        recognised: false,
        first_problem: None,
        ended: false,
    };
    run.all(input, sink)?;
    let mut summary = run.summary;
    (summary.warnings, summary.warnings_dropped) = input.take_warnings();
    summary.ignored = input.take_ignored();
    summary.bytes = input.bytes_consumed();
    let is_complete = run.recognised || (summary.puzzles == 0 && run.reader.allows_empty());
    if !is_complete {
        let rejection = Rejection::no_puzzle(job.solver.id(), summary.puzzles, run.first_problem, input);
        return Err(rejection.into());
    }
    Ok(summary)
}

impl Job<'_> {
    /// Returns the limits of the job. Its time begins now.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits::of(self.options, self.pool.memory(), self.cancel)
    }
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
    job: Job<'a>,
    /// What guests of the pool are told.
    origin: Option<Arc<Origin>>,
    reader: Reading,
    limits: Limits,
    /// Puzzles read.
    read: u64,
    summary: Summary,
    recognised: bool,
    first_problem: Option<Problem>,
    ended: bool,
}

impl Run<'_> {
    fn all(&mut self, input: &mut Scanner<'_>, sink: &mut dyn Sink) -> Result<(), JobError> {
        let Job { pool, cancel, .. } = self.job;
        let mut batches = VecDeque::new();
        loop {
            while !self.ended && batches.len() < pool.batches_max() {
                let started = Instant::now();
                let (turns, puzzles) = self.read_batch(input).map_err(|error| {
                    if cancel.is_cancelled() { JobError::Cancelled } else { JobError::Read(error) }
                })?;
                self.summary.parse += started.elapsed();
                let alone = self.ended && batches.is_empty();
                let list = pool.list(puzzles, &self.limits, self.job.progress, self.origin.clone());
                batches.push_back(Batch { turns, pending: pool.solve(list, alone) });
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
                    let outcome = Outcome::invalid(self.job.solver.info().noun, *problem, input.name());
                    turns.push(Turn { place, bytes, settled: Some(Box::new(outcome)) });
                }
                Work::Settled(outcome) => turns.push(Turn { place, bytes, settled: Some(outcome) }),
            }
        }
        self.job.progress.has_read(self.read, self.ended);
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
            self.job.progress.has_answered(number);
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
