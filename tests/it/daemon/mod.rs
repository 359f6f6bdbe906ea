//! Tests the whole service as users see it.

mod arrival;
mod asking;
mod attempts;
mod complaints;
mod faults;
mod grading;
mod history;
mod hostile;
mod journal;
mod kill;
mod log;
mod metrics;
mod model;
mod outcome;
mod page;
mod pages;
mod permissions;
mod readers;
pub mod recovery;
mod reloading;
mod retention;
mod running;
mod warnings;
mod watching;
mod why;
