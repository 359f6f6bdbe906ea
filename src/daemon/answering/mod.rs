//! The way of one claimed file to its outcome.

/// One claimed file to its results, its rejection, or back.
pub mod answer;
/// The order in which waiting jobs get a worker.
pub mod fair;
/// How many puzzles may use much memory at a time.
pub mod memory;
/// What the jobs in hand have read and answered.
pub mod progress;
/// What is to be done next with each claim.
pub mod schedule;
