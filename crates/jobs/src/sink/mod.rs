//! Where outcomes go: the text a person reads, and the JSON and the page beside it.

// What goes into a sink.
mod answered;
// JSON.
mod json;
// All that one job writes.
mod sinks;
// The text.
mod text;

pub use answered::{Answered, JobInfo, Sink};
pub use json::{JsonOrigin, JsonSink};
pub use sinks::Sinks;
pub use text::TextSink;
