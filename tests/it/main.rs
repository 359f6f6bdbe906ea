//! The one integration target: the solvers against their pages, the configuration, and the whole service.

mod advice;
mod astar;
mod budget_fails;
mod checkers_capture;
mod checkers_capture_budget;
mod checkers_capture_reader;
mod checkers_long_branch;
mod checkers_verified;
mod cli;
mod config;
mod config_bombs;
mod config_changes;
mod config_faults;
mod config_schema;
mod config_warnings;
mod corpora;
mod daemon;
mod directives;
mod documents;
mod game_2048;
mod game_2048_limits;
mod golden;
mod grading;
mod harness;
mod jump_game;
mod layers;
mod merge_2048;
mod mistakes;
mod package;
mod pictures;
mod play;
mod polls;
mod puzzle_2048;
mod puzzle_text;
#[cfg(feature = "workers")]
mod remote_access;
mod row_shapes;
mod sliding;
mod solvers;
#[allow(dead_code, reason = "each program uses its part")]
#[path = "../stated.rs"]
mod stated;
mod suggestions;
mod words;
#[cfg(feature = "workers")]
mod workers;
