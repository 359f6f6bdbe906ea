//! Defines what a solver is, and lists all solvers.
//!
//! A [`Solver`] has a name, options and documentation. Opened with a set of options, it returns a [`PuzzleReader`],
//! which reads puzzles one by one from a [`Scanner`](crate::input::Scanner). Any thread can then solve a [`Puzzle`]
//! within a [`Budget`]; the result is an [`Outcome`].
//!
//! To add a solver, follow the list in ARCHITECTURE.md.

mod api;
mod astar_2048;
mod checkers_capture;
mod form;
mod game_2048;
mod grading;
mod jump_game;
mod limits;
mod merge_2048;
mod options;
mod outcome;
mod outcome_json;
mod random;
mod registry;

pub use api::*;
pub use astar_2048::puzzle_2048;
pub use form::{Field, FormMistake, Piece, are_allowed, counts, described, is_like_end_marker};
pub use game_2048::{LiveGame, SHARED_BYTES};
pub use grading::{
    ANSWER_BYTES_MAX, ANSWER_LINE_BYTES_MAX, Answer, AnswerReader, CLAIMED_BYTES_MAX, Finding, Known, Mark,
    Reason, Submission, TooMany,
};
pub use limits::{Budget, Cancel, Charge, ChargedTable, ChargedVec, FREE_BYTES, Pace, Permits, Stop};
pub use merge_2048::Merge2048;
pub use options::*;
pub use outcome::*;
pub(crate) use outcome_json::malformed_unless;
pub use random::Random;
pub use registry::{default_options, everyday_name, find, find_among, options_from, read_displayed};

/// Every solver, in the order in which `tabuleiro solvers` lists them.
pub const SOLVERS: &[&dyn Solver] = &[
    &checkers_capture::CheckersCapture,
    &merge_2048::Merge2048,
    &astar_2048::Astar2048,
    &game_2048::Game2048,
    &jump_game::JumpGame,
];
