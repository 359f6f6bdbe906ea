//! Files that get a report instead of a result.

// What a file is by its first bytes.
mod head;
// What a file is that is no plain text.
mod not_text;
// Why a file is rejected, and the report that says so.
mod rejection;

pub use head::refuse_by_head;
pub use not_text::NotText;
pub use rejection::Rejection;
