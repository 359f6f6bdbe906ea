//! Records of jobs: log lines, the history and the archive of inputs.

// The history: one line per job, in one file per day.
pub mod history;
// The log lines of a job.
pub mod job_log;
// Removes archived inputs, days of the history and log files that exceed their maximum age.
pub mod retention;
// Searches the service's folders, above all the archive of inputs.
pub mod file_search;
