//! The way of one claimed file to its outcome.

// One claimed file to its results, its rejection, or back.
pub mod answerer;
// Files that change while they are read.
mod changing;
// What a claimed file holds, and what is made of it.
pub mod content;
// The order in which waiting jobs get a worker.
pub mod fair;
// How many puzzles may use much memory at a time.
pub mod memory_plan;
// What came out of a job, and how far its publication came.
pub mod pending_publication;
// What the jobs in hand have read and answered.
pub mod job_progress;
// Which claims are answered alone.
pub mod quarantine;
// What is to be done next with each claim.
pub mod schedule;
// Outputs under temporary names.
pub mod staging;
// Which errors of files pass by themselves.
pub mod io_errors;

#[cfg(test)]
mod tests;
