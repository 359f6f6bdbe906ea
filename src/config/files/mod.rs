//! What the configuration says about a file: what it is solved by and under, and how it gets to another solver.

// How a file gets to the solver for which it was written.
mod advice;
// The members of an archive answered.
mod members;
// What a route grades by.
mod reference;
// Solver and options of one job.
mod resolve;
// A file that the routes decide about, from its first byte to its last.
mod routed;

pub use advice::Stray;
pub use members::{Done, Members};
pub(super) use reference::REFERENCES_BYTES_MAX;
pub use reference::Reference;
pub use resolve::{ResolveError, ResolvedJob, resolve};
pub use routed::Routed;
