//! How the configuration applies to a file: its solver and options, and advice on how it reaches another solver.

// Advice on how a file reaches the solver for which it was written.
mod advice;
// The students of a class in one archive who have no graded submission.
mod archive_class;
// Suggestions for faulty directives.
mod directive_help;
// Answers the members of an archive.
mod members;
// The reference of a route that grades.
mod route_reference;
// Solver and options of one job, and of a file that the routes decide about.
mod resolve;

pub use advice::UnroutedFile;
pub use members::{Done, Members};
pub use resolve::{Overrides, ResolveError, ResolvedJob, Routed, read_head, resolve};
pub use route_reference::{REFERENCES_BYTES_MAX, Reference};
