//! The reading of a file: cases by their tokens ([`reader`]), and what their lines tell about a wrong count of
//! values ([`row_lines`]).

mod reader;
mod row_lines;

pub(super) use reader::CaseReader;
