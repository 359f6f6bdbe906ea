//! What every room of the service uses; it imports none of them.

// Times as they are written, kept and compared.
pub mod clock;
// The IDs of jobs.
pub mod job_id;
// Paths in JSON, whatever bytes they hold.
pub mod json_path;
// Counts of jobs, by route and in all.
pub mod job_tally;
