//! How `solve` and its relatives end and what they report: exit codes, messages, counts.

use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};

use super::named_input::{ignored_line, problem_lines, unreadable, warning_lines};
use crate::cli::failure::{Exit, Failure};
use crate::config::Config;
use tabuleiro_jobs::archive::ArchiveError;
use tabuleiro_jobs::{JobError, Pool, Summary};
use tabuleiro_puzzles::words::Language;

/// The exit code of a file that has a result.
pub fn exit(summary: &Summary) -> Exit {
    if summary.invalid > 0 || summary.ignored.is_some() {
        Exit::Data
    } else if summary.undecided > 0 {
        Exit::Temporary
    } else {
        Exit::Ok
    }
}

/// Why an archive, or a member, is not read.
pub fn not_read(name: &str, error: &ArchiveError) -> Failure {
    Failure::new(exit_of_archive(error), format_args!("{name}: {error}"))
}

/// The exit code of an archive, or a member, that cannot be read.
pub fn exit_of_archive(error: &ArchiveError) -> Exit {
    match error {
        ArchiveError::Read(_) => Exit::Io,
        ArchiveError::Refused(_) => Exit::Data,
    }
}

/// Starts the threads that solve.
///
/// # Errors
/// 71 if the system refuses them.
pub fn start_pool(config: &Config) -> Result<Pool, Failure> {
    Pool::new(config.workers.thread_count().get()).map_err(|error| Failure::system("start threads", error))
}

/// How the command ends if a file has no result. A reader of the output that has enough, as `head` has, is no failure.
///
/// # Errors
/// Why there is no result.
pub fn unanswered(error: JobError, name: &str) -> Result<Exit, Failure> {
    match error {
        JobError::Write(error) => Failure::unless_closed(&error).map(|()| Exit::Ok),
        error => Err(failure(error, name)),
    }
}

/// Why a file has no result.
pub fn failure(error: JobError, name: &str) -> Failure {
    match error {
        JobError::Rejected(rejection) => {
            Failure::new(Exit::Data, rejection.report(name, Language::English).trim_end())
        }
        JobError::Read(error) => unreadable(name, &error),
        JobError::Write(error) => Failure::output(&error),
        JobError::Reference { .. } | JobError::Unsettled { .. } => {
            Failure::new(Exit::Config, format_args!("{name}: {error}"))
        }
        JobError::Cancelled | JobError::Panicked { .. } => {
            Failure::new(Exit::Software, format_args!("{name}: {error}"))
        }
    }
}

/// What there is to say of the puzzles of a file, a line each.
pub fn told(name: &str, summary: &Summary) -> String {
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
    text
}

/// How many puzzles there were, and the times that the original programs reported.
pub fn totals(name: &str, summary: &Summary, wall: Duration) -> String {
    let (user, system) = processor_times();
    format!(
        "{name}: {} puzzle{}, {} invalid, {} undecided; user {user:.6} s, system {system:.6} s, wall {:.6} s",
        summary.puzzles,
        if summary.puzzles == 1 { "" } else { "s" },
        summary.invalid,
        summary.undecided,
        wall.as_secs_f64(),
    )
}

/// User and system time of this process so far, in seconds.
fn processor_times() -> (f64, f64) {
    getrusage(UsageWho::RUSAGE_SELF).map_or((0.0, 0.0), |usage| {
        let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
        (seconds(usage.user_time()), seconds(usage.system_time()))
    })
}
