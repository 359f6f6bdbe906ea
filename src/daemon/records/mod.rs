//! What is remembered of a job.

/// Inputs that were answered or rejected, kept under the names of their jobs.
pub mod archive;
/// Jobs that the history lacks, told by the archive.
pub mod backfill;
/// A line a job, in a file a day.
pub mod history;
/// The lines of a job in the log.
pub mod job_log;
/// Removes what is older than it is to be kept.
pub mod retention;
