//! Takes one claimed file to its outcome, and decides which file is next.

// Answers one claimed file: results, a rejection, or a return to the inbox.
pub mod answerer;
// Makes the outputs of a claimed file, by what it holds.
pub mod content;
// The order in which waiting jobs get a worker.
pub mod fair;
// How many puzzles can use a lot of memory at the same time.
pub mod memory_plan;
// The outcome of a job, and the progress of its publication.
pub mod pending_publication;
// The progress of the jobs that are being answered.
pub mod job_progress;
// Which claims are answered alone.
pub mod quarantine;
// What happens next to each claim.
pub mod schedule;
// Outputs under temporary names.
pub mod staging;

#[cfg(test)]
mod tests;
