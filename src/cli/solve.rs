//! `tabuleiro solve`: one file, as the original programs were called.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use nix::sys::resource::{UsageWho, getrusage};

use super::{ConfigArgs, Failure, key_value, load, printable_path, solver};
use crate::config::{ResolveError, ResolvedJob, resolve};
use crate::error::Exit;
use crate::input::{ReadDirectivesError, Scanner, read_directives};
use crate::job::{self, JobError, Pool, Summary, TextSink};
use crate::solver::{Cancel, SOLVERS};

/// Arguments of `solve`.
#[derive(Debug, Args)]
pub struct SolveArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// Solver; without it a directive in the file or the file's name decides, by the routes
    #[arg(long, value_name = "ID")]
    solver: Option<String>,
    /// Set an option; wins over the route and the file's directives
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    sets: Vec<(String, String)>,
    /// Input; - or nothing is standard input
    #[arg(short, long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Output; - or nothing is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Answers one file.
pub fn run(args: &SolveArgs) -> Result<Exit, Failure> {
    let started = Instant::now();
    let forced = args.solver.as_deref().map(solver).transpose()?;
    let (config, _) = load(args.config.config.as_deref())?;
    let input = args.input.as_deref().filter(|path| *path != Path::new("-"));
    let output = args.output.as_deref().filter(|path| *path != Path::new("-"));
    if let (Some(input), Some(output)) = (input, output)
        && is_same_file(input, output)
    {
        return Err(Failure::new(Exit::Usage, "input and output are the same file"));
    }
    let name = input.map_or_else(|| "<stdin>".to_owned(), printable_path);
    let mut scanner = open_input(input, &name)?;
    job::refuse_by_head(&scanner)
        .map_err(|rejection| Failure::new(Exit::Data, format_args!("{name}: {rejection}")))?;
    let directives = read_directives(&mut scanner).map_err(|error| match error {
        ReadDirectivesError::Io(error) => unreadable(&name, &error),
        ReadDirectivesError::Faulty(error) => Failure::new(Exit::Data, error),
    })?;
    let route = input.and_then(|path| config.route(&below_inbox(path))).filter(|_| forced.is_none());
    let file: Arc<str> = Arc::from(name.as_str());
    let job = resolve(&file, route.map(Arc::as_ref), &directives, &args.sets, SOLVERS, forced)
        .map_err(|error| Failure::new(resolve_exit(&error), format_args!("{name}: {error}")))?;
    let threads = config.workers.thread_count().get();
    let pool = Pool::new(threads)
        .map_err(|error| Failure::new(Exit::System, format_args!("cannot start threads: {error}")))?;
    let mut sink = TextSink(open_output(output)?);
    let summary = answer(&mut scanner, &job, &pool, &mut sink, &name)?;
    match sink.0.flush() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(Failure::output(&error)),
        _ => {}
    }
    tell(&name, &job, &summary, started.elapsed());
    Ok(if summary.invalid > 0 {
        Exit::Data
    } else if summary.undecided > 0 {
        Exit::Temporary
    } else {
        Exit::Ok
    })
}

fn answer(
    scanner: &mut Scanner<'_>,
    job: &ResolvedJob,
    pool: &Pool,
    sink: &mut TextSink<Box<dyn Write>>,
    name: &str,
) -> Result<Summary, Failure> {
    job::answer(scanner, job.solver, &job.options, pool, &Cancel::default(), sink).map_err(
        |error| match error {
            JobError::Rejected(rejection) => Failure::new(Exit::Data, rejection.report(name).trim_end()),
            JobError::Read(error) => unreadable(name, &error),
            JobError::Write(error) => Failure::output(&error),
            JobError::Cancelled | JobError::Panicked { .. } => Failure::new(Exit::Software, error),
        },
    )
}

fn unreadable(name: &str, error: &io::Error) -> Failure {
    Failure::new(Exit::Io, format_args!("{name}: cannot read: {error}"))
}

fn resolve_exit(error: &ResolveError) -> Exit {
    match error {
        ResolveError::Set { .. } | ResolveError::NoSolver { .. } => Exit::Usage,
        _ => Exit::Data,
    }
}

/// A path as the routes see it: a file named from outside has its folders, but no root.
fn below_inbox(path: &Path) -> PathBuf {
    path.components().filter(|part| matches!(part, std::path::Component::Normal(_))).collect()
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    match (fs::metadata(a), fs::metadata(b)) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

fn open_input<'a>(path: Option<&Path>, name: &str) -> Result<Scanner<'a>, Failure> {
    let source: Box<dyn Read> = match path {
        None => Box::new(io::stdin().lock()),
        Some(path) => {
            let exit = |error: &io::Error| match error.kind() {
                io::ErrorKind::NotFound => Exit::NoInput,
                _ => Exit::Io,
            };
            let file = File::open(path)
                .map_err(|error| Failure::new(exit(&error), format_args!("{name}: cannot open: {error}")))?;
            if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
                return Err(Failure::new(Exit::NoInput, format_args!("{name}: is a folder, not a file")));
            }
            Box::new(file)
        }
    };
    Scanner::new(source, name).map_err(|error| unreadable(name, &error))
}

fn open_output(path: Option<&Path>) -> Result<Box<dyn Write>, Failure> {
    match path {
        None => Ok(Box::new(BufWriter::new(io::stdout().lock()))),
        Some(path) => {
            let file = File::create(path).map_err(|error| {
                let path = printable_path(path);
                Failure::new(Exit::CannotCreate, format_args!("{path}: cannot create: {error}"))
            })?;
            Ok(Box::new(BufWriter::new(file)))
        }
    }
}

/// What happened, on standard error: problems, counts, and the times that the original programs reported.
fn tell(name: &str, job: &ResolvedJob, summary: &Summary, wall: Duration) {
    for (puzzle, problem) in &summary.problems {
        eprintln!("{name}:{}: puzzle {puzzle}: {problem} [{}]", problem.place, problem.rule);
    }
    let more = summary.invalid - summary.problems.len() as u64;
    if more > 0 {
        eprintln!("{name}: {more} further invalid puzzles");
    }
    for (puzzle, place, stop) in &summary.stops {
        eprintln!("{name}:{place}: puzzle {puzzle}: undecided, {} was hit", stop.name());
    }
    for warning in &summary.warnings {
        eprintln!("{name}:{}: warning: {}", warning.place, warning.message);
    }
    if summary.warnings_dropped > 0 {
        eprintln!("{name}: {} further warnings", summary.warnings_dropped);
    }
    let (user, system) = processor_times();
    eprintln!(
        "{}: {} puzzles, {} invalid, {} undecided; user {user:.6} s, system {system:.6} s, wall {:.6} s",
        job.solver.id(),
        summary.puzzles,
        summary.invalid,
        summary.undecided,
        wall.as_secs_f64(),
    );
}

/// User and system time of this process so far, in seconds.
fn processor_times() -> (f64, f64) {
    getrusage(UsageWho::RUSAGE_SELF).map_or((0.0, 0.0), |usage| {
        let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
        (seconds(usage.user_time()), seconds(usage.system_time()))
    })
}
