//! The program `tabuleiro`: the watch-folder service and the command line.
//!
//! [`tabuleiro_puzzles`] solves puzzles; [`tabuleiro_jobs`] turns one file into its results.

pub mod cli;
pub mod config;
pub mod daemon;
pub mod logging;
pub mod terminal_language;
