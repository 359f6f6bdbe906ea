//! Runs a job: reads puzzles in batches, solves them on the pool, and writes the outcomes in order.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::diagnosis::Reading;
use crate::pool::{Failure, Limits, List, Origin, Pending, Pool, Solved};
use crate::progress::Progress;
use crate::rejection::{Reason, Rejection};
use crate::sinks::{Answered, Sink};
use crate::summary::Summary;
use tabuleiro_puzzles::input::{Place, Scanner, printable};
use tabuleiro_puzzles::solver::{
    Budget, Cancel, Entry, JOB_TIME_LIMIT, Options, Outcome, Problem, Puzzle, Solver, Stop, TIME_LIMIT,
    Verdict, Work,
};

const BATCH_BYTES: u64 = 64 * 1024;
const BATCH_PUZZLES_MAX: usize = 512;
/// Number of answers kept for the log line.
const HEADLINES_MAX: usize = 6;
/// Bytes of an answer that the log line shows.
const HEADLINE_BYTES_MAX: usize = 60;
/// Number of undecided puzzles kept for the log; the others are only counted.
const STOPS_MAX: usize = 20;

/// Why a job has no result.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The file is not a board file; it gets a report.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// Reading the input failed.
    #[error("cannot read: {0}")]
    Read(#[source] io::Error),
    /// Writing the result failed.
    #[error("cannot write the result: {0}")]
    Write(#[source] io::Error),
    /// The reference is unusable, so a submission cannot be graded. The submission is not at fault.
    #[error("cannot grade: the reference {path} cannot be used: {why}")]
    Reference {
        /// The path of the reference.
        path: String,
        /// What is wrong with the reference.
        why: String,
    },
    /// A submission cannot be graded yet, because the reference may still be being written.
    #[error("cannot grade yet: the reference {path} {why}")]
    Unsettled {
        /// The path of the reference.
        path: String,
        /// Why the reference may be incomplete.
        why: &'static str,
        /// The minimum time to wait before the next attempt.
        pause: Duration,
    },
    /// The job was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// A solver panicked, which is a bug in the solver.
    #[error("internal error in the solver at puzzle {number}: {message}")]
    Panicked {
        /// The puzzle, from 1.
        number: u64,
        /// The message of the panic.
        message: String,
    },
}

impl JobError {
    /// Turns this error, which occurred while solving the reference at `path`, into the reason why no submission can be
    /// graded.
    pub fn of_reference(self, path: &Path) -> Self {
        match self {
            Self::Cancelled | Self::Reference { .. } | Self::Unsettled { .. } => self,
            error => Self::Reference { path: path.display().to_string(), why: error.to_string() },
        }
    }
}

/// What solves the puzzles of a file, and within which limits.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The solver.
    pub solver: &'static dyn Solver,
    /// The solver's options, which include the limits of the job.
    pub options: &'a Options,
    /// The threads that solve the puzzles.
    pub pool: &'a Pool,
    /// Stops the job.
    pub cancel: &'a Cancel,
    /// Receives the progress of the job.
    pub progress: &'a Arc<Progress>,
}

/// Answers every puzzle in `input`, in order, and passes the outcomes to `sink`.
///
/// The caller has already read the directives.
///
/// # Errors
/// Returns a [`JobError`]; the caller must then discard what the sink has received.
pub fn answer(input: &mut Scanner<'_>, job: &Job<'_>, sink: &mut dyn Sink) -> Result<Summary, JobError> {
    let limits = job.limits();
    let (puzzle_time, job_end) = limits.times();
    job.progress.begin(job.pool.threads(), puzzle_time, job_end);
    let mut run = Run {
        job: *job,
        origin: Arc::new(Origin::new(job.solver, job.options.clone(), Arc::clone(input.name()))),
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
    let is_complete = run.recognised || (summary.entries == 0 && run.reader.allows_empty());
    if !is_complete {
        let rejection = Rejection::no_puzzle(job.solver.id(), summary.entries, run.first_problem, input);
        return Err(rejection.into());
    }
    Ok(summary)
}

impl Job<'_> {
    /// Returns the limits of the job, whose time starts with this call.
    pub fn limits(&self) -> Limits {
        Limits::of(self.options, self.pool.memory(), self.cancel)
    }
}

/// Returns the name of a limit, with its value if the limit is a time: `time_limit 60 s`.
fn limit(stop: Stop, options: &Options) -> String {
    let time = match stop {
        Stop::TimeLimit => options.get(TIME_LIMIT),
        Stop::JobTimeLimit => options.get(JOB_TIME_LIMIT),
        _ => None,
    };
    let name = stop.name();
    time.map_or_else(|| name.to_owned(), |time| format!("{name} {} s", time.as_secs_f64()))
}

/// Reads and solves all of `text`, one puzzle after the other, without limits of time or memory. Tests and library
/// users call this; services read and solve in parallel, through [`answer`].
///
/// # Errors
/// Never fails, because the text is in memory; reading from a file could.
pub fn answer_all(
    solver: &'static dyn Solver,
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

/// Where a puzzle begins, and its outcome if reading the puzzle already gave one.
struct Turn {
    place: Place,
    bytes: u64,
    settled: Option<Box<Outcome>>,
}

/// The turns of a batch, and those of its puzzles that must be solved, with their numbers.
type Read = (Vec<Turn>, Vec<(u64, Box<dyn Puzzle>)>);

struct Run<'a> {
    job: Job<'a>,
    /// What guests of the pool learn about the job.
    origin: Arc<Origin>,
    reader: Reading,
    limits: Limits,
    read: u64,
    summary: Summary,
    recognised: bool,
    /// The first problem that says what to change, or else the first one.
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
                let origin = Arc::clone(&self.origin);
                let list = List::new(puzzles, &self.limits, self.job.progress, origin, pool.guests());
                batches.push_back((turns, pool.solve(list, alone)));
            }
            let Some((turns, pending)) = batches.pop_front() else { return Ok(()) };
            let started = Instant::now();
            self.summary.solve_cpu += pending.0.wait();
            self.summary.solve += started.elapsed();
            if cancel.is_cancelled() {
                return Err(JobError::Cancelled);
            }
            let started = Instant::now();
            self.write(&turns, &pending, sink)?;
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
            let settled = match work {
                Work::Solve(puzzle) => {
                    puzzles.push((self.read, puzzle));
                    None
                }
                Work::Invalid(problem) => {
                    let noun = self.job.solver.info().noun;
                    Some(Box::new(Outcome::invalid(noun, *problem, input.name())))
                }
                Work::Settled(outcome) => Some(outcome),
            };
            turns.push(Turn { place, bytes, settled });
        }
        self.job.progress.has_read(self.read, self.ended);
        Ok((turns, puzzles))
    }

    fn write(&mut self, turns: &[Turn], pending: &Pending, sink: &mut dyn Sink) -> Result<(), JobError> {
        let mut answers = pending.0.answers();
        for &Turn { place, bytes, ref settled } in turns {
            self.summary.entries += 1;
            let number = self.summary.entries;
            let (outcome, wall, puzzle) = match settled {
                Some(outcome) => (&**outcome, Duration::ZERO, None),
                None => match answers.next() {
                    Some((puzzle, Solved { result: Ok(outcome), wall })) => (outcome, *wall, Some(puzzle)),
                    Some((_, Solved { result: Err(failure), .. })) => return Err(failed(number, failure)),
                    None => unreachable!("a batch has as many answers as puzzles"),
                },
            };
            self.note(place, outcome);
            let answered = Answered { number, place, outcome, wall, puzzle, bytes };
            sink.outcome(&answered).map_err(JobError::Write)?;
            self.job.progress.has_answered(number);
        }
        Ok(())
    }

    /// Counts an outcome and keeps what the log shows of it.
    fn note(&mut self, place: Place, outcome: &Outcome) {
        let summary = &mut self.summary;
        let valid = summary.puzzles - summary.invalid;
        summary.differing += u64::from(outcome.differs_by_rules);
        match &outcome.verdict {
            Verdict::Answered => self.recognised = true,
            Verdict::Undecided { stop, .. } => {
                self.recognised = true;
                summary.undecided += 1;
                summary.limit.get_or_insert_with(|| limit(*stop, self.job.options));
                if summary.stops.len() < STOPS_MAX {
                    summary.stops.push((summary.puzzles + 1, place, *stop));
                }
            }
            Verdict::Invalid(problem) => {
                self.recognised |= problem.recognised;
                let explains = |problem: &Problem| Rejection::is_explained(problem);
                if self.first_problem.as_ref().is_none_or(|first| !explains(first) && explains(problem)) {
                    self.first_problem = Some((**problem).clone());
                }
                summary.mistakes.add(valid, problem);
            }
        }
        let valid = valid + u64::from(!matches!(outcome.verdict, Verdict::Invalid(_)));
        let before = summary.puzzles;
        summary.invalid = summary.mistakes.puzzles;
        summary.puzzles = valid + summary.invalid;
        if summary.puzzles > before && summary.headlines.len() < HEADLINES_MAX {
            summary.headlines.push(printable(outcome.headline.as_bytes(), HEADLINE_BYTES_MAX));
        }
    }
}

/// Returns the error that ends a job at a puzzle that has no answer.
fn failed(number: u64, failure: &Failure) -> JobError {
    match failure {
        Failure::Panicked(message) => JobError::Panicked { number, message: message.clone() },
        Failure::Deadly(deaths) => Rejection::Because(Reason::Deadly { number, deaths: *deaths }).into(),
        Failure::Cancelled => JobError::Cancelled,
    }
}
