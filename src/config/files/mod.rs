//! What the configuration says about a file: what it is solved by and under, and how it gets to another solver.

// How a file gets to the solver for which it was written.
mod advice;
// The students of a class in one archive, of whom nothing is graded.
mod class;
// For which solver a file looks as if it was written.
mod looks_like;
// The members of an archive answered.
mod members;
// Comments that look like directives.
mod near_misses;
// What a route grades by.
mod reference;
// Solver and options of one job.
mod resolve;
// A file that the routes decide about, from its first byte to its last.
mod routed;
// Games that other rules answer otherwise.
mod rules;

pub use advice::UnroutedFile;
pub use members::{Done, Members};
pub use near_misses::read_directives_warning;
pub(super) use reference::REFERENCES_BYTES_MAX;
pub use reference::Reference;
pub use resolve::{ResolveError, ResolvedJob, resolve};
pub use routed::Routed;
