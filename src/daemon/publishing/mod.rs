//! Makes results durable, then visible.

// Publishes groups of jobs: syncs and names their outputs, and archives their inputs.
pub mod publisher;
// One job of a group: its renames, the names of its outputs, its report.
mod publication;

#[cfg(test)]
mod tests;
