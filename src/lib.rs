//! Tabuleiro answers the board puzzles of algorithms courses: `entrada.txt` in, `saida.txt` out.
//!
//! Dependencies point one way: the daemon and the command line use jobs, jobs use solvers, solvers use
//! boards and searches. Solvers do no input or output, read no clock but their budget's, and write no log.
//!
//! [`puzzle_2048`] is the `Board` and the `Solver` that the assignment of the deterministic 2048 asks for.

pub mod board;
pub mod cli;
pub mod config;
pub mod daemon;
pub mod input;
pub mod job;
pub mod logging;
pub mod naming;
pub mod puzzle_2048;
pub mod solver;
