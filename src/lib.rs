//! The program `tabuleiro`: the watch-folder service and the command line.
//!
//! The puzzles are solved by [`tabuleiro_puzzles`]; [`tabuleiro_jobs`] turns one file into its results.

pub mod cli;
pub mod config;
pub mod daemon;
pub mod logging;
