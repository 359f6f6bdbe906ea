//! What a solver is, and the table of all there are.
//!
//! A [`Solver`] is a constant: its name, its options, its documentation. Opened under a set of options it
//! gives a [`PuzzleReader`], which reads puzzles one by one from a [`Scanner`]; each [`Puzzle`] is then
//! solved by itself, on any thread, within a [`Budget`], into an [`Outcome`].
//!
//! To add a solver, write its module and name it in [`SOLVERS`].

mod astar_2048;
mod budget;
mod checkers_capture;
mod game_2048;
mod jump_game;
mod memory;
mod merge_2048;
mod options;
mod outcome;
mod random;

use std::io;

use crate::input::{Place, Scanner};

pub use astar_2048::puzzle_2048;
pub use budget::{Budget, Cancel, Stop};
pub use game_2048::LiveGame;
pub use memory::{FREE_BYTES, Permits};
pub use merge_2048::Merge2048;
pub use options::{
    Authority, COMMON, DirectiveRule, Kind, OptionError, OptionSpec, OptionValue, Options, duration,
    format_size, nearest, size,
};
pub use outcome::{Bounds, Outcome, Problem, Render, Text, Verdict};
pub use random::Random;

/// Every solver, in the order in which `tabuleiro solvers` lists them.
pub const SOLVERS: &[&dyn Solver] = &[
    &checkers_capture::CheckersCapture,
    &merge_2048::Merge2048,
    &astar_2048::Astar2048,
    &game_2048::Game2048,
    &jump_game::JumpGame,
];

/// The solver with that ID.
#[must_use]
pub fn find(id: &str) -> Option<&'static dyn Solver> {
    SOLVERS.iter().copied().find(|solver| solver.id() == id)
}

/// Reads and solves all of `text`, one puzzle after the other and without limits of time or memory: for tests
/// and library users. Services read and solve in parallel, through a job.
///
/// # Errors
/// Never with text in memory; the signature is that of reading.
pub fn answer_all(
    solver: &dyn Solver,
    options: &Options,
    name: &str,
    text: &[u8],
) -> io::Result<Vec<Outcome>> {
    let mut scanner = Scanner::new(text, name)?;
    let mut reader = solver.open(options);
    let mut outcomes = Vec::new();
    while let Some(entry) = reader.read(&mut scanner)? {
        outcomes.push(match entry.work {
            Work::Solve(puzzle) => puzzle.solve(&Budget::unlimited()),
            Work::Settled(outcome) => outcome,
        });
    }
    Ok(outcomes)
}

/// A kind of puzzle and how it is answered.
pub trait Solver: Sync {
    /// The name in configurations and directives: `checkers-capture`.
    fn id(&self) -> &'static str;

    /// What it answers, in a line without a full stop.
    fn about(&self) -> &'static str;

    /// The input format, as `tabuleiro solvers ID` prints it: a few indented lines.
    fn input_format(&self) -> &'static str;

    /// The output format, likewise.
    fn output_format(&self) -> &'static str;

    /// An input and its exact output under the default options; checked by a test.
    fn example(&self) -> Example;

    /// Its own options, beside [`COMMON`].
    fn options(&self) -> &'static [OptionSpec];

    /// The options of its generator, beside none.
    fn generator_options(&self) -> &'static [OptionSpec];

    /// Begins to read a file of puzzles under `options`, which hold [`COMMON`] and [`Self::options`].
    fn open(&self, options: &Options) -> Box<dyn PuzzleReader>;

    /// Writes a file of `count` random valid puzzles; the same `options` and `random` give the same file.
    ///
    /// # Errors
    /// Those of `out`.
    fn generate(
        &self,
        options: &Options,
        count: u64,
        random: &mut Random,
        out: &mut dyn io::Write,
    ) -> io::Result<()>;
}

/// The defaults of a solver's options, the common ones included.
#[must_use]
pub fn default_options(solver: &dyn Solver) -> Options {
    Options::defaults(&[COMMON, solver.options()])
}

/// An input and what it gives.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// The content of an `entrada.txt`.
    pub input: &'static str,
    /// The content of the `saida.txt`.
    pub output: &'static str,
}

/// Reads the puzzles of one file, one by one. It keeps no more than one puzzle.
pub trait PuzzleReader: Send {
    /// Reads the next puzzle; `None` at the end of the file. A puzzle that cannot be read is an entry too:
    /// the reader describes it and goes on behind it. Every call consumes input or returns `None`.
    ///
    /// # Errors
    /// Only those of reading the input.
    fn read(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>>;

    /// After the end: whether a file without any puzzle is complete all the same.
    fn allows_empty(&self) -> bool {
        false
    }
}

/// One puzzle of a file, in its turn.
pub struct Entry {
    /// Where it begins.
    pub place: Place,
    /// The puzzle, or its outcome where that needs no solving.
    pub work: Work,
}

/// What is to be done about an entry.
pub enum Work {
    /// To be solved.
    Solve(Box<dyn Puzzle>),
    /// Known already: an invalid puzzle.
    Settled(Outcome),
}

/// A valid puzzle with all it needs to be solved.
pub trait Puzzle: Send + Sync {
    /// Solves it. The outcome depends on the puzzle and its options alone, unless the budget ends it.
    fn solve(&self, budget: &Budget) -> Outcome;
}
