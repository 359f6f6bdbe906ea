//! Exact solvers for the board puzzles of algorithms courses: text in; answers, drawings and verdicts out.

pub mod board;
pub mod input;
pub mod picture;
pub mod solver;
pub mod words;

pub use solver::puzzle_2048;
