//! Makes results durable, then visible.

// The names that outputs get.
mod names;
// Groups of jobs: synced, named, their inputs archived.
pub mod publisher;
// One job of a group on its way.
mod step;

#[cfg(test)]
mod tests;
