//! Errors that end the process, exit codes, and printing.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread::Builder;
use std::time::Duration;

use super::arguments::printable_path;
use super::cli_messages::{CliMessage, reason, say};
use super::terminal_table::columns;
use crate::config::ConfigError;
use crate::logging::{END_WAIT_MAX, journal};
use crate::terminal_language::{shows_colours, terminal_language};
use tabuleiro_jobs::{MessageStyle, Rejection, wrapped};
use tabuleiro_puzzles::solver::OptionError;
use tabuleiro_puzzles::words::Phrase;

/// An error that ends the process, with its exit code.
pub(super) struct Failure {
    pub(super) exit: Exit,
    message: String,
    /// Why a file is rejected, if the message reports that.
    pub(super) rejection: Option<Box<Rejection>>,
    /// Maximum time to wait until standard error accepts the message; `None` if there is no maximum.
    patience: Option<Duration>,
}

impl Failure {
    pub(super) fn new(exit: Exit, message: impl fmt::Display) -> Self {
        Self { exit, message: message.to_string(), rejection: None, patience: None }
    }

    /// Creates a failure with a message in the language of the terminal.
    pub(super) fn of(exit: Exit, message: impl Into<Phrase>) -> Self {
        Self::new(exit, say(message))
    }

    /// Creates the failure for a rejected file, with its whole report as the message.
    pub(super) fn rejected(name: &str, rejection: Rejection) -> Self {
        let report = rejection.report(name, &style(&io::stderr()));
        Self { rejection: Some(Box::new(rejection)), ..Self::new(Exit::Data, report.trim_end()) }
    }

    /// Creates the failure for a file that cannot be opened. Exit code 66 if it does not exist, 77 without permission,
    /// else 74.
    pub(super) fn open(name: &str, error: &io::Error) -> Self {
        let message = CliMessage::CannotOpen { name: name.to_owned(), reason: reason(error) };
        let exit = match error.kind() {
            io::ErrorKind::NotFound
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::IsADirectory
            | io::ErrorKind::InvalidFilename => Exit::NoInput,
            _ => Exit::Io,
        };
        Self::of(unless_denied(exit, error), message)
    }

    /// Creates the failure for a file that cannot be read. Exit code 77 without permission, else 74.
    pub(super) fn read(name: &str, error: &io::Error) -> Self {
        let message = CliMessage::CannotRead { name: name.to_owned(), reason: reason(error) };
        Self::of(unless_denied(Exit::Io, error), message)
    }

    /// Creates the failure for a file or folder that cannot be made. Exit code 77 without permission, else 73.
    pub(super) fn create(path: &Path, error: &io::Error) -> Self {
        let message = CliMessage::CannotCreate { name: printable_path(path), reason: reason(error) };
        Self::of(unless_denied(Exit::CannotCreate, error), message)
    }

    /// Limits the time to wait until standard error accepts the message: it may be a pipe that nobody reads any more.
    pub(super) fn impatient(self) -> Self {
        Self { patience: Some(END_WAIT_MAX), ..self }
    }

    /// Prints the message. If standard error is the journal, each line gets the priority of an error.
    pub(super) fn tell(&self) {
        // The report on a rejected file begins with the name of the file.
        let program = if self.rejection.is_some() { "" } else { "tabuleiro: " };
        let mut text = format!("{program}{self}");
        if journal::has_stderr() {
            journal::as_errors(&text).trim_end().clone_into(&mut text);
        } else if self.rejection.is_none() && (io::stderr().is_terminal() || self.exit != Exit::Config) {
            // Programs read the faults of a configuration line by line, so they are wrapped only for a terminal.
            let columns = style(&io::stderr()).columns;
            let lines: String = text.lines().map(|line| wrapped(line, columns)).collect();
            lines.trim_end().clone_into(&mut text);
        }
        let Some(patience) = self.patience else { return print_error(&text) };
        let (done, is_done) = mpsc::channel::<()>();
        let said = text.clone();
        let print = move || {
            print_error(&said);
            drop(done);
        };
        match Builder::new().spawn(print) {
            // Waits until the thread drops `done`.
            Ok(_) => drop(is_done.recv_timeout(patience)),
            Err(_) => print_error(&text),
        }
    }

    /// Creates the failure for something that every program needs and the system refuses.
    pub(super) fn system(what: &str, error: impl fmt::Display) -> Self {
        Self::new(Exit::System, format_args!("cannot {what}: {error}"))
    }

    /// Creates the failure for an output that cannot be written.
    pub(super) fn output(error: &io::Error) -> Self {
        Self::of(Exit::Io, CliMessage::CannotWriteOutput { reason: reason(error) })
    }

    /// Creates the same failure, unless the reader of the output closed the pipe, as `head` does.
    pub(super) fn unless_closed(error: &io::Error) -> Result<(), Self> {
        if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(Self::output(error)) }
    }

    /// Creates the failure for a `--set` that the solver rejects.
    pub(super) fn set(error: OptionError) -> Self {
        Self::of(Exit::Usage, CliMessage::WrongSet { error: error.into() })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::new(Exit::Config, error)
    }
}

fn unless_denied(exit: Exit, error: &io::Error) -> Exit {
    if error.kind() == io::ErrorKind::PermissionDenied { Exit::NoPermission } else { exit }
}

/// Returns the style of messages about a file for a stream.
pub(super) fn style(stream: &impl IsTerminal) -> MessageStyle {
    let file = MessageStyle::of_file(terminal_language());
    if !stream.is_terminal() {
        return file;
    }
    MessageStyle { columns: columns(), has_colours: shows_colours(stream), ..file }
}

/// Prints a warning to standard error, in the language of the terminal.
pub(super) fn warn(message: impl Into<Phrase>) {
    print_error(&format!("tabuleiro: {}", say(message)));
}

/// Prints to standard output.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let printed = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    printed.or_else(|error| Failure::unless_closed(&error))
}

/// Prints a line to standard error in one write. Ignores a failure, which cannot be reported anywhere. `eprintln!`
/// would panic.
pub(super) fn print_error(text: &str) {
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// The exit codes of all subcommands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Everything succeeded.
    Ok = 0,
    /// At least one answer of a submission is not right.
    NotAccepted = 1,
    /// The service does not run. `systemctl status` has the same code for this.
    NotRunning = 3,
    /// A judge accepts the submission.
    JudgeAccepted = 42,
    /// A judge does not accept the submission.
    JudgeWrongAnswer = 43,
    /// The command line is wrong, or no route takes the input.
    Usage = 64,
    /// Something in the input is invalid; everything valid was answered.
    Data = 65,
    /// The input does not exist.
    NoInput = 66,
    /// An internal error: a bug in this program.
    Software = 70,
    /// The system refuses something that every program needs: threads, signals.
    System = 71,
    /// An output cannot be created.
    CannotCreate = 73,
    /// Reading or writing failed.
    Io = 74,
    /// A limit left an answer undecided, the service has a problem, or another process holds a resource. Another try
    /// may succeed.
    Temporary = 75,
    /// The user lacks permission.
    NoPermission = 77,
    /// The configuration is wrong.
    Config = 78,
}

impl Exit {
    /// Returns the worse of two exit codes. A file that could not be read is worse than any mistake in a file, and an
    /// invalid puzzle is worse than an undecided one.
    pub(super) fn worse(self, other: Self) -> Self {
        let badness = |exit| match exit {
            Self::Ok => 0,
            Self::Temporary => 1,
            Self::Data => 2,
            Self::Usage => 3,
            Self::NoInput => 4,
            _ => 5,
        };
        if badness(other) > badness(self) { other } else { self }
    }
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
