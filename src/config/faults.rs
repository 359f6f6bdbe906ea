//! What is wrong with a configuration: all of it, each fault with its line and column.

use std::cell::RefCell;
use std::fmt;
use std::ops::Range;

use tabuleiro_puzzles::input::{Place, printable};
use tabuleiro_puzzles::solver::Solver;

/// How much of a wrong value is quoted.
const QUOTE_BYTES_MAX: usize = 60;

/// One thing that is wrong, or deserves attention.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// What was found and what was expected.
    pub message: String,
}

/// Everything that is wrong with a configuration, in the order of its lines.
///
/// Printed as one line a fault: `FILE:LINE:COLUMN: MESSAGE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    origin: String,
    faults: Vec<Fault>,
    dropped: usize,
}

impl ConfigError {
    /// Faults described; further ones are only counted.
    pub const FAULTS_MAX: usize = 50;

    /// The faults, at most [`Self::FAULTS_MAX`], at least one.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{}:{}: {}", self.origin, fault.place, fault.message)?;
        }
        if self.dropped > 0 {
            write!(f, "\n{}: and {} more", self.origin, self.dropped)?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigError {}

/// A text that is read, with the faults and warnings found so far.
pub(super) struct Source<'t> {
    text: &'t str,
    /// Those that routes may name.
    pub(super) solvers: &'t [&'static dyn Solver],
    /// Somebody wants to know what deserves attention, though it costs time.
    pub(super) is_thorough: bool,
    faults: RefCell<Vec<(usize, String)>>,
    warnings: RefCell<Vec<(usize, String)>>,
}

impl<'t> Source<'t> {
    pub(super) fn new(text: &'t str, solvers: &'t [&'static dyn Solver]) -> Self {
        Self { text, solvers, is_thorough: false, faults: RefCell::default(), warnings: RefCell::default() }
    }

    /// The same, for whoever reads the warnings.
    pub(super) fn thorough(text: &'t str, solvers: &'t [&'static dyn Solver]) -> Self {
        Self { is_thorough: true, ..Self::new(text, solvers) }
    }

    /// Records a fault at a byte offset of the text.
    pub(super) fn add(&self, offset: usize, message: impl Into<String>) {
        self.faults.borrow_mut().push((offset, message.into()));
    }

    /// Records what deserves attention, and is no fault.
    pub(super) fn warn(&self, offset: usize, message: impl Into<String>) {
        self.warnings.borrow_mut().push((offset, message.into()));
    }

    /// What the text says there, fit for a line of a message.
    pub(super) fn quote(&self, span: Range<usize>) -> String {
        printable(self.text.get(span).unwrap_or_default().as_bytes(), QUOTE_BYTES_MAX)
    }

    /// `value` and the warnings, when no fault was found.
    pub(super) fn finish<T>(self, origin: &str, value: Option<T>) -> Result<(T, Vec<Fault>), ConfigError> {
        let (faults, dropped) = placed(self.text, self.faults.into_inner());
        match value {
            Some(value) if faults.is_empty() => Ok((value, placed(self.text, self.warnings.into_inner()).0)),
            _ => Err(ConfigError { origin: origin.to_owned(), faults, dropped }),
        }
    }
}

/// The first [`ConfigError::FAULTS_MAX`] of a list with their places, and how many there are besides.
fn placed(text: &str, mut list: Vec<(usize, String)>) -> (Vec<Fault>, usize) {
    list.sort();
    list.dedup();
    let dropped = list.len().saturating_sub(ConfigError::FAULTS_MAX);
    list.truncate(ConfigError::FAULTS_MAX);
    let fault = |(offset, message)| Fault { place: place(text, offset), message };
    (list.into_iter().map(fault).collect(), dropped)
}

/// Line and column of a byte offset.
fn place(text: &str, offset: usize) -> Place {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let last_line = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = before.split(|&byte| byte == b'\n').count() as u64;
    Place { line, column: last_line.len() as u64 + 1 }
}

/// Somebody's word as a message quotes it.
pub(super) fn quoted(word: &str) -> String {
    printable(word.as_bytes(), QUOTE_BYTES_MAX)
}
