//! What is wrong with a configuration: all of it, each fault with its line and column.

use std::fmt;

use crate::input::Place;

/// One thing that is wrong.
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

    pub(super) fn new(origin: &str, faults: Vec<Fault>, dropped: usize) -> Self {
        Self { origin: origin.to_owned(), faults, dropped }
    }

    /// The file, or what the configuration came from.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

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
