//! Claims: files taken out of the inbox.

// A claimed file, from its claim to its end.
pub mod file_claim;
// Finds claims in the working folder.
pub mod find;
// Keeps claims and givings back apart.
pub mod gate;
// The names of claims in the working folder.
mod name;
// What stands under the names of a claim's outputs, and who may read these.
pub mod outputs;
// What an earlier run left, put in order.
pub mod recovery;
