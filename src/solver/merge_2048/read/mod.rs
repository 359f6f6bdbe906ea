//! The reading of a file: cases by their tokens ([`reader`]), and what their lines tell about a wrong count of
//! values ([`row_lines`]).

// Reads the cases of a file.
mod reader;
// What the lines of a case tell about its count of values.
mod row_lines;

pub(super) use reader::CaseReader;
