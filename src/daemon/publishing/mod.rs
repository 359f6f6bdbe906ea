//! Makes results durable, then visible.

// The names that outputs get.
mod output_names;
// Groups of jobs: synced, named, their inputs archived.
pub mod publisher;
// The report on a rejected file.
mod rejection_report;
// One job of a group on its way, and the older outputs that it replaces.
mod publication;

#[cfg(test)]
mod tests;
