//! What a solver is, and the table of all there are.
//!
//! A [`Solver`] is a constant: its name, its options, its documentation. Opened under a set of options it
//! gives a [`PuzzleReader`], which reads puzzles one by one from a [`Scanner`](crate::input::Scanner); each [`Puzzle`]
//! is then solved by itself, on any thread, within a [`Budget`], into an [`Outcome`].
//!
//! To add a solver, follow the list in ARCHITECTURE.md.

// What a solver is.
mod api;
// `2048-astar`.
mod astar_2048;
// `checkers-capture`.
mod checkers_capture;
// `2048-game`.
mod game_2048;
// `jump-game`.
mod jump_game;
// What a puzzle may cost.
mod limits;
// `2048-merge`.
mod merge_2048;
// Options of solvers.
mod options;
// What became of a puzzle.
mod outcome;
// Random numbers that are the same on every machine.
mod random;
// The table of all solvers, and what works with any of them.
mod registry;

pub use api::{Entry, Example, Layout, Part, Puzzle, PuzzleReader, Solver, SolverInfo, Work};
pub use astar_2048::puzzle_2048;
pub use game_2048::LiveGame;
pub use limits::{Budget, Cancel, Charge, ChargedTable, ChargedVec, FREE_BYTES, Pace, Permits, Stop};
pub use merge_2048::Merge2048;
pub(crate) use options::choice;
pub use options::{
    Authority, COMMON, Choice, DURATIONS, DirectiveRule, Hint, JOB_TIME_LIMIT, Kind, LANGUAGE, MEMORY_LIMIT,
    OptionError, OptionKey, OptionSpec, OptionValue, Options, Range, SIZE_MAX, TIME_LIMIT, Values, WITNESS,
    YEAR, did_you_mean, duration, format_size, meant, size,
};
pub use outcome::{Bounds, Excerpt, Outcome, Problem, Proposal, Render, Teller, Text, Verdict, undecided};
pub use random::Random;
pub use registry::{SOLVERS, default_options, find, find_among};
