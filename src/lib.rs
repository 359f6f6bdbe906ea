//! Tabuleiro answers the board puzzles of algorithms courses: `entrada.txt` in, `saida.txt` out.
//!
//! Dependencies point one way: the daemon and the command line use jobs, jobs use solvers, solvers use
//! boards and searches. Solvers do no input or output, read no clock but their budget's, and write no log.
//!
//! [`puzzle_2048`] is the `Board` and the `Solver` that the assignment of the deterministic 2048 asks for.

// Boards.
pub mod board;
// The command line.
pub mod cli;
// The configuration.
pub mod config;
// The service.
pub mod daemon;
// Reading input files.
pub mod input;
// Answering one file.
pub mod job;
// The log.
pub mod logging;
// What pages are drawn with.
pub mod picture;
// Puzzles solved on other machines.
pub mod remote;
// What a solver is, and the table of all there are.
pub mod solver;
// What people are told, in their language.
pub mod words;

pub use solver::puzzle_2048;
