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
// Reads and grades the answers of a submission.
mod grading;
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
// The form in which outcomes travel to another machine.
mod outcome_json;
// Random numbers that are the same on every machine.
mod random;
// What works with any solver of the table.
mod registry;

pub use api::{Entry, Example, Layout, Part, Puzzle, PuzzleReader, Solver, SolverInfo, Work};
pub use astar_2048::puzzle_2048;
pub use game_2048::{LiveGame, SHARED_BYTES};
pub use grading::{
    ANSWER_BYTES_MAX, ANSWER_LINE_BYTES_MAX, Answer, AnswerReader, CLAIMED_BYTES_MAX, Finding, Known, Mark,
    Reason, Submission, TooMany,
};
pub use limits::{
    Budget, Cancel, Charge, ChargedTable, ChargedVec, FREE_BYTES, Pace, Permits, Stop, Threads,
    thread_cpu_time,
};
pub use merge_2048::Merge2048;
pub use options::choice;
pub use options::{
    ALL_OR_NOTHING, Authority, COMMON, COMPARE_RULES, Choice, DURATIONS, DirectiveRule, GRADING, Hint,
    JOB_TIME_LIMIT, Kind, LANGUAGE, MEMORY_LIMIT, NEEDS_WITNESS, OptionError, OptionKey, OptionSpec,
    OptionValue, Options, PARTIAL, PICTURE, POINTS, Partial, REVEAL, Range, Reveal, SIZE_MAX, TIME_LIMIT,
    Values, WITNESS, WORDS, Words, YEAR, did_you_mean, duration, format_size, is_of_grading, meant, size,
};
pub use outcome::{
    Bounds, Excerpt, Outcome, Problem, ProblemData, Proposal, Render, RowLengths, Seen, Shown, Teller, Text,
    Verdict, undecided,
};
pub(crate) use outcome_json::malformed_unless;
pub use random::Random;
pub use registry::{default_options, find, find_among, options_from, read_displayed};

/// Every solver, in the order in which `tabuleiro solvers` lists them.
pub const SOLVERS: &[&dyn Solver] = &[
    &checkers_capture::CheckersCapture,
    &merge_2048::Merge2048,
    &astar_2048::Astar2048,
    &game_2048::Game2048,
    &jump_game::JumpGame,
];
