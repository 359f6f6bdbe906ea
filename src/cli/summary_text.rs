//! The end of `solve` and similar commands: exit codes, counts, and the reason if there is no result.

use std::io;
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;

use crate::cli::cli_messages::{CliMessage, say};
use crate::cli::failure::{Exit, Failure, style};
use crate::config::Config;
use tabuleiro_jobs::archive::ArchiveError;
use tabuleiro_jobs::{FileMessages, JobError, Pool, Rejection, Summary, puzzle_count};

/// Returns the exit code of a file that has a result.
pub fn exit(summary: &Summary) -> Exit {
    if summary.mistakes.count > 0 || summary.ignored.is_some() {
        Exit::Data
    } else if summary.undecided > 0 {
        Exit::Temporary
    } else {
        Exit::Ok
    }
}

/// Returns the failure if an archive or one of its members cannot be read.
pub fn not_read(name: &str, error: ArchiveError) -> Failure {
    match error {
        ArchiveError::Read(error) => Failure::read(name, &error),
        ArchiveError::Refused(why) => Failure::rejected(name, Rejection::NotRead(why)),
    }
}

/// Starts the solver threads.
///
/// # Errors
/// Exit code 71 if the system refuses to start them.
pub fn start_pool(config: &Config) -> Result<Pool, Failure> {
    Pool::new(config.workers.thread_count().get()).map_err(|error| Failure::system("start threads", error))
}

/// Returns how the command ends if a file has no result. It is not a failure if the reader of the output closes the
/// pipe, as `head` does.
///
/// # Errors
/// Returns why there is no result.
pub fn unanswered(error: JobError, name: &str) -> Result<Exit, Failure> {
    match error {
        JobError::Write(error) => Failure::unless_closed(&error).map(|()| Exit::Ok),
        error => Err(failure(error, name)),
    }
}

/// Returns the failure that says why a file has no result.
pub fn failure(error: JobError, name: &str) -> Failure {
    match error {
        JobError::Rejected(rejection) => Failure::rejected(name, rejection),
        JobError::Read(error) => Failure::read(name, &error),
        JobError::Write(error) => Failure::output(&error),
        JobError::Reference { .. } | JobError::Unsettled { .. } => {
            Failure::new(Exit::Config, format_args!("{name}: {error}"))
        }
        JobError::Cancelled | JobError::Panicked { .. } => {
            Failure::new(Exit::Software, format_args!("{name}: {error}"))
        }
    }
}

/// Returns the messages about the puzzles of a file, for standard error, as whole lines.
pub fn puzzle_messages(name: &str, noun: &'static str, summary: &Summary) -> String {
    let messages = FileMessages { name, noun, style: style(&io::stderr()) };
    let count = messages.count(&summary.mistakes).filter(|_| !summary.is_for_another_solver());
    messages.summary(summary) + &count.unwrap_or_default()
}

/// Returns the number of puzzles, and the times that the original programs reported.
pub fn totals(name: &str, noun: &str, summary: &Summary, wall: Duration) -> String {
    let seconds = |time: f64| format!("{time:.6}");
    let of_process = |time: TimeVal| seconds(time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6);
    let [user, system] = getrusage(UsageWho::RUSAGE_SELF).map_or([seconds(0.0), seconds(0.0)], |usage| {
        [of_process(usage.user_time()), of_process(usage.system_time())]
    });
    say(CliMessage::Totals {
        name: name.to_owned(),
        puzzles: puzzle_count(noun, summary.puzzles),
        invalid: summary.invalid,
        undecided: summary.undecided,
        user,
        system,
        wall: seconds(wall.as_secs_f64()),
    })
}
