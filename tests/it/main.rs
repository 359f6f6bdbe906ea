//! Tests of the program from outside: its configuration, its commands, its documents, and the whole service.

mod advice;
mod class;
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
mod harness;
#[path = "../laid_out.rs"]
mod laid_out;
mod layers;
mod mistakes;
mod package;
mod play;
#[cfg(feature = "workers")]
mod remote_access;
mod solvers;
#[allow(dead_code, reason = "each program uses its part")]
#[path = "../stated.rs"]
mod stated;
#[cfg(feature = "workers")]
mod workers;
