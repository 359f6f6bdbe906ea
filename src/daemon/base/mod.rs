//! What every folder of the service uses. It imports from none of them.

// Times as they are written, stored and compared.
pub mod clock;
// The IDs of jobs.
pub mod job_id;
// Paths in JSON, whatever bytes they hold.
pub mod json_path;
// Counts of jobs, by route and in total.
pub mod job_tally;
