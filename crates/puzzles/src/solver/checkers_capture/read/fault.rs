//! Why a board is not read.

use std::io;

use crate::input::Place;
use crate::solver::Problem;

/// Why a board is not read.
pub enum Fault {
    /// It is invalid.
    Invalid(Problem),
    /// One of its squares is, which is read already.
    Value(Problem),
    /// It is invalid, and all its squares are read.
    Whole(Problem),
    /// There are more numbers than squares, from here on.
    Surplus(Place),
    /// Reading failed.
    Io(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Problem> for Fault {
    fn from(problem: Problem) -> Self {
        Self::Invalid(problem)
    }
}
