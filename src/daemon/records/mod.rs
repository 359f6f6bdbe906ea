//! What is remembered of a job.

// Inputs that were answered or rejected, under the names of their jobs.
pub mod kept_inputs;
// A line a job, in a file a day.
pub mod history;
// The lines of a job in the log.
pub mod job_log;
// Removes what is older than it may become.
pub mod retention;
// Where those look who do not serve.
pub mod file_search;
