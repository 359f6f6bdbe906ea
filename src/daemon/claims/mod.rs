//! Claims: files taken out of the inbox.

// One claimed file, from its claim to its end.
pub mod file_claim;
// Finds claims in the working folder, and recovers them after a crash.
pub mod find;
// The names of claims in the working folder.
mod name;
// Looks up the outputs of a claim in the outbox, and says who may read them.
pub mod outputs;
