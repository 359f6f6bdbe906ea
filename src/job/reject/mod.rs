//! Files that get a report instead of a result.

// What a file is by its first bytes.
mod head;
// Why a file is rejected, and the report that says so.
mod rejection;

pub use head::{NotText, refuse_by_head};
pub use rejection::Rejection;
