//! `tabuleiro solve`: one file, as the original programs were called.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use nix::sys::resource::{UsageWho, getrusage};

use super::input::{Input, ReadingArgs, ignored_line, named, problem_lines, unreadable, warning_lines};
use super::output::{Output, is_same_file};
use super::progress::Shown;
use crate::cli::arguments::one_of;
use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, print_error};
use crate::config::{Config, ResolvedJob};
use crate::job::{self, JobError, JobInfo, Pool, Progress, Rejection, Summary, TextSink};
use crate::solver::Cancel;
use crate::words::Language;

/// What the help says after the options.
const AFTER_HELP: &str = "\
Answers go to the output and nothing else does; problems and the times used go to standard error.
An output file appears whole or not at all: until then, and when the input has no result, an
earlier one stays as it was. What takes longer than a second shows its progress, if standard error
is a terminal and the puzzles are not typed.

Examples:
  tabuleiro solve entrada.txt -o saida.txt
  tabuleiro solve --solver 2048-merge --set witness=true < boards.txt

Exit status: 0 every puzzle is answered; 65 something is invalid (valid puzzles are answered all the
same); 75 something stayed undecided and nothing is invalid; 64 usage, an input that no route takes,
or input and output the same file; 66 no such input; 73 the output cannot be created;
74 input/output error; 78 configuration.";

/// Arguments of `solve`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct SolveArgs {
    #[command(flatten)]
    reading: ReadingArgs,
    /// Input; - or nothing is standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// The same, as the original programs name it
    #[arg(short, long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Output; - or nothing is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Answers one file. What is wrong with the command line comes first, then the input, the configuration, the
/// file's content, and the output last, so that nothing is created for a file that has no result.
pub fn run(args: &SolveArgs) -> Result<Exit, Failure> {
    let started = Instant::now();
    let input = named(one_of(args.file.as_deref(), "-i", args.input.as_deref())?);
    let output = named(args.output.as_deref());
    if is_same_file(input, output) {
        return Err(Failure::new(Exit::Usage, "input and output are the same file"));
    }
    let mut input = Input::open(input)?;
    let config = args.reading.config.load()?;
    let job = input.resolve(&config, &args.reading)?;
    let threads = config.workers.thread_count().get();
    let pool = Pool::new(threads)
        .map_err(|error| Failure::new(Exit::System, format_args!("cannot start threads: {error}")))?;
    let mut output = Output::open(output)?;
    let summary = match answer(&mut input, &job, &config, &pool, &mut output) {
        Ok(summary) => summary,
        Err(JobError::Write(error)) => return Failure::unless_closed(&error).map(|()| Exit::Ok),
        Err(error) => return Err(failure(error, &input.name)),
    };
    output.commit()?;
    tell(&input.name, &job, &summary, started.elapsed());
    Ok(if summary.invalid > 0 || summary.ignored.is_some() {
        Exit::Data
    } else if summary.undecided > 0 {
        Exit::Temporary
    } else {
        Exit::Ok
    })
}

fn answer(
    input: &mut Input,
    job: &ResolvedJob,
    config: &Config,
    pool: &Pool,
    output: &mut Output,
) -> Result<Summary, JobError> {
    let cancel = Cancel::default();
    let progress = Arc::<Progress>::default();
    // Where puzzles are typed a bar would stand between them.
    let shown = (!input.is_terminal).then(|| Shown::begin(&input.bytes, &progress));
    if let Some(shown) = &shown {
        output.make_room(shown.bar());
    }
    let info = JobInfo { file: &input.name, solver: job.solver, options: &job.options };
    let mut sink = TextSink::new(output, &info);
    let scanner = &mut input.scanner;
    let answered = job::answer(scanner, job.solver, &job.options, pool, &cancel, &progress, &mut sink);
    drop(shown);
    let advice = || input.advice(config, Some(job.solver));
    let mut summary = answered.map_err(|error| match error {
        JobError::Rejected(rejection @ Rejection::NoPuzzle { .. }) => rejection.advised(advice()).into(),
        error => error,
    })?;
    summary.warn_if_mostly_invalid(advice);
    sink.finish(&summary).map_err(JobError::Write)?;
    Ok(summary)
}

/// Why a file has no result.
pub fn failure(error: JobError, name: &str) -> Failure {
    match error {
        JobError::Rejected(rejection) => {
            Failure::new(Exit::Data, rejection.report(name, Language::English).trim_end())
        }
        JobError::Read(error) => unreadable(name, &error),
        JobError::Write(error) => Failure::output(&error),
        JobError::Cancelled | JobError::Panicked { .. } => {
            Failure::new(Exit::Software, format_args!("{name}: {error}"))
        }
    }
}

/// What happened, on standard error: problems, counts, and the times that the original programs reported.
fn tell(name: &str, job: &ResolvedJob, summary: &Summary, wall: Duration) {
    let problems = summary.problems.iter().map(|(puzzle, problem)| problem_lines(name, *puzzle, problem));
    let mut text: String = problems.collect();
    let more = summary.invalid - summary.problems.len() as u64;
    if more > 0 {
        text.push_str(&format!("{name}: {more} further invalid puzzles\n"));
    }
    for (puzzle, place, stop) in &summary.stops {
        let stop = stop.name();
        text.push_str(&format!("{name}:{place}: puzzle {puzzle}: undecided, {stop} was hit\n"));
    }
    text.push_str(&warning_lines(name, &summary.warnings, summary.warnings_dropped));
    if let Some(ignored) = &summary.ignored {
        text.push_str(&ignored_line(name, ignored));
    }
    let (user, system) = processor_times();
    text.push_str(&format!(
        "{}: {} puzzle{}, {} invalid, {} undecided; user {user:.6} s, system {system:.6} s, wall {:.6} s",
        job.solver.id(),
        summary.puzzles,
        if summary.puzzles == 1 { "" } else { "s" },
        summary.invalid,
        summary.undecided,
        wall.as_secs_f64(),
    ));
    print_error(&text);
}

/// User and system time of this process so far, in seconds.
fn processor_times() -> (f64, f64) {
    getrusage(UsageWho::RUSAGE_SELF).map_or((0.0, 0.0), |usage| {
        let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
        (seconds(usage.user_time()), seconds(usage.system_time()))
    })
}
