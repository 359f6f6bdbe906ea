//! Makes results durable, then visible.

// The names that outputs get.
mod names;
// What a new answer supersedes.
mod older;
// Groups of jobs: synced, named, their inputs archived.
pub mod publisher;
// The report on a rejected file.
mod report;
// One job of a group on its way.
mod step;

#[cfg(test)]
mod tests;
