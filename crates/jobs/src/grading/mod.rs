//! Grading: a submission is compared with what is proved about the puzzles of a reference.
//!
//! An [`AnswerKey`] is a reference with its answers, made once; [`AnswerKey::grade`] grades any number of submissions by it,
//! each read once and in bounded memory. [`formats`] writes the grades.

// A reference with its answers.
mod answer_key;
// The folders of a class, and those of which nothing can be graded.
pub mod class;
// How grades are written.
pub mod formats;
// What grades say in words.
mod grade_messages;
// One submission graded.
mod graded;
// What answers are worth.
mod points;
// How a submission stands beside the others of its student.
pub mod standing;

pub use answer_key::{AnswerKey, NoteOut, REFERENCE_BYTES_MAX, check_puzzles, read_reference};
pub use grade_messages::Wording;
pub use graded::{Grade, GradeError, Graded, Shift};
pub use points::Points;
pub use standing::{Modified, Standing};
