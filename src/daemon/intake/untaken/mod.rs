//! What is not taken: what is said of it, and how often.

// Which complaints are made.
pub mod complaints;
// What permissions keep from being taken.
pub mod denied;
