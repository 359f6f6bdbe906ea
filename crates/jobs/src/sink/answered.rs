//! What goes into a sink, and what results say of the job itself.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tabuleiro_puzzles::input::Place;
use tabuleiro_puzzles::solver::{LANGUAGE, Options, Outcome, Puzzle, Solver, Teller};

/// Takes the outcomes of a job, in order.
pub trait Sink {
    /// Takes an outcome.
    ///
    /// # Errors
    /// Those of writing.
    fn outcome(&mut self, answered: &Answered<'_>) -> io::Result<()>;
}

/// The outcome of a puzzle, in its turn.
#[derive(Clone, Copy)]
pub struct Answered<'a> {
    /// The number of the puzzle, from 1.
    pub number: u64,
    /// Where it begins.
    pub place: Place,
    /// What became of it.
    pub outcome: &'a Outcome,
    /// How long it took to solve.
    pub wall: Duration,
    /// The puzzle, where it was one to be solved.
    pub puzzle: Option<&'a Arc<dyn Puzzle>>,
    /// Bytes of input that it was read from.
    pub bytes: u64,
}

/// What results say of the job itself.
#[derive(Clone, Copy)]
pub struct JobInfo<'a> {
    /// The input's printable name.
    pub file: &'a str,
    /// The solver.
    pub solver: &'a dyn Solver,
    /// Its options.
    pub options: &'a Options,
}

impl<'a> JobInfo<'a> {
    /// How its outcomes are told.
    pub(crate) fn teller(&self) -> Teller<'a> {
        Teller { language: self.options.get(LANGUAGE), file: self.file, noun: self.solver.info().noun }
    }
}
