//! What the configuration says about a file: what it is solved by and under, and how it gets to another solver.

// How a file gets to the solver for which it was written.
mod advice;
// The students of a class in one archive, of whom nothing is graded.
mod archive_class;
// The members of an archive answered.
mod members;
// What a route grades by.
mod route_reference;
// Solver and options of one job.
mod resolve;
// A file that the routes decide about, from its first byte to its last.
mod routed;

pub use advice::UnroutedFile;
pub use members::{Done, Members};
pub use resolve::{Overrides, ResolveError, ResolvedJob, read_directives_warning, resolve};
pub(super) use route_reference::REFERENCES_BYTES_MAX;
pub use route_reference::Reference;
pub use routed::Routed;
