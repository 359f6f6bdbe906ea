//! Grades submissions by comparing them with what is proved about the puzzles of a reference.
//!
//! An [`AnswerKey`] is a reference with its answers, and is made once. [`AnswerKey::grade`] grades any number of
//! submissions against it; each is read once, in bounded memory. [`formats`] writes the grades.

mod answer_key;
pub mod class;
pub mod formats;
mod grade_messages;
mod graded;
mod points;
pub mod standing;

pub use answer_key::{AnswerKey, GradeOutputs, REFERENCE_BYTES_MAX, check_puzzles, read_reference};
pub use grade_messages::Wording;
pub use graded::{Grade, Graded, Shift};
pub use points::Points;
pub use standing::{Modified, Standing};
