//! Grading: a submission is compared with what is proved about the puzzles of a reference.
//!
//! An [`AnswerKey`] is a reference with its answers, made once; [`AnswerKey::grade`] grades any number of submissions by it,
//! each read once and in bounded memory. [`formats`] writes the grades.

// The folders of a class, and those of which nothing can be graded.
pub mod class;
// How grades are written.
pub mod formats;
// One submission graded.
mod grade;
// A reference with its answers.
mod key;
// A submission graded into its files.
mod note;
// What answers are worth.
mod points;
// How a submission stands beside the others of its student.
pub mod standing;
// What grades say in words.
mod told;

pub use grade::{Grade, GradeError, Graded, Shift};
pub use key::{AnswerKey, REFERENCE_BYTES_MAX, check_puzzles, read_reference};
pub use note::NoteOut;
pub use points::Points;
pub use standing::{Modified, Standing};
pub use told::Told;
