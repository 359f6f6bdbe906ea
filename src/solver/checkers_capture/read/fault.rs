//! Why the rest of a board is not read.

use std::io;

use crate::solver::Problem;

/// Why the rest of a board is not read.
pub enum Fault {
    /// It is invalid, and the next board begins behind something.
    Invalid(Problem, Behind),
    /// Reading failed.
    Io(io::Error),
}

/// What stands between an invalid board and the next one.
pub enum Behind {
    /// The rest of the line at hand.
    RestOfLine,
    /// Nothing of the line at hand is read: the next board may begin there.
    Line,
    /// The end marker is read already.
    Marker,
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Problem> for Fault {
    fn from(problem: Problem) -> Self {
        Self::Invalid(problem, Behind::RestOfLine)
    }
}
