//! How grades are written: for people, for programs, and for the systems that show marks to students.

// Rows for a spreadsheet.
mod csv;
// Gradescope's `results.json`.
mod gradescope;
// Objects for programs.
mod json;
// The XML of `JUnit`, which build servers show.
mod junit;
// A format, and what writes it.
mod format;
// Lines for people.
mod text;
// The lines that Moodle's VPL takes comments and the grade from.
mod vpl;
// What writes grades.
mod writer;

pub use csv::{ClassList, defused};
pub use format::Format;
pub use json::{Note, NoteOrigin, nothing_note};
pub use text::Text;
pub use writer::GradeWriter;
