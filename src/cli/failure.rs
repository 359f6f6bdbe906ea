//! An error that ends the process, and what is printed.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread::Builder;
use std::time::Duration;

use crate::config::{ConfigError, LocateError};
use crate::logging::journal;
use tabuleiro_puzzles::solver::OptionError;

/// An error that ends the process, with its exit code.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) exit: Exit,
    message: String,
    /// How long to wait for somebody to take the message, where not for ever.
    patience: Option<Duration>,
}

impl Failure {
    pub(super) fn new(exit: Exit, message: impl fmt::Display) -> Self {
        Self { exit, message: message.to_string(), patience: None }
    }

    /// The same, not told where nobody takes it within that time.
    pub(super) fn within(self, patience: Duration) -> Self {
        Self { patience: Some(patience), ..self }
    }

    /// Prints it, with the priority of an error for each line where that is the journal.
    pub(super) fn tell(&self) {
        let mut text = format!("tabuleiro: {self}");
        if journal::has_stderr() {
            journal::with_priority(&text, journal::ERROR).trim_end().clone_into(&mut text);
        }
        let Some(patience) = self.patience else { return print_error(&text) };
        let (done, is_done) = mpsc::channel::<()>();
        let said = text.clone();
        let print = move || {
            print_error(&said);
            drop(done);
        };
        match Builder::new().spawn(print) {
            // Ends when that is done.
            Ok(_) => drop(is_done.recv_timeout(patience)),
            Err(_) => print_error(&text),
        }
    }

    /// The system refuses to do something that any program needs.
    pub(super) fn system(what: &str, error: impl fmt::Display) -> Self {
        Self::new(Exit::System, format_args!("cannot {what}: {error}"))
    }

    /// Writing the output failed.
    pub(super) fn output(error: &io::Error) -> Self {
        Self::new(Exit::Io, format_args!("cannot write the output: {error}"))
    }

    /// Writing the output failed; but a reader that has enough, as `head` has, is no error.
    pub(super) fn unless_closed(error: &io::Error) -> Result<(), Self> {
        if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(Self::output(error)) }
    }

    /// A `--set` that the solver does not take.
    pub(super) fn set(error: &OptionError) -> Self {
        Self::new(Exit::Usage, format_args!("--set: {error}"))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<LocateError> for Failure {
    fn from(error: LocateError) -> Self {
        Self::new(Exit::Config, error)
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::new(Exit::Config, error)
    }
}

/// Prints to standard output.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let printed = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    printed.or_else(|error| Failure::unless_closed(&error))
}

/// Prints a line to standard error, in one piece. Nothing can be done when nobody reads it: `eprintln` would
/// panic.
pub(super) fn print_error(text: &str) {
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// The exit codes of all subcommands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// All is well.
    Ok = 0,
    /// Not every answer of a submission is right.
    NotAccepted = 1,
    /// The service does not run, as `systemctl status` says it.
    NotRunning = 3,
    /// A judge accepts the submission.
    JudgeAccepted = 42,
    /// A judge does not accept it.
    JudgeWrongAnswer = 43,
    /// The command line is wrong, or nothing routes the input.
    Usage = 64,
    /// Something in the input is invalid; everything valid was answered.
    Data = 65,
    /// There is no such input.
    NoInput = 66,
    /// An internal error: a mistake in this program.
    Software = 70,
    /// The system refuses what any program needs: threads, signals.
    System = 71,
    /// An output cannot be created.
    CannotCreate = 73,
    /// Reading or writing failed.
    Io = 74,
    /// Undecided within the limits, or in use by another process: another try may succeed.
    Temporary = 75,
    /// This user may not.
    NoPermission = 77,
    /// The configuration is wrong.
    Config = 78,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn codes_are_those_of_sysexits() {
        let codes = [Exit::Ok, Exit::Usage, Exit::Data, Exit::NoInput, Exit::Software].map(|exit| exit as u8);
        assert_eq!(codes, [0, 64, 65, 66, 70]);
        let codes = [Exit::System, Exit::CannotCreate, Exit::Io, Exit::Temporary, Exit::Config]
            .map(|exit| exit as u8);
        assert_eq!(codes, [71, 73, 74, 75, 78]);
    }
}
