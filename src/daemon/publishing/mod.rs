//! Makes results durable, then visible.

/// Names in the outbox that somebody else's file or folder has already.
mod collision;
/// Groups of jobs: synced, named, their inputs archived.
pub mod publish;
