//! An error that ends the process, and what is printed.

use std::fmt;
use std::io::{self, Write};

use super::exit::Exit;
use crate::config::{ConfigError, LocateError};
use crate::solver::OptionError;

/// An error that ends the process, with its exit code.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) exit: Exit,
    message: String,
}

impl Failure {
    pub(super) fn new(exit: Exit, message: impl fmt::Display) -> Self {
        Self { exit, message: message.to_string() }
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
